// In strict, names that nothing describes are refused at any depth.
import { expect } from "chai";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import { parseSchema } from "../../../src/domain/schema-document.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { createArgumentChecks } from "../../../src/tools/arguments/check.js";

const argumentChecks = createArgumentChecks();
after(() => argumentChecks.close());

const string = { type: "string" };
const fields = (...names: string[]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, string])),
});

/** What strict says of `{ body: value }` for this schema of the body: undefined when it fits. */
async function refusal(body: JsonObject, value: JsonValue, $defs: JsonObject = {}, strict = true) {
  const parameters = { type: "object", properties: { body }, $defs };
  const action = { name: "t", parameters, transport: { kind: "http", method: "POST", path: "/" } };
  const [parsed] = parseSchema(
    JSON.stringify({ resources: [{ name: "r", actions: [action] }] }),
    impliedByTransport,
  ).actions;
  if (!parsed) throw new Error("no action");
  const checked = await argumentChecks.check(parsed, { body: value }, strict);
  return checked.kind === "invalid" ? checked.reason : undefined;
}

describe("Names nothing describes, in strict", () => {
  const table: [what: string, schema: JsonObject, fits: JsonValue, not: JsonValue, $defs?: JsonObject][] = [
    ["in an object", fields("x"), { x: "1" }, { x: "1", typo: "2" }],
    ["in a list's items", { type: "array", items: fields("x") }, [{ x: "1" }], [{ x: "1" }, { typo: "1" }]],
    ["in a map's values", { type: "object", additionalProperties: fields("x") }, { a: { x: "" } }, { a: { typo: "" } }],
    ["behind a reference", { $ref: "#/$defs/one" }, { x: "1" }, { typo: "1" }, { one: fields("x") }],
    [
      "in parts put together",
      { allOf: [{ $ref: "#/$defs/base" }, fields("y")] },
      { x: "1", y: "2" },
      { x: "1", y: "2", typo: "3" },
      { base: fields("x") },
    ],
    [
      "beside parts put together",
      { ...fields("z"), allOf: [{ $ref: "#/$defs/base" }, { anyOf: [fields("a"), fields("b")] }] },
      { x: "1", z: "2", a: "3", b: "4" },
      { typo: "3" },
      { base: fields("x") },
    ],
    [
      "in alternatives",
      {
        oneOf: [
          { ...fields("x"), required: ["x"] },
          { ...fields("y"), required: ["y"] },
        ],
      },
      { y: "1" },
      { y: "1", typo: "2" },
    ],
    [
      "with alternatives of what is required",
      { ...fields("x", "y"), anyOf: [{ required: ["x"] }, { required: ["y"] }] },
      { x: "1" },
      { x: "1", typo: "2" },
    ],
    [
      "beside names that follow a pattern",
      { ...fields("x"), patternProperties: { "^x-": string } },
      { x: "1", "x-a": "2" },
      { x: "1", typo: "2" },
    ],
    [
      "in a tree",
      { $ref: "#/$defs/node" },
      { v: "1", next: { v: "2", next: {} } },
      { v: "1", next: { v: "2", next: { typo: "1" } } },
      { node: { type: "object", properties: { v: string, next: { $ref: "#/$defs/node" } } } },
    ],
    ["in an object that may be null", { anyOf: [fields("x"), { type: "null" }] }, null, { typo: "1" }],
  ];
  for (const [what, schema, fits, not, $defs] of table)
    it(`are refused ${what}`, async () => {
      expect(await refusal(schema, fits, $defs)).to.equal(undefined);
      expect(await refusal(schema, not, $defs)).to.contain("typo");
      expect(await refusal(schema, not, $defs, false), "outside strict").to.equal(undefined);
    });

  const open: [what: string, schema: JsonObject, $defs?: JsonObject][] = [
    ["where the description allows them", { ...fields("x"), additionalProperties: true }],
    ["where a part allows them", { allOf: [fields("x"), { type: "object", additionalProperties: string }] }],
    ["where no names are described", { type: "object" }],
    ["where an alternative takes any object", { anyOf: [{ ...fields("x"), required: ["x"] }, { type: "object" }] }],
    ["where an alternative takes anything", { anyOf: [{ ...fields("x"), required: ["x"] }, {}] }],
    [
      "where two parts describe one object",
      { allOf: [{ properties: { typo: fields("a") } }, { $ref: "#/$defs/more" }] },
      { more: { properties: { typo: fields("b") } } },
    ],
  ];
  for (const [what, schema, $defs] of open)
    it(`are taken ${what}`, async () => {
      const value = what.includes("two parts") ? { typo: { a: "1", b: "2" } } : { typo: "1" };
      expect(await refusal(schema, value, $defs)).to.equal(undefined);
    });

  it("do not change what a condition asks", async () => {
    const conditional: JsonObject = {
      type: "object",
      properties: { kind: string, more: { type: "object", properties: { a: string, b: string } } },
      if: { properties: { more: { properties: { a: { const: "1" } } } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["kind"] },
    };
    expect(await refusal(conditional, { more: { a: "1", b: "2" } })).to.contain("kind");
    expect(await refusal(conditional, { kind: "k", more: { a: "1", b: "2" } })).to.equal(undefined);
    const never: JsonObject = { ...fields("x", "y"), not: { properties: { x: { const: "1" } }, required: ["x"] } };
    expect(await refusal(never, { x: "1", y: "2" })).to.be.a("string");
  });

  const needed: [what: string, schema: JsonObject, $defs?: JsonObject][] = [
    ["in an object", { ...fields("x"), required: ["x", "y"] }],
    ["in a part of an object", { allOf: [fields("x"), { required: ["y"] }] }],
    [
      "behind a reference",
      { allOf: [{ $ref: "#/$defs/base" }, fields("z")] },
      { base: { ...fields("x"), required: ["y"] } },
    ],
    ["in an alternative", { ...fields("x"), anyOf: [{ required: ["y"] }, { required: ["x"] }] }],
  ];
  for (const [what, schema, $defs] of needed)
    it(`are taken where they are required ${what}`, async () => {
      expect(await refusal(schema, { x: "1", y: { any: 1 } }, $defs)).to.equal(undefined);
      expect(await refusal(schema, { x: "1", y: "2", typo: "3" }, $defs)).to.contain("typo");
    });

  it("are reported with their position", async () => {
    expect(await refusal(fields("x"), { typo: "1" })).to.equal("body: unknown name typo");
  });
});
