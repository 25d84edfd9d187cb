// What only OpenAPI 3.2 describes: whole query strings, discriminators with a default, security schemes by address.
// Source: OpenAPI 3.2, Parameter Object, Discriminator Object, Security Requirement Object.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { prepare, targetAt } from "../../../support/http.js";
import { compile, imported, openapi } from "./imported.js";

const described = (operation: JsonObject, components: JsonObject = {}): JsonObject => ({
  ...openapi({
    "/a": { get: { operationId: "x", responses: {}, ...operation } },
    "/b": { get: { operationId: "other", security: [] } },
  }),
  openapi: "3.2.0",
  components,
});
const queryString = (content: JsonObject, required = false): JsonObject => ({
  parameters: [{ name: "filter", in: "querystring", required, content }],
});
const FORM = "application/x-www-form-urlencoded";

describe("OpenAPI 3.2", () => {
  it("makes a query parameter of each member of a query string that is a form", async () => {
    const schema = {
      type: "object",
      required: ["q"],
      properties: {
        q: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        at: { type: "object", properties: { x: { type: "integer" } } },
        made: { type: "string", readOnly: true },
      },
    };
    const encoding = { tags: { style: "pipeDelimited", explode: false } };
    const { action } = await imported(described(queryString({ [FORM]: { schema, encoding } }, true)));
    const tool = action("x");
    expect(Object.keys(tool.parameters["properties"] as JsonObject)).to.deep.equal(["q", "tags", "at"]);
    expect(tool.parameters["required"]).to.deep.equal(["q"]);
    const args = { q: "a&b", tags: ["c", "d"], at: { x: 1 } };
    const { request } = prepare(createHttpTransport(), tool, args, targetAt("http://127.0.0.1:1"));
    expect(String(request?.["url"])).to.equal("http://127.0.0.1:1/a?q=a%26b&tags=c%7Cd&at%5Bx%5D=1");
  });

  it("writes the members of a query string as the fields of a form: nested ones by their encoding, else with brackets", async () => {
    const point: JsonObject = { type: "object", properties: { x: { type: "integer" } } };
    const properties: JsonObject = {
      json: point,
      flat: point,
      maybe: { ...point, type: ["object", "null"] },
      made: { allOf: [point] },
      many: { type: "array", items: point },
      folder: { type: "string" },
    };
    const encoding = {
      json: { contentType: "application/json" },
      flat: { explode: true },
      folder: { allowReserved: true },
    };
    const schema = { type: "object", properties };
    const { action } = await imported(described(queryString({ [FORM]: { schema, encoding } })));
    const args = { json: { x: 1 }, flat: { x: 2 }, maybe: { x: 3 }, made: { x: 4 }, many: [{ x: 5 }], folder: "a/b" };
    const { request } = prepare(createHttpTransport(), action("x"), args, targetAt("http://127.0.0.1:1"));
    const query = String(request?.["url"]).split("?")[1]?.split("&").map(decodeURIComponent);
    expect(query).to.deep.equal(['json={"x":1}', "x=2", "maybe[x]=3", "made[x]=4", "many[0][x]=5", "folder=a/b"]);
    expect(String(request?.["url"])).to.match(/folder=a\/b$/);
  });

  it("makes one argument of a query string that is no form, and writes it percent-encoded", async () => {
    // Both are examples of the standard's.
    const numbers = {
      type: "object",
      properties: { numbers: { type: "array", items: { type: "integer" } }, flag: { type: ["boolean", "null"] } },
    };
    const cases: [type: string, schema: JsonObject, value: JsonValue, query: string][] = [
      [
        "application/json",
        numbers,
        { numbers: [1, 2], flag: null },
        "?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
      ],
      ["application/jsonpath", { type: "string" }, "$.a.b[1:1]", "?%24.a.b%5B1%3A1%5D"],
    ];
    for (const [type, schema, value, query] of cases) {
      const { action } = await imported(described(queryString({ [type]: { schema } }, true)));
      const tool = action("x");
      expect(tool.parameters).to.have.property("required").that.deep.equals(["filter"]);
      expect(compile(tool)({ filter: value }), type).to.equal(true);
      const { request } = prepare(createHttpTransport(), tool, { filter: value }, targetAt("http://127.0.0.1:1"));
      expect(request?.["url"]).to.equal(`http://127.0.0.1:1/a${query}`);
    }
    const { action } = await imported(described(queryString({ "text/plain": { schema: { type: "string" } } })));
    const { request } = prepare(createHttpTransport(), action("x"), {}, targetAt("http://127.0.0.1:1"));
    expect(request?.["url"]).to.equal("http://127.0.0.1:1/a");
  });

  it("skips an operation whose query string has no members that are known, or is not all of the query, and says so", async () => {
    const text = { schema: { type: "string" } };
    const whole = { name: "filter", in: "querystring", content: { "text/plain": text } };
    const reasonOf = async (operation: JsonObject): Promise<string | undefined> =>
      (await imported(described(operation))).report.skipped[0]?.reason;
    expect(await reasonOf(queryString({ [FORM]: text }))).to.contain("filter is a form without plain members");
    expect(await reasonOf(queryString({}))).to.contain("filter has no content");
    const page = { name: "page", in: "query", schema: { type: "integer" } };
    expect(await reasonOf({ parameters: [page, whole] })).to.contain("filter stands beside other parameters");
  });

  for (const where of ["a choice", "a base schema"])
    it(`takes the default of a discriminator of ${where} for values that pick nothing else`, async () => {
      const discriminator = {
        propertyName: "kind",
        mapping: { cat: "Cat", dog: "Dog" },
        defaultMapping: "Other",
      };
      const own = { kind: { type: "string" } };
      const variant = (more: JsonObject, required: string[]): JsonObject => ({
        type: "object",
        properties: { ...own, ...more },
        required,
      });
      const schemas: JsonObject = {
        Pet:
          where === "a choice"
            ? {
                oneOf: ["Cat", "Dog", "Other"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
                discriminator,
              }
            : { type: "object", properties: own, discriminator },
        Cat: variant({ lives: { type: "integer" } }, ["lives"]),
        Dog: variant({ barks: { type: "boolean" } }, ["barks"]),
        Other: variant({ name: { type: "string" } }, ["name"]),
      };
      const content = {
        "application/json": { schema: { type: "object", properties: { pet: { $ref: "#/components/schemas/Pet" } } } },
      };
      const { action } = await imported(described({ requestBody: { content } }, { schemas }));
      const validate = compile(action("x"));
      const fits = (pet: JsonObject): boolean => validate({ pet }) as boolean;
      expect(fits({ kind: "cat", lives: 9 })).to.equal(true);
      expect(fits({ kind: "cat", name: "a" }), "a cat is no other").to.equal(false);
      expect(fits({ kind: "fox", name: "a" })).to.equal(true);
      expect(fits({ name: "a" })).to.equal(true);
      expect(fits({ kind: "fox", barks: true })).to.equal(false);
    });

  describe("names a security scheme by its address", () => {
    const components = { securitySchemes: { "api key": { type: "apiKey", in: "header", name: "X-Key" } } };

    it("and means the one of the components", async () => {
      const security = [{ "#/components/securitySchemes/api%20key": [] }];
      const { action } = await imported(described({ security }, components));
      expect(action("x").transport["security"]).to.deep.equal([{ "api key": [] }]);
    });

    it("and is skipped with the reason where that is elsewhere and there is no other way in", async () => {
      const elsewhere = { "https://example.com/schemes.json#/key": [] };
      const { report } = await imported(described({ security: [elsewhere] }, components));
      expect(report.skipped).to.deep.equal([
        {
          operation: "GET /a",
          reason:
            "needs the security scheme https://example.com/schemes.json#/key, which is not part of the description",
        },
      ]);
      const { action } = await imported(described({ security: [elsewhere, { "api key": [] }] }, components));
      expect(action("x").transport["security"]).to.deep.equal([{ "api key": [] }]);
    });
  });
});
