// Arguments: parameters, bodies and their schemas, from every dialect of OpenAPI to JSON Schema 2020-12 that stands alone.
import { expect } from "chai";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { body, compile, imported, openapi, type Result } from "./imported.js";

const post = (schema: JsonObject, type?: string, rest?: JsonObject): JsonObject => ({
  "/x": { post: { operationId: "x", requestBody: body(schema, type, rest) } },
});
const withSchemas = (schemas: JsonObject): JsonObject => ({ components: { schemas } });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const propertiesOf = (result: Result): JsonObject => result.action("x").parameters["properties"] as JsonObject;
const bodyOf = (result: Result): JsonValue | undefined => result.action("x").transport["body"];

describe("A schema document from OpenAPI: bodies", () => {
  it("makes the members of an object body arguments, and needs those that body and schema need", async () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string" }, b: { type: "integer" } } };
    const result = await imported(openapi(post(schema)));
    expect(result.action("x").parameters).to.deep.equal({
      type: "object",
      properties: schema.properties,
      required: ["a"],
      additionalProperties: false,
    });
    expect(bodyOf(result)).to.deep.equal({
      contentType: "application/json",
      required: true,
      properties: { a: "a", b: "b" },
    });
  });

  it("needs nothing of a body that is optional, and not every member of one that is required", async () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string" }, b: {} } };
    const optional = {
      "/x": { post: { operationId: "x", requestBody: { content: { "application/json": { schema } } } } },
    };
    expect((await imported(openapi(optional))).action("x").parameters).not.to.have.property("required");
    expect((await imported(openapi(post({ ...schema, required: [] })))).action("x").parameters).not.to.have.property(
      "required",
    );
  });

  const single: [string, JsonObject][] = [
    ["a list", { type: "array", items: { type: "string" } }],
    ["a plain value", { type: "integer" }],
    ["a union", { oneOf: [{ type: "string" }, { type: "object", properties: { a: {} } }] }],
    [
      "an object whose members depend on each other",
      { type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ],
    ["an object of any names", { type: "object", additionalProperties: { type: "integer" } }],
  ];
  for (const [what, schema] of single)
    it(`takes ${what} as one argument, unchanged`, async () => {
      const result = await imported(openapi(post(schema)));
      expect(propertiesOf(result)).to.deep.equal({ body: schema });
      expect(result.action("x").parameters["required"]).to.deep.equal(["body"]);
      expect(bodyOf(result)).to.deep.equal({ contentType: "application/json", required: true, argument: "body" });
    });

  it("passes names on that a body with named members also takes", async () => {
    const schema = { type: "object", properties: { a: {} }, additionalProperties: { type: "integer" } };
    const result = await imported(openapi(post(schema)));
    expect(bodyOf(result)).to.deep.include({ properties: { a: "a" }, additional: true });
    expect(result.action("x").parameters["additionalProperties"]).to.deep.equal({ type: "integer" });
  });

  it("gathers the members of an allOf, also behind references", async () => {
    const schema = { allOf: [ref("Base"), { properties: { b: { type: "string" } }, required: ["b"] }] };
    const result = await imported(
      openapi(post(schema), withSchemas({ Base: { type: "object", properties: { a: { type: "integer" } } } })),
    );
    expect(propertiesOf(result)).to.deep.equal({ a: { type: "integer" }, b: { type: "string" } });
    expect(result.action("x").parameters["required"]).to.deep.equal(["b"]);
  });

  it("keeps form and multipart bodies with all their fields and how each is written", async () => {
    const schema = {
      type: "object",
      properties: {
        metadata: { type: "object", additionalProperties: { type: "string" } },
        file: { type: "string", format: "binary" },
      },
    };
    const encoding = { metadata: { style: "deepObject", explode: true }, file: { contentType: "image/png" } };
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data"])
      expect(bodyOf(await imported(openapi(post(schema, type, { encoding }))))).to.deep.equal({
        contentType: type,
        required: true,
        encoding,
        properties: { metadata: "metadata", file: "file" },
      });
  });

  it("prefers JSON among several body types, then forms, then text", async () => {
    const chosen = async (...types: string[]): Promise<unknown> => {
      const content = Object.fromEntries(
        types.map((type) => [type, { schema: { type: "object", properties: { a: {} } } }]),
      );
      return (
        bodyOf(
          await imported(openapi({ "/x": { post: { operationId: "x", requestBody: { content } } } })),
        ) as JsonObject
      )["contentType"];
    };
    expect(await chosen("text/plain", "multipart/form-data", "application/json; charset=utf-8")).to.equal(
      "application/json; charset=utf-8",
    );
    expect(await chosen("application/xml", "application/vnd.api+json")).to.equal("application/vnd.api+json");
    expect(await chosen("multipart/form-data", "application/x-www-form-urlencoded")).to.equal(
      "application/x-www-form-urlencoded",
    );
    expect(await chosen("application/octet-stream", "text/plain")).to.equal("text/plain");
  });

  it("takes text and bytes as one text", async () => {
    const text = await imported(openapi(post({ type: "object", properties: { a: {} } }, "application/xml")));
    expect(propertiesOf(text)).to.have.nested.property("body.type", "string");
    const bytes = await imported(openapi(post({}, "image/png")));
    expect(propertiesOf(bytes)).to.have.nested.property("body.format", "binary");
  });

  it("has arguments for what only the caller writes and not for what only the target writes", async () => {
    const schema = {
      allOf: [ref("Base"), { type: "object", required: ["id", "name"], properties: { name: {}, at: ref("Stamp") } }],
    };
    const components = withSchemas({
      Base: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "integer", readOnly: true }, secret: { type: "string", writeOnly: true } },
      },
      Stamp: { type: "object", readOnly: true, properties: {} },
    });
    const result = await imported(openapi(post(schema), components));
    expect(Object.keys(propertiesOf(result))).to.deep.equal(["secret", "name"]);
    expect(result.action("x").parameters["required"]).to.deep.equal(["name"]);
    const nested = await imported(
      openapi(post({ type: "object", properties: { list: { type: "array", items: schema } } }), components),
    );
    const validate = compile(nested.action("x"));
    expect(validate({ list: [{ name: "n", secret: "s" }] })).to.equal(true);
  });
});

