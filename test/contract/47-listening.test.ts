// Where a daemon listens besides host and port: below a path behind a reverse proxy, and on a unix socket.
// Source: docs/reference.md, "Behind a reverse proxy" and "Unix socket".
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, chat, getJson, postJson } from "../support/entry-points.js";
import { request, send } from "../support/raw.js";
import { startReverseProxy } from "../support/reverse-proxy.js";
import { agentd, dataDir, type Ended, startServe, stopAll } from "../support/spawn.js";

const TOKEN = "s3cret-token-of-the-test";

describe("Behind a reverse proxy", () => {
  let daemon: Daemon;
  before(async () => {
    daemon = await startDaemon({ listen: { basePath: "/agent", token: TOKEN } });
  });
  after(() => daemon.close());

  const headers = { authorization: `Bearer ${TOKEN}` };
  const raw = (line: string, more: readonly string[] = []) =>
    send(daemon.port, request(daemon.port, line, [`Authorization: Bearer ${TOKEN}`, ...more]));

  it("serves everything below the base path, /chat and streams too, and says so in its address", async () => {
    expect(daemon.url).to.equal(`http://127.0.0.1:${daemon.port}/agent`);
    for (const path of ["/tools", "/schema", "/history", "/config/public", "/-/metrics", "/-/sessions"])
      expect((await fetch(daemon.url + path, { headers })).status, path).to.equal(200);
    expect((await fetch(`${daemon.url}/-/healthz`)).status).to.equal(200);
    const streamed = await postJson(
      `${daemon.url}/run`,
      { message: "hi" },
      { headers: { ...headers, accept: "text/event-stream" } },
    );
    expect(await streamed.text()).to.contain('"kind":"done"');
    expect((await chat(daemon.url, '{"message":"hi"}', headers)).at(-1)).to.equal('{"kind":"done"}');
    const openApi = (await (await fetch(`${daemon.url}/-/openapi.json`, { headers })).json()) as { servers: unknown };
    expect(openApi.servers).to.deep.equal([{ url: "/agent" }]);
  });

  it("B29 answers nothing outside it but 404, whatever the spelling, and says what the proxy must do", async () => {
    const targets = [
      "/tools",
      "/",
      "/agentx/tools",
      "/agen",
      "/%61gent/tools",
      "/AGENT/tools",
      "//agent/tools",
      "/-/healthz",
    ];
    for (const target of targets) {
      const { status, text } = await raw(`GET ${target}`);
      expect(status, target).to.equal(404);
      expect(text, target).to.contain("below /agent/").and.not.contain("list_pets");
    }
    const handshake = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
    expect((await raw("GET /chat", [...handshake, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="])).status).to.equal(
      404,
    );
  });

  it("B29 checks Host, Origin and token before it says that, and the same below it", async () => {
    for (const target of ["/tools", "/agent/tools"]) {
      expect((await raw(`GET ${target}`, ["Origin: https://evil.example"])).status, target).to.equal(403);
      expect((await send(daemon.port, request(daemon.port, `GET ${target}`))).status, target).to.equal(401);
      const page = await send(daemon.port, request(daemon.port, `GET ${target}`, ["Accept: text/html"]));
      expect(page.status, target).to.equal(401);
      expect(page.text.includes("<form>"), target).to.equal(target.startsWith("/agent"));
    }
    const escaped = await raw("GET /agent/../tools");
    expect(escaped.text).not.to.contain("list_pets");
  });

  it("sets the cookie for the path, and pages whose links stay below it", async () => {
    const signedIn = await fetch(`${daemon.url}/-/signin`, { method: "POST", headers });
    expect(signedIn.headers.get("set-cookie")).to.match(/; Path=\/agent(;|$)/);
    for (const path of ["", "/", "/s/some-session", "/?x=1"]) {
      const html = await (await fetch(daemon.url + path, { headers })).text();
      expect(html, path).to.contain('<meta name="agentd-base" content="/agent"');
      const links = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, link = ""]) => link);
      expect(links, path).to.have.length.greaterThan(2);
      for (const link of links)
        expect((await fetch(new URL(link, daemon.url), { headers })).status, link).to.equal(200);
    }
  });

  it("works behind a proxy that passes the path on, and not behind one that takes it off", async () => {
    const open = await startDaemon({ listen: { basePath: "/agent" } });
    const to = { port: open.port };
    const passing = await startReverseProxy({ path: "/agent", to });
    const stripping = await startReverseProxy({ path: "/agent", to, strips: true });
    try {
      expect(await getJson<unknown[]>(`${passing.url}/agent/tools`)).to.have.length(4);
      expect((await ask(`${passing.url}/agent`, { message: "hi" })).at(-1)?.kind).to.equal("done");
      expect(await chat(`${passing.url}/agent`, "hi", { origin: passing.url })).to.have.length.greaterThan(2);
      expect((await fetch(`${passing.url}/tools`)).status).to.equal(418);
      const stripped = await fetch(`${stripping.url}/agent/tools`);
      expect(stripped.status).to.equal(404);
      expect(await stripped.text()).to.contain("must pass the path on as it is");
    } finally {
      await passing.close();
      await stripping.close();
      await open.close();
    }
  });
});

