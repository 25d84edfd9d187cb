// The form of a question: fields from a schema, values from what a person typed.
import { expect } from "chai";
import { type FormField, fieldAnswer, formFields } from "../../src/domain/form.js";
import type { JsonObject } from "../../src/lib/json.js";

const one = (schema: JsonObject, required = false): FormField => {
  const [field] = formFields({ type: "object", properties: { f: schema }, required: required ? ["f"] : [] });
  if (!field) throw new Error("no field");
  return field;
};

describe("The form of a question", () => {
  it("has the fields in order, with titles, what is required and defaults", () => {
    const fields = formFields({
      type: "object",
      properties: {
        name: { type: "string", title: "Your name", description: "as on the door", default: "Ann" },
        seats: { type: "integer", minimum: 1, maximum: 8 },
        window: { type: "boolean", default: false },
        size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "l" },
        colour: { type: "string", oneOf: [{ const: "r", title: "Red" }, { const: "b" }] },
        extras: { type: "array", items: { anyOf: [{ const: "x", title: "Ex" }, { const: "y" }] }, default: ["y"] },
        plain: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 1 },
      },
      required: ["seats"],
    });
    expect(
      fields.map(({ name, title, kind, required, initial }) => [name, title, kind, required, initial]),
    ).to.deep.equal([
      ["name", "Your name", "text", false, "Ann"],
      ["seats", "seats", "integer", true, ""],
      ["window", "window", "choice", false, "1"],
      ["size", "size", "choice", false, "1"],
      ["colour", "colour", "choice", false, ""],
      ["extras", "extras", "choices", false, "1"],
      ["plain", "plain", "choices", false, ""],
    ]);
    expect(fields[3]?.choices.map(({ title }) => title)).to.deep.equal(["Small", "Large"]);
    expect(fields[4]?.choices.map(({ title }) => title)).to.deep.equal(["Red", "b"]);
    expect(fields[5]?.choices.map(({ title }) => title)).to.deep.equal(["Ex", "y"]);
  });

  const cases: [schema: JsonObject, given: string, answer: unknown][] = [
    [{ type: "string" }, "", {}],
    [{ type: "string" }, " x ", { value: " x " }],
    [{ type: "string", minLength: 2 }, "x", { error: "at least 2 characters" }],
    [{ type: "string", maxLength: 1 }, "😀", { value: "😀" }],
    [{ type: "string", format: "email" }, "ann@example.com", { value: "ann@example.com" }],
    [{ type: "string", format: "email" }, "ann", { error: "an e-mail address" }],
    [{ type: "string", format: "uri" }, "example.com", { error: "an address with its scheme, as https://example.com" }],
    [{ type: "string", format: "date" }, "2026-02-29", { error: "a day as 2026-01-31" }],
    [{ type: "string", format: "date" }, "2026-02-28", { value: "2026-02-28" }],
    [{ type: "string", format: "date-time" }, "2026-02-28T10:00:00+02:00", { value: "2026-02-28T10:00:00+02:00" }],
    [{ type: "string", format: "date-time" }, "tomorrow", { error: "a time as 2026-01-31T12:00" }],
    [{ type: "integer" }, "9007199254740993", { value: 9007199254740993n }],
    [{ type: "integer" }, "1.5", { error: "a whole number" }],
    [{ type: "integer", minimum: 1 }, "0", { error: "at least 1" }],
    [{ type: "number", maximum: 2 }, "2.5", { error: "at most 2" }],
    [{ type: "number" }, "1e999", { error: "a smaller number" }],
    [{ type: "number" }, "0x10", { error: "a number" }],
    [{ type: "boolean" }, "0", { value: true }],
    [{ type: "string", enum: ["s", "l"] }, "1", { value: "l" }],
    [{ type: "string", enum: ["s", "l"] }, "7", { error: "one of the choices" }],
    [{ type: "array", items: { enum: ["a", "b"] } }, "0,1", { value: ["a", "b"] }],
    [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 1 }, "0,1", { error: "at most 1 of the choices" }],
    [{ type: "object" }, '{"a":1}', { value: { a: 1 } }],
    [{ type: "object" }, "{", { error: "a value as JSON" }],
  ];
  for (const [schema, given, answer] of cases)
    it(`takes ${JSON.stringify(given)} for ${JSON.stringify(schema)}`, () => {
      expect(fieldAnswer(one(schema), given)).to.deep.equal(answer);
    });

  it("takes a time without a zone as the person's own, and wants what is required", () => {
    const time = fieldAnswer(one({ type: "string", format: "date-time" }), "2026-02-28T10:00");
    expect(time).to.deep.equal({ value: new Date("2026-02-28T10:00").toISOString() });
    expect(fieldAnswer(one({ type: "string" }, true), "")).to.deep.equal({ error: "an answer" });
    expect(fieldAnswer(one({ type: "array", items: { enum: ["a"] } }, true), "")).to.deep.equal({ value: [] });
  });
});
