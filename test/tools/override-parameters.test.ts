// overrides.json about single arguments: what the operator says of one is what the model sees and what calls are checked against.
import { expect } from "chai";
import { impliedByTransport } from "../../src/applications/kinds.js";
import { type Action, parseSchema, type SchemaDocument } from "../../src/domain/schema-document.js";
import { type JsonObject, objectOf } from "../../src/lib/json.js";
import { createArgumentChecks } from "../../src/tools/arguments/check.js";
import { createCatalogue } from "../../src/tools/catalogue.js";
import { applyOverrides, parseOverrides } from "../../src/tools/overrides.js";

const PARAMETERS = {
  type: "object",
  properties: {
    country: { type: "string", enum: ["DE", "FR"] },
    size: { $ref: "#/$defs/Size" },
    customer: { $ref: "#/$defs/Customer" },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "integer" } }, required: ["sku"] } },
    state: { anyOf: [{ type: "string", pattern: "^[a-z]+$" }, { type: "null" }] },
    address: { type: "object", properties: { city: { type: "string" } }, required: ["city", "zone"] },
    note: { type: "string" },
    signature: { type: "string" },
  },
  dependentRequired: { note: ["signature"] },
  required: ["country", "size"],
  additionalProperties: false,
};
const DOCUMENT = {
  $defs: {
    Size: { type: "string", enum: ["small"] },
    Person: { type: "object", properties: { phone: { type: "integer" } }, required: ["phone"] },
    Customer: { allOf: [{ $ref: "#/$defs/Person" }, { required: ["phone"] }] },
  },
  resources: [
    {
      name: "r",
      actions: ["order", "other"].map((name) => ({
        name,
        provenance: "declared",
        parameters: PARAMETERS,
        transport: { kind: "http", method: "POST", path: `/${name}` },
      })),
    },
  ],
};
const read = (): SchemaDocument => parseSchema(JSON.stringify(DOCUMENT), impliedByTransport);

function overridden(parameters: JsonObject, key = "order"): { action: Action; other: Action; warnings: string[] } {
  const said = parseOverrides(JSON.stringify({ [key]: { parameters } }));
  const { document, warnings } = applyOverrides(read(), said);
  const [action, other] = document.actions as [Action, Action];
  return { action, other, warnings };
}

const OK = { country: "DE", size: "small" };

describe("overrides.json: arguments", () => {
  const checks = createArgumentChecks();
  after(() => checks.close());
  const verdict = async (action: Action, args: JsonObject): Promise<string> => {
    const [exact, strict] = [await checks.check(action, args, false), await checks.check(action, args, true)];
    expect(exact.kind, "strict judges alike").to.equal(strict.kind);
    return exact.kind;
  };

  const cases: [what: string, said: JsonObject, args: JsonObject][] = [
    ["without a keyword", { country: { without: ["enum"] } }, { ...OK, country: "AT" }],
    ["without a keyword of what is referred to", { size: { without: ["enum"] } }, { ...OK, size: "huge" }],
    ["without a keyword of a branch", { state: { without: ["pattern"] } }, { ...OK, state: "A 1" }],
    ["with another schema", { country: { schema: { type: "integer" } } }, { ...OK, country: 49 }],
    ["not required any more", { size: { required: false } }, { country: "DE" }],
    [
      "inside an object that is referred to and made of parts",
      { "customer/phone": { schema: { type: "string" } } },
      { ...OK, customer: { phone: "+49 30" } },
    ],
    ["not required inside of parts", { "customer/phone": { required: false } }, { ...OK, customer: {} }],
    [
      "of a member that is required and described nowhere",
      { "address/zone": { required: false } },
      { ...OK, address: { city: "B" } },
    ],
    ["of what another member needs", { signature: { required: false } }, { ...OK, note: "n" }],
    [
      "inside the items of a list",
      { "lines/*/sku": { schema: { type: "string" } } },
      { ...OK, lines: [{ sku: "a1" }] },
    ],
  ];
  for (const [what, said, args] of cases)
    it(`is what the operator says: ${what}`, async () => {
      const { action, other, warnings } = overridden(said);
      expect(warnings).to.deep.equal([]);
      expect(await verdict(action, args)).to.equal("valid");
      expect(await verdict(other, args), "of a tool that is not named").to.equal("invalid");
      expect(other).to.deep.equal(read().actions[1]);
      expect(action.overridden).to.deep.equal(["parameters"]);
    });

  it("may be stricter, too", async () => {
    const zone = overridden({ "address/zone": { schema: { type: "integer" } } });
    expect(zone.warnings).to.deep.equal([]);
    expect(await verdict(zone.action, { ...OK, address: { city: "B", zone: "north" } })).to.equal("invalid");
    expect(await verdict(zone.action, { ...OK, address: { city: "B", zone: 7 } })).to.equal("valid");
    const { action } = overridden({ lines: { required: true }, country: { schema: { const: "DE" } } });
    expect(await verdict(action, OK)).to.equal("invalid");
    expect(await verdict(action, { ...OK, lines: [] })).to.equal("valid");
  });

  it("stands in the tool as models and GET /tools have it", () => {
    const said = parseOverrides(
      '{"order":{"parameters":{"country":{"schema":{"type":"string","description":"ISO"}}}}}',
    );
    const catalogue = createCatalogue(applyOverrides(read(), said).document);
    for (const tool of [catalogue.tools[0], catalogue.listed(catalogue.tools)[0], catalogue.whole("order")])
      expect(objectOf(tool?.input_schema["properties"])["country"]).to.deep.equal({
        type: "string",
        description: "ISO",
      });
  });

  it("is said of all tools of a pattern, and of one tool more closely", async () => {
    const said = {
      "POST *": { parameters: { country: { without: ["enum"] }, size: { required: false } } },
      other: { parameters: { country: { schema: { const: "CH" } } } },
    };
    const { document, warnings } = applyOverrides(read(), parseOverrides(JSON.stringify(said)));
    const [order, other] = document.actions as [Action, Action];
    expect(warnings).to.deep.equal([]);
    expect(await verdict(order, { country: "AT" })).to.equal("valid");
    expect(await verdict(other, { country: "AT" })).to.equal("invalid");
    expect(await verdict(other, { country: "CH" })).to.equal("valid");
  });

  it("is a warning where a tool has no such argument or keyword", () => {
    expect(overridden({ countri: { required: false } }).warnings).to.deep.equal([
      "overrides.json names the argument countri of order, which it does not have. Did you mean country?",
    ]);
    expect(overridden({ "customer/fax": { required: false } }).warnings).to.have.length(1);
    expect(overridden({ country: { without: ["pattern"] } }).warnings).to.deep.equal([
      "overrides.json takes pattern from the argument country of order, which has none.",
    ]);
  });

  it("F2 refuses what is no correction, by name", () => {
    const refused = (said: unknown): (() => unknown) => {
      return () => parseOverrides(JSON.stringify({ order: { parameters: { country: said } } }));
    };
    expect(refused({ shema: {} })).to.throw(
      "order.parameters.country: there is no key shema; known are schema, without, required. Did you mean schema?",
    );
    expect(refused({ schema: { type: "strng" } })).to.throw(
      "order.parameters.country.schema: the type of a JSON Schema",
    );
    expect(refused({ schema: "string" })).to.throw("must be a JSON Schema");
    expect(refused({ without: "enum" })).to.throw("order.parameters.country.without: ");
    expect(refused({})).to.throw("order.parameters.country: says nothing; schema, without or required is needed");
  });
});