describe("Unix socket", function () {
  this.timeout(60_000);
  let home: ReturnType<typeof dataDir>;
  let path: string;
  beforeEach(() => {
    home = dataDir();
    path = join(home.dir, "agentd.sock");
  });
  afterEach(stopAll);

  const serveHere = (...more: string[]) => startServe(["--data-dir", home.dir, "--listen", `unix:${path}`, ...more]);
  const run = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", home.dir]);
  const get = async (target: string, headers: Record<string, string> = {}): Promise<number | undefined> => {
    const sent = httpRequest({ socketPath: path, path: target, headers }).end();
    const [answer] = await once(sent, "response");
    answer.resume();
    return answer.statusCode;
  };

  it("B30 is for this account only, is where commands find the daemon, and goes when it stops", async () => {
    const daemon = serveHere("--base-path", "/agent");
    expect(await daemon.prints(/agentd listening on (\S+)\n/)).to.equal(`unix:${path}:/agent`);
    expect((lstatSync(path).mode & 0o777).toString(8)).to.equal("600");
    const { pid, address } = JSON.parse(readFileSync(join(home.dir, "daemon.json"), "utf8"));
    expect([pid, address]).to.deep.equal([daemon.pid, `unix:${path}:/agent`]);
    expect((await run("run", "hello")).stdout).to.contain("ok");
    const chatted = await agentd(["chat", "--data-dir", home.dir], { input: "hello\n" });
    expect(chatted.stdout).to.contain("ok");
    expect((await run("history", "--json")).stdout.trim()).to.equal("[]");
    expect((await run("sessions", "--json")).stdout).to.contain("hello");
    await daemon.stop();
    expect(existsSync(path)).to.equal(false);
  });

  it("admits by Host and Origin as loopback does", async () => {
    await serveHere().prints("agentd listening");
    expect(await get("/tools", { host: "localhost" })).to.equal(200);
    expect(await get("/tools", { host: "evil.example" })).to.equal(403);
    expect(await get("/tools", { host: "localhost", origin: "https://evil.example" })).to.equal(403);
    expect(await get("/tools", { host: "localhost", origin: "http://localhost" })).to.equal(200);
  });

  it("B31 replaces the socket of a daemon that was killed, and nothing that lives or is no socket @all", async () => {
    const killed = serveHere();
    await killed.prints("agentd listening");
    await killed.kill();
    expect(existsSync(path)).to.equal(true);
    const second = serveHere();
    await second.prints("agentd listening");
    const other = dataDir();
    const refused = await agentd(["serve", "--data-dir", other.dir, "--listen", `unix:${path}`]);
    expect([refused.code, refused.stderr.trim().split("\n").length]).to.deep.equal([1, 1]);
    expect(refused.stderr).to.contain(`${path} is in use`);
    expect(await get("/tools", { host: "localhost" })).to.equal(200);
    await second.stop();

    writeFileSync(path, "a file of somebody's");
    expect((await serveHere().ended).stderr).to.contain("is no socket");
    expect(readFileSync(path, "utf8")).to.equal("a file of somebody's");
  });

  it("is left alone by a daemon that cannot have it, and not made where there is no folder @all", async () => {
    const foreign = createServer().listen(path);
    await once(foreign, "listening");
    expect((await serveHere().ended).code).to.equal(1);
    expect(existsSync(path)).to.equal(true);
    foreign.close();
    const missing = await agentd(["serve", "--data-dir", home.dir, "--listen", `unix:${home.dir}/none/agentd.sock`]);
    expect(missing.stderr).to.contain("There is no folder");
  });

  it("is written relative to the data directory in config.json @all", async () => {
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ listen: "unix:agentd.sock", base_path: "/a/b.c/" }));
    const daemon = startServe(["--data-dir", home.dir, "--provider", "offline"]);
    expect(await daemon.prints(/agentd listening on (\S+)\n/)).to.equal(`unix:${path}:/a/b.c`);
    await daemon.stop();
  });

  it("serves a reverse proxy, too @all", async () => {
    const daemon = await startDaemon({ listen: { socketPath: path, host: "localhost", basePath: "/agent" } });
    const proxy = await startReverseProxy({ path: "/agent", to: { socketPath: path } });
    try {
      expect(await getJson<unknown[]>(`${proxy.url}/agent/tools`)).to.have.length(4);
      expect(await chat(`${proxy.url}/agent`, "hi", { origin: proxy.url })).to.have.length.greaterThan(2);
    } finally {
      await proxy.close();
      await daemon.close();
    }
  });
});
