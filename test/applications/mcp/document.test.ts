// What the tools of an MCP server become: names, arguments, schemas, and which are left out. Pure.
import { expect } from "chai";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import { answerOutcome } from "../../../src/applications/mcp/answer.js";
import { toServerDocument } from "../../../src/applications/mcp/document.js";
import { pinOf } from "../../../src/applications/mcp/pin.js";
import { type Action, readSchema } from "../../../src/domain/schema-document.js";
import type { JsonObject } from "../../../src/lib/json.js";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

function read(tools: JsonObject[], isHttp = false) {
  const listed = new Map(tools.map((tool) => [String(tool["name"]), { tool, ...pinOf(tool) }]));
  const about = { era: "modern", address: "stdio:x", serverName: "x", trustsAnnotations: false } as const;
  const { document, report } = toServerDocument({ ...about, tools: listed, isHttp });
  const { actions } = readSchema(document, impliedByTransport);
  return { actions, report, skipped: report.skipped.map(({ reason }) => reason) };
}

const only = (inputSchema: JsonObject): Action => {
  const [action] = read([{ name: "a", inputSchema }]).actions;
  if (!action) throw new Error("it was left out");
  return action;
};

describe("Documents of MCP servers", () => {
  it("name tools as the server does where that is legal, and tell the others apart", () => {
    const long = `files.${"x".repeat(122)}`;
    const names = ["read", "files.read", "files/read", long, `${long}y`, "日本", "read_result"];
    const { actions } = read(names.map((name) => ({ name, inputSchema: object({}) })));
    expect(actions.map(({ transport }) => transport["tool"])).to.deep.equal(names);
    const own = actions.map(({ name }) => name);
    expect(own.slice(0, 2)).to.deep.equal(["read", "files_read"]);
    expect(new Set(own).size).to.equal(names.length);
    for (const name of own) expect(name).to.match(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(own).to.not.include("read_result");
  });

  it("keep schemas with what they define, and give arguments names that every model takes", () => {
    const schema = object(
      { "due date": { $ref: "#/$defs/Day" }, list: { type: "array", items: { $ref: "#/properties/list" } } },
      { required: ["due date"], $defs: { Day: { type: "string" } }, additionalProperties: false },
    );
    const { parameters, transport, wireNames } = only(schema);
    expect(parameters["$defs"]).to.deep.equal({ Day: { type: "string" } });
    expect(Object.keys(parameters["properties"] as JsonObject)).to.deep.equal(["due_date", "list"]);
    expect(parameters["required"]).to.deep.equal(["due_date"]);
    expect(transport["arguments"]).to.deep.equal({ due_date: "due date" });
    expect(wireNames).to.deep.equal({ due_date: "due date" });
  });

  it("clean what is read, and leave what is sent as it is", () => {
    const value = { title: "two  spaces\u202e" };
    const kind: JsonObject = { description: "a  kind\u202e", enum: [value], default: value, examples: [value] };
    const { parameters } = only(object({ kind, default: { description: "b\u200b" } }));
    expect(parameters["properties"]).to.deep.equal({
      kind: { ...kind, description: "a kind" },
      default: { description: "b" },
    });
  });

  it("leave out tools whose arguments cannot be read, with the reason", () => {
    const { skipped } = read([
      { name: "a" },
      { name: "b", inputSchema: { type: "string" } },
      { name: "c", inputSchema: object({ x: { $ref: "https://elsewhere.example/schema.json" } }) },
      { name: "d", inputSchema: object({ x: { $ref: "#/$defs/Missing" } }) },
      { name: "e", inputSchema: object({}, { required: "x" }) },
    ]);
    expect(skipped).to.deep.equal([
      "its arguments are no JSON Schema of an object",
      "its arguments are no JSON Schema of an object",
      "its arguments refer to https://elsewhere.example/schema.json, which is not in them",
      "its arguments refer to #/$defs/Missing, which is not in them",
      "its required arguments are no list of names",
    ]);
  });

  it("leave out, over HTTP alone, tools that want an argument in a header that cannot be", () => {
    const marked = (header: string, type = "string"): JsonObject => ({ type, "x-mcp-header": header });
    const tools = [
      object({ region: marked("Region") }),
      object({ region: marked("My Region") }),
      object({ ratio: marked("Ratio", "number") }),
      object({ a: marked("Same"), b: marked("same") }),
      object({ list: { type: "array", items: marked("Item") } }),
      object({ inner: object({ deep: marked("Deep") }) }),
    ].map((inputSchema, at) => ({ name: `t${at}`, inputSchema }));
    expect(read(tools, true).actions.map(({ name }) => name)).to.deep.equal(["t0", "t5"]);
    expect(read(tools, false).actions).to.have.length(tools.length);
  });

  it("pin what a server says, and not in which order or with what beside", () => {
    const tool = { name: "a", description: "d", inputSchema: object({ x: {}, y: {} }) };
    const same = {
      _meta: { v: 2 },
      inputSchema: { properties: { y: {}, x: {} }, type: "object" },
      description: "d",
      name: "a",
    };
    expect(pinOf(same)).to.deep.equal(pinOf(tool));
    for (const [part, value] of Object.entries({
      title: "t",
      description: "e",
      annotations: {},
      outputSchema: object({}),
    }))
      expect(pinOf({ ...tool, [part]: value }).hash, part).to.not.equal(pinOf(tool).hash);
  });
});

describe("Answers of MCP servers", () => {
  const text = (words: string): JsonObject => ({ type: "text", text: words });
  const image: JsonObject = { type: "image", data: "AA==", mimeType: "image/png" };

  it("become the one value that is in them, or all of their blocks", () => {
    const cases: [answer: JsonObject, value: unknown][] = [
      [{ content: [text("42")] }, "42"],
      [{ content: [text('{"id": 12345678901234567890}')] }, { id: 12345678901234567890n }],
      [{ content: [text("[1, 2")] }, "[1, 2"],
      [{ content: [text("said")], structuredContent: { a: 1 } }, { a: 1 }],
      [{ content: [], structuredContent: [] }, []],
      [{ content: [text("a"), text("b")] }, { content: [text("a"), text("b")] }],
      [
        { content: [image], structuredContent: { a: 1 } },
        { content: [image], structuredContent: { a: 1 } },
      ],
      [{ content: [] }, { content: [] }],
    ];
    for (const [answer, value] of cases) expect(answerOutcome(answer)).to.deep.equal({ status: "ok", value });
  });

  it("are errors when the tool says so", () => {
    expect(answerOutcome({ isError: true, content: [text("no"), image] })).to.deep.equal({
      status: "error",
      value: { error: "tool_error", message: "no", content: [text("no"), image] },
    });
    expect(answerOutcome({ isError: true })).to.have.nested.property("value.message");
  });
});
