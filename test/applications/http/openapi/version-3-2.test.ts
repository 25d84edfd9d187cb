// What only OpenAPI 3.2 describes: whole query strings, discriminators with a default, security schemes by address.
// Source: OpenAPI 3.2, Parameter Object, Discriminator Object, Security Requirement Object.
import { expect } from "chai";
import { createHttpTransport } from "../../../../src/applications/http/transport.js";
import type { JsonObject } from "../../../../src/lib/json.js";
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

  it("skips an operation whose query string is no form, and says so", async () => {
    const { report } = await imported(described(queryString({ "application/json": { schema: { type: "object" } } })));
    expect(report.skipped).to.deep.equal([
      { operation: "GET /a", reason: "the query string filter is application/json, not a form of plain members" },
    ]);
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
