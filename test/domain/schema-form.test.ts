// What a form submits fits the schema that the form was made of, whatever the schema.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import fc from "fast-check";
import { firstDraft, formPart, type PartPlace, partAnswer, toDraft } from "../../src/domain/schema-form.js";
import { canonicalJson, type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";

/** A schema and a value that fits it. */
interface Sample {
  schema: JsonObject;
  value: JsonValue;
}

const text = fc.string({ minLength: 1, maxLength: 8 });
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  text.map((value) => ({ schema: { type: "string" }, value })),
  fc.constant({ schema: { type: "string" }, value: "" }),
  fc.integer().map((value) => ({ schema: { type: "integer" }, value })),
  fc.integer().map((value) => ({ schema: { type: ["integer", "null"] }, value })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc
    .uniqueArray(fc.oneof(text, fc.integer()), { minLength: 1, maxLength: 4 })
    .map((list) => ({ schema: { enum: list }, value: list[0] ?? null })),
  fc.jsonValue().map((value) => ({ schema: {}, value: parseJson(toJson(value as JsonValue)) })),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc
      .uniqueArray(fc.record({ name: text, of: tie("sample"), required: fc.boolean(), given: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
        selector: ({ name }) => name,
      })
      .map((members) => ({
        schema: {
          type: "object",
          properties: Object.fromEntries(members.map(({ name, of }) => [name, of.schema])),
          required: members.filter(({ required }) => required).map(({ name }) => name),
        },
        value: Object.fromEntries(
          members.filter(({ required, given }) => required || given).map(({ name, of }) => [name, of.value]),
        ),
      })),
    tie("sample").map((one) => ({ schema: { type: "array", items: one.schema }, value: [one.value, one.value] })),
    fc.tuple(tie("sample"), tie("sample")).map(([a, b]) => ({
      schema: { anyOf: [a.schema, b.schema] },
      value: b.value,
    })),
  ),
}));

const placeOf = (root: JsonObject): PartPlace => ({ name: "all", required: true, root, depth: 0 });

describe("Forms of schemas", () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true });

  it("give back the value they were filled with", () => {
    fc.assert(
      fc.property(sample, ({ schema, value }) => {
        const answer = partAnswer(schema, toDraft(schema, value, placeOf(schema)), placeOf(schema));
        expect(answer).to.have.property("value");
        expect(canonicalJson((answer as { value: JsonValue }).value)).to.equal(canonicalJson(value));
      }),
      { numRuns: 300 },
    );
  });

  it("submit only what fits, or say what is missing, when nobody has touched them @all", () => {
    fc.assert(
      fc.property(sample, ({ schema }) => {
        const answer = partAnswer(schema, firstDraft(schema, placeOf(schema)), placeOf(schema));
        if ("value" in answer) expect(ajv.validate(schema, answer.value), JSON.stringify(answer)).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it("follow references, and end where a schema contains itself", () => {
    const node: JsonObject = {
      type: "object",
      properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } },
    };
    const schema: JsonObject = { type: "object", properties: { head: { $ref: "#/$defs/node" } }, $defs: { node } };
    const value: JsonObject = { head: { name: "a", next: { name: "b" } } };
    const draft = toDraft(schema, value, placeOf(schema));
    expect(draft).to.have.property("members");
    expect(partAnswer(schema, draft, placeOf(schema))).to.deep.equal({ value });
  });

  const untouched = (schema: JsonObject) => partAnswer(schema, firstDraft(schema, placeOf(schema)), placeOf(schema));

  it("need nothing where there are no parameters, however the schema says so", () => {
    const schemas: JsonObject[] = [
      { type: "object", properties: {} },
      { type: "object", properties: {}, required: [], additionalProperties: false },
      { type: ["object", "null"], properties: {} },
      { properties: {} },
      { type: "object" },
      { type: "object", properties: {}, additionalProperties: true },
      { type: "object", additionalProperties: { type: "string" } },
      {},
    ];
    for (const schema of schemas) expect(untouched(schema), toJson(schema)).to.deep.equal({ value: {} });
  });

  it("write an object whose members no schema names as JSON, and leave it out where it may be", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { labels: { type: "object", properties: {} }, extra: { type: "object" } },
      required: ["extra"],
    };
    expect(untouched(schema)).to.deep.equal({ value: { extra: {} } });
    const filled = (labels: string) =>
      partAnswer(schema, { members: { labels: { json: labels }, extra: { json: "{}" } } }, placeOf(schema));
    expect(filled("{}")).to.deep.equal({ value: { labels: {}, extra: {} } });
    expect(filled('{"a":1}')).to.deep.equal({ value: { labels: { a: 1 }, extra: {} } });
    expect(filled("nonsense")).to.have.property("errors");
    expect(
      formPart({ type: "object", properties: {} }, { ...placeOf(schema), name: "labels", depth: 1 }).kind,
    ).to.equal("json");
    const given = { labels: { a: { b: 1 } }, extra: { c: [] } };
    expect(partAnswer(schema, toDraft(schema, given, placeOf(schema)), placeOf(schema))).to.deep.equal({
      value: given,
    });
  });
});
