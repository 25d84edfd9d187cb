import { expect } from "chai";
import { AppError } from "../../../src/domain/error.js";
import { type AccessRules, admit, createAccessRules } from "../../../src/server/access/admit.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { HANDSHAKE, openChatWire, request, send } from "../../support/raw.js";
import { type RecordingTarget, startTarget } from "../../support/target.js";

describe("Origin and Host", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  let own: string;
  const get = (path: string, headers: readonly string[] = []) =>
    send(daemon.port, request(daemon.port, `GET ${path}`, headers));
  const upgrade = (headers: readonly string[]) =>
    send(daemon.port, request(daemon.port, "GET /chat", [...HANDSHAKE, ...headers]));
  /** Refused as a plain request and as an upgrade, before the handshake. */
  const refusedBothWays = async (headers: readonly string[], what: string): Promise<void> => {
    for (const path of ["/tools", "/-/mcp"]) expect((await get(path, headers)).status, what).to.equal(403);
    const response = await upgrade(headers);
    expect(response.text.startsWith("HTTP/1.1 403 Forbidden\r\n"), what).to.equal(true);
  };

  before(async () => {
    target = await startTarget();
    const calls = [{ name: "create_pet", arguments: { name: "x" } }];
    daemon = await startDaemon({
      target: target.url,
      turns: [{ prompt: "attack", replies: [{ calls }, { text: "done" }] }],
    });
    own = `127.0.0.1:${daemon.port}`;
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("B1 refuses a foreign Origin on every route and method, as JSON", async () => {
    for (const line of [
      "GET /schema",
      "GET /tools",
      "GET /config/public",
      "GET /history",
      "POST /run",
      "GET /-/v1/models",
      "POST /-/v1/chat/completions",
      "POST /-/mcp",
      "GET /-/mcp",
      "GET /",
      "PUT /x",
    ]) {
      const response = await send(daemon.port, request(daemon.port, line, ["Origin: https://evil.example"]));
      expect(response.status, line).to.equal(403);
      expect(response.text, line).to.include('"code":"origin_refused"');
    }
    await refusedBothWays(["Origin: https://evil.example"], "evil");
  });

  it("B2 admits a page of its own origin, in each spelling of this machine", async () => {
    for (const host of [own, `localhost:${daemon.port}`, `[::1]:${daemon.port}`]) {
      const headers = [`Host: ${host}`, `Origin: http://${host}`];
      expect((await get("/tools", headers)).status, host).to.equal(200);
      const wire = await openChatWire(daemon.port, headers);
      expect(wire.received().status, host).to.equal(101);
      wire.end();
    }
  });

  it("B3 admits requests that have no Origin", async () => {
    expect((await get("/tools")).status).to.equal(200);
  });

  it("B4 B5 B6 B23 refuses an opaque, an empty, another port's and an extension's Origin", async () => {
    for (const origin of ["null", "", "http://127.0.0.1:3000", "chrome-extension://x", "vscode-webview://x", "file://"])
      await refusedBothWays([`Origin: ${origin}`], origin);
  });

  it("B7 refuses names that begin or end like its own", async () => {
    const { port } = daemon;
    for (const host of [`127.0.0.1.evil.example:${port}`, `localhost.evil.example:${port}`, `evil-localhost:${port}`])
      await refusedBothWays([`Origin: http://${host}`], host);
    expect(
      (await get("/tools", [`Origin: http://evil-localhost:${port}`, `Host: evil-localhost:${port}`])).status,
    ).to.equal(403);
  });

  it("B8 refuses every Origin that is not written as a browser writes it", async () => {
    const { port } = daemon;
    const spellings = [
      `http://evil.com@127.0.0.1:${port}`,
      `http://2130706433:${port}`,
      `http://0x7f.1:${port}`,
      `http://127.1:${port}`,
      `http://${own}#@evil`,
      `http://${own}\\@evil.com`,
      `http://127.0.0.1:0${port}`,
      `http://${own}/`,
      `http://${own}?x`,
      `//${own}`,
      own,
      `http:${own}`,
      `http:/${own}`,
      ` http://${own} x`,
      `ws://${own}`,
    ];
    for (const origin of spellings) await refusedBothWays([`Origin: ${origin}`], origin);
  });

  it("B9 B10 refuses two Origins and bytes that are no text", async () => {
    await refusedBothWays([`Origin: http://${own}`, "Origin: https://evil.example"], "two");
    await refusedBothWays(["Origin: http://\xff"], "0xff");
  });

  it("B11 refuses a rebound page's prompt before it reaches the agent", async () => {
    const body = JSON.stringify({ message: "attack" });
    const evil = [`Host: evil.example:${daemon.port}`, `Origin: http://evil.example:${daemon.port}`];
    const headers = [...evil, "Content-Type: application/json", `Content-Length: ${body.length}`];
    const response = await send(daemon.port, request(daemon.port, "POST /run", headers) + body);
    expect(response.status).to.equal(403);
    expect(response.text).to.include('"code":"host_refused"');
    await refusedBothWays(evil, "rebound");
    expect(target.requests).to.have.length(0);
    expect(await daemon.agent.history({ limit: 1 })).to.deep.equal([]);
    expect(await daemon.agent.sessions({ limit: 1 })).to.deep.equal([]);
  });

  it("B12 refuses a rebound page's reading, which has no Origin", async () => {
    for (const path of ["/history", "/", "/-/healthz"])
      expect((await get(path, [`Host: evil.example:${daemon.port}`])).status, path).to.equal(403);
  });

  it("B13 never lets X-Forwarded-Host stand in for Host", async () => {
    const evil = `evil.example:${daemon.port}`;
    await refusedBothWays([`Host: ${evil}`, `X-Forwarded-Host: ${own}`], "no Origin");
    await refusedBothWays([`Host: ${evil}`, `X-Forwarded-Host: ${own}`, `Origin: http://${own}`], "own Origin");
    await refusedBothWays([`Host: ${evil}`, `X-Forwarded-Host: ${evil}`, `Origin: http://${evil}`], "evil Origin");
    await refusedBothWays([`X-Forwarded-Host: ${evil}`, `Origin: http://${own}`], "the reverse");
  });

  it("B14 takes a Host as this machine only when it can be nothing else", async () => {
    const accepted = [
      "localhost",
      "LOCALHOST",
      "localhost.",
      "::1",
      "127.0.0.1",
      "127.23.45.56",
      "localhost:8080",
      "LOCALHOST:8000",

      "localhost.:8080",
      "[::1]:8080",
      "127.0.0.1:8080",
      "127.23.45.56:8080",
    ];
    const refused = [
      "example.com",
      "example.com:8080",
      "localhost.com",
      "localhost.com:8080",
      "www.localhost",
      "www.localhost:8080",
      "www.localhost.",
      ".localhost",
      "192.0.2.10",
      "192.0.2.10:8080",
      "0.0.0.0",
      "0.0.0.0:8080",
      "::",
      "[::]:8080",
      ":8080",
    ];
    for (const host of accepted) expect((await get("/tools", [`Host: ${host}`])).status, host).to.equal(200);
    for (const host of refused) expect((await get("/tools", [`Host: ${host}`])).status, host).to.equal(403);
  });

  it("B15 refuses a malformed, missing, empty or repeated Host", async () => {
    const bad = [
      "evil@127.0.0.1",
      `${own}/@evil`,
      "localhost#x",
      "localhost\\evil.com",
      "127.0.0.1:99999",
      "",
      "localhost:",
      "a b",
      "0127.0.0.1",
      "127.0.0.1%00",
      "[::1",
      "[::1]x",
      "[localhost]",
      `${"a".repeat(300)}.localhost`,
    ];
    for (const host of bad) expect((await get("/tools", [`Host: ${host}`])).status, host).to.be.oneOf([400, 403]);
    const twice = [`Host: ${own}`, "Host: evil.example"];
    expect((await get("/tools", twice)).status).to.be.oneOf([400, 403]);
    const old = await send(daemon.port, "GET /tools HTTP/1.0\r\n\r\n");
    expect(old.status).to.be.oneOf([400, 403]);
    expect(old.text).to.not.include("list_pets");
  });

  it("B16 admits the page of a reverse proxy that names its host", async () => {
    const proxied = ["X-Forwarded-Host: app.example.com", "Origin: https://app.example.com"];
    expect((await get("/tools", proxied)).status).to.equal(200);
    const wire = await openChatWire(daemon.port, proxied);
    expect(wire.received().status).to.equal(101);
    wire.end();
    const port = ["X-Forwarded-Host: app.example.com:8443", "Origin: https://app.example.com:8443"];
    expect((await get("/tools", port)).status).to.equal(200);
    expect(
      (await get("/tools", ["X-Forwarded-Host: app.example.com", "Origin: https://other.example.com"])).status,
    ).to.equal(403);
  });

  it("B17 refuses a list, a repetition and an empty X-Forwarded-Host", async () => {
    const origin = "Origin: https://app.example.com";
    await refusedBothWays(["X-Forwarded-Host: app.example.com, evil.example", origin], "list");
    await refusedBothWays(["X-Forwarded-Host: app.example.com", "X-Forwarded-Host: evil.example", origin], "two");
    await refusedBothWays(["X-Forwarded-Host:", origin], "empty");
    const { text } = await get("/tools", ["X-Forwarded-Host: app.example.com, inner.example.com", origin]);
    expect(text).to.include("the outermost one sets it");
  });

  it("B18 refuses junk in X-Forwarded-Host", async () => {
    const junk = [
      "evil.com#app.example.com",
      "evil.com/app.example.com",
      "evil.com?app.example.com",
      "evil.com app.example.com",

      "evil.com@app.example.com",
      "evil.com\\app.example.com",
      "app.example.com:80:80",
      "app.example.com:x",
      "[::1",
      "::1]",

      "app.example.com:",
      "app.example.com:-1",
      "app.example.com:99999",
      "http://app.example.com",
      "<script>",
      "a;b",
      "%61pp.example.com",
      "app.example.com\t.evil",
      "\xe4pp.example.com",
    ];
    for (const host of junk)
      await refusedBothWays([`X-Forwarded-Host: ${host}`, "Origin: https://app.example.com"], host);
  });

  it("B19 refuses another site's page that hides its Origin, and lets a person follow a link to the UI", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = [`Sec-Fetch-Site: ${site}`, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"];
      for (const path of ["/history", "/schema", "/tools", "/config/public", "/-/metrics"])
        expect((await get(path, headers)).status, `${site} ${path}`).to.equal(403);
    }
    expect((await get("/tools", ["Sec-Fetch-Site: same-origin"])).status).to.equal(200);
    expect((await get("/tools", ["Sec-Fetch-Site: none"])).status).to.equal(200);
    expect((await get("/", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"])).status).to.not.equal(403);
  });

  it("B25 refuses what a browser says of the site in words that are not known here", async () => {
    const sites = ["", "cross-origin", "Same-Origin", "same-origin, none", "null", "none;x", "same-site-ish", "?1"];
    for (const site of sites) await refusedBothWays([`Sec-Fetch-Site: ${site}`], site);
    await refusedBothWays(["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], "two that differ");
    await refusedBothWays(["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"], "two alike");
    expect((await get("/", ["Sec-Fetch-Site: cross-origin"])).status, "a page load").to.not.equal(403);
  });

  it("B20 answers no preflight", async () => {
    for (const more of [[], ["Access-Control-Request-Private-Network: true"]]) {
      const headers = ["Origin: https://evil.example", "Access-Control-Request-Method: POST", ...more];
      const response = await send(daemon.port, request(daemon.port, "OPTIONS /run", headers));
      expect(response.status).to.equal(403);
      expect(response.text).to.not.match(/access-control-/i);
    }
  });

  it("B21 refuses a form's content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const body = '{"message":"attack"}';
      const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
      const response = await send(daemon.port, request(daemon.port, "POST /run", headers) + body);
      expect(response.status, type).to.equal(415);
      expect(response.text).to.include('"code":"unsupported_media_type"');
    }
  });

  it("B22 does not take 0.0.0.0 as this machine", async () => {
    await refusedBothWays([`Host: 0.0.0.0:${daemon.port}`, `Origin: http://0.0.0.0:${daemon.port}`], "0.0.0.0");
  });

  it("answers to an allowed host, with its port or any", () => {
    const headOf = (host: string) => ({ url: "/tools", headers: { host }, rawHeaders: ["Host", host] });
    const refused = (rules: AccessRules, host: string) => {
      const admitted = admit(headOf(host), rules);
      return admitted instanceof AppError ? admitted.code : undefined;
    };
    const rules = createAccessRules({ host: "127.0.0.1", allowedHosts: ["App.lan", "other.lan:81"] });
    expect(refused(rules, "app.lan:4242")).to.equal(undefined);
    expect(refused(rules, "other.lan:81")).to.equal(undefined);
    expect(refused(rules, "other.lan:82")).to.equal("host_refused");
    expect(refused(rules, "sub.app.lan")).to.equal("host_refused");
    const token = createAccessRules({ host: "127.0.0.1", token: "t0ken" });
    expect(refused(token, "anything.example"), "a token makes rebinding harmless").to.equal("unauthorized");
    expect(refused(createAccessRules({ host: "0.0.0.0" }), "anything.example")).to.equal(undefined);
  });

  it("B24 checks the Origin before the token", async () => {
    const guarded = await startDaemon({ listen: { token: "t0ken" } });
    const headers = ["Origin: https://evil.example", "Authorization: wrong"];
    const response = await send(guarded.port, request(guarded.port, "GET /tools", headers));
    await guarded.close();
    expect(response.status).to.equal(403);
  });
});
