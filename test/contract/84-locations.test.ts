// Where `agentd sync` reads a description from, and what of the operator's goes there: the real command line, and servers that record
// what arrives. Source: docs/reference.md, "Importing a description".
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { agentd, type Ended, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const SECRET = "canary-9d1f27ab";
const PING: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Ping", version: "1" },
  paths: { "/ping": { get: { operationId: "ping", security: [{ key: [] }] } } },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
};

describe("Importing a description: locations", function () {
  this.timeout(60_000);
  let dir: string;
  let target: RecordingTarget;

  beforeEach(async () => {
    dir = temporaryFolder("locations");
    target = await startTarget(() => json(PING));
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const sync = (args: string[], options: { input?: string; env?: Record<string, string> } = {}): Promise<Ended> =>
    agentd(["sync", "openapi", ...args, "--data-dir", dir], { cwd: dir, ...options });
  const configure = (section: JsonObject): void =>
    writeFileSync(join(dir, "config.json"), JSON.stringify({ target: section }));
  /** Answers only those who bring this header, and repeats what the others brought. */
  const lock = (name: string, value: string): void =>
    target.answer((request) =>
      request.header(name) === value
        ? json(PING)
        : json({ message: `not with ${request.header(name) ?? "nothing"}` }, 401),
    );
  const sent = (): string => target.requests.map(({ raw }) => raw.toString()).join("");
  const written = (): string =>
    readdirSync(dir)
      .filter((name) => name !== "config.json")
      .map((name) => readFileSync(join(dir, name), "utf8"))
      .join("");

  it("reads standard input", async () => {
    const { code, stdout, stderr } = await sync(["-", "--base-url", target.url], { input: JSON.stringify(PING) });
    expect(stderr).to.equal("");
    expect(stdout).to.include("1 of 1 operations are tools now");
    expect(code).to.equal(0);
  });

  it("says in one sentence that a file is not there, and what to do @all", async () => {
    const { code, stderr } = await sync(["nope.yaml"]);
    expect(stderr).to.match(
      /^agentd: There is no file \S+nope\.yaml\. Give a file, an address such as .*standard input\.\n$/,
    );
    expect(code).to.equal(1);
  });

  it("sends --header to the location's own host, and neither prints nor stores it", async () => {
    lock("authorization", `Bearer ${SECRET}`);
    const flags = ["--header", "Authorization: env:DOCS_LOGIN", "--header", "X-Team: red"];
    const env = { DOCS_LOGIN: `Bearer ${SECRET}` };
    const found = await sync([target.url, ...flags], { env });
    expect(found.stderr).to.equal("");
    expect(found.code).to.equal(0);
    expect(target.requests.at(-1)?.header("x-team")).to.equal("red");
    lock("authorization", "other");
    const refused = await sync([`${target.url}/openapi.json`, ...flags], { env });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include("status 401").and.include("not with [redacted]");
    expect(found.stdout + found.stderr + refused.stdout + refused.stderr + written()).not.to.include(SECRET);
  });

  it("refuses a --header that is none without repeating it, and one whose reference is only a part @all", async () => {
    const none = await sync([target.url, "--header", SECRET]);
    expect(none).to.include({ code: 2 });
    expect(none.stderr).to.include('"Name: value"').and.not.include(SECRET);
    const part = await sync([target.url, "--header", "Authorization: Bearer env:TOKEN"]);
    expect(part).to.include({ code: 2 });
    expect(part.stderr).to.include('put "Bearer " into it');
    const unset = await sync([target.url, "--header", "Authorization: env:NOT_THERE"]);
    expect(unset.stderr).to.include("NOT_THERE, which is not set");
    expect(target.requests).to.have.length(0);
  });

  it("uses the credentials of config.json where they are meant to go @all", async () => {
    lock("authorization", `Bearer ${SECRET}`);
    configure({ base_url: target.url, auth: { login: "env:LOGIN" } });
    const found = await sync([`${target.url}/openapi.json`], { env: { LOGIN: SECRET } });
    expect(found.stderr).to.equal("");
    expect(found.code).to.equal(0);
    expect(found.stdout + found.stderr + written()).not.to.include(SECRET);
    configure({ base_url: target.url, headers: { Authorization: "env:LOGIN" } });
    expect(await sync([`${target.url}/openapi.json`], { env: { LOGIN: `Bearer ${SECRET}` } })).to.include({ code: 0 });
    const missing = await sync([`${target.url}/openapi.json`]);
    expect(missing.stderr).to.include("LOGIN, which is not set");
  });

  it("knows the scheme of a credential from the document that is there @all", async () => {
    expect(await sync([`${target.url}/openapi.json`])).to.include({ code: 0 });
    lock("x-key", SECRET);
    configure({ auth: { key: "env:KEY" } });
    const { code, stderr } = await sync([`${target.url}/openapi.json`], { env: { KEY: SECRET } });
    expect(stderr).to.equal("");
    expect(code).to.equal(0);
  });

  it("G32 keeps them from every other address, and says how to send them there @all", async () => {
    lock("authorization", `Bearer ${SECRET}`);
    for (const section of [{ base_url: "http://127.0.0.1:9" }, {}] as JsonObject[]) {
      configure({ ...section, auth: { login: "env:LOGIN" }, headers: { "X-Own": "env:LOGIN" } });
      const { code, stderr } = await sync([`${target.url}/openapi.json`], { env: { LOGIN: SECRET } });
      expect(code).to.equal(1);
      expect(stderr).to.include("status 401").and.include("--base-url").and.include("--header");
    }
    expect(sent()).not.to.include(SECRET);
    const { code } = await sync([`${target.url}/openapi.json`, "--base-url", target.url], { env: { LOGIN: SECRET } });
    expect(code).to.equal(0);
  });
});
