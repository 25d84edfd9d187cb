// Proxies and private authorities, seen from the far ends: a proxy that records what it is asked for, and alone knows where
// shop.test and model.test are; servers with a certificate that no machine trusts.
// Source: docs/reference.md, "Proxies and certificates".
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { ask } from "../support/entry-points.js";
import { type RecordingProxy, startProxy } from "../support/proxy.js";
import { agentd, dataDir, type Ended, serve, stopAll } from "../support/spawn.js";
import { AUTHORITY, createTlsServer, OTHER_AUTHORITY } from "../support/tls.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const LOGIN = "worker:pr0xy-passw0rd";
const SECRET = /pr0xy-passw0rd|cHIweHktcGFzc3cwcmQ|d29ya2Vy/;
const DESCRIPTION = (origin: string): object => ({
  openapi: "3.0.3",
  info: { title: "shop", version: "1" },
  servers: [{ url: origin }],
  security: [{ oauth: [] }],
  components: {
    securitySchemes: {
      oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: `${origin}/token`, scopes: {} } } },
    },
  },
  paths: { "/items": { get: { operationId: "list_items", responses: { 200: { description: "all" } } } } },
});

/** The application: its description, its tokens, its items, which need a token. */
const application =
  (origin: string): RequestListener =>
  (req, res) => {
    res.setHeader("Content-Type", "application/json");
    if (req.url === "/openapi.json") res.end(JSON.stringify(DESCRIPTION(origin)));
    else if (req.url === "/token") res.end(JSON.stringify({ access_token: "t0ken", token_type: "bearer" }));
    else if (req.headers.authorization === "Bearer t0ken") res.end(JSON.stringify([{ id: 1, name: "lamp" }]));
    else res.writeHead(401).end("{}");
  };

async function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

