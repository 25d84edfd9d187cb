// Are these the arguments the tool takes?
import { expect } from "chai";
import { shownReason } from "../../../src/agent/calls/prepare-call.js";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import { type Action, parseSchema } from "../../../src/domain/schema-document.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../../src/lib/json.js";
import { createRedactor } from "../../../src/lib/redact/redact.js";
import { createArgumentChecks } from "../../../src/tools/arguments/check.js";

function actionWith(parameters: JsonObject): Action {
  const transport = { kind: "http", method: "GET", path: "/" };
  const [action] = parseSchema(
    toJson({ resources: [{ name: "r", actions: [{ name: "t", parameters, transport }] }] }),
    impliedByTransport,
  ).actions;
  if (!action) throw new Error("no action");
  return action;
}
const argumentChecks = createArgumentChecks();
after(() => argumentChecks.close());

const thing = actionWith({
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string", minLength: 2 }, kind: { enum: ["a", "b"] } },
  required: ["id"],
});

describe("Arguments", () => {
  it("outside strict, a number in quotes stands for the number", async () => {
    expect(await argumentChecks.check(thing, { id: "5" }, false)).to.deep.equal({
      kind: "valid",
      arguments: { id: 5 },
    });
  });

  it("in strict nothing is coerced", async () => {
    expect((await argumentChecks.check(thing, { id: "5" }, true)).kind).to.equal("invalid");
    expect((await argumentChecks.check(thing, { id: 5 }, true)).kind).to.equal("valid");
  });

  it("G7 keeps the digits of a large integer, quoted or not", async () => {
    const big = 1234567890123456789n;
    expect(await argumentChecks.check(thing, { id: big }, false)).to.deep.equal({
      kind: "valid",
      arguments: { id: big },
    });
    expect(await argumentChecks.check(thing, { id: String(big) }, false)).to.deep.equal({
      kind: "valid",
      arguments: { id: big },
    });
    expect(await argumentChecks.check(thing, { id: big }, true)).to.deep.equal({
      kind: "valid",
      arguments: { id: big },
    });
  });

  it("judges multipleOf by decimal digits, of integers by all of them, and of numbers in quotes too", async () => {
    const takes = async (multipleOf: number, value: JsonValue, strict = false): Promise<boolean> => {
      const action = actionWith({
        type: "object",
        properties: { list: { type: "array", items: { type: "number", multipleOf } } },
      });
      return (await argumentChecks.check(action, { list: [value] }, strict)).kind === "valid";
    };
    for (const value of [19.99, 0.07, 1.15, 4.35, 1.1, -0.29, 0, 1e21, 9007199254740993n])
      for (const strict of [true, false]) expect(await takes(0.01, value, strict), String(value)).to.equal(true);
    for (const value of [0.001, 19.999, 1e-7]) expect(await takes(0.01, value), String(value)).to.equal(false);
    expect(await takes(1e-8, 0.12345678)).to.equal(true);
    expect(await takes(1e-8, 0.123456789)).to.equal(false);
    expect(await takes(0.5, 1e308)).to.equal(true);
    expect(await takes(0.01, "1.15")).to.equal(true);
    expect(await takes(0.01, "1.155")).to.equal(false);
    // As a double each of them is the even number beside it.
    expect(await takes(2, 9007199254740993n)).to.equal(false);
    expect(await takes(3, 9007199254740993n)).to.equal(true);
    expect(await takes(3, "9007199254740993")).to.equal(true);
    expect(await takes(2, "9007199254740993")).to.equal(false);
    expect(await takes(7, 21)).to.equal(true);
    expect(await takes(7, 22)).to.equal(false);
    expect(await takes(0, 1)).to.equal(false);
    const action = actionWith({ type: "object", properties: { price: { type: "number", multipleOf: 0.01 } } });
    expect(await argumentChecks.check(action, { price: 1.155 }, true))
      .to.have.property("reason")
      .that.equals("price must be multiple of 0.01");
  });

  it("G22 refuses unknown names and names the known ones", async () => {
    const checked = await argumentChecks.check(thing, { id: 1, nmae: "x" }, false);
    expect(checked).to.have.property("reason").that.contains("nmae").and.contains("name");
    expect((await argumentChecks.check(thing, JSON.parse('{"id":1,"__proto__":{"x":1}}'), false)).kind).to.equal(
      "invalid",
    );
  });

  it("names an unknown name inside an argument, and null where it is allowed", async () => {
    const inner = actionWith({
      type: "object",
      properties: {
        where: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
        mood: { enum: ["happy", null] },
      },
    });
    expect(await argumentChecks.check(inner, { where: { nope: "x" } }, false)).to.deep.equal({
      kind: "invalid",
      reason: "where: unknown name nope",
      faults: [{ pointer: "/where/nope", message: "is not a known name" }],
    });
    expect(await argumentChecks.check(inner, { mood: "glad" }, false))
      .to.have.property("reason")
      .that.matches(/: happy, null$/);
  });

  it("says of everything that is wrong where it is", async () => {
    const form = actionWith({
      type: "object",
      properties: {
        id: { type: "integer" },
        "a/b": { type: "string", pattern: "^[A-Z]+$" },
        limit: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
        lines: { type: "array", items: { type: "object", properties: { sku: {} }, required: ["sku"] } },
      },
      required: ["id"],
    });
    const args: JsonObject = { "a/b": "a", limit: -1, lines: [{ sku: 1 }, {}] };
    for (const strict of [false, true])
      expect(await argumentChecks.check(form, args, strict))
        .to.have.property("faults")
        .that.has.deep.members([
          { pointer: "/id", message: "is required" },
          { pointer: "/a~1b", message: 'must match pattern "^[A-Z]+$"' },
          { pointer: "/limit", message: "must be >= 1" },
          { pointer: "/lines/1/sku", message: "is required" },
        ]);
  });

  it("names what is missing and what is allowed", async () => {
    expect(await argumentChecks.check(thing, {}, false))
      .to.have.property("reason")
      .that.contains("id");
    expect(await argumentChecks.check(thing, { id: 1, kind: "c" }, false))
      .to.have.property("reason")
      .that.contains("a, b");
  });

  it("G20 checks a catastrophic pattern in linear time", async () => {
    const nasty = actionWith({ type: "object", properties: { x: { type: "string", pattern: "^(a+)+$" } } });
    const start = process.cpuUsage();
    const checked = await argumentChecks.check(nasty, { x: `${"a".repeat(40)}!` }, true);
    expect(checked.kind).to.equal("invalid");
    // The built-in engine needs minutes of CPU for this one.
    expect(process.cpuUsage(start).user).to.be.below(5_000_000);
  });

  it("does not enforce a pattern that linear matching cannot express", async () => {
    const ahead = actionWith({ type: "object", properties: { x: { type: "string", pattern: "^(?=a)b$" } } });
    expect((await argumentChecks.check(ahead, { x: "z" }, true)).kind).to.equal("valid");
  });

  it("tells two patterns of one schema apart", async () => {
    const properties = { x: { type: "string", pattern: "^a$" }, y: { type: "string", pattern: "^b$" } };
    const two = actionWith({ type: "object", properties });
    expect((await argumentChecks.check(two, { x: "a", y: "b" }, true)).kind).to.equal("valid");
    expect((await argumentChecks.check(two, { x: "a", y: "a" }, true)).kind).to.equal("invalid");
  });

  it("checks recursive schemas", async () => {
    const node = { type: "object", properties: { child: { $ref: "#/$defs/node" } }, additionalProperties: false };
    const tree = actionWith({ type: "object", properties: { root: { $ref: "#/$defs/node" } }, $defs: { node } });
    expect((await argumentChecks.check(tree, { root: { child: { child: {} } } }, true)).kind).to.equal("valid");
    expect((await argumentChecks.check(tree, { root: { child: { x: 1 } } }, true)).kind).to.equal("invalid");
  });

  it("checks arguments that are described by themselves as a whole, in every tool that has such", async () => {
    const branches = { type: "array", items: { $ref: "#" } };
    const named = (name: string): JsonObject => ({ properties: { [name]: { type: "integer" }, branches } });
    for (const schema of [named("a"), named("b"), { $id: "https://example.com/tree", ...named("c") }]) {
      const [name = ""] = Object.keys(schema["properties"] as JsonObject);
      for (const strict of [true, false]) {
        const kind = async (value: JsonValue): Promise<string> => {
          const args = { [name]: 1, branches: [{ branches: [{ [name]: value }] }] };
          return (await argumentChecks.check(actionWith(schema), args, strict)).kind;
        };
        expect(await kind(2)).to.equal("valid");
        expect(await kind("two")).to.equal("invalid");
      }
    }
  });

  describe("outside strict", () => {
    const given = async (schema: JsonObject, value: JsonValue): Promise<JsonValue | undefined> => {
      const checked = await argumentChecks.check(actionWith({ properties: { x: schema } }), { x: value }, false);
      return checked.kind === "valid" ? checked.arguments["x"] : undefined;
    };

    it("G4 never makes a value of null", async () => {
      for (const type of ["integer", "number", "string", "boolean"])
        expect(await given({ type }, null), type).to.equal(undefined);
      const refused = await argumentChecks.check(thing, { id: null }, false);
      expect(refused).to.have.property("reason").that.contains("id").and.contains("null");
    });

    it("G6 never makes a value of true or false", async () => {
      for (const type of ["integer", "number", "string", "null"])
        for (const value of [true, false]) expect(await given({ type }, value), type).to.equal(undefined);
    });

    it("never makes null or a boolean of an empty text or a number", async () => {
      expect(await given({ type: ["integer", "null"] }, "")).to.equal(undefined);
      expect(await given({ type: "null" }, 0)).to.equal(undefined);
      expect(await given({ type: "boolean" }, 1)).to.equal(undefined);
    });

    it("leaves alone what fits as it is", async () => {
      const either: JsonObject = { anyOf: [{ type: "integer" }, { type: "string" }] };
      for (const value of ["01234", "1e3", "5", 5]) expect(await given(either, value)).to.equal(value);
      const flag: JsonObject = { anyOf: [{ type: "boolean" }, { type: "string" }] };
      expect(await given(flag, "true")).to.equal("true");
      for (const type of ["integer", "string", "boolean"])
        expect(await given({ anyOf: [{ type }, { type: "null" }] }, null)).to.equal(null);
    });

    it("takes a text for a number only when both write the same number", async () => {
      for (const [text, number] of [
        ["5", 5],
        ["-5", -5],
        ["5.10", 5.1],
        ["0", 0],
      ] as const)
        expect(await given({ type: "number" }, text)).to.equal(number);
      for (const text of ["01234", "1e3", "1e400", " 5", "0x10", "", "1.00000000000000000001"])
        expect(await given({ type: "number" }, text), text).to.equal(undefined);
    });

    it("takes true and false in quotes, and a number for a text", async () => {
      expect(await given({ type: "boolean" }, "true")).to.equal(true);
      expect(await given({ type: "boolean" }, "yes")).to.equal(undefined);
      expect(await given({ type: "string" }, 5)).to.equal("5");
    });

    it("does not keep what an alternative that did not fit made of a value", async () => {
      const variants: JsonObject = {
        anyOf: [
          { type: "object", properties: { a: { type: "integer" }, kind: { const: "x" } } },
          {
            type: "object",
            properties: { a: { type: ["integer", "null"] }, kind: { const: "y" }, n: { type: "integer" } },
          },
        ],
      };
      const value = { a: null, kind: "y", n: "3" };
      expect(await given(variants, value)).to.deep.equal({ a: null, kind: "y", n: 3 });
    });
  });

  describe("in a format", () => {
    const check = (schema: JsonObject, value: JsonValue, strict = false) =>
      argumentChecks.check(actionWith({ properties: { x: schema } }), { x: value }, strict);
    const cases: [format: string, value: JsonValue][] = [
      ["date-time", "2024-01-01T00:00:00"],
      ["date-time", "2024-01-01 10:00"],
      ["date", "01.02.2024"],
      ["time", "10:00"],
      ["duration", "90 minutes"],
      ["hostname", "my_service.internal"],
      ["uuid", "3F2504E04F8941D39A0C0305E82C3301"],
      ["email", "Ada <ada@example.test>"],
      ["uri", "/relative"],
      ["ipv4", "::1"],
      ["byte", "not base64"],
    ];
    for (const [format, value] of cases)
      it(`are sent outside strict with a warning, and refused in strict: ${format} ${value}`, async () => {
        const sent = await check({ type: "string", format }, value);
        expect(sent).to.deep.include({ kind: "valid", arguments: { x: value } });
        expect(sent)
          .to.have.property("warnings")
          .that.deep.equals([`x is not in the format ${format}; it is sent as it is`]);
        const refused = await check({ type: "string", format }, value, true);
        expect(refused).to.have.property("reason").that.contains(format);
      });

    it("are sent without a warning where they fit, also when they were converted", async () => {
      expect(await check({ type: "string", format: "date" }, "2024-02-01")).to.not.have.property("warnings");
      expect(await check({ type: "integer", format: "int32" }, "7")).to.deep.equal({
        kind: "valid",
        arguments: { x: 7 },
      });
    });

    it("are sent where only formats tell alternatives apart, or rule one out", async () => {
      const text = (format: string): JsonObject => ({ type: "string", format });
      for (const schema of [
        { oneOf: [text("date"), text("date-time")] },
        { anyOf: [text("date"), { type: "integer" }] },
        { type: "string", not: text("date") },
      ] as JsonObject[]) {
        const value = schema["not"] ? "2024-01-01" : "yesterday";
        expect(await check(schema, value), toJson(schema)).to.deep.include({ kind: "valid", arguments: { x: value } });
        expect((await check(schema, value, true)).kind, toJson(schema)).to.equal("invalid");
      }
      expect(await check({ oneOf: [text("date"), text("date-time")] }, "yesterday"))
        .to.have.property("warnings")
        .that.deep.equals(["x is not in the format date or date-time; it is sent as it is"]);
    });

    it("are checked for all else the schema says", async () => {
      const list: JsonObject = { type: "array", items: { type: "string", format: "uuid", maxLength: 5 } };
      expect((await check(list, ["abc"])).kind).to.equal("valid");
      expect((await check(list, ["abcdef"])).kind).to.equal("invalid");
      expect((await check({ oneOf: [list, { type: "integer" }] }, "x")).kind).to.equal("invalid");
      const named: JsonObject = {
        type: "object",
        properties: { oneOf: { type: "integer" }, not: { type: "string", format: "date" } },
        additionalProperties: false,
      };
      expect((await check(named, { oneOf: "x", not: "y" })).kind).to.equal("invalid");
      expect((await check(named, { oneOf: 1, not: "y" })).kind).to.equal("valid");
      const both: JsonObject = { oneOf: [{ format: "date" }], anyOf: [{ type: "string" }, { type: "integer" }] };
      expect((await check(both, "x")).kind).to.equal("valid");
      expect((await check(both, true)).kind).to.equal("invalid");
    });

    it("have few warnings, however many there are to give", async () => {
      const many = await check(
        { type: "array", items: { format: "date" } },
        Array.from({ length: 500 }, () => "x"),
      );
      expect(many).to.have.property("warnings").that.has.length(6);
    });
  });

  describe("in a process of their own", () => {
    /** More than is compiled in place. */
    const unused = { enum: Array.from({ length: 1_000 }, (_, i) => i) };
    const large = (x: JsonObject): Action => actionWith({ type: "object", properties: { x }, $defs: { unused } });
    const integer: JsonObject = { type: "integer" };

    it("are the same as in place", async () => {
      const list: JsonObject = { type: "array", items: integer };
      for (const [x, value] of [
        [integer, 5],
        [integer, "5"],
        [integer, "x"],
        [integer, 12345678901234567890n],
        [integer, "12345678901234567890"],
        [{ type: "number" }, Number.POSITIVE_INFINITY],
        [list, [1, "2", 3n]],
        [{ type: "string", pattern: "^a$" }, "b"],
        [{ type: "string", format: "date" }, "tomorrow"],
        [{ type: "object", properties: { a: integer } }, JSON.parse('{"__proto__":{"a":"1"},"a":"1"}')],
        [{ type: "nonsense" }, 1],
      ] as [JsonObject, JsonValue][])
        for (const strict of [false, true]) {
          const inPlace = await argumentChecks.check(
            actionWith({ type: "object", properties: { x } }),
            { x: value },
            strict,
          );
          expect(await argumentChecks.check(large(x), { x: value }, strict), toJson([x, value])).to.deep.equal(inPlace);
        }
    });

    it("end with the checks, which then refuse", async () => {
      const own = createArgumentChecks();
      const checking = own.check(large(integer), { x: 5 }, false);
      own.close();
      expect((await checking).kind).to.equal("invalid");
      expect((await own.check(large(integer), { x: 5 }, false)).kind).to.equal("invalid");
    });

    it("go on with more schemas than a process keeps @all", async () => {
      for (let i = 0; i < 40; i++)
        expect((await argumentChecks.check(large({ const: i }), { x: i }, true)).kind, String(i)).to.equal("valid");
    });
  });

  it("G27 a schema that would be checked asynchronously lets nothing through", async () => {
    const later = actionWith({ $async: true, type: "object", properties: { x: { type: "integer" } } });
    expect((await argumentChecks.check(later, { x: "no number" }, false)).kind).to.equal("invalid");
  });

  it("G27 a refusal is short, however long the names and values are", async () => {
    const names = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`name_${i}`, {}]));
    const long = "x".repeat(100_000);
    const wide = actionWith({ type: "object", properties: names });
    const choice = actionWith({ properties: { x: { enum: Array.from({ length: 50 }, (_, i) => `${long}${i}`) } } });
    for (const [action, args] of [
      [wide, Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`other_${i}`, 1]))],
      [wide, { [long]: 1 }],
      [choice, { x: 1 }],
    ] as [Action, JsonObject][]) {
      const checked = await argumentChecks.check(action, args, true);
      const reason = checked.kind === "invalid" ? shownReason(checked.reason, createRedactor([])) : "";
      expect(reason.length).to.be.within(20, 2_100);
    }
  });

  it("G22 refuses tens of thousands of unknown names of a tool that requires as many at once", async () => {
    const names = (of: string): string[] => Array.from({ length: 45_000 }, (_, i) => `${of}${i}`);
    const action = actionWith({ type: "object", properties: { id: {} }, required: names("needed") });
    const args = Object.fromEntries(names("unknown").map((name) => [name, 1]));
    const start = performance.now();
    expect(await argumentChecks.check(action, args, false))
      .to.have.property("reason")
      .that.contains("unknown0, unknown1");
    expect(performance.now() - start).to.be.below(1_000);
  });

  describe("numbers beyond a double", () => {
    it("G7 in a schema are no reason to refuse every call", async () => {
      const bounds = parseJson('{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}');
      const action = actionWith({ type: "object", properties: { id: bounds } });
      for (const strict of [false, true]) {
        expect((await argumentChecks.check(action, { id: 5 }, strict)).kind).to.equal("valid");
        expect(await argumentChecks.check(action, { id: 10n ** 30n }, strict))
          .to.have.property("reason")
          .that.contains("id must be <=");
      }
    });

    it("G7 in a schema are left out where no double comes near them", async () => {
      const action = actionWith(parseJson(`{"properties":{"id":{"maximum":1${"0".repeat(400)}}}}`) as JsonObject);
      expect((await argumentChecks.check(action, { id: 5 }, true)).kind).to.equal("valid");
    });

    it("G7 go as their digits where the tool wants a text", async () => {
      const digits = "12345678901234567890";
      const checked = await argumentChecks.check(thing, { id: 1, name: BigInt(digits) }, false);
      expect(checked).to.deep.equal({ kind: "valid", arguments: { id: 1, name: digits } });
    });

    it("G6 are texts where they are too large for any number, and no number is made of them", async () => {
      for (const strict of [false, true])
        for (const digits of ["1e400", "9".repeat(500)]) {
          const check = (schema: JsonObject) =>
            argumentChecks.check(actionWith({ properties: { x: schema } }), { x: parseJson(digits) }, strict);
          expect((await check({ type: "number" })).kind).to.equal("invalid");
          expect(await check({})).to.deep.equal({ kind: "valid", arguments: { x: digits } });
        }
    });
  });
});
