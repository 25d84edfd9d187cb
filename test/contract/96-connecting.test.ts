// Connecting an application to a running daemon: what is displayed first, what is written, and what is refused.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const KEY = "the-key-of-the-shop-4711";

/** A description of two reads and a change, behind a key. */
const description = (server?: string): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  ...(server !== undefined && { servers: [{ url: server }] }),
  security: [{ shopKey: [] }],
  components: { securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Key" } } },
  paths: {
    "/items": {
      get: { operationId: "listItems", summary: "List items", responses: { 200: { description: "ok" } } },
      post: { operationId: "createItem", summary: "Create an item", responses: { 200: { description: "ok" } } },
    },
    "/items/search": {
      post: { operationId: "searchItems", summary: "Search items", responses: { 200: { description: "ok" } } },
    },
  },
});

interface Preview extends JsonObject {
  digest: string;
  credentials: string[];
}

describe("Connecting an application", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Daemon;

  const start = async (options: Parameters<typeof startDaemon>[0] = {}): Promise<void> => {
    daemon = await startDaemon({ schema: { version: 1, resources: [] }, ...options });
  };
  const preview = (body: object, init?: RequestInit): Promise<Response> =>
    postJson(`${daemon.url}/-/applications/preview`, body, init);
  const connect = (body: object, init?: RequestInit): Promise<Response> =>
    postJson(`${daemon.url}/-/applications`, body, init);
  const previewed = async (body: object): Promise<Preview> => {
    const response = await preview(body);
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return JSON.parse(text) as Preview;
  };

  beforeEach(async () => {
    target = await startTarget(({ path }) =>
      path === "/openapi.json" ? json(description()) : path === "/items" ? json([{ id: 1 }]) : json({}, 404),
    );
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("says what a description would import and writes nothing, then connects what it displayed", async () => {
    await start();
    const body = { name: "shop", location: `${target.url}/openapi.json` };
    const { digest, credentials, ...shown } = await previewed(body);
    expect(shown).to.deep.include({ kind: "openapi", name: "shop", title: "Shop", base_url: target.url, tools: 3 });
    expect(shown["safety"]).to.deep.equal({ read_only: 1, mutating: 2, destructive: 0 });
    expect(JSON.stringify(shown["doubtful"])).to.include("search");
    expect(credentials.join("\n")).to.include("SHOP_SHOP_KEY").and.to.include(`"base_url": "${target.url}"`);
    expect(await getJson<unknown[]>(`${daemon.url}/tools`)).to.deep.equal([]);
    const done = await connect({ ...body, digest });
    expect([done.status, await done.json()]).to.deep.equal([
      201,
      { name: "shop", kind: "openapi", base_url: target.url, tools: 3 },
    ]);
    const tools = await getJson<{ name: string }[]>(`${daemon.url}/tools?application=shop`);
    expect(tools.map(({ name }) => name)).to.include("shop_listItems");
    expect((await preview(body)).status, "the name is taken").to.equal(409);
  });

  it("connects a text, and finds out its kind @all", async () => {
    await start();
    const sdl = "type Query { books: [String] }";
    const graphql = await previewed({ name: "books", document: sdl, base_url: target.url });
    expect(graphql).to.include({ kind: "graphql", tools: 1 });
    const yaml =
      "openapi: 3.0.0\ninfo: {title: Y, version: '1'}\npaths:\n  /a:\n    get: {responses: {'200': {description: ok}}}\n";
    expect(await previewed({ name: "yam", document: yaml })).to.include({ kind: "openapi", tools: 1 });
  });

  it("refuses what changed since its preview @all", async () => {
    await start();
    const body = { name: "shop", location: `${target.url}/openapi.json` };
    const { digest } = await previewed(body);
    target.answer(() => json({ ...description(), paths: { "/x": { get: { responses: {} } } } }));
    expect((await connect({ ...body, digest })).status).to.equal(409);
  });

  it("N22 takes no file, command, database or reference", async () => {
    await start();
    for (const location of [
      "/etc/passwd",
      "file:///etc/passwd",
      "env:SHOP",
      "-",
      "postgres://localhost/x",
      "command:ls",
    ])
      expect((await preview({ location })).status, location).to.equal(400);
    for (const kind of ["sql", "mcp"])
      expect((await preview({ kind, location: target.url })).status, kind).to.equal(400);
    const both = await preview({ location: target.url, document: "x" });
    expect([both.status, await both.text()]).to.deep.include(400);
    const inside = { ...description(), paths: { "/x": { $ref: "/etc/passwd" } } };
    const reply = await preview({ name: "inside", document: JSON.stringify(inside) });
    expect(await reply.text()).to.not.include("root:");
    expect((await preview({ location: target.url, header: "x" })).status).to.equal(400);
  });

  it("N22 does not say which files of this machine are there, nor where a text was read", async () => {
    await start();
    const here = fileURLToPath(import.meta.url);
    const missing = `${here}.missing`;
    const { paths } = description() as { paths: JsonObject };
    const refers = { "/a": { $ref: here }, "/b": { $ref: missing }, "/c": { $ref: "./beside.yaml" } };
    const document = JSON.stringify({ ...description(), paths: { ...paths, ...refers } });
    const { skipped } = (await previewed({ name: "text", document })) as unknown as { skipped: { reason: string }[] };
    const [there, gone, beside] = skipped.map(({ reason }) => reason);
    expect(there).to.include(here);
    expect(gone?.replace(missing, here)).to.equal(there);
    expect(beside).to.include("beside.yaml");
    expect(JSON.stringify(skipped)).to.not.include("agentd-description-");
  });

  it("says what an address is instead of a description @all", async () => {
    await start();
    target.answer(() => json({ hello: 1 }, 404));
    const reply = await preview({ name: "shop", location: `${target.url}/nothing` });
    expect(reply.status).to.equal(400);
    expect(await reply.text()).to.include("404");
    const server = await preview({ name: "shop", location: `${target.url}/mcp` });
    expect(server.status).to.equal(400);
    expect(await server.text()).to.include("agentd sync mcp");
  });

  it("N21 sends no credential of config.json to an address that config.json does not name", async () => {
    await start({ config: { applications: { shop: { auth: { shopKey: KEY }, headers: { "X-Extra": KEY } } } } });
    const body = { name: "shop", location: `${target.url}/openapi.json`, base_url: target.url };
    const { digest } = await previewed(body);
    expect((await connect({ ...body, digest })).status).to.equal(201);
    await postJson(`${daemon.url}/-/tools/shop_listItems/call`, {});
    expect(JSON.stringify(target.requests.map(({ headers }) => headers))).to.not.include(KEY);
    const document = readFileSync(join(daemon.dataDir, "schemas", "shop.json"), "utf8");
    expect(JSON.parse(document)).to.include({ base_url_confirmed: false });
  });

  it("N23 is for full tokens, and for no page of another origin", async () => {
    const tokens = {
      reader: { token: "reader-token-reader", readOnly: true },
      full: { token: "full-token-full-token", readOnly: false },
    };
    await start({ listen: { tokens } });
    const body = { location: `${target.url}/openapi.json` };
    const as = (token: string, more: object = {}): RequestInit => ({
      headers: { Authorization: `Bearer ${token}`, ...more },
    });
    expect((await preview(body, as(tokens.reader.token))).status).to.equal(403);
    expect((await connect({ ...body, digest: "x" }, as(tokens.reader.token))).status).to.equal(403);
    const foreign = as(tokens.full.token, { Origin: "https://evil.example" });
    expect((await preview(body, foreign)).status).to.equal(403);
    expect(target.requests).to.deep.equal([]);
  });

  it("N25 connects no daemon to itself, by its description or by its address", async () => {
    await start();
    const refused = await preview({ name: "me", location: `${daemon.url}/-/openapi.json` });
    expect(refused.status).to.equal(400);
    expect(await refused.text()).to.contain("agentd itself");
    const own = daemon.url.replace("127.0.0.1", "localhost");
    const document = JSON.stringify(description());
    const { digest } = await previewed({ name: "me", document, base_url: own });
    const connected = await connect({ name: "me", document, digest, base_url: own });
    expect(connected.status, await connected.text()).to.equal(201);
    const answer = await postJson(`${daemon.url}/-/tools/me_listItems/call`, { arguments: {} });
    const text = await answer.text();
    expect(text).to.contain("no application of its own").and.contain('"status":"error"');
  });
});
