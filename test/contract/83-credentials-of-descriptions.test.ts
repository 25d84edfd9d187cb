// Where credentials may go, and which ones are needed: what a sync says of it and what a call does. The real command line; the
// application records every byte.
// Source: docs/reference.md, "Importing a description".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/lib/json.js";
import { ask } from "../support/entry-points.js";
import { agentd, serve, stopAll, sync } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const SECRET = "canary-2f9d81c4";
const HEADER = "canary-77ab03e1";
const ARGUMENT = "canary-5c0e44d2";

const scheme = (rest: JsonObject): JsonObject => ({ type: "http", ...rest });
const SCHEMES: JsonObject = {
  bearer: scheme({ scheme: "bearer" }),
  userLogin: scheme({ scheme: "Basic" }),
  key: { type: "apiKey", in: "query", name: "api_key" },
  digestLogin: scheme({ scheme: "digest" }),
  certificate: { type: "mutualTLS" },
};

/** An operation with these security alternatives. */
const get = (operationId: string, ...security: string[][]): JsonObject => ({
  get: {
    operationId,
    ...(security.length > 0 && {
      security: security.map((names) => Object.fromEntries(names.map((one) => [one, []]))),
    }),
    responses: { 200: { description: "ok" } },
  },
});
const describing = (server: string, paths: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: server }],
  paths,
  components: { securitySchemes: SCHEMES },
});