describe("Proxies and certificates", function () {
  this.timeout(60_000);
  let shop: Server;
  let secureShop: Server;
  let vendor: Vendor;
  let proxy: RecordingProxy;
  let home: ReturnType<typeof dataDir>;
  let authority: string;

  before(async () => {
    shop = createServer(application("http://shop.test"));
    secureShop = createTlsServer(application("https://shop.test"));
    vendor = await startVendor();
  });
  beforeEach(async () => {
    vendor.script([{ calls: [{ name: "list_items", arguments: {} }] }, { text: "One lamp." }]);
    const hosts = {
      "shop.test:80": shop.listening ? (shop.address() as AddressInfo).port : await listening(shop),
      "shop.test:443": secureShop.listening ? (secureShop.address() as AddressInfo).port : await listening(secureShop),
      "model.test:80": Number(new URL(vendor.url).port),
    };
    proxy = await startProxy({ hosts, login: LOGIN });
    home = dataDir();
    authority = join(home.dir, "authority.pem");
    writeFileSync(authority, AUTHORITY);
  });
  afterEach(async () => {
    await stopAll();
    await proxy.close();
  });
  after(async () => {
    for (const server of [shop, secureShop]) {
      server.closeAllConnections();
      server.close();
    }
    await vendor.close();
  });

  const configure = (config: object): void => writeFileSync(join(home.dir, "config.json"), JSON.stringify(config));
  const withModel = (base_url: string, more: object = {}): object => ({
    providers: { far: { type: "openai-compatible", base_url, model: "m", api_key: "k".repeat(20) } },
    target: { auth: { oauth: "me:client-secret" } },
    ...more,
  });
  const run = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
    agentd([...args, "--data-dir", home.dir], { env });
  const read = (location: string, ...flags: string[]): string[] => ["sync", "openapi", location, "--force", ...flags];

  it("sends models, applications, tokens and descriptions through HTTP_PROXY, in absolute form @all", async () => {
    configure(withModel("http://model.test/v1"));
    const env = { HTTP_PROXY: proxy.url };
    const synced = await run(read("http://shop.test/openapi.json", "--base-url", "http://shop.test"), env);
    expect(synced.code, synced.stderr).to.equal(0);
    const { code, stdout, stderr } = await run(["run", "list the items"], env);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain("One lamp.");
    // What a model's server is asked about its context comes before the first call.
    const calls = proxy.seen.filter((line) => !/model\.test\/(?!v1\/chat)/.test(line));
    expect(calls).to.deep.equal([
      "GET http://shop.test/openapi.json",
      "POST http://model.test/v1/chat/completions",
      "POST http://shop.test/token",
      "GET http://shop.test/items",
      "POST http://model.test/v1/chat/completions",
    ]);
  });

  it("sends TLS through HTTPS_PROXY in a tunnel, checked against the authorities of ca_file too @all", async () => {
    configure(withModel(vendor.url, { ca_file: "authority.pem" }));
    const env = { https_proxy: proxy.url };
    const synced = await run(read("https://shop.test/openapi.json", "--base-url", "https://shop.test"), env);
    expect(synced.code, synced.stderr).to.equal(0);
    const { stdout, stderr } = await run(["run", "list the items"], env);
    expect(stdout, stderr).to.contain("One lamp.");
    // The model is on this machine.
    expect(new Set(proxy.seen)).to.deep.equal(new Set(["CONNECT shop.test:443"]));
  });

  it("N15 names the proxy at the start and in failures, and nowhere its user and password @all", async () => {
    configure(withModel("http://model.test/v1"));
    const daemon = await serve(["--data-dir", home.dir], { env: { HTTP_PROXY: proxy.url } });
    await daemon.stop();
    expect(daemon.stderr()).to.contain(`through the proxy http://127.0.0.1:${proxy.port}`).and.not.match(SECRET);

    const wrong = { HTTP_PROXY: `http://worker:pr0xy-passw0rd-old@127.0.0.1:${proxy.port}` };
    const refused = await run(["run", "list the items"], wrong);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain(`the proxy http://127.0.0.1:${proxy.port} wants a user and password (407)`);
    const tunnel = { ...wrong, HTTPS_PROXY: wrong.HTTP_PROXY };
    const unsynced = await run(read("https://shop.test/openapi.json"), tunnel);
    expect(unsynced.stderr).to.contain(`the proxy http://127.0.0.1:${proxy.port} wants a user and password (407)`);

    await proxy.close();
    const dead = await run(["run", "list the items"], { HTTP_PROXY: proxy.url });
    expect(dead.stderr).to.contain(`the proxy http://127.0.0.1:${proxy.port} cannot be reached (ECONNREFUSED)`);
    const unread = await run(read("http://shop.test/openapi.json"), { HTTP_PROXY: proxy.url });
    expect(unread.stderr).to.contain(`the proxy http://127.0.0.1:${proxy.port} cannot be reached (ECONNREFUSED)`);
    for (const { stdout, stderr } of [refused, unsynced, dead, unread]) expect(stdout + stderr).not.to.match(SECRET);
  });

  it("tells the model and the history of a call that a proxy kept from its application @all", async () => {
    await proxy.close();
    proxy = await startProxy({ hosts: {}, status: 403 });
    configure(withModel(vendor.url));
    writeFileSync(join(home.dir, "schema.json"), JSON.stringify(items("https://shop.test")));
    await run(["run", "list the items"], { HTTPS_PROXY: proxy.url });
    const { stdout } = await run(["history", "--json"]);
    expect(JSON.parse(stdout)).to.have.length(1);
    const [{ status, result }] = JSON.parse(stdout);
    expect([status, result.error]).to.deep.equal(["error", "proxy_error"]);
    expect(result.message).to.contain(
      `the proxy http://127.0.0.1:${proxy.port} refused the connection with status 403`,
    );
  });

  it("G35 reaches this machine and what NO_PROXY names without the proxy @all", async function () {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal)?.address;
    if (own === undefined) this.skip();
    const open = createServer((req, res) => res.end(JSON.stringify(DESCRIPTION(`http://${req.headers.host}`))));
    const port = await listening(open, "0.0.0.0");
    try {
      const env = { HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url };
      const here = await run(read(`http://127.0.0.1:${port}/openapi.json`), env);
      const exempt = await run(read(`http://${own}:${port}/openapi.json`), { ...env, NO_PROXY: `a.test,${own}` });
      expect([here.code, exempt.code], here.stderr + exempt.stderr).to.deep.equal([0, 0]);
      expect(proxy.seen).to.deep.equal([]);
      await run(read(`http://${own}:${port}/openapi.json`), env);
      expect(proxy.seen[0]).to.equal(`GET http://${own}:${port}/openapi.json`);
    } finally {
      open.closeAllConnections();
      open.close();
    }
  });

  it("trusts an authority of NODE_EXTRA_CA_CERTS and of ca_file, by each of its ways, and both together @all", async () => {
    const port = (secureShop.address() as AddressInfo).port;
    configure({});
    const location = `https://localhost:${port}/openapi.json`;
    const codeOf = async (env: Record<string, string>, ...flags: string[]): Promise<number | null> =>
      (await run(read(location, ...flags), env)).code;
    expect(await codeOf({})).to.equal(1);
    expect(await codeOf({ NODE_EXTRA_CA_CERTS: authority })).to.equal(0);
    expect(await codeOf({ AGENTD_CA_FILE: authority })).to.equal(0);
    expect(await codeOf({}, "--ca-file", authority)).to.equal(0);
    const other = join(home.dir, "other.pem");
    writeFileSync(other, OTHER_AUTHORITY);
    expect(await codeOf({ AGENTD_CA_FILE: other })).to.equal(1);
    expect(await codeOf({ AGENTD_CA_FILE: other, NODE_EXTRA_CA_CERTS: authority })).to.equal(0);
  });

  it("names both ways out when an authority is not known, for models, applications and sync @all", async () => {
    const port = (secureShop.address() as AddressInfo).port;
    configure(withModel(`https://127.0.0.1:${port}/v1`));
    const model = await run(["run", "list the items"]);
    configure(withModel(vendor.url));
    writeFileSync(join(home.dir, "schema.json"), JSON.stringify(items(`https://127.0.0.1:${port}`)));
    await run(["run", "list the items"]);
    const target = await run(["history", "--json"]);
    const synced = await run(read(`https://127.0.0.1:${port}/openapi.json`));
    for (const text of [model.stderr, target.stdout, synced.stderr])
      expect(text)
        .to.match(/ca[_-]file/)
        .and.contain("NODE_EXTRA_CA_CERTS");
  });

  it("serves an application behind an authority of its own, with each of the two ways @all", async () => {
    const port = (secureShop.address() as AddressInfo).port;
    writeFileSync(join(home.dir, "schema.json"), JSON.stringify(items(`https://127.0.0.1:${port}`)));
    const settings = withModel(vendor.url);
    for (const [config, env] of [
      [{ ...settings, ca_file: "authority.pem" }, {}],
      [settings, { NODE_EXTRA_CA_CERTS: authority }],
    ] as const) {
      vendor.script([{ calls: [{ name: "list_items", arguments: {} }] }, { text: "One lamp." }]);
      configure(config);
      const daemon = await serve(["--data-dir", home.dir], { env });
      await ask(daemon.url, { message: "list the items" });
      await daemon.stop();
      expect(vendor.requests[1]?.text).to.contain("401");
    }
  });

  it("refuses a ca_file that is missing or holds no certificate, in one sentence @all", async () => {
    writeFileSync(join(home.dir, "broken.pem"), AUTHORITY.replace(/\n.{20}/, "\nAAAAAAAAAAAAAAAAAAAA"));
    for (const file of ["missing.pem", "config.json", "broken.pem", "."]) {
      configure({ ca_file: file });
      const { code, stderr } = await run(["serve", "--port", "0"]);
      expect(code, stderr).to.equal(1);
      expect(stderr.trim().split("\n"), file).to.have.length(1);
      expect(stderr, file).to.match(/ca_file: .* cannot be used: .*PEM format\.$/m);
    }
  });
});

/** A document with one tool and no credentials. */
const items = (base_url: string): object => ({
  version: 1,
  source: "openapi",
  base_url,
  resources: [
    {
      name: "items",
      actions: [
        { name: "list_items", provenance: "declared", transport: { kind: "http", method: "GET", path: "/items" } },
      ],
    },
  ],
});
