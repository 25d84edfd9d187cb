// What is cheap to check, and that the others are not taken for it.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import { cheapChecks } from "../../../src/tools/arguments/cost.js";
import { HOSTILE_SCHEMAS, hostileParameters } from "../../support/hostile-schemas.js";

const isCheap = (x: JsonObject, value: JsonValue, $defs: JsonObject = {}): boolean | undefined =>
  cheapChecks({ type: "object", properties: { x }, $defs })?.({ x: value });

/** Keywords of which a schema has one that takes constant time, and those that the costs know. */
const CONSTANT = `$async $schema $defs definitions $vocabulary $comment maximum minimum exclusiveMaximum exclusiveMinimum multipleOf
  maxProperties minProperties maxItems minItems type nullable title description default deprecated readOnly writeOnly examples
  contentMediaType contentEncoding contentSchema maxContains minContains`;
const COUNTED = `$ref $id id $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef maxLength minLength pattern required uniqueItems
  const enum not anyOf oneOf allOf if then else propertyNames additionalProperties dependencies properties patternProperties
  prefixItems items contains format dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems`;

describe("Cost of a check", () => {
  it("knows every keyword that the validator obeys", () => {
    const known = new Set(`${CONSTANT} ${COUNTED}`.split(/\s+/));
    const { RULES } = new Ajv2020({ strict: false });
    expect(Object.keys(RULES.keywords).filter((keyword) => !known.has(keyword))).to.deep.equal([]);
  });

  it("is small for what models usually write", () => {
    const uuid = { type: "string", pattern: "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$" };
    const label: JsonObject = {
      oneOf: [{ type: "string" }, { type: "object", properties: { id: uuid, color: { enum: ["a", "b"] } } }],
    };
    const schema: JsonObject = {
      type: "object",
      properties: {
        body: { type: "string", maxLength: 65_536 },
        labels: { type: "array", items: label, uniqueItems: true },
      },
      required: ["body"],
    };
    const id = "0a1b2c3d-0000-1111-2222-0123456789ab";
    const labels: JsonValue = ["a", "b", { id, color: "a" }, { id: "x" }];
    expect(isCheap(schema, { body: "text ".repeat(10_000), labels })).to.equal(true);
    const tree = {
      type: "object",
      properties: { name: { type: "string" }, children: { items: { $ref: "#/$defs/tree" } } },
    };
    expect(
      isCheap({ $ref: "#/$defs/tree" }, { name: "a", children: [{ name: "b", children: [] }] }, { tree }),
    ).to.equal(true);
  });

  it("grows with the arguments", () => {
    const schema = { type: "array", uniqueItems: true };
    const items = (length: number): JsonValue => Array.from({ length }, (_, id) => ({ id }));
    expect(isCheap(schema, items(10))).to.equal(true);
    expect(isCheap(schema, items(10_000))).to.equal(false);
    const pattern = { type: "string", pattern: "[a-z]+-[a-z]+$" };
    expect(isCheap(pattern, "a-b")).to.equal(true);
    expect(isCheap(pattern, "a".repeat(100_000))).to.equal(false);
    expect(isCheap({}, items(100_000))).to.equal(false);
  });

  it("counts a number as the text it may be converted into", () => {
    const pattern = { type: "string", pattern: "(a?){250}b" };
    expect(isCheap(pattern, "")).to.equal(true);
    expect(isCheap(pattern, 5)).to.equal(false);
  });

  for (const [name, hostile] of Object.entries(HOSTILE_SCHEMAS))
    it(`G27 is too much for ${name}`, () => {
      expect(cheapChecks(hostileParameters(hostile))?.({ x: hostile.value })).to.be.oneOf([undefined, false]);
    });

  it("G27 is not known where a reference may lead elsewhere than it seems to", () => {
    const cheap: JsonObject = { type: "string" };
    for (const schema of [
      { $id: "tag:a", $ref: "#/$defs/a" },
      { $ref: "#/$defs/%61" },
      { $ref: "tag:a" },
      { $ref: "#a" },
      { $dynamicRef: "#/$defs/a" },
    ] as JsonObject[])
      expect(isCheap(schema, "text", { a: cheap }), JSON.stringify(schema)).to.be.oneOf([undefined, false]);
    const within = { $id: "tag:b", properties: { x: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } };
    expect(isCheap({ $ref: "#/$defs/b/properties/x" }, "text", { a: cheap, b: within })).to.equal(undefined);
    expect(isCheap({ $ref: "#/$defs/a" }, "text", { a: cheap })).to.equal(true);
  });
});
