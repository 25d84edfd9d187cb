// The tools a model is selection: how many, how large, which stay, and how one that was cut is seen whole.
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import type { Message } from "../../src/domain/message.js";
import { parseSchema } from "../../src/domain/schema-document.js";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject } from "../../src/lib/json.js";
import { READ_RESULT, SEARCH_TOOLS } from "../../src/tools/builtin-tools.js";
import { createCatalogue } from "../../src/tools/catalogue.js";
import { createToolSelection, type ToolSelection, type ToolSelectionOptions } from "../../src/tools/selection.js";
import { fitAlike, fitRanked, tokensOf } from "../../src/tools/token-budget.js";

const words = "lorem ipsum dolor sit amet consectetur adipiscing elit ".repeat(8);

/** Arguments with depth: a required text, a required object, and optional objects inside optional objects. */
function parameters(extra: JsonObject = {}): JsonObject {
  const inner = { type: "object", properties: { a: { type: "string", description: words }, b: { type: "integer" } } };
  return {
    type: "object",
    properties: {
      title: { type: "string", description: words },
      where: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x"] },
      options: { type: "object", description: words, properties: { deep: inner, deeper: { allOf: [inner] } } },
      state: { type: "string", enum: ["open", "closed"] },
      ...extra,
    },
    required: ["title", "where"],
    additionalProperties: false,
  };
}

function catalogueOf(names: readonly string[]) {
  const actions = names.map((name) => ({
    name,
    description: `${name.replaceAll("_", " ")}. ${words}`,
    parameters: parameters(),
    transport: { kind: "http", method: "POST", path: `/${name}` },
  }));
  return createCatalogue(parseSchema(JSON.stringify({ resources: [{ name: "things", actions }] }), impliedByTransport));
}

const sum = (tools: readonly Tool[]): number => tools.reduce((total, tool) => total + tokensOf(tool), 0);
const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);
const named = (tools: readonly Tool[], name: string): Tool | undefined => tools.find((tool) => tool.name === name);
const isCut = (tool: Tool | undefined): boolean => tool?.description.endsWith("(shortened)") ?? false;

const things = ["invoice", "customer", "order", "ticket", "parcel", "room", "seat", "flight", "menu", "recipe"];
const verbs = ["create", "update", "delete", "list", "archive", "restore", "share", "print", "rate", "merge"];
const hundred = verbs.flatMap((verb) => things.map((thing) => `${verb}_${thing}`));