describe("A schema document from OpenAPI: parameters", () => {
  it("lets an operation's parameter replace its path's, and follows references to parameters", async () => {
    const q = (type: string): JsonObject => ({ name: "q", in: "query", schema: { type } });
    const path = {
      parameters: [q("string"), { $ref: "#/components/parameters/page" }],
      get: { operationId: "x", parameters: [q("integer")] },
    };
    const components = {
      parameters: {
        page: { name: "page", in: "query", required: true, description: "Which page", schema: { type: "integer" } },
      },
    };
    const result = await imported(openapi({ "/x": path }, { components }));
    expect(propertiesOf(result)).to.deep.equal({
      q: { type: "integer" },
      page: { type: "integer", description: "Which page" },
    });
    expect(result.action("x").parameters["required"]).to.deep.equal(["page"]);
  });

  it("adds path parameters that are not declared, and drops those the path does not have", async () => {
    const stray = ["other", "another"].map((name): JsonObject => ({ name, in: "path", schema: { type: "integer" } }));
    const result = await imported(openapi({ "/x/{id}": { get: { operationId: "x", parameters: stray } } }));
    expect(propertiesOf(result)).to.deep.equal({ id: { type: "string" } });
    expect(result.action("x").transport["parameters"]).to.deep.equal([{ name: "id", in: "path", key: "id" }]);
    expect(result.report.warnings).to.have.length(3);
  });

  const hour: JsonObject = { schema: { type: "integer", maximum: 23 }, description: "Of the day" };
  const misplaced: [what: string, path: string, parameters: JsonObject[]][] = [
    ["under another spelling", "/days/{day_id}/{theHour}", [{ ...hour, name: "the_hour", in: "path" }]],
    ["under another name, the only one", "/days/{theHour}", [{ ...hour, name: "h", in: "path", required: true }]],
    ["with a sign before its name", "/days/{+theHour}", [{ ...hour, name: "theHour", in: "path" }]],
    [
      "among those of the query",
      "/days/{theHour}",
      [
        { ...hour, name: "theHour", in: "query", style: "form" },
        { name: "page", in: "query", schema: {} },
      ],
    ],
  ];
  for (const [what, path, parameters] of misplaced)
    it(`takes for a placeholder of the path what is declared for it ${what}`, async () => {
      const result = await imported(openapi({ [path]: { get: { operationId: "x", parameters } } }));
      const written = result.action("x").transport["parameters"] as JsonObject[];
      const own = written.filter(({ key }) => /Hour/.test(String(key)));
      expect(own.map(({ key, in: location }) => `${location} ${key}`)).to.deep.equal([
        `path ${/\{(\+?theHour)\}/.exec(path)?.[1]}`,
      ]);
      expect(own[0]).not.to.have.property("style");
      const name = String(own[0]?.["name"]);
      expect(propertiesOf(result)[name]).to.deep.include(hour["schema"]);
      expect(result.action("x").parameters["required"]).to.include(name);
      expect(written.filter(({ key }) => /hour|^h$/i.test(String(key)))).to.have.length(1);
    });

  it("writes style, explode, allowReserved and content only where they are not OpenAPI's defaults", async () => {
    const array = { type: "array", items: { type: "string" } };
    const parameters: JsonObject[] = [
      { name: "p", in: "path", style: "simple", explode: false, schema: array },
      { name: "m", in: "path", style: "matrix", explode: true, schema: array },
      { name: "a", in: "query", style: "form", explode: true, schema: array },
      { name: "b", in: "query", explode: false, allowReserved: true, schema: array },
      { name: "c", in: "query", style: "pipeDelimited", schema: array },
      { name: "d", in: "query", content: { "application/json": { schema: { type: "object" } } } },
    ];
    const { action } = await imported(openapi({ "/x/{p}/{m}": { get: { operationId: "x", parameters } } }));
    const how = (action("x").transport["parameters"] as JsonObject[]).map(
      ({ name: _, in: __, key: ___, ...rest }) => rest,
    );
    expect(how).to.deep.equal([
      {},
      { style: "matrix", explode: true },
      {},
      { explode: false, allowReserved: true },
      { style: "pipeDelimited" },
      { content: "application/json" },
    ]);
  });
});

