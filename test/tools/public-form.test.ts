// Tools in their public form: whole by name, in bounded size in a list and before a model, however large what they share is.
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { parseSchema } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject, type JsonObject, toJson } from "../../src/lib/json.js";
import { referred } from "../../src/lib/json-pointer.js";
import { type Catalogue, createCatalogue } from "../../src/tools/catalogue.js";
import { createToolSelection } from "../../src/tools/selection.js";

const words = "A text that says what this is. ".repeat(10);
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

/** Linked entities: each refers to the next ones, so that each reaches all; every one is made by a tool. */
function linked(count: number, actions = count): Catalogue {
  const definitions = Array.from({ length: count }, (_, i): [string, JsonObject] => {
    const links = Array.from({ length: 5 }, (_, n) => [`link${n}`, ref(`E${(i + n + 1) % count}`)]);
    const note = { type: "string", description: words };
    return [`E${i}`, { type: "object", properties: { id: { type: "integer" }, note, ...Object.fromEntries(links) } }];
  });
  const list = Array.from({ length: actions }, (_, i) => ({
    name: `create_${i}`,
    description: `Creates entity ${i}.`,
    parameters: { type: "object", properties: { entity: ref(`E${i % count}`) }, required: ["entity"] },
    transport: { kind: "http", method: "POST", path: `/e${i}` },
  }));
  const document = { $defs: Object.fromEntries(definitions), resources: [{ name: "e", actions: list }] };
  return createCatalogue(parseSchema(toJson(document), impliedByTransport));
}

/** The references of a schema that lead nowhere in it. */
function dangling(schema: JsonObject): string[] {
  const found = [...toJson(schema).matchAll(/"\$ref":"(#[^"]*)"/g)].map(([, one = ""]) => one);
  return found.filter((one) => referred({ $ref: one }, schema) === undefined);
}

describe("Tools in their public form", function () {
  this.timeout(30_000);

  it("are whole and self-contained by name", () => {
    const tool = linked(400).whole("create_7") as Tool;
    expect(tool).not.to.have.property("shortened");
    expect(Object.keys(tool.input_schema["$defs"] as JsonObject)).to.have.length(400);
    expect(dangling(tool.input_schema)).to.deep.equal([]);
  });

  it("say in a list that they are shortened, stay self-contained, and keep what is nearest @all", async () => {
    const list = JSON.parse(await linked(400).json()) as Tool[];
    for (const { shortened, input_schema } of list) {
      expect(shortened).to.equal(true);
      expect(dangling(input_schema)).to.deep.equal([]);
      expect(toJson(input_schema).length).to.be.at.most(64 * 1024);
    }
    const [{ input_schema }] = list as [Tool];
    expect(input_schema).to.have.nested.property("properties.entity.$ref", "#/$defs/E0");
    expect(input_schema).to.have.nested.property("$defs.E0.properties.link0.$ref", "#/$defs/E1");
  });

  it("are in a list whole when they are small, and nothing says otherwise", async () => {
    const list = JSON.parse(await linked(3).json()) as Tool[];
    for (const tool of list) {
      expect(tool).not.to.have.property("shortened");
      expect(tool.input_schema["$defs"]).to.have.all.keys("E0", "E1", "E2");
    }
  });

  it("share the size of a list, however many they are", () => {
    const { json } = linked(400, 2_000);
    expect(json.length).to.be.below(20 * 1024 * 1024);
  });

  it("reach a model self-contained, within its budget, and say that they were cut @all", () => {
    const catalogue = linked(400);
    const options = {
      catalogue,
      earlierMessages: [],
      maxTools: 64,
      maxTokens: 16_000,
      offersReading: false,
      offersUndo: false,
    };
    const tools = createToolSelection({ ...options, prompt: "create entity 5" }).tools();
    expect(toJson(tools).length / 4).to.be.below(20_000);
    for (const { name, description, input_schema } of tools) {
      expect(dangling(input_schema)).to.deep.equal([]);
      if (name !== "search_tools") expect(description).to.contain("(shortened)");
    }
  });

  it("stay small with an enum of 20,000 values, and with 20,000 optional arguments @all", async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `value number ${i}`);
    const properties = Object.fromEntries(many.map((name) => [name, { type: "string" }]));
    const actions = [
      { name: "picks", parameters: { type: "object", properties: { one: { enum: many } }, required: ["one"] } },
      { name: "takes", parameters: { type: "object", properties } },
    ].map((action) => ({ ...action, transport: { kind: "http", method: "POST", path: "/" } }));
    const text = toJson({ resources: [{ name: "r", actions }] });
    const catalogue = createCatalogue(parseSchema(text, impliedByTransport));
    expect((await catalogue.json()).length).to.be.below(64 * 1024);
    for (const tool of catalogue.tools) expect(toJson(tool.input_schema).length).to.be.below(64 * 1024);
    expect(catalogue.whole("picks")).to.have.nested.property("input_schema.properties.one.enum.length", 20_000);
  });

  it("D17 are listed in slices, between which other requests are answered @all", async () => {
    const member = (i: number) => [`parameter_${i}`, { type: "string", description: `Says ${i} of it. `.repeat(20) }];
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => member(i)));
    const actions = Array.from({ length: 1_500 }, (_, i) => ({
      name: `tool_${i}`,
      parameters: { type: "object", properties },
      transport: { kind: "http", method: "GET", path: `/${i}` },
    }));
    const text = toJson({ resources: [{ name: "r", actions }] });
    const catalogue = createCatalogue(parseSchema(text, impliedByTransport));
    let answered = 0;
    const timer = setInterval(() => answered++, 1);
    const list = await catalogue.json();
    clearInterval(timer);
    expect(answered).to.be.at.least(5);
    expect(list.length).to.be.within(4 * 1024 * 1024, 16 * 1024 * 1024);
    expect(list).to.equal(toJson(catalogue.listed(catalogue.tools)));
    const some = catalogue.tools.slice(0, 3);
    expect(await catalogue.json(some)).to.equal(toJson(catalogue.listed(some)));
    expect(await catalogue.json([])).to.equal("[]");
  });

  it("are listed as the actions of an older document stand, which has its definitions in each of them", async () => {
    const parameters = {
      type: "object",
      properties: { next: ref("Node") },
      $defs: { Node: { properties: { next: ref("Node") } } },
    };
    const action = { name: "old", parameters, transport: { kind: "http", method: "POST", path: "/" } };
    const text = toJson({ version: 1, resources: [{ name: "r", actions: [action] }] });
    const [tool] = JSON.parse(await createCatalogue(parseSchema(text, impliedByTransport)).json()) as [Tool];
    expect(isObject(tool) && tool.input_schema).to.deep.equal(parameters);
  });
});
