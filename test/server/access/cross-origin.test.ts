// Pages of origins that the operator listed, byte by byte: what they may do, with which credentials, and that nobody else may.
// Source: docs/reference.md, "Pages of your own".
import { expect } from "chai";
import { LOCAL_CALLER } from "../../../src/domain/caller.js";
import { createAccessRules, replaceRules } from "../../../src/server/access/admit.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { HANDSHAKE, openChatWire, type Received, request, send } from "../../support/raw.js";

const LISTED = "https://shop.example";
const TOKEN = "s3cret-token-of-the-test";
const PATHS = ["/schema", "/tools", "/config/public", "/history", "/-/sessions", "/-/openapi.json", "/-/nothing"];
const UNLISTED = [
  "https://evil.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://shop.example/",
  "https://SHOP.example",
  "https://shop.example.evil.example",
  "https://my.shop.example",
  "https://shop.example, https://evil.example",
  "null",
  "",
];

describe("Pages of your own", () => {
  let open: Daemon;
  let locked: Daemon;

  before(async () => {
    const allowedOrigins = [LISTED, "http://localhost:5173"];
    open = await startDaemon({ listen: { allowedOrigins } });
    locked = await startDaemon({ listen: { allowedOrigins, token: TOKEN } });
  });
  after(async () => {
    await open.close();
    await locked.close();
  });

  const ask = ({ port }: Daemon, line: string, headers: readonly string[]): Promise<Received> =>
    send(port, request(port, line, headers));
  const headerOf = ({ text }: Received, name: string): string | undefined =>
    new RegExp(`\r\n${name}: (.*)\r\n`, "i").exec(text)?.[1];
  const bearer = `Authorization: Bearer ${TOKEN}`;

  it("B27 may use the interface and read what it answers, errors too", async () => {
    for (const origin of [LISTED, "http://localhost:5173"])
      for (const path of PATHS) {
        const answer = await ask(open, `GET ${path}`, [`Origin: ${origin}`, "Sec-Fetch-Site: cross-site"]);
        expect(answer.status, path).to.equal(path === "/-/nothing" ? 404 : 200);
        expect(headerOf(answer, "Access-Control-Allow-Origin"), path).to.equal(origin);
        expect(headerOf(answer, "Vary"), path).to.match(/\bOrigin\b/);
        expect(headerOf(answer, "Access-Control-Expose-Headers"), path).to.contain("X-Session-Id");
        expect(answer.text, path).not.to.match(/Allow-Credentials/i);
      }
    const body = '{"message":"hello"}';
    const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`, `Origin: ${LISTED}`];
    const run = await send(open.port, request(open.port, "POST /run", headers) + body);
    expect([run.status, headerOf(run, "Access-Control-Allow-Origin")]).to.deep.equal([200, LISTED]);
  });

  it("B27 is told by a preflight what it may send, without a token and without a wildcard", async () => {
    const asks = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type"];
    for (const daemon of [open, locked]) {
      const answer = await ask(daemon, "OPTIONS /run", [`Origin: ${LISTED}`, ...asks]);
      expect(answer.status).to.equal(204);
      expect(headerOf(answer, "Access-Control-Allow-Origin")).to.equal(LISTED);
      expect(headerOf(answer, "Access-Control-Allow-Methods")).to.contain("POST").and.contain("DELETE");
      expect(headerOf(answer, "Access-Control-Allow-Headers")).to.contain("Authorization").and.contain("Content-Type");
      expect(headerOf(answer, "Access-Control-Allow-Private-Network")).to.equal(undefined);
      expect(answer.text).not.to.match(/Allow-Credentials|Access-Control-[\w-]+: \*/i);
    }
    const near = await ask(open, "OPTIONS /run", [
      `Origin: ${LISTED}`,
      ...asks,
      "Access-Control-Request-Private-Network: true",
    ]);
    expect(headerOf(near, "Access-Control-Allow-Private-Network")).to.equal("true");
    const plain = await ask(locked, "OPTIONS /run", [`Origin: ${LISTED}`]);
    expect(plain.status).to.equal(401);
  });

  it("B28 needs the token like every client, and no cookie counts for it", async () => {
    const origin = `Origin: ${LISTED}`;
    for (const path of PATHS) {
      const refused = await ask(locked, `GET ${path}`, [origin]);
      expect([refused.status, headerOf(refused, "Access-Control-Allow-Origin")], path).to.deep.equal([401, LISTED]);
    }
    expect((await ask(locked, "GET /tools", [origin, bearer])).status).to.equal(200);
    const own = [`Origin: http://127.0.0.1:${locked.port}`, bearer, "Content-Length: 0"];
    const signedIn = await ask(locked, "POST /-/signin", own);
    const cookie = `Cookie: ${headerOf(signedIn, "Set-Cookie")?.split(";")[0]}`;
    expect((await ask(locked, "GET /", [cookie])).status, "the web UI's own page").not.to.equal(401);
    expect((await ask(locked, "GET /tools", [origin, cookie])).status).to.equal(401);
    expect((await ask(locked, "GET /", [origin, cookie])).status).to.equal(403);
    const signIn = await ask(locked, "POST /-/signin", [origin, bearer, "Content-Length: 0"]);
    expect([signIn.status, headerOf(signIn, "Set-Cookie")]).to.deep.equal([403, undefined]);
  });

  it("B27 connects to /chat, with the token where one is set", async () => {
    const wire = await openChatWire(open.port, [`Origin: ${LISTED}`]);
    expect(wire.received().status).to.equal(101);
    wire.end();
    const upgrade = (line: string) => ask(locked, line, [...HANDSHAKE, `Origin: ${LISTED}`]);
    expect((await upgrade("GET /chat")).status).to.equal(401);
    expect((await upgrade(`GET /chat?token=${TOKEN}`)).status).to.equal(101);
  });

  it("B28 refuses every origin that is not listed byte for byte, everywhere, without a CORS header", async () => {
    for (const origin of UNLISTED) {
      const headers = [`Origin: ${origin}`, bearer];
      for (const line of [
        ...PATHS.map((path) => `GET ${path}`),
        "GET /",
        "GET /assets/x.js",
        "OPTIONS /run",
        "POST /run",
      ]) {
        const more = ["Access-Control-Request-Method: POST", "Content-Length: 0"];
        const answer = await ask(locked, line, [...headers, ...more]);
        expect(answer.status, `${line} from ${origin}`).to.equal(403);
        expect(answer.text, line).not.to.match(/Access-Control-/i);
      }
      const chat = await ask(locked, "GET /chat", [...HANDSHAKE, ...headers]);
      expect(chat.text.startsWith("HTTP/1.1 403 Forbidden\r\n"), origin).to.equal(true);
    }
  });

  it("B28 refuses a listed origin at a Host that is not this daemon's, with nothing it could read", async () => {
    const answer = await ask(open, "GET /tools", ["Host: evil.example", `Origin: ${LISTED}`]);
    expect(answer.status).to.equal(403);
    expect(answer.text).not.to.match(/Access-Control-/i);
  });

  it("A19 loses its connections when a reload takes its origin off the list, and only then", () => {
    const rulesFor = (...allowedOrigins: string[]) => createAccessRules({ host: "127.0.0.1", allowedOrigins });
    expect(replaceRules(rulesFor(LISTED), rulesFor())(LOCAL_CALLER)).to.equal(true);
    expect(replaceRules(rulesFor(LISTED), rulesFor("https://other.example"))(LOCAL_CALLER)).to.equal(true);
    expect(replaceRules(rulesFor(LISTED), rulesFor(LISTED, "https://other.example"))(LOCAL_CALLER)).to.equal(false);
    expect(replaceRules(rulesFor(), rulesFor())(LOCAL_CALLER)).to.equal(false);
  });
});