describe("A schema document from OpenAPI: schemas", () => {
  const converted = async (schema: JsonObject, version = "3.0.3", components = {}): Promise<JsonValue | undefined> => {
    const result = await imported({
      ...openapi(post({ type: "object", properties: { v: schema } }), components),
      openapi: version,
    });
    compile(result.action("x"));
    return propertiesOf(result)["v"];
  };

  it("turns the dialect of 3.0 into JSON Schema 2020-12", async () => {
    expect(await converted({ type: "string", nullable: true })).to.deep.equal({ type: ["string", "null"] });
    expect(
      await converted({ type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }),
    ).to.deep.equal({ type: "number", exclusiveMinimum: 0, maximum: 9 });
    expect(await converted({ oneOf: [{ type: "string" }, { type: "integer" }], nullable: true })).to.deep.equal({
      oneOf: [{ type: "string" }, { type: "integer" }, { type: "null" }],
    });
    expect(await converted({ type: "string", example: "red", xml: {}, externalDocs: {}, "x-y": 1 })).to.deep.equal({
      type: "string",
      examples: ["red"],
    });
  });

  it("keeps constraints, enums, defaults, formats and additionalProperties", async () => {
    const schemas: JsonObject[] = [
      { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$", format: "email", default: "a" },
      { type: "array", items: { type: "integer", enum: [1, 2] }, minItems: 1, maxItems: 3, uniqueItems: true },
      {
        type: "object",
        properties: { a: { type: "number", multipleOf: 0.5 } },
        required: ["a"],
        additionalProperties: false,
      },
      { type: "object", additionalProperties: { type: "object", properties: { deep: { type: "boolean" } } } },
      { anyOf: [{ type: "string" }, { not: { type: "integer" } }] },
    ];
    for (const schema of schemas) expect(await converted(schema)).to.deep.equal(schema);
  });

  it("keeps what 3.1 adds", async () => {
    const schema = {
      type: ["array", "null"],
      prefixItems: [{ const: 1 }],
      items: false,
      contains: { type: "integer" },
      minContains: 1,
    };
    expect(await converted(schema, "3.1.0")).to.deep.equal(schema);
    const object = {
      type: "object",
      patternProperties: { "^x": { type: "string" } },
      dependentRequired: { a: ["b"] },
      if: { required: ["a"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["c"] },
    };
    expect(await converted(object, "3.1.0")).to.deep.equal(object);
  });

  it("leaves malformed keywords out instead of giving schemas that do not compile", async () => {
    const schema: JsonObject = {
      type: "strnig",
      required: true,
      enum: [],
      pattern: "(",
      minLength: -1,
      multipleOf: 0,
      minimum: "3",
      items: 7,
      properties: [],
    };
    expect(await converted(schema)).to.deep.equal({ minimum: 3 });
    expect(
      await converted({ type: "integer", maximum: 9223372036854775807n, default: 9223372036854775807n }),
    ).to.deep.equal({ type: "integer" });
    expect(await converted({ type: "string", pattern: "/^a$/i", enum: [1, "1", 2] })).to.deep.equal({
      type: "string",
      pattern: "^a$",
      enum: ["1", "2"],
    });
  });

  const misfits: [what: string, given: JsonObject, kept: JsonObject][] = [
    [
      "of a list are those of its items",
      { type: "array", items: { type: "string" }, enum: ["ripe", "green"] },
      { type: "array", items: { type: "string", enum: ["ripe", "green"] } },
    ],
    [
      "of a list whose items say nothing are those of its items",
      { type: "array", enum: [1, 2], minItems: 1 },
      { type: "array", minItems: 1, items: { enum: [1, 2] } },
    ],
    [
      "of a list give way to those of its items",
      { type: "array", items: { type: "string", enum: ["ripe"] }, enum: ["ripe", "green"] },
      { type: "array", items: { type: "string", enum: ["ripe"] } },
    ],
    ["are read without their quotes", { type: "integer", enum: ["5", "10"] }, { type: "integer", enum: [5, 10] }],
    ["are read as yes and no", { type: "boolean", enum: ["true", "false"] }, { type: "boolean", enum: [true, false] }],
    ["are put in quotes", { type: "string", enum: [true, false] }, { type: "string", enum: ["true", "false"] }],
    ["decide about the type", { type: "integer", enum: ["open", "shut"] }, { type: "string", enum: ["open", "shut"] }],
    ["decide about the type of a switch", { type: "boolean", enum: [0, 1] }, { type: "integer", enum: [0, 1] }],
    ["of several types leave none", { type: "object", enum: ["all", 7] }, { enum: ["all", 7] }],
    [
      "may be nothing, too",
      { type: "integer", enum: ["open", null], nullable: true },
      { type: ["string", "null"], enum: ["open", null] },
    ],
    ["stay where some are valid", { type: "integer", enum: [1, "all"] }, { type: "integer", enum: [1, "all"] }],
  ];
  for (const [what, given, kept] of misfits)
    it(`leaves no type that no option is a value of: options ${what}`, async () => {
      expect(await converted(given)).to.deep.equal(kept);
    });

  it("fits the options of a plain value that is referred to, and of a parameter of Swagger 2.0", async () => {
    const components = withSchemas({ Size: { type: "integer", enum: ["5", "10"] } });
    expect(await converted(ref("Size"), "3.0.3", components)).to.deep.equal({ type: "integer", enum: [5, 10] });
    const parameters = [
      { name: "with", in: "query", type: "array", items: { type: "string" }, enum: ["peel", "stem"] },
    ];
    const swagger = {
      swagger: "2.0",
      info: {},
      host: "a.test",
      paths: { "/x": { get: { operationId: "x", parameters } } },
    };
    expect(propertiesOf(await imported(swagger))).to.deep.equal({
      with: { type: "array", items: { type: "string", enum: ["peel", "stem"] } },
    });
  });

  it("escapes the literal braces of a pattern, and no others", async () => {
    const cases: [given: string, kept?: string][] = [
      ["^{[0-9]{2,4}}$", "^\\{[0-9]{2,4}\\}$"],
      ["^(?:{[{}a]+}|\\{b\\}|c{3})$", "^(?:\\{[{}a]+\\}|\\{b\\}|c{3})$"],
      ["^\\p{L}+$", "^\\p{L}+$"],
      ["^{\\p{L}$"],
    ];
    for (const [given, pattern] of cases)
      expect(await converted({ type: "string", pattern: given })).to.deep.equal({
        type: "string",
        ...(pattern !== undefined && { pattern }),
      });
  });

  it("keeps circles as circles, and gives each tool only the definitions it can reach", async () => {
    const schemas = {
      Comment: {
        type: "object",
        properties: { text: { type: "string" }, replies: { type: "array", items: ref("Comment") }, by: ref("User") },
      },
      User: { type: "object", properties: { best: ref("Comment"), name: { type: "string" } } },
      Unused: { type: "object", properties: { name: {} } },
    };
    const result = await imported(
      openapi(post({ type: "object", properties: { comment: ref("Comment") } }), withSchemas(schemas)),
    );
    expect(result.action("x").parameters["$defs"]).to.have.all.keys("Comment", "User");
    const validate = compile(result.action("x"));
    expect(validate({ comment: { replies: [{ replies: [{ text: "x" }], by: { best: { text: "y" } } }] } })).to.equal(
      true,
    );
    expect(validate({ comment: { replies: [{ replies: [{ text: 1 }] }] } })).to.equal(false);
  });

  it("ends where schemas refer to themselves only", async () => {
    const schemas = {
      A: { allOf: [ref("B"), { type: "object", properties: { a: { type: "string" } } }] },
      B: { allOf: [ref("A"), { type: "object", properties: { b: { type: "string" } } }] },
      Self: { $ref: "#/components/schemas/Self" },
      Tree: { oneOf: [{ type: "integer" }, ref("Tree")] },
    };
    const properties = { a: ref("A"), self: ref("Self"), tree: ref("Tree") };
    const result = await imported(openapi(post({ type: "object", properties }), withSchemas(schemas)));
    const validate = compile(result.action("x"));
    expect(validate({ a: { a: "x", b: "y" }, self: 1, tree: 5 })).to.equal(true);
    expect(validate({ a: { a: "x", b: 1 } })).to.equal(false);
    expect(validate({ tree: "x" })).to.equal(false);
  });

  it("makes a choice of a discriminator, with the value that picks each branch", async () => {
    const schemas = {
      Pet: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" } },
        discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", dog: "Dog" } },
      },
      Cat: { allOf: [ref("Pet"), { type: "object", properties: { lives: { type: "integer" } } }] },
      Dog: { allOf: [ref("Pet"), { type: "object", properties: { barks: { type: "boolean" } } }] },
    };
    const result = await imported(
      openapi(post({ type: "object", properties: { pet: ref("Pet"), cat: ref("Cat") } }), withSchemas(schemas)),
    );
    const validate = compile(result.action("x"));
    expect(validate({ pet: { kind: "cat", lives: 9 }, cat: { kind: "cat" } })).to.equal(true);
    expect(validate({ pet: { kind: "dog", barks: "no" } })).to.equal(false);
    expect(validate({ pet: { kind: "bird" } })).to.equal(false);
    expect(JSON.stringify(result.action("x").parameters["$defs"])).to.include('"oneOf"');
  });

  it("leaves what a mapping does not name its own name, and picks the base where the mapping names it", async () => {
    const heir = (name: string): JsonObject => ({
      allOf: [ref("Pet"), { type: "object", properties: { [name]: { type: "integer" } } }],
    });
    const picked = async (mapping: JsonObject, pets: JsonValue[]): Promise<boolean[]> => {
      const Pet = {
        type: "object",
        required: ["petType"],
        properties: { petType: { type: "string" }, inner: ref("Pet") },
        discriminator: { propertyName: "petType", mapping },
      };
      const schemas = { Pet, Cat: heir("lives"), Dog: heir("bones"), Lizard: heir("rocks") };
      const result = await imported(
        openapi(post({ type: "object", properties: { pet: ref("Pet") } }), withSchemas(schemas)),
      );
      const validate = compile(result.action("x"));
      return pets.map((pet) => validate({ pet }));
    };
    const pets: JsonObject[] = [
      { petType: "dog", bones: 1 },
      { petType: "Cat", lives: 9 },
      { petType: "Lizard", inner: { petType: "Cat", lives: 1 } },
      { petType: "pet" },
      { petType: "Cat", lives: "nine" },
      // A mapping takes the place of the name.
      { petType: "Dog", bones: 1 },
      { petType: "Pet" },
    ];
    const some = await picked({ dog: "Dog" }, pets);
    expect(some).to.deep.equal([true, true, true, false, false, false, false]);
    const withBase = await picked({ dog: "Dog", pet: "#/components/schemas/Pet" }, pets);
    expect(withBase).to.deep.equal([true, true, true, true, false, false, false]);
    expect(await picked({ pet: "Pet" }, [{ petType: "pet" }, { petType: "Dog", bones: 1 }])).to.deep.equal([
      true,
      true,
    ]);
  });

  it("distinguishes the branches of a oneOf with a discriminator, though they look alike", async () => {
    const schemas = {
      A: { type: "object", properties: { t: { type: "string" } } },
      B: { type: "object", properties: { t: { type: "string" } } },
    };
    const choice = {
      oneOf: [ref("A"), ref("B")],
      discriminator: { propertyName: "t", mapping: { a1: "A", a2: "A", b: "B" } },
    };
    const validate = compile((await imported(openapi(post(choice), withSchemas(schemas)))).action("x"));
    expect([{ t: "a1" }, { t: "a2" }, { t: "b" }, { t: "c" }].map((value) => validate({ body: value }))).to.deep.equal([
      true,
      true,
      true,
      false,
    ]);
  });

  it("takes the value that picks the only branch of a discriminator for a body's members, too", async () => {
    const schemas = {
      Base: { type: "object", properties: { t: { type: "string" }, n: { type: "integer" } } },
      Only: { allOf: [ref("Base"), { type: "object", required: ["n"] }] },
      Fixed: { type: "object", required: ["t"], properties: { t: { type: "string", enum: ["fixed"] } } },
    };
    const components = withSchemas(schemas);
    const of = async (choice: JsonObject) => (await imported(openapi(post(choice), components))).action("x");
    const mapped = await of({ oneOf: [ref("Only")], discriminator: { propertyName: "t", mapping: { one: "Only" } } });
    expect([{ t: "one", n: 1 }, { t: "Only", n: 1 }, { n: 1 }].map((one) => compile(mapped)(one))).to.deep.equal([
      true,
      false,
      false,
    ]);
    const implied = await of({ anyOf: [ref("Only")], discriminator: { propertyName: "t" } });
    expect(
      [
        { t: "Only", n: 1 },
        { t: "one", n: 1 },
      ].map((one) => compile(implied)(one)),
    ).to.deep.equal([true, false]);
    const limited = await of({ oneOf: [ref("Fixed")], discriminator: { propertyName: "t" } });
    expect([{ t: "fixed" }, { t: "Fixed" }].map((one) => compile(limited)(one))).to.deep.equal([true, false]);
  });

  it("takes any value where a schema refers to nothing, with a warning", async () => {
    const result = await imported(openapi(post({ type: "object", properties: { v: ref("Gone") } })));
    expect(compile(result.action("x"))({ v: [1] })).to.equal(true);
    expect(result.report.warnings.join()).to.include("#/components/schemas/Gone");
  });

  it("keeps a description next to a reference in 3.0, and every keyword in 3.1", async () => {
    const components = withSchemas({ T: { type: "object", properties: { a: {} } } });
    const beside = { ...ref("T"), description: "Mine", required: ["a"] };
    expect(await converted(beside, "3.0.0", components)).to.deep.equal({ $ref: "#/$defs/T", description: "Mine" });
    expect(await converted(beside, "3.1.0", components)).to.deep.equal({
      $ref: "#/$defs/T",
      description: "Mine",
      required: ["a"],
    });
  });

  it("writes plain values out where they are used", async () => {
    const components = withSchemas({ Color: { type: "string", enum: ["red", "blue"] } });
    expect(await converted(ref("Color"), "3.0.0", components)).to.deep.equal({ type: "string", enum: ["red", "blue"] });
  });
});
