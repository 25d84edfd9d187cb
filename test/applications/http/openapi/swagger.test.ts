// Swagger 2.0: a description is imported as the same one in OpenAPI 3.0.
import { expect } from "chai";
import type { JsonObject } from "../../../../src/lib/json.js";
import { compile, imported } from "./imported.js";

const swagger = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  swagger: "2.0",
  host: "a.test",
  paths,
  ...more,
});
const post = (parameters: JsonObject[], more: JsonObject = {}): JsonObject => ({
  "/x": { post: { operationId: "x", parameters, ...more } },
});
const list = (more: JsonObject): JsonObject => ({ name: "ids", type: "array", items: { type: "string" }, ...more });

describe("Swagger 2.0", () => {
  it("has its address in host, basePath and schemes", async () => {
    const at = async (more: JsonObject): Promise<string> =>
      (await imported({ swagger: "2.0", paths: { "/x": { get: {} } }, ...more })).document.base_url;
    expect(await at({ host: "a.test", basePath: "/v1/", schemes: ["wss", "http", "https"] })).to.equal(
      "http://a.test/v1",
    );
    expect(await at({ host: "a.test:8080" })).to.equal("https://a.test:8080");
    expect(await at({ basePath: "/v1" })).to.equal("");
  });

  it("may name other schemes for one operation", async () => {
    const paths = { "/x": { get: { operationId: "x", schemes: ["https"] } }, "/y": { get: { operationId: "y" } } };
    const { action, report } = await imported(swagger(paths, { schemes: ["http"] }));
    expect(report.warnings.join()).to.include("is served by https://a.test").and.include("--base-url https://a.test");
    expect(action("x").transport["server"]).to.equal("https://a.test");
    expect(action("y").transport).to.not.have.property("server");
  });

  it("writes lists by their collectionFormat, with commas by default", async () => {
    const formats = ["csv", "ssv", "tsv", "pipes", "multi"];
    const parameters = formats.map((collectionFormat) =>
      list({ name: collectionFormat, in: "query", collectionFormat }),
    );
    const { action } = await imported(
      swagger(post([...parameters, list({ in: "query" }), list({ in: "header", name: "h" })])),
    );
    const styles = (action("x").transport["parameters"] as JsonObject[]).map(({ key, style, explode }) =>
      [key, style, explode].join(" ").trim(),
    );
    expect(styles).to.deep.equal([
      "csv  false",
      "ssv spaceDelimited",
      "tsv tabDelimited",
      "pipes pipeDelimited",
      "multi",
      "ids  false",
      "h",
    ]);
  });

  it("writes lists in paths and headers by their collectionFormat, and lists inside of lists by theirs", async () => {
    const nested = {
      type: "array",
      items: { type: "array", collectionFormat: "pipes", items: { type: "array", items: { type: "string" } } },
    };
    const parameters = [
      list({ in: "header", name: "X-Ssv", collectionFormat: "ssv" }),
      list({ in: "header", name: "X-Tsv", collectionFormat: "tsv" }),
      list({ in: "header", name: "X-Pipes", collectionFormat: "pipes" }),
      list({ in: "header", name: "X-Csv", collectionFormat: "csv" }),
      list({ in: "path", name: "id", required: true, collectionFormat: "pipes" }),
      { in: "query", name: "q", ...nested },
      { in: "header", name: "X-Nested", ...nested },
    ];
    const { action } = await imported(swagger({ "/x/{id}": { get: { operationId: "x", parameters } } }));
    const styles = (action("x").transport["parameters"] as JsonObject[]).map(({ key, style, explode, inner }) => [
      key,
      style,
      explode,
      inner,
    ]);
    expect(styles).to.deep.equal([
      ["id", "pipeDelimited", undefined, undefined],
      ["q", undefined, false, ["pipeDelimited", "form"]],
      ["X-Ssv", "spaceDelimited", undefined, undefined],
      ["X-Tsv", "tabDelimited", undefined, undefined],
      ["X-Pipes", "pipeDelimited", undefined, undefined],
      ["X-Csv", undefined, undefined, undefined],
      ["X-Nested", undefined, undefined, ["pipeDelimited", "form"]],
    ]);
    const form = [{ in: "formData", name: "f", ...nested, collectionFormat: "multi" }];
    const body = (await imported(swagger(post(form)))).action("x").transport["body"] as JsonObject;
    expect(body["encoding"]).to.deep.equal({ f: { style: "form", explode: true, inner: ["pipeDelimited", "form"] } });
  });

  it("makes a form of formData, with all that is required in any order", async () => {
    const fields = [
      { name: "team", in: "formData", type: "string", description: "Which team" },
      { name: "id", in: "formData", required: true, type: "integer", format: "int64" },
      list({ in: "formData" }),
    ];
    const { action } = await imported(swagger(post(fields, { consumes: ["application/x-www-form-urlencoded"] })));
    const { transport, parameters } = action("x");
    expect(transport["body"]).to.deep.equal({
      contentType: "application/x-www-form-urlencoded",
      required: true,
      properties: { team: "team", id: "id", ids: "ids" },
      encoding: { ids: { style: "form", explode: false } },
    });
    expect(parameters["required"]).to.deep.equal(["id"]);
    expect(parameters["properties"]).to.have.nested.property("team.description", "Which team");
  });

  it("sends a file as multipart, also where consumes names another type", async () => {
    const { action } = await imported(swagger(post([{ name: "f", in: "formData", type: "file", required: true }])));
    expect(action("x").transport["body"]).to.include({ contentType: "multipart/form-data", required: true });
    expect(action("x").parameters["properties"]).to.have.nested.property("f.format", "binary");
  });

  it("takes the body and the media types of the operation, else those of its path and of the document", async () => {
    const body = {
      name: "b",
      in: "body",
      description: "The body",
      schema: { type: "array", items: { type: "string" } },
    };
    const responses = { 200: { description: "ok", schema: { type: "object", properties: { id: {} } } } };
    const { action } = await imported(
      swagger(
        {
          "/x": { parameters: [{ $ref: "#/parameters/body" }], post: { operationId: "x", responses } },
          "/y": {
            post: { operationId: "y", consumes: "text/plain", produces: ["text/csv"], parameters: [body], responses },
          },
        },
        { consumes: ["application/vnd.a+json"], produces: ["application/json"], parameters: { body } },
      ),
    );
    expect(action("x").transport["body"]).to.include({ contentType: "application/vnd.a+json", required: false });
    expect(action("x").transport["accept"]).to.equal("application/json");
    expect(action("x").parameters["properties"]).to.have.nested.property("body.description", "The body");
    expect(action("y").transport["body"]).to.include({ contentType: "text/plain" });
    expect(action("y").transport["accept"]).to.equal("text/csv");
  });

  it("follows references to parameters, responses, definitions and into other paths", async () => {
    const { written, action } = await imported(
      swagger(
        {
          "/x": {
            get: {
              operationId: "x",
              parameters: [{ $ref: "#/parameters/page" }],
              responses: { 200: { $ref: "#/responses/pet" } },
            },
          },
          "/y": {
            put: {
              operationId: "y",
              parameters: [{ name: "b", in: "body", schema: { $ref: "#/paths/~1x/get/responses/200/schema" } }],
            },
          },
        },
        {
          parameters: { page: { name: "page", in: "query", type: "integer", maximum: 9 } },
          responses: { pet: { description: "ok", schema: { $ref: "#/definitions/Pet%20One" } } },
          definitions: { "Pet One": { type: "object", properties: { name: { type: "string" } } } },
        },
      ),
    );
    expect(action("x").parameters["properties"]).to.deep.equal({ page: { type: "integer", maximum: 9 } });
    expect(action("y").transport["body"]).to.have.deep.property("properties", { name: "name" });
    expect(JSON.stringify(written)).to.contain('"returns":["name"]');
  });

  it("reports an operation whose parameter is missing, and imports the others", async () => {
    const { report, names } = await imported(
      swagger({
        "/x": { get: { operationId: "x", parameters: [{ $ref: "#/parameters/gone" }] }, put: { operationId: "y" } },
      }),
    );
    expect(names).to.deep.equal(["y"]);
    expect(report.skipped).to.deep.equal([
      { operation: "GET /x", reason: "the reference #/parameters/gone points nowhere" },
    ]);
  });

  it("keeps its security schemes under their names, as OpenAPI 3 has them", async () => {
    const flow = (name: string): JsonObject => ({
      type: "oauth2",
      flow: name,
      tokenUrl: "/token?v=1",
      scopes: { r: "" },
    });
    const { document } = await imported(
      swagger(post([]), {
        securityDefinitions: {
          "my key": { type: "apiKey", in: "header", name: "X-Key" },
          basic: { type: "basic" },
          application: flow("application"),
          password: flow("password"),
        },
      }),
    );
    const flows = { tokenUrl: "/token?v=1", scopes: { r: "" } };
    expect(document.auth).to.deep.equal({
      "my key": { type: "apiKey", in: "header", name: "X-Key" },
      basic: { type: "http", scheme: "basic" },
      application: { type: "oauth2", flows: { clientCredentials: flows } },
      password: { type: "oauth2", flows: { password: flows } },
    });
  });

  it("picks by a discriminator that is a bare name, and takes null where x-nullable allows it", async () => {
    const heir = (name: string): JsonObject => ({
      allOf: [{ $ref: "#/definitions/Pet" }, { type: "object", properties: { [name]: { type: "integer" } } }],
    });
    const { action } = await imported(
      swagger(
        post([
          { name: "b", in: "body", required: true, schema: { type: "array", items: { $ref: "#/definitions/Pet" } } },
        ]),
        {
          definitions: {
            Pet: {
              type: "object",
              discriminator: "kind",
              required: ["kind"],
              properties: { kind: { type: "string" }, note: { type: "string", "x-nullable": true } },
            },
            Cat: heir("lives"),
            Dog: heir("bones"),
          },
        },
      ),
    );
    const fits = compile(action("x"));
    expect(
      fits({
        body: [
          { kind: "Cat", lives: 9, note: null },
          { kind: "Dog", bones: 1 },
          { kind: "Pet", note: "the base has a name as well" },
        ],
      }),
    ).to.equal(true);
    expect(fits({ body: [{ kind: "Cat", lives: "nine" }] })).to.equal(false);
    expect(fits({ body: [{ kind: "Bird" }] })).to.equal(false);
  });

  it("leaves data as it is, whatever schema it looks like", async () => {
    const data = {
      items: [{ id: 1 }, { id: 2 }],
      schema: { $ref: "#/definitions/Pet" },
      $ref: "#/definitions/Pet",
      type: "file",
      "x-anyOf": [{ type: "integer" }],
    };
    const order = { enum: [data, { items: [] }], default: data, example: data, "x-note": data };
    const { action } = await imported(
      swagger(post([{ name: "b", in: "body", required: true, schema: { $ref: "#/definitions/Cart" } }]), {
        definitions: {
          Cart: { type: "object", properties: { order, list: { type: "array", items: { enum: [[data]] } } } },
          Pet: { type: "integer" },
        },
      }),
    );
    const properties = action("x").parameters["properties"] as Record<string, JsonObject>;
    expect(properties["order"]).to.deep.equal({ enum: [data, { items: [] }], default: data });
    expect(properties["list"]).to.have.deep.nested.property("items.enum", [[data]]);
    const fits = compile(action("x"));
    expect(fits({ order: data, list: [[data]] })).to.equal(true);
    expect(fits({ order: { items: { anyOf: data.items } } })).to.equal(false);
  });

  it("takes what has the name of a keyword for a name", async () => {
    const pet = { $ref: "#/definitions/default" };
    const names = ["default", "enum", "example", "items", "properties", "x-anyOf", "x-note"];
    const { written, action } = await imported(
      swagger(
        post([{ name: "b", in: "body", required: true, schema: { $ref: "#/definitions/enum" } }], {
          responses: { default: { description: "ok", schema: pet } },
        }),
        {
          definitions: {
            default: { type: "object", properties: { tag: { type: "array", items: [{ type: "integer" }] } } },
            enum: { type: "object", properties: Object.fromEntries(names.map((name) => [name, pet])) },
          },
        },
      ),
    );
    expect(Object.keys(action("x").parameters["properties"] as JsonObject)).to.have.members(names);
    expect(JSON.stringify(written)).to.contain('"returns":["tag"]');
    const fits = compile(action("x"));
    for (const name of names) {
      expect(fits({ [name]: { tag: [1, 2] } }), name).to.equal(true);
      expect(fits({ [name]: { tag: [1, "two"] } }), name).to.equal(false);
    }
  });

  it("follows references into extensions of its root, which refer to definitions in turn", async () => {
    const pet = { type: "object", properties: { name: { $ref: "#/definitions/Name" } } };
    const { action } = await imported(
      swagger(post([{ name: "b", in: "body", required: true, schema: { $ref: "#/x-shared/Pet" } }]), {
        "x-shared": { Pet: pet },
        definitions: { Name: { type: "string", maxLength: 3 } },
      }),
    );
    const fits = compile(action("x"));
    expect([fits({ name: "Rex" }), fits({ name: "Bello" })]).to.deep.equal([true, false]);
  });
});
