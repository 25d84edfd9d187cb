import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { StartError } from "../../../src/domain/error.js";
import { packageRoot } from "../../../src/lib/package.js";
import { createAccessRules } from "../../../src/server/access/admit.js";
import { builtUi } from "../../support/built-ui.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { HANDSHAKE, openChat, openWire, request, send } from "../../support/raw.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { transcriptOf } from "../../support/transcript.js";

const TOKEN = "s3cret-t0ken+with=signs";
const ROUTES = [
  "GET /schema",
  "GET /tools",
  "GET /config/public",
  "GET /history",
  "POST /run",
  "GET /",
  "GET /-/metrics",
  "POST /-/mcp",
  "GET /-/mcp",
  "DELETE /-/mcp",
];

/** Their errors are those of another format. */
const OPENAI_ROUTES = ["GET /-/v1/models", "POST /-/v1/chat/completions", "POST /-/v1/responses", "GET /-/v1/x"];

describe("Authentication", () => {
  let daemon: Daemon;
  const get = (path: string, headers: readonly string[] = []) =>
    send(daemon.port, request(daemon.port, `GET ${path}`, headers));

  before(async () => {
    daemon = await startDaemon({ listen: { token: TOKEN } });
  });
  after(() => daemon.close());

  it("A1 answers 401 without a token, on every route, and shows no data", async () => {
    for (const route of [...ROUTES, ...OPENAI_ROUTES]) {
      const response = await send(daemon.port, request(daemon.port, route));
      expect(response.status, route).to.equal(401);
      expect(response.text, route)
        .to.match(/\r\nWWW-Authenticate: Bearer\r\n/i)
        .and.not.include("list_pets");
      const code = OPENAI_ROUTES.includes(route) ? "invalid_api_key" : "unauthorized";
      expect(response.text, route).to.include(`"code":"${code}"`);
    }
  });

  it("A1 leaves only the two probes open, which answer nothing but ok", async () => {
    for (const path of ["/-/healthz", "/-/readyz"]) {
      const response = await get(path);
      expect(response.status).to.equal(200);
      expect(response.text.endsWith("\r\n\r\nok")).to.equal(true);
    }
  });

  it("A2 refuses a wrong token, its prefix, and the token with one more character", async () => {
    for (const wrong of ["wrong", TOKEN.slice(0, 5), `${TOKEN}x`, TOKEN.toUpperCase()])
      expect((await get("/tools", [`Authorization: Bearer ${wrong}`])).status, wrong).to.equal(401);
  });

  it("A3 takes each documented form", async () => {
    for (const header of [`Authorization: Bearer ${TOKEN}`, `Authorization: ${TOKEN}`, `X-Service-Token: ${TOKEN}`])
      expect((await get("/tools", [header])).status, header).to.equal(200);
  });

  it("A4 ignores a token in the query of a plain request", async () => {
    expect((await get(`/tools?token=${encodeURIComponent(TOKEN)}`)).status).to.equal(401);
    expect((await get("/tools?token=wrong", [`Authorization: ${TOKEN}`])).status).to.equal(200);
  });

  it("A5 takes a token in the query of an upgrade, percent-encoded", async () => {
    const chat = await openChat(`${daemon.url}/chat?token=${encodeURIComponent(TOKEN)}`);
    chat.close();
    expect(chat.session_id).to.have.length(36);
  });

  it("A6 refuses a repeated or bracketed query token and keeps running", async () => {
    const token = encodeURIComponent(TOKEN);
    for (const query of [`token=${token}&token=x`, `token[]=${token}`, `token%5B%5D=${token}`]) {
      const response = await send(daemon.port, request(daemon.port, `GET /chat?${query}`, HANDSHAKE));
      expect(response.status, query).to.equal(401);
    }
    expect((await get("/-/healthz")).status).to.equal(200);
  });

  it("A7 answers 401 or 431, never 500, whatever the length", async () => {
    for (const length of [0, 1, 8000]) {
      const response = await get("/tools", [`Authorization: Bearer ${"x".repeat(length)}`]);
      expect(response.status, String(length)).to.equal(401);
    }
    expect((await get("/tools", [`Authorization: Bearer ${"x".repeat(16 * 1024)}`])).status).to.equal(431);
    expect((await get("/tools", ["Authorization:"])).status).to.equal(401);
  });

  it("A8 A20 refuses to start with a token that is empty or not printable ASCII", () => {
    for (const token of ["", "   ", "pässword", "a b", "a\tb", "line\nbreak"])
      expect(() => createAccessRules({ token, host: "127.0.0.1" }), JSON.stringify(token)).to.throw(
        StartError,
        "token",
      );
  });

  it("A9 takes the first of two Authorization headers", async () => {
    const [bad, good] = ["Authorization: Bearer wrong", `Authorization: Bearer ${TOKEN}`];
    expect((await get("/tools", [bad, good])).status).to.equal(401);
  });

  it("A10 takes the scheme in any case, more than one space before the token and white space after it", async () => {
    const forms = [
      `authorization: bearer ${TOKEN}`,
      `Authorization: BEARER ${TOKEN}`,
      `Authorization: Bearer   ${TOKEN}`,
      `Authorization: Bearer ${TOKEN}\t`,
      `Authorization:Bearer ${TOKEN}  `,
    ];
    for (const header of forms) expect((await get("/tools", [header])).status, header).to.equal(200);
    expect((await get("/tools", [`Authorization: Basic ${TOKEN}`])).status).to.equal(401);
  });

  it("A11 shows no tools for another spelling of the path", async () => {
    for (const path of [
      "/TOOLS",
      "/tools/",
      "//tools",
      "/%74ools",
      "/tools#x",
      "http://evil/tools",
      "/./tools",
      "/tools;x",
    ]) {
      const response = await get(path);
      expect(response.status, path).to.be.oneOf([400, 401]);
      expect(response.text, path).to.not.include("list_pets");
    }
    for (const path of ["/tools#x", "http://evil/tools"])
      expect((await get(path, [`Authorization: ${TOKEN}`])).status, path).to.equal(400);
  });

  it("A12 answers other methods with 401, and with a token 405, never with the page", async () => {
    for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "PATCH"])
      for (const path of ["/tools", "/", "/run"]) {
        const response = await send(daemon.port, request(daemon.port, `${method} ${path}`));
        expect(response.status, `${method} ${path}`).to.equal(401);
        expect(response.text).to.not.match(/access-control-/i);
      }
    for (const line of ["OPTIONS *", "CONNECT 127.0.0.1:80"])
      expect((await send(daemon.port, request(daemon.port, line))).status, line).to.be.oneOf([401, 405]);
    for (const line of ["OPTIONS *", "OPTIONS /tools", "PUT /", "DELETE /history", "TRACE /chat"]) {
      const response = await send(daemon.port, request(daemon.port, line, [`Authorization: ${TOKEN}`]));
      expect(response.status, line).to.equal(405);
      expect(response.text, line)
        .to.match(/\r\nAllow: [A-Z, ]+\r\n/i)
        .and.not.match(/access-control-/i);
    }
  });

  it("A13 refuses before it reads a body, and hangs up on a large one", async () => {
    const wire = await openWire(daemon.port);
    const before = process.memoryUsage.rss();
    wire.write(request(daemon.port, "POST /run", ["Content-Type: application/json", "Content-Length: 104857600"]));
    const drip = setInterval(() => wire.write("x".repeat(1000)), 5);
    const response = await wire.wait();
    clearInterval(drip);
    expect(response.status).to.equal(401);
    expect(response.closed).to.equal(true);
    expect(process.memoryUsage.rss() - before).to.be.below(32 * 1024 * 1024);
  });

  it("A14 survives guessing: every guess is 401, the log stays short, the right token still works @all", async () => {
    const lines = daemon.log.length;
    const wire = await openWire(daemon.port);
    const guesses = 2000;
    for (let i = 0; i < guesses; i++) wire.write(request(daemon.port, "GET /tools", [`Authorization: guess${i}`]));
    const count = (text: string): number => text.split("HTTP/1.1 401").length - 1;
    const response = await wire.wait(15_000, ({ text }) => count(text) === guesses);
    wire.end();
    expect(count(response.text)).to.equal(guesses);
    expect(daemon.log.length - lines).to.be.below(100);
    expect((await get("/tools", [`Authorization: ${TOKEN}`])).status).to.equal(200);
  });

  it("A14 counts refused upgrades, and logs them with the same restraint", async () => {
    const refused = async (): Promise<number> => {
      const text = await (await fetch(`${daemon.url}/-/metrics`, { headers: { authorization: TOKEN } })).text();
      return Number(/agentd_http_responses_total\{class="4xx"\} (\d+)/.exec(text)?.[1]);
    };
    const [before, lines] = [await refused(), daemon.log.length];
    for (let i = 0; i < 100; i++) await get(`/chat?token=guess${i}`, HANDSHAKE);
    expect((await refused()) - before).to.equal(100);
    expect(daemon.log.length - lines).to.be.below(50);
  });

  it("A15 does not trust a request because it comes from this machine through a proxy", async () => {
    const proxy = createServer((req, res) => {
      const headers = { ...req.headers, "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" };
      const onward = httpRequest({ host: "127.0.0.1", port: daemon.port, path: req.url, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 0);
        answer.pipe(res);
      });
      onward.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const answer = await fetch(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/tools`);
    expect(answer.status).to.equal(401);
    await answer.text();
    proxy.closeAllConnections();
    proxy.close();
  });

  it("A19 refuses the old token after a restart with a new one, and closed what it had opened", async () => {
    const dataDir = temporaryFolder("rotate");
    const old = await startDaemon({ dataDir, listen: { token: "old-token" } });
    const chat = await openChat(`${old.url}/chat?token=old-token`);
    await old.close();
    expect((await chat.closed).code).to.equal(1001);
    const rotated = await startDaemon({ dataDir, listen: { token: "new-token" } });
    const tools = (token: string) =>
      send(rotated.port, request(rotated.port, "GET /tools", [`Authorization: Bearer ${token}`]));
    expect((await tools("old-token")).status).to.equal(401);
    expect((await tools("new-token")).status).to.equal(200);
    await rotated.close();
  });

  it("A18 takes the client's name as a label, shortened and without control characters", async () => {
    const body = JSON.stringify({ message: "hello" });
    const headers = ["Content-Type: application/json", `Authorization: ${TOKEN}`, `Content-Length: ${body.length}`];
    const run = (name: string) =>
      send(daemon.port, request(daemon.port, "POST /run", [...headers, `X-Agentd-Client: ${name}`]) + body);
    const clientOf = async (session: string) => (await transcriptOf(daemon.agent, session))?.[0]?.client;
    for (const [name, label] of [
      ["admin", "admin"],
      ["a\tb", "ab"],
      ["x".repeat(5000), "x".repeat(128)],
    ] as const) {
      const response = await run(name);
      expect(response.status).to.equal(200);
      const session = /x-session-id: (\S+)/i.exec(response.text)?.[1] ?? "";
      expect(await clientOf(session)).to.equal(label);
    }
    expect((await get("/tools", ["X-Agentd-Client: admin"])).status).to.equal(401);
    expect((await run("x".repeat(64 * 1024))).status).to.equal(431);
  });
});

describe("Sign-in page", () => {
  let staticDir: string;
  let daemon: Daemon;
  const page = (path: string, headers: Record<string, string> = {}) =>
    fetch(daemon.url + path, { headers: { accept: "text/html,application/xhtml+xml", ...headers } });

  before(async function () {
    this.timeout(60_000);
    staticDir = await builtUi();
    daemon = await startDaemon({ listen: { token: TOKEN, staticDir } });
  });
  after(() => daemon.close());

  it("is what a browser gets without a token, with status 401", async () => {
    for (const path of ["/", "/deep/link", "/history"]) {
      const answer = await page(path);
      expect(answer.status).to.equal(401);
      expect(answer.headers.get("content-type")).to.match(/^text\/html/);
      expect(await answer.text()).to.include("<form>");
    }
  });

  it("is not for a client that refuses pages", async () => {
    for (const accept of ["text/html;q=0, */*", "text/htmlx"]) {
      const answer = await page("/", { accept });
      expect(answer.status, accept).to.equal(401);
      expect(await answer.text(), accept).to.include('"code":"unauthorized"');
    }
  });

  it("goes to the web UI after signing in where the address is no page of it, else it reloads", async () => {
    for (const [path, next] of [
      ["/", ""],
      ["/deep/link", ""],
      ["/history", "/"],
      ["/-/metrics", "/"],
    ])
      expect(await (await page(path ?? "")).text(), path).to.include(`<body data-next="${next}">`);
  });

  it("is not a file of its own: no path gives more than the page itself without a token", async () => {
    for (const path of ["/sign-in.html", "/index.html", "/favicon.svg", "/assets/", "/../package.json"]) {
      const answer = await fetch(daemon.url + path);
      expect(answer.status, path).to.equal(401);
      expect(await answer.text(), path).to.include('"code":"unauthorized"');
    }
    const admitted = await page("/sign-in.html", { authorization: TOKEN });
    expect(admitted.status).to.equal(200);
    expect(await admitted.text()).to.include('<div id="app">');
  });

  it("is the JSON error where the web UI is not built", async () => {
    const bare = await startDaemon({ listen: { token: TOKEN, staticDir: join(tmpdir(), "agentd-no-ui") } });
    const answer = await fetch(bare.url, { headers: { accept: "text/html" } });
    expect(answer.status).to.equal(401);
    expect(await answer.json()).to.have.nested.property("error.code", "unauthorized");
    await bare.close();
  });

  it("is whole in itself, allowed by its own policy and nothing more", async () => {
    const answer = await page("/");
    const policy = answer.headers.get("content-security-policy");
    expect(policy)
      .to.match(/script-src 'self' 'sha256-[^']+';/)
      .and.not.include("unsafe");
    const html = await answer.text();
    expect(html).to.not.match(/\b(src|href|action)=/);
    for (const element of ["script", "style"]) {
      const inline = [...html.matchAll(new RegExp(`<${element}\\b[^>]*>([^]*?)</${element}>`, "g"))];
      const hashes = inline.map(([, text = ""]) => createHash("sha256").update(text).digest("base64"));
      expect(hashes, element).to.have.length(1);
      expect(policy, element).to.include(`${element}-src 'self' 'sha256-${hashes[0]}'`);
    }
  });

  it("A16 never holds the token, and neither does any file of the UI", async () => {
    const signIn = await fetch(`${daemon.url}/-/signin`, { method: "POST", headers: { authorization: TOKEN } });
    const cookie = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(signIn.status).to.equal(204);
    expect(cookie)
      .to.match(/^agentd_ui_\d+=\S+$/)
      .and.not.include(TOKEN);
    for (const answer of [await page("/"), await page("/", { cookie }), await page("/x", { authorization: TOKEN })])
      expect(await answer.text()).to.not.include(TOKEN);
  });

  it("gives a strict cookie that opens the UI's files and never the API", async () => {
    const signIn = await fetch(`${daemon.url}/-/signin`, { method: "POST", headers: { authorization: TOKEN } });
    const setCookie = signIn.headers.get("set-cookie") ?? "";
    expect(setCookie).to.include("HttpOnly").and.include("SameSite=Strict").and.include("Path=/");
    const cookie = setCookie.split(";")[0] ?? "";
    expect((await page("/", { cookie: `a=b; ${cookie}` })).status).to.equal(200);
    expect((await page("/", { cookie: `${cookie}x` })).status).to.equal(401);
    // Another page of the same host may have set one of the same name, which the browser sends first.
    expect((await page("/", { cookie: `${cookie}x; ${cookie}` })).status).to.equal(200);
    for (const path of ["/tools", "/history", "/-/metrics", "/-/signin"])
      expect((await page(path, { cookie })).status, path).to.equal(401);
    const post = await fetch(`${daemon.url}/run`, { method: "POST", headers: { cookie } });
    expect(post.status).to.equal(401);
    const upgrade = await send(daemon.port, request(daemon.port, "GET /chat", [...HANDSHAKE, `Cookie: ${cookie}`]));
    expect(upgrade.status).to.equal(401);
  });

  it("needs the token to give the cookie", async () => {
    const answer = await fetch(`${daemon.url}/-/signin`, { method: "POST", headers: { authorization: "wrong" } });
    expect(answer.status).to.equal(401);
    expect(answer.headers.get("set-cookie")).to.equal(null);
  });

  it("N9 keeps the token in sessionStorage, which ends with the tab", async () => {
    const html = await readFile(join(staticDir, "sign-in.html"), "utf8");
    expect(html).to.include("sessionStorage.setItem").and.not.include("localStorage");
    const source = await readFile(join(packageRoot, "static", "sign-in.ts"), "utf8");
    expect(source).to.include("sessionStorage.setItem").and.not.include("localStorage");
  });
});
