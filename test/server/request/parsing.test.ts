import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { HANDSHAKE, openChat, openWire, request, send } from "../../support/raw.js";
import { type RecordingTarget, startTarget } from "../../support/target.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const JSON_TYPE = { "content-type": "application/json" };

describe("HTTP parsing and limits", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  let staticDir: string;
  const get = (path: string, headers: readonly string[] = []) =>
    send(daemon.port, request(daemon.port, `GET ${path}`, headers));
  const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = JSON_TYPE) =>
    fetch(`${daemon.url}/run`, { method: "POST", headers, body });
  const errorOf = async (answer: Response): Promise<{ code: string; message: string; details: string[] }> => {
    expect(answer.headers.get("content-type")).to.equal("application/json");
    const text = await answer.text();
    expect(text).to.not.match(/node_modules|\bat .+:\d+:\d+|<!doctype/i);
    return JSON.parse(text).error;
  };

  before(async () => {
    staticDir = temporaryFolder("static");
    await mkdir(join(staticDir, "assets"));
    await writeFile(join(staticDir, "index.html"), "<!doctype html><title>the page</title>");
    await writeFile(join(staticDir, "assets", "main-abc123.js"), "export {};");
    await writeFile(join(staticDir, ".env"), "CANARY=1");
    target = await startTarget();
    const calls = [{ name: "delete_pet", arguments: { id: 1 } }];
    daemon = await startDaemon({
      target: target.url,
      settings: { policy: { read_only: true, dry_run: false, strict: false, confirm: false } },
      listen: { staticDir },
      turns: [{ prompt: "delete", replies: [{ calls }, { text: "tried" }] }],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("D1 refuses every way of smuggling a request", async () => {
    const head = `POST /run HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nContent-Type: application/json\r\n`;
    const smuggled = [
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      `${head}X: a\n Content-Length: 5\r\n\r\n`,
      `${head}X: a\r\n folded\r\n\r\n`,
      `${head}Content-Length : 5\r\n\r\nhello`,
      `${head}X: a\0b\r\n\r\n`,
    ];
    for (const bytes of smuggled) {
      const response = await send(daemon.port, bytes);
      expect(response.status, JSON.stringify(bytes)).to.equal(400);
      expect(response.text)
        .to.include('"code":"bad_request"')
        .and.match(/content-security-policy/i);
    }
  });

  it("D2 answers what is no request, and what is too large, with JSON and the right status", async () => {
    const own = `Host: 127.0.0.1:${daemon.port}\r\n`;
    const rows = [
      ["GET /tools HTTP/1.1\r\n\r\n", 400],
      ["GET /tools HTTP/1.0\r\n\r\n", 400],
      [`GET /chat HTTP/1.1\r\n${HANDSHAKE.join("\r\n")}\r\n\r\n`, 400],
      [`GET /tools HTTP/1.1\r\n${own}Expect: foo\r\n\r\n`, 417],
      [`GET /tools HTTP/1.1\r\n${own}X: ${"x".repeat(20 * 1024)}\r\n\r\n`, 431],
      [`GET /${"x".repeat(20 * 1024)} HTTP/1.1\r\n${own}\r\n`, 431],
      ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
      ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ] as const;
    for (const [bytes, status] of rows) {
      const response = await send(daemon.port, bytes);
      expect(response.status, bytes.slice(0, 60)).to.equal(status);
      expect(response.text, bytes.slice(0, 60)).to.include('{"error":{"code":"');
    }
  });

  it("D3 refuses a body over 1 MiB, and takes one just below", async () => {
    const bodyOf = (bytes: number): string => JSON.stringify({ message: "x".repeat(bytes - '{"message":""}'.length) });
    const over = await post(bodyOf(1024 * 1024 + 1));
    expect(over.status).to.equal(413);
    expect((await errorOf(over)).code).to.equal("payload_too_large");
    const fits = await post(bodyOf(1024 * 1024));
    expect(fits.status).to.equal(200);
    await fits.text();
  });

  it("D3 refuses a body over 1 MiB before all of it has come", async () => {
    const head = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const announced = ["Content-Type: application/json", `Content-Length: ${100 * 1024 * 1024}`];
    const size = 1024 * 1024 + 1;
    const requests = [
      request(daemon.port, "POST /run", announced),
      `${request(daemon.port, "POST /run", head)}${size.toString(16)}\r\n${"x".repeat(size)}\r\n`,
    ];
    for (const bytes of requests) {
      const { status, text } = await send(daemon.port, bytes, 2000);
      expect(status, bytes.slice(0, 120)).to.equal(413);
      expect(text).to.include('"code":"payload_too_large"');
    }
  });

  it("D3 reads all of a body over 1 MiB where the connection ends with the answer, which would be lost otherwise", async () => {
    const size = 2 * 1024 * 1024;
    const headers = ["Content-Type: application/json", "Connection: close", `Content-Length: ${size}`];
    const wire = await openWire(daemon.port);
    wire.write(request(daemon.port, "POST /run", headers));
    expect((await wire.wait(200)).text).to.equal("");
    wire.write("x".repeat(size));
    expect((await wire.wait()).status).to.equal(413);
  });

  it("D4 counts inflated bytes, and takes compressed JSON", async () => {
    const gzip = { ...JSON_TYPE, "content-encoding": "gzip" };
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, " "));
    const before = process.memoryUsage.rss();
    const refused = await post(bomb, gzip);
    expect(refused.status).to.equal(413);
    await refused.text();
    expect(process.memoryUsage.rss() - before).to.be.below(48 * 1024 * 1024);
    const body = '{"message":"hello"}';
    for (const [bytes, encoding] of [
      [gzipSync(body), "gzip"],
      [deflateSync(body), "deflate"],
    ] as const) {
      const answer = await post(bytes, { ...JSON_TYPE, "content-encoding": encoding });
      expect(answer.status, encoding).to.equal(200);
      await answer.text();
    }
    const broken = await post(body, gzip);
    expect(broken.status).to.equal(400);
    await errorOf(broken);
  });

  it("D5 refuses other charsets and encodings", async () => {
    const body = Buffer.from('{"message":"hello"}');
    const rows = [
      [{ "content-type": "application/json; charset=latin1" }, body, 415],
      [{ ...JSON_TYPE, "content-encoding": "zstd" }, body, 415],
      [{ "content-type": "application/json; charset=utf-16" }, Buffer.from(body.toString(), "utf16le"), 400],
      [JSON_TYPE, Buffer.from('{"message":"\xff"}', "latin1"), 400],
      [{ "content-type": 'application/json; charset="UTF-8"' }, body, 200],
      [{ "content-type": "application/json; charset=utf8" }, body, 200],
      [{ "content-type": "Application/JSON" }, body, 200],
    ] as const;
    for (const [headers, bytes, status] of rows) {
      const answer = await post(bytes, headers);
      expect(answer.status, JSON.stringify(headers)).to.equal(status);
      await answer.text();
    }
  });

  it("says what to send where no body came at all", async () => {
    const path = "/-/history/1/undo";
    const answer = await fetch(new URL(path, daemon.url), { method: "POST" });
    expect(answer.status).to.equal(415);
    expect(await errorOf(answer)).to.have.property(
      "message",
      "Send a JSON body, {} at least, with the header Content-Type: application/json.",
    );
  });

  it("D6 answers bad JSON and bad bodies with 400, as JSON, without a stack", async () => {
    const bodies = [
      '{"message":',
      '"x"',
      "null",
      "[]",
      "",
      "1",
      "{}",
      '{"message":7}',
      '{"message":""}',
      '{"message":" "}',
      '{"message":null}',
      '{"message":"x","session_id":7}',
      '{"message":"x","events":"all"}',
      "{'message':'x'}",
    ];
    const sessions = (await daemon.agent.sessions({ limit: 1000 })).length;
    for (const body of bodies) {
      const answer = await post(body);
      expect(answer.status, body).to.equal(400);
      expect((await errorOf(answer)).code, body).to.equal("invalid_body");
    }
    expect(await daemon.agent.sessions({ limit: 1000 })).to.have.length(sessions);
  });

  it("D7 refuses __proto__ and constructor by name: they change no mode", async () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString"]) {
      const answer = await post(`{"message":"delete","${key}":{"read_only":false,"dry_run":false}}`);
      expect(answer.status, key).to.equal(400);
      expect((await errorOf(answer)).message).to.include(key);
    }
    expect(({} as Record<string, unknown>)["read_only"]).to.equal(undefined);
  });

  it("D8 F1 relaxes no mode, whatever a body holds, and how often", async () => {
    for (const body of [
      '{"message":"delete","read_only":true,"read_only":false}',
      '{"message":"delete","read_only":false,"dry_run":false,"strict":false,"confirm":false}',
    ]) {
      const answer = await post(body);
      const { events } = (await answer.json()) as { events: { kind: string; status?: string }[] };
      expect(events.find(({ kind }) => kind === "tool_result")?.status).to.equal("error");
    }
    expect(target.requests).to.have.length(0);
  });

  it("D9 refuses JSON that is nested without end", async () => {
    for (const body of ["[".repeat(50_000), `{"message":${"[".repeat(50_000)}${"]".repeat(50_000)}}`]) {
      const answer = await post(body);
      expect(answer.status).to.equal(400);
      await errorOf(answer);
    }
  });

  it("D16 refuses arguments of tens of thousands of members in a decision, and says so", async () => {
    const members = Array.from({ length: 60_000 }, (_, n) => `"${n}":1`).join(",");
    const decision = `"decision":"approve","arguments":{${members}}`;
    const answer = await fetch(`${daemon.url}/-/confirmations/none`, {
      method: "POST",
      headers: JSON_TYPE,
      body: `{${decision}}`,
    });
    expect(answer.status).to.equal(400);
    expect(JSON.stringify(await errorOf(answer))).to.contain("more than 50000 members");
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send(`{"type":"confirm","id":"none",${decision}}`);
    expect(JSON.stringify(await chat.turns())).to.contain("more than 50000 members");
    chat.close();
  });

  it("D10 serves no file from outside the bundle, and redirects nowhere", async () => {
    const paths = [
      "/../package.json",
      "/..%2fpackage.json",
      "/%2e%2e/package.json",
      "/..%5cpackage.json",
      "/.env",
      "/assets",

      "/assets/..%2f..%2fpackage.json",
      "//evil.com/assets",
      "/%00",
      "/assets/%2e%2e/.env",
      "/assets/main-abc123.js%00.html",
    ];
    for (const path of paths) {
      const response = await get(path);
      expect(response.status, path).to.be.oneOf([200, 400, 403, 404]);
      expect(response.text, path)
        .to.not.include("CANARY")
        .and.not.include('"devDependencies"')
        .and.not.match(/^location:/im);
      if (response.status === 200) expect(response.text, path).to.include("<title>the page</title>");
    }
    const response = await get("/-/sessions/%");
    expect(response.status).to.equal(400);
    expect(response.text).to.include('"code":"bad_request"');
  });

  it("D11 types the page as HTML, whatever was asked for", async () => {
    for (const path of ["/missing.js", "/some/deep/link", "/index.html", "/", "/missing.css?x=1", "/tools/"]) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(response.text, path).to.match(/\r\ncontent-type: text\/html; charset=utf-8\r\n/i);
      expect(response.text, path)
        .to.match(/\r\ncache-control: no-cache\r\n/i)
        .and.include("<title>the page</title>");
    }
  });

  it("D12 refuses every limit that is not a whole number from 1 to 10000", async () => {
    const bad = ["limit=-1", "limit=0", "limit=1.5", "limit=abc", "limit=", "limit=1e9", "limit=9007199254740993"];
    for (const query of [
      ...bad,
      "limit=1&limit=2",
      "limit=10001",
      "limit=%201",
      "limit=0x10",
      "before=0",
      "after=-1",
      "after=00",
      "status=fine",
    ]) {
      const answer = await fetch(`${daemon.url}/history?${query}`);
      expect(answer.status, query).to.equal(400);
      expect((await errorOf(answer)).code, query).to.equal("invalid_query");
    }
    for (const query of ["limit=1", "limit=10000", "", "after=0", "token=x&token=y"]) {
      const answer = await fetch(`${daemon.url}/history?${query}`);
      expect(answer.status, query).to.equal(200);
      await answer.text();
    }
  });

  it("refuses unknown query parameters by name, with the nearest known one", async () => {
    const rows: [path: string, message: string][] = [
      ["/history?sesion_id=c1&limit=1", 'unknown parameter "sesion_id". Did you mean session_id?'],
      ["/history?limt=1", 'unknown parameter "limt". Did you mean limit?'],
      [
        "/history?x=1&x=2&Limit=1",
        '2 things are wrong: (1) unknown parameter "x". Known: limit, before, after, session_id, asked_by, application, tool, status, safety, tool_contains, q, from, to, results. (2) unknown parameter "Limit". Did you mean limit?',
      ],
      ["/-/sessions?befor=x", 'unknown parameter "befor". Did you mean before?'],
      ["/-/confirmations?state=pending", 'unknown parameter "state". Did you mean status?'],
      ["/-/tools/search?query=pet", 'unknown parameter "query". Known: q, limit, application.'],
    ];
    for (const [path, message] of rows) {
      const answer = await fetch(daemon.url + path);
      expect(answer.status, path).to.equal(400);
      expect(await errorOf(answer), path).to.deep.include({ code: "invalid_query", message });
    }
  });

  it("refuses a mode in the query of /run and /chat by name, and runs nothing", async () => {
    const misplaced = (name: string): string =>
      `unknown parameter "${name}". It is a field of the prompt: send it in the JSON.`;
    const rows: [query: string, message: string][] = [
      ["read_only=true", misplaced("read_only")],
      ["dry_run", misplaced("dry_run")],
      ["token=x&strict=1", misplaced("strict")],
      ["x=1", 'unknown parameter "x". Known: none.'],
    ];
    const body = JSON.stringify({ message: "delete" });
    const runAt = (query: string) => fetch(`${daemon.url}/run?${query}`, { method: "POST", headers: JSON_TYPE, body });
    const rowsOf = async (): Promise<string> => (await fetch(`${daemon.url}/history`)).text();
    const before = await rowsOf();
    for (const [query, message] of rows) {
      const answer = await runAt(query);
      expect(answer.status, query).to.equal(400);
      expect(await errorOf(answer), query).to.deep.include({ code: "invalid_query", message });
      const upgraded = await get(`/chat?${query}`, HANDSHAKE);
      expect(upgraded.status, query).to.equal(400);
      expect(upgraded.text, query).to.include("invalid_query").and.include("unknown parameter");
    }
    expect(await rowsOf()).to.equal(before);
    expect((await runAt("token=x")).status).to.equal(200);
    const chat = await openChat(`${daemon.url}/chat?token=x&session_id=s&events=extended`);
    expect(chat.session_id).to.equal("s");
    chat.close();
  });

  it("names what is wrong in a sentence, over HTTP and in a frame alike", async () => {
    const rows: [body: unknown, message: string][] = [
      [{}, "message is missing; it must be a string."],
      [{ message: 1 }, "message must be a string, not a number."],
      [{ message: " " }, "message must not be empty."],
      [{ message: "x", strict: "yes" }, "strict must be true or false, not a string."],
      [{ message: "x", events: "extendet" }, 'events must be "extended". Did you mean extended?'],
      [{ message: "x", readonly: true }, 'unknown field "readonly". Did you mean read_only?'],
      [["x"], "The body must be a JSON object, not an array."],
    ];
    const chat = await openChat(`${daemon.url}/chat`);
    for (const [body, message] of rows) {
      const text = JSON.stringify(body);
      const answer = await fetch(`${daemon.url}/run`, { method: "POST", headers: JSON_TYPE, body: text });
      expect(answer.status, text).to.equal(400);
      expect(await errorOf(answer), text).to.deep.include({ code: "invalid_body", message });
      if (!text.startsWith("{")) continue;
      chat.send(text);
      expect((await chat.turns()).slice(-2), text).to.deep.equal([{ kind: "error", message }, { kind: "done" }]);
    }
    chat.send('{"type":"confirm","id":"","decision":"maybe"}');
    expect((await chat.turns()).at(-2)).to.deep.equal({
      kind: "error",
      message: '2 things are wrong: (1) decision must be "approve" or "deny". (2) id must not be empty.',
    });
    chat.close();
    const decided = await fetch(`${daemon.url}/-/confirmations/x`, { method: "POST", headers: JSON_TYPE, body: "{}" });
    expect((await errorOf(decided)).message).to.equal('decision is missing; it must be "approve" or "deny".');
    const query = await fetch(`${daemon.url}/history?limit=10001&status=fine`);
    expect((await errorOf(query)).message).to.match(
      /^2 things are wrong: \(1\) limit must be at most 10000\. \(2\) status must be ok, error, .* or several of them, separated by commas\.$/,
    );
  });

  it("names what is wrong with a position in a frame, and drops none", async () => {
    const number = "after must be a whole number from 0 to 9007199254740991.";
    const rows: [frame: string, message: string][] = [
      ['{"type":"follow","after":3}', "after needs a turn_id: it is the number of an event in that turn."],
      ...["9007199254740992", "1e300", "-1", "1.5", '"3"', "null"].map((after): [string, string] => [
        `{"type":"resume","turn_id":"x","after":${after}}`,
        number,
      ]),
      ['{"type":"follow","turn_id":"x","after":9007199254740992}', number],
      ['{"type":"resume","turn_id":"x","after":9007199254740991}', 'There is no turn "x".'],
    ];
    const chat = await openChat(`${daemon.url}/chat`);
    for (const [frame, message] of rows) {
      chat.send(frame);
      expect((await chat.turns()).slice(-2), frame).to.deep.equal([{ kind: "error", message }, { kind: "done" }]);
    }
    chat.close();
  });

  it("names the limit of a body that is over it", async () => {
    const body = JSON.stringify({ message: "x".repeat(1024 * 1024) });
    const answer = await fetch(`${daemon.url}/run`, { method: "POST", headers: JSON_TYPE, body });
    expect(answer.status).to.equal(413);
    expect((await errorOf(answer)).message).to.include("over 1 MiB");
  });

  it("suggests the path that was meant where only the web UI answers", async () => {
    const rows: [path: string, meant: string][] = [
      ["/run/", "Did you mean /run?"],
      ["/runs", "Did you mean /run?"],
      ["/Run", "Did you mean /run?"],
    ];
    for (const [path, meant] of rows) {
      const answer = await fetch(daemon.url + path, { method: "POST", headers: JSON_TYPE, body: "{}" });
      expect(answer.status, path).to.equal(405);
      expect((await errorOf(answer)).message, path).to.include(meant);
    }
    const under = await fetch(`${daemon.url}/-/session`);
    expect(under.status).to.equal(404);
    expect((await errorOf(under)).message).to.include("Did you mean /-/sessions?");
  });

  it("D13 O3 O4 puts the same protective headers on every response", async () => {
    const policy =
      "default-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; manifest-src 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'; form-action 'self'; object-src 'none'";
    const rows: [string, string, Record<string, string>][] = [
      ...[
        "/tools",
        "/",
        "/missing",
        "/-/nothing",
        "/history?limit=x",
        "/assets/main-abc123.js",
        "/-/healthz",
        "/chat",
      ].map((path): [string, string, Record<string, string>] => ["GET", path, {}]),
      ["PUT", "/tools", {}],
      ["POST", "/run", JSON_TYPE],
      ["GET", "/tools", { origin: "https://evil.example" }],
    ];
    for (const [method, path, headers] of rows) {
      const answer = await fetch(daemon.url + path, { method, headers, body: method === "GET" ? undefined : "{}" });
      await answer.text();
      const header = (name: string): string | null => answer.headers.get(name);
      expect(header("content-security-policy"), path).to.equal(policy);
      expect(header("x-content-type-options"), path).to.equal("nosniff");
      expect(header("x-frame-options"), path).to.equal("DENY");
      expect(header("referrer-policy"), path).to.equal("no-referrer");
      expect(header("cross-origin-resource-policy"), path).to.equal("same-origin");
      expect(header("x-powered-by"), path).to.equal(null);
      const page = path === "/" || path === "/missing" || path.startsWith("/assets");
      if (!page) expect(header("cache-control"), path).to.equal("no-store");
    }
  });

  it("D14 runs nothing for a body that breaks off", async () => {
    const sessions = (await daemon.agent.sessions({ limit: 1000 })).length;
    const wire = await openWire(daemon.port);
    const headers = ["Content-Type: application/json", "Content-Length: 50"];
    wire.write(`${request(daemon.port, "POST /run", headers)}{"mes`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.end();
    expect((await get("/-/healthz")).status).to.equal(200);
    expect(await daemon.agent.sessions({ limit: 1000 })).to.have.length(sessions);
  });

  it("D15 sees an Origin behind thousands of headers", async () => {
    const many = Array.from({ length: 2300 }, () => "a:b");
    const response = await get("/tools", [...many, "Origin: http://evil"]);
    expect(response.status).to.equal(403);
  });

  it("O8 does not reflect a path as HTML", async () => {
    const response = await get("/-/<script>alert(1)</script>");
    expect(response.text).to.match(/\r\ncontent-type: application\/json\r\n/i);
    const unknown = await get("/-/x?token=s3cret");
    expect(unknown.text).to.not.include("s3cret");
  });

  it("N6 keeps a token in the query out of the log", async () => {
    await get("/tools?token=s3cret-canary");
    await get("/chat?token=s3cret-canary");
    expect(JSON.stringify(daemon.log)).to.not.include("s3cret-canary");
    expect(daemon.log.filter(({ message }) => message === "request").at(-1)?.fields).to.include({
      path: "/chat",
      status: 426,
    });
  });
});
