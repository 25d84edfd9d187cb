// What is sent compressed and what never is, and lists that leave large results out.
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import { WORTH_COMPRESSING_BYTES } from "../../../build/precompress.js";
import type { ScriptedReply } from "../../../src/providers/scripted.js";
import { builtUi } from "../../support/built-ui.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";

const TOKEN = "s3cret-t0ken+with=signs";
const BROWSER = "gzip, deflate, br, zstd";
const PETS = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `pet ${i}`, note: "x".repeat(80) }));

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
/** The body, decoded. */
const textOf = ({ headers, bytes }: Answer): string =>
  (decoders[headers["content-encoding"] ?? ""]?.(bytes) ?? bytes).toString();

describe("Compression", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET", body?: string) => {
    const sent = httpRequest(daemon.url + path, { method, headers: { ...headers } });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      bytes: Buffer.concat(chunks),
    } satisfies Answer;
  };
  const run = (message: string, session_id: string, accept = "application/json") => {
    const headers = { "content-type": "application/json", "accept-encoding": BROWSER, accept };
    return ask("/run", headers, "POST", JSON.stringify({ message, session_id }));
  };

  before(async function () {
    this.timeout(60_000);
    target = await startTarget(({ path }) => json(path === "/pets" ? PETS : { id: 1, name: "Rex" }));
    const replies = (name: string, args: object): ScriptedReply[] => [
      { calls: [{ id: "call_1", name, arguments: JSON.parse(JSON.stringify(args)) }] },
      { text: "done" },
    ];
    const turns = [
      { prompt: "list", replies: replies("list_pets", {}) },
      { prompt: "get", replies: replies("get_pet", { id: 1 }) },
      { prompt: "create", replies: replies("create_pet", { name: "Rex" }) },
    ];
    daemon = await startDaemon({ target: target.url, turns, listen: { staticDir: await builtUi() } });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("sends the files of the web UI as they were compressed, in the coding the client takes", async () => {
    const page = textOf(await ask("/"));
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(paths.length).to.be.above(1);
    for (const path of paths) {
      const plain = await ask(path);
      if (plain.bytes.length < WORTH_COMPRESSING_BYTES) continue;
      expect(plain.headers).to.not.have.property("content-encoding");
      const tags = new Set([plain.headers.etag]);
      for (const [accept, coding] of [
        [BROWSER, "br"],
        ["gzip", "gzip"],
        ["br;q=0, *", "gzip"],
        ["BR", "br"],
      ] as const) {
        const answer = await ask(path, { "accept-encoding": accept });
        expect(answer.status).to.equal(200);
        expect(answer.headers["content-encoding"], accept).to.equal(coding);
        expect(answer.headers.vary).to.equal("Accept-Encoding");
        expect(answer.headers["content-type"]).to.equal(plain.headers["content-type"]);
        expect(answer.headers["cache-control"]).to.include("immutable");
        expect(answer.headers["content-length"]).to.equal(String(answer.bytes.length));
        expect(answer.headers).to.not.have.property("accept-ranges");
        expect(answer.bytes.length).to.be.below(plain.bytes.length * 0.6);
        expect(textOf(answer)).to.equal(plain.bytes.toString());
        tags.add(answer.headers.etag);
        const again = await ask(path, { "accept-encoding": accept, "if-none-match": answer.headers.etag ?? "" });
        expect({ status: again.status, length: again.bytes.length }).to.deep.equal({ status: 304, length: 0 });
        expect(again.headers.vary).to.equal("Accept-Encoding");
        const head = await ask(path, { "accept-encoding": accept, range: "bytes=0-9" }, "HEAD");
        expect(head.headers["content-length"]).to.equal(answer.headers["content-length"]);
        expect(head.bytes.length).to.equal(0);
      }
      expect(tags.size).to.equal(3);
      for (const accept of ["", "identity", "deflate", "br;q=0, gzip;q=0", "x".repeat(500)]) {
        const answer = await ask(path, { "accept-encoding": accept });
        expect(answer.headers, accept).to.not.have.property("content-encoding");
        expect(answer.headers.vary).to.equal("Accept-Encoding");
      }
      // The compressed forms are no files of their own.
      for (const suffix of [".br", ".gz"])
        expect((await ask(path + suffix)).headers["content-type"]).to.include("text/html");
    }
  });

  it("sends a page that opens in less than a third of its bytes", async () => {
    const page = textOf(await ask("/", { "accept-encoding": BROWSER }));
    const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const bytes = async (accept: string): Promise<number> => {
      const sizes = paths.map(async (path) => (await ask(path, { "accept-encoding": accept })).bytes.length);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    expect(await bytes(BROWSER)).to.be.below((await bytes("identity")) / 3);
  });

  it("compresses the sign-in page", async () => {
    const guarded = await startDaemon({ listen: { token: TOKEN, staticDir: await builtUi() } });
    const open = daemon;
    daemon = guarded;
    try {
      for (const path of ["/", "/history"]) {
        const plain = await ask(path, { accept: "text/html" });
        const packed = await ask(path, { accept: "text/html", "accept-encoding": BROWSER });
        expect([plain.status, packed.status]).to.deep.equal([401, 401]);
        expect(packed.headers["content-encoding"]).to.equal("br");
        expect(packed.headers["content-length"]).to.equal(String(packed.bytes.length));
        expect(packed.headers["content-security-policy"]).to.equal(plain.headers["content-security-policy"]);
        expect(textOf(packed)).to.equal(textOf(plain)).and.include("<form");
      }
    } finally {
      daemon = open;
      await guarded.close();
    }
  });

  it("compresses documents, with a tag for each form", async () => {
    for (const path of ["/schema", "/tools", "/-/openapi.json", "/-/tools/search?q=pets"]) {
      const plain = await ask(path);
      for (const coding of ["br", "gzip"]) {
        const packed = await ask(path, { "accept-encoding": coding });
        expect(packed.headers["content-encoding"], path).to.equal(coding);
        expect(packed.headers["content-length"]).to.equal(String(packed.bytes.length));
        expect(packed.headers.vary).to.equal("Accept-Encoding");
        expect(packed.headers["content-type"]).to.equal("application/json");
        expect(textOf(packed), path).to.equal(plain.bytes.toString());
        const head = await ask(path, { "accept-encoding": coding }, "HEAD");
        expect(head.headers["content-length"], path).to.equal(packed.headers["content-length"]);
        if (path !== "/schema") continue;
        expect(packed.headers.etag).to.not.equal(plain.headers.etag);
        const again = await ask(path, { "accept-encoding": coding, "if-none-match": packed.headers.etag ?? "" });
        expect(again.status).to.equal(304);
      }
    }
    const small = await ask("/-/tools/search?q=nothing-at-all&limit=1", { "accept-encoding": BROWSER });
    expect(small.bytes.length).to.be.below(1024);
    expect(small.headers).to.not.have.property("content-encoding");
  });

  it("B26 never compresses what has confidential data and text of others in one answer, nor a stream, nor a probe", async () => {
    const answers = [
      await run("list them", "s"),
      await run("list them", "s", "text/event-stream"),
      await run("list them", "s", "application/x-ndjson"),
    ];
    const paths = [
      "/history",
      "/-/sessions",
      "/-/sessions/s",
      "/-/confirmations",
      "/-/healthz",
      "/-/metrics",
      "/-/nothing",
    ];
    for (const path of paths) answers.push(await ask(path, { "accept-encoding": BROWSER }));
    for (const { headers } of answers) expect(headers).to.not.have.property("content-encoding");
  });

  it("lists the history and a transcript without large results when asked to, and gives a row whole", async () => {
    await run("list them", "lists");
    await run("get one", "lists");
    const whole = JSON.parse(textOf(await ask("/history?session_id=lists")));
    const small = JSON.parse(textOf(await ask("/history?session_id=lists&results=small")));
    expect(whole[0].result).to.deep.equal({ id: 1, name: "Rex" });
    expect(small[0]).to.deep.equal(whole[0]);
    expect(whole[1]).to.not.have.property("result_bytes");
    const { result, ...rest } = whole[1];
    expect(small[1]).to.deep.equal({ ...rest, result: null, result_bytes: JSON.stringify(result).length });
    const one = JSON.parse(textOf(await ask(`/history?before=${whole[1].id + 1}&limit=1`)));
    expect(one).to.deep.equal([whole[1]]);

    const transcript = await ask("/-/sessions/lists");
    const listed = await ask("/-/sessions/lists?results=small");
    expect(listed.bytes.length)
      .to.be.below(transcript.bytes.length / 2)
      .and.below(8000);
    const texts = (answer: Answer) =>
      JSON.parse(textOf(answer)).turns.flatMap((turn: { messages: { role: string }[] }) =>
        turn.messages.filter(({ role }) => role === "tool"),
      ) as { text: string; omitted_chars?: number }[];
    const [large, little] = texts(transcript);
    expect(texts(listed)).to.deep.equal([{ ...large, text: "", omitted_chars: large?.text.length }, little]);
    expect((await ask("/history?results=none")).status).to.equal(400);
    expect((await ask("/-/sessions/lists?results=omit")).status).to.equal(400);
  });

  it("lists decided confirmations without their arguments when asked to", async () => {
    const asJson = { "content-type": "application/json" };
    const body = { message: "create one", session_id: "held", confirm: true };
    await ask("/run", asJson, "POST", JSON.stringify(body));
    const list = async () => JSON.parse(textOf(await ask("/-/confirmations?details=pending")));
    const [pending] = await list();
    expect(pending)
      .to.include({ status: "pending" })
      .and.deep.include({ arguments: { name: "Rex" } });
    await ask(`/-/confirmations/${pending.id}`, asJson, "POST", '{"decision":"deny"}');
    const [decided] = await list();
    expect(decided).to.include({ id: pending.id, status: "denied" });
    expect(decided).to.deep.include({ arguments: {}, request: {} });
    const [whole] = JSON.parse(textOf(await ask("/-/confirmations")));
    expect(whole.arguments).to.deep.equal({ name: "Rex" });
  });
});
