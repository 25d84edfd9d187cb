// Answers of the target, honest and hostile, as outcomes.
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { repairJson } from "../../../../src/applications/http/answer/repair-json.js";
import { failureValue } from "../../../../src/applications/http/failure.js";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { Outcome, Transport } from "../../../../src/applications/transport.js";
import type { JsonValue } from "../../../../src/lib/json.js";
import { createRedactor } from "../../../../src/lib/redact/redact.js";
import { httpAction, objectIn, send, targetAt } from "../../../support/http.js";
import { watchMemory } from "../../../support/live-memory.js";
import { json, type RecordingTarget, type Reply, response, startTarget } from "../../../support/target.js";

describe("answers of the target", () => {
  let server: RecordingTarget;
  let transport: Transport;
  beforeEach(async () => {
    server = await startTarget();
    transport = createHttpTransport();
  });
  afterEach(async () => {
    await transport.close?.();
    await server.close();
  });

  const get = httpAction({ method: "GET", path: "/x", parameters: [] });
  const post = httpAction({ method: "POST", path: "/x", parameters: [] });
  const answered = (reply: Reply, action = get, timeoutMs = 10_000): Promise<Outcome> => {
    server.answer(() => reply);
    return send(transport, action, {}, targetAt(server.url, { timeoutMs }));
  };
  const typed = async (type: string, body: string | Buffer): Promise<JsonValue> =>
    (await answered(response(200, type === "" ? {} : { "Content-Type": type }, body))).value;

  it("gives a 2xx body itself, parsed by its content type", async () => {
    expect(await typed("application/json", '{"id":12345678901234567890,"d":"2026-02-30"}')).to.deep.equal({
      id: 12345678901234567890n,
      d: "2026-02-30",
    });
    expect(await typed("application/vnd.api+json; charset=utf-8", "[1]")).to.deep.equal([1]);
    expect(await typed("text/plain", "[1]")).to.equal("[1]");
    expect(await typed("application/xml", "<a/>")).to.equal("<a/>");
    expect(await typed("text/html; charset=ISO-8859-1", Buffer.from([0xe9]))).to.equal("é");
    expect(await typed("text/plain; charset=nonsense", "é")).to.equal("é");
    expect(await typed("", '{"a":1}')).to.deep.equal({ a: 1 });
    expect(await typed("", "plain")).to.equal("plain");
  });

  it("reports the status where there is no body", async () => {
    expect((await answered(response(204, { "Content-Length": "0" }))).value).to.deep.equal({ status: 204 });
    expect((await answered(response(201, { Location: "/x/7" }))).value).to.deep.equal({
      status: 201,
      location: "/x/7",
    });
    expect((await answered(json("null"))).value).to.deep.equal({ status: 200 });
    const head = httpAction({ method: "HEAD", path: "/x", parameters: [] });
    expect((await answered(response(200, { "Content-Length": "5", ETag: '"a"' }), head)).value).to.deep.equal({
      status: 200,
      etag: '"a"',
    });
  });

  it("reports the status of an answer that has no content, whatever comes with it", async () => {
    const smuggled = json({ from: "the call before" }).toString();
    const framings: Record<string, string>[] = [
      { "Content-Length": "7" },
      { "Content-Length": String(smuggled.length) },
      { "Transfer-Encoding": "chunked" },
      { "Content-Length": "7", "Content-Encoding": "gzip" },
    ];
    for (const headers of framings)
      for (const body of ['{"a":1}', smuggled]) {
        const { value, status } = await answered(response(204, headers, body));
        expect({ value, status }).to.deep.equal({ value: { status: 204 }, status: "ok" });
        expect((await answered(json({ b: 2 }))).value).to.deep.equal({ b: 2 });
      }
  });

  it("reports the status where a coding is named and nothing is in it", async () => {
    for (const coding of ["gzip", "br", "deflate", "gzip, br"])
      expect((await answered(response(200, { "Content-Encoding": coding }))).value).to.deep.equal({ status: 200 });
  });

  it("keeps a picture that browsers draw with its description, up to 512 KiB, and none that can hold a script", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 255]);
    for (const type of ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"])
      expect(await typed(type, bytes)).to.have.property("data", `data:${type};base64,iVAA/w==`);
    expect(await typed("image/svg+xml", Buffer.from("<svg/>"))).to.equal("<svg/>");
    expect(await typed("application/pdf", bytes)).to.not.have.property("data");
    expect(await typed("image/png", Buffer.alloc(4 * 1024 * 1024))).to.have.property("data");
    expect(await typed("image/png", Buffer.alloc(4 * 1024 * 1024 + 1))).to.not.have.property("data");
  });

  it("describes bytes instead of dumping them", async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 255]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(await typed("image/tiff", bytes)).to.deep.equal({ binary: true, type: "image/tiff", bytes: 4, sha256 });
    expect(await typed("", bytes)).to.deep.include({ binary: true, type: "application/octet-stream" });
    expect(await typed("", Buffer.from([0xff, 0xfe, 0x41]))).to.deep.include({ binary: true });
    for (const type of ["application/json", "text/plain; charset=utf-8"])
      expect(await typed(type, Buffer.from("a\0b"))).to.deep.include({ binary: true, bytes: 3 });
    expect(await typed("text/plain; charset=utf-16le", Buffer.from("a", "utf16le"))).to.equal("a");
  });

  it("gives an error a code, a sentence, the status and the body", async () => {
    const outcome = await answered(json({ detail: "no pet 7" }, 404));
    expect(outcome).to.deep.equal({
      status: "error",
      value: {
        error: "http_404",
        message: "the target answered 404 Not Found",
        status: 404,
        body: { detail: "no pet 7" },
      },
    });
    const busy = objectIn(await answered(response(429, { "Retry-After": "30" })));
    expect(busy).to.deep.include({ error: "http_429", retry_after: "30" }).and.not.have.property("body");
  });

  it("takes an answer however it is framed and compressed", async () => {
    const raw = '{"a":[1,2,3]}';
    const codings: [string, Buffer][] = [
      ["gzip", gzipSync(raw)],
      ["br", brotliCompressSync(raw)],
      ["deflate", deflateSync(raw)],
      ["gzip, br", brotliCompressSync(gzipSync(raw))],
      ["identity", Buffer.from(raw)],
    ];
    for (const [coding, bytes] of codings) {
      const reply = response(200, { "Content-Type": "application/json", "Content-Encoding": coding }, bytes);
      expect((await answered(reply)).value, coding).to.deep.equal({ a: [1, 2, 3] });
    }
    const chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n1\r\n]\r\n0\r\n\r\n";
    expect((await answered(chunked)).value).to.deep.equal([1]);
    const early = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${json([2])}`;
    expect((await answered(early)).value).to.deep.equal([2]);
    const untilClose = (socket: { end(text: string): unknown }): void =>
      void socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[3]");
    expect((await answered(untilClose)).value).to.deep.equal([3]);
  });

  it("keeps a character whole that is cut between two packets", async () => {
    const bytes = json('"žluť"');
    const value = await answered((socket) => {
      socket.write(bytes.subarray(0, bytes.length - 2));
      setTimeout(() => socket.write(bytes.subarray(bytes.length - 2)), 20);
    });
    expect(value.value).to.equal("žluť");
  });

  it("G16 stops reading a decompression bomb at the cap, in bounded memory", async () => {
    const bomb = await new Promise<Buffer>((resolve) => {
      const gzip = createGzip({ level: 9 });
      const out: Buffer[] = [];
      gzip.on("data", (chunk: Buffer) => out.push(chunk)).on("end", () => resolve(Buffer.concat(out)));
      const block = Buffer.alloc(1024 * 1024, " ");
      for (let i = 0; i < 200; i++) gzip.write(block);
      gzip.end();
    });
    const before = process.memoryUsage().rss;
    const outcome = await answered(response(200, { "Content-Type": "text/plain", "Content-Encoding": "gzip" }, bomb));
    const grown = process.memoryUsage().rss - before;
    expect(objectIn(outcome)).to.deep.include({ truncated: true, bytes_read: 8 * 1024 * 1024 });
    expect(grown).to.be.below(64 * 1024 * 1024);
  });

  it("G16 reads an answer that comes byte by byte in memory that goes with its length @all", async function () {
    this.timeout(20_000);
    const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
    const length = 2_000_000;
    const stop = watchMemory();
    const outcome = await answered((socket) => {
      socket.write(head);
      let left = length;
      const more = (): void => {
        if (left === 0) return void socket.write("0\r\n\r\n");
        left -= 10_000;
        socket.write("1\r\nx\r\n".repeat(10_000), more);
      };
      more();
    });
    expect(outcome.value).to.equal("x".repeat(length));
    expect(stop()).to.be.below(64 * 1024 * 1024);
  });

  it("G19 closes a cut JSON text of any depth in time that goes with its length", () => {
    const deep = 500;
    const text = `${"[".repeat(deep)}${"1,".repeat(2_000_000)}`;
    const start = performance.now();
    let value = repairJson(text);
    expect(performance.now() - start).to.be.below(2_000);
    for (let n = 1; n < deep; n++) value = (value as JsonValue[])[0] ?? null;
    expect(value).to.have.length(2_000_000);
  });

  it("G16 keeps every whole element of a JSON answer over the cap, and releases the connection", async () => {
    const small = createHttpTransport({ maxAnswerBytes: 1000 });
    server.answer(() => json({ items: Array.from({ length: 5000 }, (_, id) => ({ id, name: `n"]${id}` })) }));
    const value = objectIn(await send(small, get, {}, targetAt(server.url)));
    expect(value).to.deep.include({ truncated: true, bytes_read: 1000 });
    const { items } = value["body"] as { items: { id: number; name: string }[] };
    expect(items.length).to.be.within(30, 60);
    expect(items[20]).to.deep.equal({ id: 20, name: 'n"]20' });
    await small.close?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.open()).to.equal(0);
  });

  it("N12 leaves no beginning of a secret at the end of an answer that was cut", async () => {
    const secret = "s3cr3t/value";
    const small = createHttpTransport({ maxAnswerBytes: 2000, redact: createRedactor([secret]) });
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64"), "s3cr3t\\/value"])
      for (const type of ["text/plain", "application/json", ""])
        for (const status of [200, 500])
          for (let inside = 1; inside <= form.length; inside += 3) {
            const text = `${"x".repeat(2000 - inside)}${form} and so on`;
            server.answer(() => response(status, type === "" ? {} : { "Content-Type": type }, text));
            const value = objectIn(await send(small, get, {}, targetAt(server.url)));
            expect(value).to.have.property("truncated", true);
            expect(String(value["body"]))
              .to.match(/^x{1000}/)
              .and.not.match(/s3|c3|[^x]$/);
          }
    await small.close?.();
  });

  it("closes a cut JSON text after its last whole element", () => {
    const cases: [string, JsonValue][] = [
      ['[1,2,{"a":3', [1, 2, {}]],
      ['[{"a":1},{"a":2', [{ a: 1 }, {}]],
      ['{"a":[1,[2,3],"x,]', { a: [1, [2, 3]] }],
      ['{"a":"b\\"",', { a: 'b"' }],
      ['{"a":1,"b', { a: 1 }],
      ["[", []],
    ];
    for (const [text, value] of cases) expect(repairJson(text), text).to.deep.equal(value);
    for (const text of ["", '"abc', "12", "]"]) expect(() => repairJson(text), text).to.throw(SyntaxError);
  });

  it("G17 refuses an answer compressed over and over, or in a coding that was not requested", async () => {
    for (const coding of [Array(1000).fill("gzip").join(", "), "gzip, gzip, gzip", "zstd"]) {
      const outcome = await answered(response(200, { "Content-Encoding": coding }, gzipSync("x")));
      expect(objectIn(outcome)["error"]).to.equal("invalid_response");
    }
  });

  it("G18 ends a call whose answer trickles, hangs or breaks off, with a code and what to do", async () => {
    const drip: Reply = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(timer));
    };
    for (const reply of [drip, (): void => {}]) {
      const value = objectIn(await answered(reply, get, 150));
      expect(value["error"]).to.equal("timeout");
      expect(value["message"])
        .to.contain(`127.0.0.1:${server.port}`)
        .and.to.contain("150 ms")
        .and.not.to.contain("carried out");
    }
    const broken: Reply[] = [
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", () => socket.resetAndDestroy()),
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"),
      (socket) => void socket.end(),
    ];
    for (const reply of broken) {
      const value = objectIn(await answered(reply, post));
      expect(value["error"]).to.equal("connection_reset");
      expect(value["message"]).to.contain("may have been carried out");
    }
    expect(server.requests.length).to.equal(5);
  });

  it("G18 ends a call to a target that never completes the connection", async () => {
    // A socket that stays silent when it is greeted is a secure connection that is never made.
    server.answer(() => () => {});
    const value = objectIn(
      await send(transport, post, {}, targetAt(server.url.replace("http:", "https:"), { timeoutMs: 150 })),
    );
    expect(value["error"]).to.equal("timeout");
    expect(server.connections).to.equal(1);
    expect(server.requests).to.deep.equal([]);
  });

  it("G19 gives a bounded value for JSON that is too deep, invalid, with a byte order mark or not JSON at all", async () => {
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    expect(await typed("application/json", deep)).to.equal(deep);
    expect(await typed("application/json", "{oops")).to.equal("{oops");
    expect(await typed("application/json", '\ufeff{"a":1}')).to.deep.equal({ a: 1 });
    expect(await typed("application/json", Buffer.from([0xff, 0x41]))).to.be.a("string");
    expect(Object.keys((await typed("application/json", '{"__proto__":{"x":1}}')) as object)).to.deep.equal([
      "__proto__",
    ]);
    const codes: [Reply, string][] = [
      [`HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`, "invalid_response"],
      ["SSH-2.0-OpenSSH_9.6\r\n", "invalid_response"],
      [response(200, { "Content-Encoding": "gzip" }, "not gzip"), "invalid_response"],
      ["HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "invalid_response"],
    ];
    for (const [reply, code] of codes)
      expect(objectIn(await answered(reply))["error"], String(reply).slice(0, 40)).to.equal(code);
  });

  it("names the address and what to do when nothing listens there", async () => {
    const plain = createServer((socket) => void socket.on("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n")));
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    const { port } = plain.address() as { port: number };
    const at = async (baseUrl: string) => objectIn(await send(transport, post, {}, targetAt(baseUrl)));
    expect((await at(`https://127.0.0.1:${port}`))["error"]).to.equal("tls_error");
    await new Promise((resolve) => plain.close(resolve));
    expect(await at(`http://127.0.0.1:${port}`)).to.deep.equal({
      error: "connection_refused",
      message: `nothing listens at 127.0.0.1:${port}; start the target or correct its address`,
    });
  });

  it("has a code for every way a network fails", () => {
    const cases: [code: string, expected: string][] = [
      ["ENOTFOUND", "dns_failure"],
      ["EAI_AGAIN", "dns_failure"],
      ["EHOSTUNREACH", "unreachable"],
      ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
      ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_error"],
      ["CERT_HAS_EXPIRED", "tls_error"],
      ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_error"],
      ["EPIPE", "connection_reset"],
      ["HPE_INVALID_CONSTANT", "invalid_response"],
      ["EWHATEVER", "network_error"],
    ];
    for (const [code, expected] of cases) {
      const error = new AggregateError([Object.assign(new Error("inner"), { code })]);
      const value = failureValue(new Error("outer", { cause: error }), true, "https://target.example");
      expect(value["error"], code).to.equal(expected);
      expect(value["message"]).to.contain("target.example:443");
    }
  });

  it("lets a call end when the transport is closed under it", async () => {
    const pending = answered(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    await transport.close?.();
    expect((await pending).status).to.equal("error");
  });
});