describe("10.5 Large catalogues", () => {
  const select = (given: Partial<ToolSelectionOptions> = {}): ToolSelection =>
    createToolSelection({
      catalogue: catalogueOf(hundred),
      prompt: "create an invoice",
      earlierMessages: [],
      maxTools: 20,
      maxTokens: 8_000,
      offersReading: false,
      offersUndo: false,
      ...given,
    });

  it("shows max_tools tools and search_tools, the best first", () => {
    const tools = select({ maxTools: 15 }).tools();
    expect(namesOf(tools).slice(0, 2)).to.deep.equal(["search_tools", "create_invoice"]);
    expect(tools).to.have.lengthOf(16);
  });

  it("stays under the budget with everything it offers, by leaving less of the tools that fit less", () => {
    const selection = select({ maxTokens: 3_000 });
    selection.offerReading();
    const tools = selection.tools();
    expect(sum(tools)).to.be.at.most(3_000);
    expect(tools).to.include.members([SEARCH_TOOLS, READ_RESULT]);
    expect(tokensOf(tools[1] as Tool)).to.be.above(tokensOf(tools[15] as Tool));
    expect(isCut(tools[15])).to.equal(true);
  });

  it("counts what a request wraps around each definition", () => {
    const selection = select({ maxTools: 64, maxTokens: 4_000 });
    selection.offerReading();
    const tools = selection.tools().map(({ name, description, input_schema: parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
    expect(tools).to.have.length.above(20);
    expect(JSON.stringify(tools).length / 4).to.be.within(3_000, 4_000);
  });

  it("keeps every required parameter, however small the budget, and at least one tool", () => {
    for (const maxTokens of [1, 500, 1_000, 2_000]) {
      const tools = select({ maxTokens }).tools();
      expect(tools.length).to.be.above(1);
      for (const { input_schema } of tools.slice(1)) {
        expect(input_schema).to.have.deep.property("required", ["title", "where"]);
        expect(input_schema).to.have.nested.property("properties.where.properties.x");
        expect(input_schema).to.have.nested.property("properties.title.type", "string");
      }
    }
  });

  it("shows a tool that was cut whole when it is asked for by name, in the answer and from then on", () => {
    const catalogue = catalogueOf(hundred);
    const selection = select({ catalogue, maxTokens: 2_000 });
    const name = namesOf(selection.tools()).at(-1) ?? "";
    expect(isCut(named(selection.tools(), name))).to.equal(true);
    const original = named(catalogue.tools, name);
    const { description, safety, input_schema } = original as Tool;
    expect(selection.search(name)).to.deep.equal({ tools: [{ name, description, safety, input_schema }] });
    expect(named(selection.tools(), name)).to.equal(original);
    expect(sum(selection.tools())).to.be.at.most(2_000);
  });

  it("keeps what was found or called for the turn, whatever is found later", () => {
    const selection = select({ maxTools: 24 });
    const [, , called = ""] = namesOf(selection.tools());
    selection.use(called);
    selection.search("merge seats");
    const found = namesOf(selection.tools()).find((name) => name === "merge_seat");
    expect(found).to.equal("merge_seat");
    selection.search("print a recipe");
    expect(namesOf(selection.tools())).to.include.members([called, "merge_seat", "print_recipe"]);
    expect(selection.tools().length).to.be.at.most(25);
  });

  it("shows what the conversation used", () => {
    const earlierMessages: Message[] = [
      { role: "assistant", text: "", calls: [{ id: "1", name: "rate_menu", arguments: {} }] },
      { role: "tool", call_id: "1", name: "rate_menu", text: "{}", is_error: false },
    ];
    expect(namesOf(select({ earlierMessages }).tools())).to.include("rate_menu");
  });

  it("shows all tools whole and no search when they fit", () => {
    const catalogue = catalogueOf(hundred.slice(0, 5));
    expect(select({ catalogue }).tools()).to.deep.equal(catalogue.tools);
  });

  it("shows all tools, each cut as much as the others, when only their definitions are too long", () => {
    const catalogue = catalogueOf(hundred.slice(0, 20));
    const tools = select({ catalogue, maxTokens: 4_000 }).tools();
    expect(namesOf(tools)).to.deep.equal(["search_tools", ...namesOf(catalogue.tools)]);
    expect(sum(tools)).to.be.at.most(4_000);
    const sizes = tools.slice(1).map(tokensOf);
    expect(Math.max(...sizes) - Math.min(...sizes)).to.be.at.most(5);
  });

  it("gives the same list as long as nothing changes", () => {
    const selection = select();
    const tools = selection.tools();
    selection.use("create_invoice");
    expect(selection.tools()).to.equal(tools);
  });
});

describe("definitions under a budget", () => {
  const { tools } = catalogueOf(hundred);

  it("leaves tools alone that fit", () => {
    expect(fitRanked(tools, 1e6)).to.deep.equal({ tools, cut: false, fits: true });
    expect(fitAlike(tools, 1e6)).to.deep.equal({ tools, cut: false, fits: true });
  });

  it("says when not all of them fit, and gives those that do", () => {
    const { tools: some, fits } = fitRanked(tools, 2_000);
    expect(fits).to.equal(false);
    expect(some.length).to.be.within(10, 99);
    expect(sum(some)).to.be.at.most(2_000);
    expect(namesOf(some)).to.deep.equal(namesOf(tools).slice(0, some.length));
  });

  it("counts four bytes a token, so that letters beyond ASCII are not taken for cheap", () => {
    const [tool] = tools as [Tool];
    const plain = { ...tool, description: "a".repeat(400) };
    expect(tokensOf({ ...tool, description: "語".repeat(400) }) - tokensOf(plain)).to.equal(200);
  });

  it("keeps the definitions that what is left refers to, and no others", () => {
    const [tool] = tools as [Tool];
    const input_schema: JsonObject = {
      type: "object",
      properties: { must: { $ref: "#/$defs/Must" }, may: { $ref: "#/$defs/May" } },
      required: ["must"],
      $defs: {
        Must: { type: "object", properties: { again: { $ref: "#/$defs/Must" } }, required: ["again"] },
        May: { type: "string", description: words },
      },
    };
    const [cut] = fitRanked([{ ...tool, input_schema }], 60).tools;
    expect(cut?.input_schema["$defs"]).to.have.all.keys("Must");
    expect(cut?.input_schema).to.have.nested.property("properties.must.$ref", "#/$defs/Must");
  });

  it("keeps a definition whose name has to be escaped in a reference", () => {
    const [tool] = tools as [Tool];
    const input_schema: JsonObject = {
      type: "object",
      properties: { must: { $ref: "#/$defs/Pets~1Pet%20Shop" }, may: { type: "string", description: words } },
      required: ["must"],
      $defs: { "Pets/Pet Shop": { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
    };
    const [cut] = fitRanked([{ ...tool, input_schema }], 60).tools;
    expect(cut?.description).to.contain("(shortened)");
    expect(cut?.input_schema["$defs"]).to.have.all.keys("Pets/Pet Shop");
  });
});
