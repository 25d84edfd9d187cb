// From a description to the bytes at the application, through the real command line: GitHub's 1,223 operations and a payment
// service's forms. The model is a fake vendor's, so that the tools it receives can be measured; the application records bytes.
// Source: docs/reference.md, "Large catalogues", "Importing a description" and "Uploading files".

import { readdirSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { allOnly } from "../support/all.js";
import { ask, entryPoints, finalText, getJson, postJson } from "../support/entry-points.js";
import { type Served, serve, stopAll, sync } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor, type VendorRequest } from "../support/vendor.js";

const GITHUB = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
const CLOSE = { owner: "octo", repo: "hello", issue_number: 12, state: "closed" };
const MAX_TOOLS = 64;
const MAX_TOKENS = 8_000;

interface Definition {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** The definitions in one model call. */
function definitionsIn(request: VendorRequest | undefined): Definition[] {
  const tools = (request?.body["tools"] ?? []) as unknown as { function: Definition }[];
  return tools.map((tool) => tool.function);
}

const namesIn = (request: VendorRequest | undefined): string[] => definitionsIn(request).map(({ name }) => name);

/** Tokens of all definitions in one model call, at four bytes of JSON a token. */
function tokensIn(request: VendorRequest | undefined): number {
  return Buffer.byteLength(JSON.stringify(request?.body["tools"] ?? [])) / 4;
}

/** A small description with the shapes of a payment service's: forms with maps, lists of objects and nested objects. */
function payments(): object {
  const text = { type: "string" };
  const item = { type: "object", properties: { price: text, quantity: { type: "integer" } } };
  const properties = {
    email: text,
    metadata: {
      anyOf: [
        { type: "object", additionalProperties: text },
        { type: "string", enum: [""] },
      ],
    },
    items: { type: "array", items: item },
    shipping: { type: "object", properties: { name: text, address: { type: "object", properties: { city: text } } } },
    expand: { type: "array", items: text },
  };
  const deep = { style: "deepObject", explode: true };
  const encoding = { metadata: deep, items: deep, shipping: deep, expand: deep };
  const form = { "application/x-www-form-urlencoded": { encoding, schema: { type: "object", properties } } };
  const post = {
    operationId: "PostCustomers",
    description: "<p>Creates a new customer object.</p>",
    requestBody: { content: form, required: false },
    responses: { 200: { description: "ok" } },
  };
  return {
    openapi: "3.0.0",
    info: { title: "Payments", version: "1" },
    servers: [{ url: "https://payments.example" }],
    paths: { "/v1/customers": { post } },
  };
}

describe("Tools", function () {
  this.timeout(60_000);
  let folder: string;
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Served;

  const model = () => ({
    default_provider: "m",
    providers: {
      m: { type: "openai-compatible", base_url: vendor.url, model: "fake" },
      offline: { type: "offline", act: true },
    },
  });
  const run = (message: string, modes: object = {}): Promise<TurnEvent[]> => ask(daemon.url, { message, ...modes });
  const get = <T>(path: string): Promise<T> => getJson<T>(daemon.url + path);
  const results = (events: TurnEvent[]): JsonValue[] =>
    events.flatMap((event) => (event.kind === "tool_result" ? [{ status: event.status, result: event.result }] : []));
  const search = (query: string) => ({ calls: [{ name: "search_tools", arguments: { query } }] });
  const call = (name: string, args: JsonObject) => ({ calls: [{ name, arguments: args }] });
  /** A data directory with a configuration and the tools of a description, called at the target. */
  const synced = async (dir: string, config: object, location: string): Promise<void> => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "config.json"), JSON.stringify(config));
    await sync(dir, location, "--base-url", target.url);
  };
  const serveFrom = (dir: string, ...flags: string[]) => serve(["--data-dir", dir, ...flags]);
  /** Without what was read of the record before and after the question. */
  const changes = (): string[] => lines().filter((line) => !line.startsWith("GET "));
  const lines = (): string[] => target.requests.map(({ method, path, body }) => `${method} ${path} ${body}`);

  before(async () => {
    folder = temporaryFolder("descriptions");
    vendor = await startVendor();
    target = await startTarget(() => json({ ok: true }));
  });
  beforeEach(() => {
    target.requests.length = 0;
  });
  after(async () => {
    await stopAll();
    await target.close();
    await vendor.close();
  });

  describe("Large catalogues: GitHub, close issue 12 in octo/hello", () => {
    const prompt = "close issue 12 in octo/hello";
    /** The record is read before it is changed, so that the change can be taken back. */
    const closed = ["GET /repos/octo/hello/issues/12 ", `PATCH /repos/octo/hello/issues/12 {"state":"closed"}`];
    const data = () => join(folder, "github");
    /** A data directory of its own with the same tools. */
    const copied = async (name: string, config: object): Promise<string> => {
      const dir = join(folder, name);
      await mkdir(dir);
      await writeFile(join(dir, "config.json"), JSON.stringify(config));
      await copyFile(join(data(), "schema.json"), join(dir, "schema.json"));
      return dir;
    };
    before(async () => {
      await synced(data(), model(), GITHUB);
      daemon = await serveFrom(data());
    });
    after(() => daemon.stop());

    it("is done by the offline planner, and by nothing but the one request @all", async () => {
      const other = await serveFrom(await copied("offline", model()), "--provider", "offline");
      expect(finalText(await ask(other.url, { message: prompt }))).to.not.equal("");
      await other.stop();
      expect(lines()).to.deep.equal(closed);
    });

    for (const [index, entryPoint] of entryPoints.entries())
      it(`is done by a model that searches for the tool, over ${entryPoint.name}${allOnly(index > 0)}`, async () => {
        vendor.script([search("update an issue"), call("issues_update", CLOSE), { text: "Closed." }]);
        const events = await entryPoint.ask(daemon.url, { message: prompt });
        expect(finalText(events)).to.equal("Closed.");
        expect(lines()).to.deep.equal(closed);
      });

    it("gives the first model call at most max_tools tools and search_tools, under 8,000 tokens", async () => {
      vendor.script([{ text: "ok" }]);
      await run(prompt);
      const [first] = vendor.requests;
      expect(namesIn(first)).to.have.length.within(10, MAX_TOOLS + 1);
      expect(namesIn(first)).to.include.members(["search_tools", "issues_update"]);
      expect(tokensIn(first)).to.be.within(2_000, MAX_TOKENS);
    });

    it("takes other limits from the configuration @all", async () => {
      const given = model();
      const providers = { m: { ...given.providers.m, max_tools: 5, tool_tokens: 900 } };
      const other = await serveFrom(await copied("small", { ...given, providers }));
      vendor.script([{ text: "ok" }]);
      await ask(other.url, { message: prompt });
      await other.stop();
      expect(namesIn(vendor.requests[0])).to.have.length.within(2, 6);
      expect(tokensIn(vendor.requests[0])).to.be.at.most(900);
    });

    it("keeps a tool that was found, and one that was called, for the rest of the turn", async () => {
      vendor.script([
        search("star a repository"),
        search("delete a gist"),
        call("issues_update", CLOSE),
        { text: "Done." },
      ]);
      await run("do what I always do on Mondays");
      const [first, second, ...later] = vendor.requests;
      const star = "activity_star-repo-for-authenticated-user";
      expect(namesIn(first)).to.not.include(star);
      expect(namesIn(second)).to.include(star);
      expect(later).to.have.lengthOf(2);
      for (const request of later) expect(namesIn(request)).to.include.members([star, "gists_delete"]);
      for (const request of vendor.requests) expect(tokensIn(request)).to.be.at.most(MAX_TOKENS);
      // Called without having been offered: it stays available from then on.
      expect(lines()).to.deep.equal(closed);
      vendor.script([{ text: "ok" }]);
    });

    it("returns a shortened tool whole when it is searched for by its exact name", async () => {
      const tools = await get<{ name: string; description: string; input_schema: JsonObject }[]>("/tools");
      const whole = (name: string) => tools.find((tool) => tool.name === name);
      vendor.script([{ text: "ok" }]);
      await run(prompt);
      const cut = definitionsIn(vendor.requests[0]).filter(({ description }) => description.endsWith("(shortened)"));
      const one = cut.at(-1)?.name ?? "";
      expect(cut.at(-1)?.parameters).to.not.deep.equal(whole(one)?.input_schema);
      expect(cut.at(-1)?.parameters["required"]).to.deep.equal(whole(one)?.input_schema["required"]);
      vendor.script([search(one), { text: "ok" }]);
      const [answer] = results(await run(prompt)) as [{ result: { tools: JsonObject[] } }];
      expect(answer.result.tools[0]).to.deep.include({ name: one, input_schema: whole(one)?.input_schema });
      expect(definitionsIn(vendor.requests[1]).find(({ name }) => name === one)).to.deep.equal({
        name: one,
        description: whole(one)?.description,
        parameters: whole(one)?.input_schema,
      });
    });

    const ways = {
      "found through search_tools": [search("update an issue"), call("issues_update", CLOSE)],
      "offered at once": [call("issues_update", CLOSE)],
      "never offered": [call("repos_delete", { owner: "octo", repo: "hello" })],
    };
    const sent: Record<string, string[]> = { "never offered": ["DELETE /repos/octo/hello "] };
    for (const [way, turns] of Object.entries(ways)) {
      it(`refuses a tool that changes something, ${way}, when read_only is in force`, async () => {
        vendor.script([...turns, { text: "Refused." }]);
        const [last] = results(await run(prompt, { read_only: true })).slice(-1);
        expect(last).to.have.property("status", "error");
        expect(lines()).to.deep.equal([]);
        const [row] = await get<HistoryEntry[]>("/history?limit=1");
        expect(row).to.include({ status: "blocked", tool: turns.at(-1)?.calls[0]?.name });
      });

      it(`holds a tool that changes something, ${way}, when confirm is in force, and sends it once when approved, never when denied`, async () => {
        for (const decision of ["deny", "approve"]) {
          vendor.script([...turns, { text: "Held." }]);
          const [last] = results(await run(prompt, { confirm: true })).slice(-1) as [{ result: JsonObject }];
          expect(last.result).to.have.property("error", "confirmation_required");
          expect(changes()).to.deep.equal([]);
          const address = `${daemon.url}/-/confirmations/${last.result["confirmation_id"]}`;
          const decided = await postJson(address, { decision });
          expect(decided.status).to.equal(200);
          if (decision === "deny") expect(changes()).to.deep.equal([]);
        }
        expect(changes()).to.deep.equal(sent[way] ?? closed.slice(1));
      });
    }
  });

  describe("Arguments: a payment service, create a customer with email x and metadata tier=gold", () => {
    const specs = process.env["AGENTD_SPECS"];
    const stripe = specs === undefined ? undefined : readdirSync(specs).find((name) => name.startsWith("stripe"));
    const given: [string, () => Promise<string>][] = [
      [
        "a small description with its shapes",
        async () => {
          const file = join(folder, "payments.json");
          await writeFile(file, JSON.stringify(payments()));
          return file;
        },
      ],
      ...(stripe === undefined
        ? []
        : [[`${stripe}`, async () => join(specs ?? "", stripe)] satisfies [string, () => Promise<string>]]),
    ];
    afterEach(() => daemon.stop());

    for (const [n, [name, location]] of given.entries())
      it(`is sent as a form, byte for byte, from ${name}`, async () => {
        const data = join(folder, `payments-${n}`);
        await synced(data, model(), await location());
        daemon = await serveFrom(data);
        vendor.script([
          call("PostCustomers", { email: "x", metadata: { tier: "gold" } }),
          call("PostCustomers", {
            email: "a+b&c@example.com",
            metadata: { "a b": "ü=1", tier: "" },
            shipping: { name: "N", address: { city: "Q" } },
            expand: ["sources"],
          }),
          { text: "Created." },
        ]);
        const events = await run("create a customer with email x and metadata tier=gold");
        expect(finalText(events)).to.equal("Created.");
        const [first, second] = target.requests;
        expect(first).to.include({ method: "POST", path: "/v1/customers" });
        expect(first?.header("content-type")).to.equal("application/x-www-form-urlencoded");
        expect(first?.body.toString()).to.equal("email=x&metadata%5Btier%5D=gold");
        expect([...new URLSearchParams(first?.body.toString())]).to.deep.equal([
          ["email", "x"],
          ["metadata[tier]", "gold"],
        ]);
        expect([...new URLSearchParams(second?.body.toString())]).to.have.deep.members([
          ["email", "a+b&c@example.com"],
          ["metadata[a b]", "ü=1"],
          ["metadata[tier]", ""],
          ["shipping[name]", "N"],
          ["shipping[address][city]", "Q"],
          ["expand[0]", "sources"],
        ]);
        expect(tokensIn(vendor.requests[0])).to.be.at.most(MAX_TOKENS);
      });
  });

  describe("Importing a description: overrides and a changed description", () => {
    interface Listed {
      name: string;
      description: string;
      safety: string;
    }
    const operation = (operationId: string, extra: object = {}): object => ({
      operationId,
      responses: { 200: { description: "ok" } },
      ...extra,
    });
    const upload = {
      content: {
        "multipart/form-data": {
          schema: { type: "object", properties: { file: { type: "string", format: "binary" } }, required: ["file"] },
        },
      },
      required: true,
    };
    const described = (paths: object): object => ({
      openapi: "3.1.0",
      info: { title: "Things", version: "1" },
      servers: [{ url: target.url }],
      paths,
    });
    const list = operation("list");
    const first = {
      "/things": { get: list, post: operation("create"), trace: operation("trace") },
      "/things/search": { post: operation("search", { "x-agentd-safety": "read_only" }) },
      "/files": { post: operation("upload", { requestBody: upload }) },
      "/all": { delete: operation("wipe") },
    };
    const page = { name: "page", in: "query", required: true, schema: { type: "integer" } };
    const second = {
      "/things": { get: operation("list", { parameters: [page] }), post: operation("create") },
      "/things/search": { post: operation("search", { "x-agentd-safety": "read_only" }) },
      "/files": { post: operation("upload", { requestBody: upload }) },
      "/all": { delete: operation("wipe") },
      "/more": { get: operation("more") },
    };
    const overrides = {
      wipe: { hidden: true },
      create: { name: "make_thing", description: "Makes a thing.", safety: "destructive" },
    };
    let data: string;
    let file: string;
    beforeEach(async () => {
      data = await mkdtemp(join(folder, "sync-"));
      file = join(data, "things.json");
      await writeFile(file, JSON.stringify(described(first)));
    });

    it("reports counts, what was skipped and why, and the difference, as JSON @all", async () => {
      const report = JSON.parse(await sync(data, file, "--json"));
      expect(report).to.deep.include({ operations: 6, imported: 5, difference: null });
      expect(report.skipped).to.have.lengthOf(1);
      expect(report.skipped[0]).to.include({ operation: "TRACE /things" });
      expect(report.skipped[0].reason).to.contain("TRACE");
      await writeFile(file, JSON.stringify(described(second)));
      const { difference } = JSON.parse(await sync(data, file, "--json"));
      expect(difference).to.deep.equal({
        document: [],
        added: ["more"],
        removed: [],
        changed: [{ name: "list", what: "parameters +page, transport" }],
        warnings: ["list now needs page."],
      });
    });

    it("prefers the overrides to the description, before and after the description changes @all", async () => {
      await writeFile(join(data, "config.json"), JSON.stringify(model()));
      await writeFile(join(data, "overrides.json"), JSON.stringify(overrides));
      await sync(data, file);
      daemon = await serveFrom(data);
      const tools = async () =>
        (await get<Listed[]>("/tools")).map(({ name, description, safety }) => `${name} ${safety} ${description}`);
      const made = "make_thing destructive Makes a thing.";
      expect(await tools())
        .to.include(made)
        .and.have.lengthOf(4);
      expect((await tools()).find((one) => one.startsWith("search"))).to.match(/^search read_only /);
      await writeFile(file, JSON.stringify(described(second)));
      await sync(data, file);
      expect(await tools())
        .to.include(made)
        .and.have.lengthOf(5);
      vendor.script([call("make_thing", {}), call("search", {}), call("wipe", {}), { text: "Done." }]);
      const answers = results(await run("go", { read_only: true })) as { status: string }[];
      expect(answers.map(({ status }) => status)).to.deep.equal(["error", "ok", "error"]);
      expect(lines()).to.deep.equal(["POST /things/search "]);
      await daemon.stop();
    });

    it("F16 refuses a GET that acts by its words in read_only and strict, and says so at the end of a sync", async () => {
      await writeFile(join(data, "config.json"), JSON.stringify(model()));
      const paths = {
        "/users": { get: operation("users") },
        "/users/{id}/deactivate": {
          get: operation("off", {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          }),
        },
        "/users/search": { post: operation("seek") },
      };
      await writeFile(file, JSON.stringify(described(paths)));
      const said = await sync(data, file);
      expect(said).to.match(/^Safety: 1 read only, 2 mutating, 0 destructive\.$/m);
      expect(said).to.contain("(1): off (GET /users/{id}/deactivate)\n");
      const line = '"POST /users/search": { "safety": "read_only" }';
      expect(said)
        .to.match(/though their words only read \(1\)/)
        .and.to.contain(line);
      await writeFile(join(data, "overrides.json"), `{${line}}`);
      const report = JSON.parse(await sync(data, file, "--json"));
      expect(report.safety).to.deep.equal({ read_only: 2, mutating: 1, destructive: 0 });
      expect(report.doubtful).to.deep.equal({ acting: ["off"], reading: [], relaxed: [], overrides: {} });
      daemon = await serveFrom(data);
      for (const mode of [{ read_only: true }, { strict: true }]) {
        vendor.script([call("off", { id: "1" }), call("seek", {}), { text: "Done." }]);
        const answers = results(await run("go", mode)) as { status: string }[];
        expect(answers.map(({ status }) => status)).to.deep.equal(["error", "ok"]);
      }
      expect(lines()).to.deep.equal(["POST /users/search ", "POST /users/search "]);
      await daemon.stop();
    });

    it("uploads a file by its path only where the operator allows it @all", async () => {
      const secret = join(data, "secret.txt");
      await writeFile(secret, "canary");
      await sync(data, file);
      for (const allow_files of [false, true]) {
        await writeFile(join(data, "config.json"), JSON.stringify({ ...model(), target: { allow_files } }));
        daemon = await serveFrom(data);
        vendor.script([call("upload", { file: `file:${secret}` }), { text: "Done." }]);
        const [answer] = results(await run("go")) as [{ status: string }];
        expect(answer.status).to.equal(allow_files ? "ok" : "error");
        expect(target.requests).to.have.lengthOf(allow_files ? 1 : 0);
        await daemon.stop();
      }
      expect(target.requests[0]?.body.toString()).to.contain("canary");
    });
  });
});