describe("Importing a description: credentials", function () {
  this.timeout(60_000);
  let dir: string;
  let target: RecordingTarget;
  let site: RecordingTarget;
  let description: JsonObject;

  /** The data directory's configuration; calls of each tool by its name. */
  const configure = (target: JsonObject): void => {
    const tools = ["open", "locked", "argued", "digest", "either", "tls", "free"];
    const turns = tools.map((name) => ({
      prompt: `call ${name}`,
      replies: [{ calls: [{ id: "c", name, arguments: {} }] }, { text: "done" }],
    }));
    writeFileSync(join(dir, "turns.json"), JSON.stringify({ turns, replies: [{ text: "ok" }], repeat: true }));
    const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
    writeFileSync(join(dir, "config.json"), JSON.stringify({ providers, target }));
  };

  const configured = { auth: { bearer: SECRET }, headers: { "x-own": HEADER }, arguments: { session: ARGUMENT } };

  beforeEach(async () => {
    dir = temporaryFolder("credentials");
    target = await startTarget(() => json({ done: true }));
    site = await startTarget(() => json(description));
    description = describing(target.url, {
      "/open": get("open"),
      "/locked": get("locked", ["bearer"]),
      "/argued": { ...get("argued"), parameters: [{ name: "session", in: "query", schema: { type: "string" } }] },
    });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
    await site.close();
  });

  /** Calls a tool through a daemon; the result, and what arrived. */
  const call = async (url: string, name: string): Promise<{ result: string; status: string; sent: string }> => {
    target.requests.length = 0;
    const events: TurnEvent[] = await ask(url, { message: `call ${name}` });
    const result = events.find((event) => event.kind === "tool_result");
    if (result?.kind !== "tool_result") throw new Error(`no result of ${name}`);
    const sent = target.requests.map(({ raw }) => raw.toString()).join("");
    return { result: JSON.stringify(result.result), status: result.status, sent };
  };

  it("G30 says where requests go, and that this is another origin than the description's", async () => {
    configure({});
    const stdout = await sync(dir, `${site.url}/openapi.json`);
    expect(stdout).to.include(`Requests go to ${target.url}`).and.include(site.url).and.include("--base-url");
    expect(JSON.parse(readFileSync(join(dir, "schema.json"), "utf8"))).to.include({ base_url_confirmed: false });
  });

  it("G30 keeps every credential from an address that a description of another origin chose, until it is named", async () => {
    configure(configured);
    await sync(dir, `${site.url}/openapi.json`);
    const waiting = await serve(["--data-dir", dir]);
    expect(waiting.stderr()).to.include("Credentials are not sent to").and.include("target.base_url");
    for (const name of ["locked", "open", "argued"]) {
      const { result, status, sent } = await call(waiting.url, name);
      expect(status).to.equal("error");
      expect(result).to.include("target.base_url").and.include("--base-url").and.include("Nothing was sent");
      expect(sent, name).to.equal("");
    }
    await sync(dir, `${site.url}/openapi.json`);
    expect((await call(waiting.url, "locked")).sent, "synced again").to.equal("");
    await sync(dir, `${site.url}/openapi.json`, "--base-url", target.url);
    const { status, sent } = await call(waiting.url, "locked");
    expect(status).to.equal("ok");
    expect(sent).to.include(SECRET).and.include(HEADER);
    await waiting.stop();
  });

  it("G30 takes target.base_url for the operator's word @all", async () => {
    configure(configured);
    await sync(dir, `${site.url}/openapi.json`);
    configure({ ...configured, base_url: target.url });
    const served = await serve(["--data-dir", dir]);
    expect(served.stderr()).not.to.include("Credentials are not sent");
    expect((await call(served.url, "locked")).sent).to.include(SECRET);
    expect((await call(served.url, "argued")).sent).to.include(ARGUMENT);
    await served.stop();
  });

  it("G30 calls what needs no credential also before the address is named @all", async () => {
    configure({});
    await sync(dir, `${site.url}/openapi.json`);
    const served = await serve(["--data-dir", dir]);
    expect(await call(served.url, "open")).to.include({ status: "ok" });
    await served.stop();
  });

  it("G30 keeps credentials from the new address of a description that moved, a file's too @all", async () => {
    configure(configured);
    const file = join(dir, "api.json");
    writeFileSync(file, JSON.stringify(describing(site.url, { "/locked": get("locked", ["bearer"]) })));
    expect(await sync(dir, file))
      .to.include(`Requests go to ${site.url}`)
      .and.not.include("--base-url");
    writeFileSync(file, JSON.stringify(description));
    expect(await sync(dir, file, "--force"))
      .to.include(`Requests go to ${target.url}`)
      .and.include("--base-url");
    const served = await serve(["--data-dir", dir]);
    expect((await call(served.url, "locked")).sent).to.equal("");
    await served.stop();
  });

  it("sends credentials where the description came from without a further word @all", async () => {
    configure(configured);
    target.answer(({ path }) => json(path === "/openapi.json" ? description : { done: true }));
    expect(await sync(dir, `${target.url}/openapi.json`)).to.not.include("--base-url");
    const served = await serve(["--data-dir", dir]);
    expect((await call(served.url, "locked")).sent).to.include(SECRET);
    await served.stop();
  });

  it("takes localhost and 127.0.0.1 for the same address @all", async () => {
    configure(configured);
    const { port } = new URL(site.url);
    description = describing(`http://localhost:${port}`, { "/locked": get("locked", ["bearer"]) });
    const printed = await sync(dir, `${site.url}/openapi.json`);
    expect(printed).to.not.include("another origin");
    const document = JSON.parse(readFileSync(join(dir, "schema.json"), "utf8")) as JsonObject;
    expect(document)
      .to.include({ base_url: `http://localhost:${port}` })
      .and.not.have.property("base_url_confirmed");
  });

  it("says which credentials operations need, and prints the lines of config.json that are missing @all", async () => {
    configure({ auth: { bearer: SECRET } });
    description = describing(target.url, {
      "/a": get("a", ["bearer"]),
      "/b": get("b", ["bearer"]),
      "/c": get("c", ["userLogin"], ["key"]),
      "/d": get("d", ["key"], []),
    });
    const stdout = await sync(dir, `${site.url}/openapi.json`);
    expect(stdout).to.match(/bearer: bearer token, for 2 operations; configured/);
    expect(stdout).to.match(/userLogin: http basic, for 1 operation; written as user:password/);
    expect(stdout).to.match(/key: key in the query api_key, for 1 operation; written as key/);
    const lines = /"target": (\{[\s\S]*?\n {2}\})/.exec(stdout)?.[1] ?? "";
    expect(JSON.parse(lines)).to.deep.equal({ auth: { userLogin: "env:APP_USER_LOGIN", key: "env:APP_KEY" } });
    configure(JSON.parse(lines));
    const env = { APP_USER_LOGIN: "u:p", APP_KEY: "k" };
    const again = await agentd(["sync", "openapi", `${site.url}/openapi.json`, "--data-dir", dir], { env });
    expect(again.stdout)
      .to.match(/userLogin: .*; configured/)
      .and.include("env:APP_BEARER");
  });

  it("sends the secret of a scheme that has a name and nothing to compute, and takes the operator's own header for any @all", async () => {
    configure({ auth: { token: SECRET }, headers: {} });
    description = describing(target.url, {
      "/locked": get("locked", ["token"]),
      "/digest": get("digest", ["digestLogin"]),
    });
    (description["components"] as JsonObject)["securitySchemes"] = { ...SCHEMES, token: scheme({ scheme: "Token" }) };
    target.answer(({ path }) => json(path === "/openapi.json" ? description : { done: true }));
    expect(await sync(dir, `${target.url}/openapi.json`)).to.include("token: http Token");
    const served = await serve(["--data-dir", dir]);
    expect((await call(served.url, "locked")).sent).to.match(new RegExp(`authorization: Token ${SECRET}`, "i"));
    await served.stop();
    configure({ headers: { Authorization: HEADER } });
    const signedIn = await serve(["--data-dir", dir]);
    expect((await call(signedIn.url, "digest")).sent).to.match(new RegExp(`authorization: ${HEADER}`, "i"));
    await signedIn.stop();
  });

  it("G31 refuses what it cannot sign in to by name, at sync and at the call, and sends nothing", async () => {
    configure({ auth: { digestLogin: "user:password", certificate: "x", key: SECRET } });
    description = describing(target.url, {
      "/digest": get("digest", ["digestLogin"]),
      "/tls": get("tls", ["certificate"]),
      "/either": get("either", ["digestLogin"], ["key"]),
      "/free": get("free", ["digestLogin"], []),
    });
    const { stdout, stderr } = await agentd([
      ...["sync", "openapi", `${site.url}/openapi.json`, "--data-dir", dir, "--base-url", target.url],
    ]);
    expect(stdout)
      .to.match(/digestLogin: http digest, .*not supported/)
      .and.match(/certificate: mutualTLS, .*not supported/);
    expect(stderr).to.match(/2 tools cannot be called.*digest, tls/);
    const served = await serve(["--data-dir", dir]);
    for (const [name, words] of [
      ["digest", "digestLogin (http digest)"],
      ["tls", "certificate (mutualTLS)"],
    ] as const) {
      const { result, status, sent } = await call(served.url, name);
      expect(status).to.equal("error");
      expect(result).to.include(words).and.include("nothing was sent");
      expect(sent).to.equal("");
    }
    const either = await call(served.url, "either");
    expect(either.status).to.equal("ok");
    expect(either.sent)
      .to.include(SECRET)
      .and.not.match(/authorization/i);
    const free = await call(served.url, "free");
    expect(free.status).to.equal("ok");
    expect(free.sent).not.to.match(/authorization/i);
    await served.stop();
  });
});
