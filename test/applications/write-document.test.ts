// A schema document on disk, and what a sync changes.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { diffDocuments, writeDocument } from "../../src/applications/write-document.js";
import { parseSchema, type SchemaDocument } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { inFolder } from "./http/openapi/imported.js";

const action = (name: string, rest: JsonObject = {}): JsonObject => ({
  name,
  parameters: { type: "object", properties: { a: { type: "string" } } },
  transport: { kind: "http", method: "POST", path: `/${name}` },
  ...rest,
});
const documentOf = (...actions: JsonObject[]): SchemaDocument =>
  parseSchema(JSON.stringify({ resources: [{ name: "r", actions }] }), impliedByTransport);

describe("agentd sync: writing", () => {
  it("writes the document whole, over an old one, and leaves nothing else behind", () =>
    inFolder(async (folder) => {
      const file = join(folder, "data", "schema.json");
      await writeDocument(file, { version: 1, resources: [], big: 12345678901234567890n });
      await writeDocument(file, { version: 1, resources: [{ name: "é" }], big: 12345678901234567891n });
      expect(await readFile(file, "utf8"))
        .to.include('"é"')
        .and.include("12345678901234567891");
      expect(await readdir(join(folder, "data"))).to.deep.equal(["schema.json"]);
    }));

  it("refuses what no daemon would read, and writes nothing", () =>
    inFolder(async (folder) => {
      const $defs = Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [`T${i}`, true]));
      const file = join(folder, "schema.json");
      const error = await writeDocument(file, { resources: [], $defs }).catch((cause: unknown) => cause);
      expect(error).to.have.property("name", "StartError");
      expect(error).to.have.property("message").that.includes("more than 50000 members");
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it("names the file it cannot write, keeps what is there and leaves no draft", () =>
    inFolder(async (folder) => {
      const file = join(folder, "schema.json");
      await mkdir(file);
      await writeFile(join(file, "inside"), "x");
      const error = await writeDocument(file, { resources: [] }).catch((cause: unknown) => cause);
      expect(error).to.have.property("name", "StartError");
      expect(error).to.have.property("message").that.includes(file);
      expect(await readdir(folder)).to.deep.equal(["schema.json"]);
    }));
});

describe("agentd sync: the difference", () => {
  it("finds the tools whose shared definitions changed, however far away, and no others", () => {
    const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
    const holds = (name: string): JsonObject => ({ parameters: { type: "object", properties: { a: ref(name) } } });
    const shared = (leaf: JsonObject): SchemaDocument => {
      const $defs = {
        Near: { properties: { far: ref("Far"), near: ref("Near") } },
        Far: leaf,
        Other: { type: "string" },
      };
      const actions = [action("a", holds("Near")), action("b", holds("Other"))];
      return parseSchema(JSON.stringify({ $defs, resources: [{ name: "r", actions }] }), impliedByTransport);
    };
    const before = shared({ type: "string" });
    expect(diffDocuments(before, shared({ type: "string" })).changed).to.deep.equal([]);
    expect(diffDocuments(before, shared({ type: "integer" })).changed).to.deep.equal([
      { name: "a", what: "parameters" },
    ]);
  });

  it("finds nothing where definitions only moved from a tool to the document", () => {
    const parameters = { type: "object", properties: { a: { $ref: "#/$defs/A" } } };
    const $defs = { A: { type: "string" } };
    const old = documentOf(action("a", { parameters: { ...parameters, $defs } }));
    const text = JSON.stringify({ $defs, resources: [{ name: "r", actions: [action("a", { parameters })] }] });
    expect(diffDocuments(old, parseSchema(text, impliedByTransport)).changed).to.deep.equal([]);
  });

  it("finds a tool that is called otherwise by the name it had, and what else is different about it", () => {
    const transport = { kind: "http", method: "GET", path: "/deals" };
    const before = documentOf(action("DealsController_findAll", { transport, safety: "read_only" }), action("b"));
    const now = { transport, safety: "mutating", aliases: ["DealsController_findAll"] };
    const difference = diffDocuments(before, documentOf(action("find_all_deals", now), action("b")));
    expect(difference).to.deep.include({
      added: [],
      removed: [],
      renamed: [{ from: "DealsController_findAll", to: "find_all_deals" }],
      changed: [{ name: "find_all_deals", what: "safety read_only → mutating" }],
      warnings: ["find_all_deals was read_only and is mutating now."],
    });
  });

  it("finds added and removed tools, and nothing where only the order of keys differs", () => {
    const before = documentOf(action("a"), action("b"));
    const reordered = {
      transport: { path: "/b", method: "POST", kind: "http" },
      name: "b",
      parameters: { properties: { a: { type: "string" } }, type: "object" },
    };
    expect(diffDocuments(before, documentOf(action("c"), reordered))).to.deep.equal({
      document: [],
      added: ["c"],
      removed: ["a"],
      changed: [],
      warnings: [],
    });
  });

  it("reports what changed of the document itself: its source, its address and its security schemes", () => {
    const auth = { kept: { type: "http", scheme: "basic" }, other: { type: "http", scheme: "basic" }, gone: {} };
    const before = parseSchema(
      JSON.stringify({ source: "openapi", base_url: "http://a", auth, resources: [] }),
      impliedByTransport,
    );
    const changed = { kept: { scheme: "basic", type: "http" }, other: { type: "http", scheme: "bearer" }, come: {} };
    const after = parseSchema(JSON.stringify({ source: "graphql", auth: changed, resources: [] }), impliedByTransport);
    expect(diffDocuments(before, after).document).to.deep.equal([
      "source openapi → graphql",
      "base_url http://a → none",
      "auth ~other -gone +come",
    ]);
  });

  it("reports what changed of a tool, and warns of safety, new needs and a new path", () => {
    const parameters = { type: "object", properties: { a: { type: "integer" }, b: {} }, required: ["a", "b"] };
    const after = action("x", {
      safety: "read_only",
      description: "new",
      parameters,
      transport: { kind: "http", method: "PUT", path: "/y" },
    });
    const { changed, warnings } = diffDocuments(documentOf(action("x")), documentOf(after));
    expect(changed).to.deep.equal([
      {
        name: "x",
        what: "safety mutating → read_only, verb action → update, description, parameters ~a +b !a, POST /x → PUT /y",
      },
    ]);
    expect(warnings).to.deep.equal([
      "x was mutating and is read_only now.",
      "x now needs a, b.",
      "x was POST /x and is PUT /y now.",
    ]);
  });
});
