// The part of a large schema that arguments reach: what is left out never changes a verdict.
import { expect } from "chai";
import type { JsonObject } from "../../../src/lib/json.js";
import { reachedBy, reducedTo } from "../../../src/tools/arguments/reached.js";

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const names = (parameters: JsonObject, definitions: JsonObject, args: JsonObject): string[] | undefined => {
  const found = reachedBy({ parameters, definitions }, args);
  return found && [...found].sort();
};
const chain: JsonObject = {
  A: object({ b: ref("B"), x: ref("X") }),
  B: object({ c: { type: "array", items: ref("C") } }),
  C: object({ a: ref("A") }),
  X: { type: "string" },
};

describe("Large schemas: the part that arguments reach", () => {
  it("is the definitions on the way of the values that are there", () => {
    const parameters = object({ a: ref("A") });
    expect(names(parameters, chain, {})).to.deep.equal([]);
    expect(names(parameters, chain, { a: {} })).to.deep.equal(["A"]);
    expect(names(parameters, chain, { a: { b: { c: [] } } })).to.deep.equal(["A", "B"]);
    expect(names(parameters, chain, { a: { b: { c: [1, { a: { x: 1 } }] } } })).to.deep.equal(["A", "B", "C", "X"]);
  });

  for (const [keyword, parameters, args] of [
    ["allOf", { allOf: [ref("D")] }, {}],
    ["anyOf in a member", object({ a: { anyOf: [{ type: "null" }, ref("D")] } }), { a: 1 }],
    ["not", object({ a: { not: ref("D") } }), { a: 1 }],
    ["if", object({ a: { if: ref("D") } }), { a: 1 }],
    ["additionalProperties", object({ a: { additionalProperties: ref("D") } }), { a: { any: 1 } }],
    ["patternProperties", object({ a: { patternProperties: { "^x": ref("D") } } }), { a: { x: 1 } }],
    ["propertyNames", object({ a: { propertyNames: ref("D") } }), { a: { x: 1 } }],
    ["dependentSchemas", object({ a: { dependentSchemas: { x: ref("D") } } }), { a: { x: 1 } }],
    ["prefixItems", object({ a: { prefixItems: [true, ref("D")] } }), { a: [1, 2] }],
    ["contains", object({ a: { contains: ref("D") } }), { a: [1] }],
    ["unevaluatedProperties", object({ a: { unevaluatedProperties: ref("D") } }), { a: { x: 1 } }],
  ] satisfies [string, JsonObject, JsonObject][])
    it(`has what ${keyword} refers to`, () => {
      expect(names(parameters, { D: { type: "string" }, E: {} }, args)).to.deep.equal(["D"]);
    });

  it("ends where definitions refer to themselves and to each other", () => {
    const definitions = { A: { allOf: [ref("B")] }, B: { anyOf: [ref("A"), object({ a: ref("A") })] } };
    expect(names(object({ a: ref("A") }), definitions, { a: { a: { a: 1 } } })).to.deep.equal(["A", "B"]);
  });

  it("is not known where references lead by other ways than names", () => {
    for (const inner of [
      { $ref: "#" },
      { $ref: "#/$defs/A/properties/b" },
      { $dynamicRef: "#x" },
      { $anchor: "x" },
    ] as JsonObject[])
      expect(names(object({ a: inner }), chain, { a: 1 })).to.equal(undefined);
  });

  it("stands alone: what is not reached takes any value", () => {
    const schema = { parameters: object({ a: ref("A") }), definitions: chain };
    expect(reducedTo(schema, new Set(["A"]))).to.deep.equal({
      ...schema.parameters,
      $defs: { A: chain["A"], B: true, X: true },
    });
  });
});
