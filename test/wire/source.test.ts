// The proof misses what is lost: the description is read beside the program, by reference and file, and each thing that a tool lacks
// is named.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Action } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { inFolder } from "../applications/http/openapi/imported.js";
import { httpAction } from "../support/http.js";
import { type Arrived, arrivedUnlike } from "./arrival.js";
import { lostOf } from "./complete.js";
import { callFromSource } from "./from-source.js";
import { Comparison, differencesOf } from "./nested.js";
import { readSource, type SourceOperation } from "./source.js";

const MAIN = `
openapi: 3.1.0
info: {title: a, version: "1"}
paths:
  /a/{id}:
    parameters: [{$ref: "parts.yaml#/id"}]
    delete: {$ref: "op.yaml"}
  /b: {$ref: "parts.yaml#/item"}
`;
const OPERATION = `
parameters: [{name: force, in: query, required: true, schema: {type: boolean}}, {name: Accept, in: header}]
requestBody: {$ref: "parts.yaml#/body"}
`;
const PARTS = `
id: {name: id, in: path, required: true, schema: {type: integer}}
item: {get: {parameters: [{$ref: "#/id"}]}}
body:
  content:
    application/json:
      schema: {allOf: [{$ref: "#/base"}, {properties: {note: {type: string}}}]}
base: {type: object, properties: {name: {type: string}, made: {type: string, readOnly: true}}}
`;

const read = (): Promise<Map<string, SourceOperation>> =>
  inFolder(async (folder) => {
    for (const [name, text] of Object.entries({ "main.yaml": MAIN, "op.yaml": OPERATION, "parts.yaml": PARTS }))
      writeFileSync(join(folder, name), text);
    return readSource(join(folder, "main.yaml")).operations;
  });

const WRITTEN = [
  { name: "id", in: "path", key: "id" },
  { name: "force", in: "query", key: "force" },
];
const BODY = { contentType: "application/json", properties: { name: "name", note: "note" } };
const toolOf = (transport: JsonObject, names: readonly string[]): Action =>
  httpAction(
    { method: "DELETE", path: "/a/{id}", ...transport },
    Object.fromEntries(names.map((name): [string, JsonObject] => [name, {}])),
  );

describe("The description, read beside the program", () => {
  it("has parameters and bodies of operations that are references into other files", async () => {
    const operations = await read();
    expect([...operations.keys()]).to.deep.equal(["DELETE /a/{id}", "GET /b"]);
    const remove = operations.get("DELETE /a/{id}") as SourceOperation;
    expect(remove.parameters.map(({ location, name }) => `${location} ${name}`)).to.deep.equal([
      "path id",
      "query force",
      "header Accept",
    ]);
    expect(remove.bodies.map(({ contentType, members }) => [contentType, members])).to.deep.equal([
      ["application/json", ["name", "note"]],
    ]);
  });

  it("finds nothing missing in a tool that has them all", async () => {
    const remove = (await read()).get("DELETE /a/{id}") as SourceOperation;
    expect(lostOf(remove, toolOf({ parameters: WRITTEN, body: BODY }, ["id", "force", "name", "note"]))).to.deep.equal(
      [],
    );
    const whole = { contentType: "application/json", argument: "body" };
    expect(lostOf(remove, toolOf({ parameters: WRITTEN, body: whole }, ["id", "force", "body"]))).to.deep.equal([]);
  });

  for (const [what, transport, names, lost] of [
    ["all of it", {}, [], ["id in the path", "force in the query", "no body"]],
    ["a parameter", { parameters: WRITTEN.slice(0, 1), body: BODY }, ["id", "name", "note"], ["force in the query"]],
    ["the argument of one", { parameters: WRITTEN, body: BODY }, ["id", "name", "note"], ["force in the query"]],
    ["a member of the body", { parameters: WRITTEN, body: BODY }, ["id", "force", "name"], ["note in the body"]],
    [
      "its media type",
      { parameters: WRITTEN, body: { ...BODY, contentType: "text/plain" } },
      ["id", "force", "name", "note"],
      ["not described"],
    ],
  ] satisfies [string, JsonObject, string[], string[]][])
    it(`names what a tool lacks that lost ${what}`, async () => {
      const found = lostOf((await read()).get("DELETE /a/{id}") as SourceOperation, toolOf(transport, names));
      expect(found).to.have.length(lost.length);
      for (const [at, sentence] of found.entries()) expect(sentence).to.contain(lost[at]);
    });
});

const NESTED = `
openapi: 3.0.3
info: {title: a, version: "1"}
paths:
  /a/{id}:
    put:
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string, enum: [new, old]}}}
        - {name: "price>=", in: query, schema: {type: number, minimum: 1}}
        - {name: X-Trace, in: header, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [owner]
              properties:
                made: {type: string, readOnly: true}
                owner: {allOf: [{$ref: "#/components/schemas/Person"}, {properties: {role: {type: string}}}]}
components:
  schemas:
    Person:
      type: object
      required: [name]
      properties: {name: {type: string}, home: {type: object, properties: {city: {type: string}}}}
`;
const CITY = { type: "object", properties: { city: { type: "string" } } };
const PERSON = { type: "object", required: ["name"], properties: { name: { type: "string" }, home: CITY } };
const TAGS = { type: "array", items: { type: "string", enum: ["new", "old"] } };
const ROLE = { properties: { role: { type: "string" } } };
const WHOLE = {
  id: { type: "integer" },
  tags: TAGS,
  price_gte: { type: "number", minimum: 1 },
  "X-Trace": { type: "string" },
  owner: { allOf: [PERSON, ROLE] },
};
const SENT: JsonObject[] = [
  { name: "id", in: "path", key: "id" },
  { name: "tags", in: "query", key: "tags", explode: false },
  { name: "price_gte", in: "query", key: "price>=" },
  { name: "X-Trace", in: "header", key: "X-Trace" },
];
const TRANSPORT = {
  method: "PUT",
  path: "/a/{id}",
  parameters: SENT,
  body: { contentType: "application/json", required: true, properties: { owner: "owner" } },
};

const readNested = () =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, "main.yaml"), NESTED);
    const { operations, definitions } = readSource(join(folder, "main.yaml"));
    return { operation: operations.get("PUT /a/{id}") as SourceOperation, definitions };
  });

/** A tool for it, with other arguments or another way to send them. */
function tool(properties: JsonObject, transport: JsonObject = {}): Action {
  const action = httpAction({ ...TRANSPORT, ...transport }, { ...WHOLE, ...properties });
  return { ...action, parameters: { ...action.parameters, required: ["id", "owner"] } };
}

describe("A tool, compared with its description at every depth", () => {
  it("says the same, however its schemas are arranged", async () => {
    expect(differencesOf(await readNested(), tool({}), new Comparison())).to.deep.equal([]);
    const flat = { ...PERSON, properties: { ...PERSON.properties, ...ROLE.properties } };
    expect(differencesOf(await readNested(), tool({ owner: flat }), new Comparison())).to.deep.equal([]);
  });

  for (const [what, properties, sentence] of [
    ["a nested member", { owner: { allOf: [{ ...PERSON, properties: { name: { type: "string" } } }, ROLE] } }, ".home"],
    ["a part of an allOf", { owner: PERSON }, ".role"],
    ["a value of an enum", { tags: { type: "array", items: { type: "string", enum: ["new"] } } }, 'value "old"'],
    ["a limit", { price_gte: { type: "number" } }, "minimum 1"],
    ["a nested requirement", { owner: { allOf: [{ ...PERSON, required: [] }, ROLE] } }, "required name"],
  ] satisfies [string, JsonObject, string][])
    it(`is found to lack ${what}`, async () => {
      const found = differencesOf(await readNested(), tool(properties), new Comparison());
      expect(found).to.have.length(1);
      expect(found[0]).to.contain(sentence);
    });

  it("is found to ask for what a client may not send, and to have lost a requirement of its own", async () => {
    const made = { properties: { owner: "owner", made: "made" }, contentType: "application/json" };
    const found = differencesOf(await readNested(), tool({ made: {} }, { body: made }), new Comparison());
    expect(found).to.deep.equal(["PUT /a/{id}: the tool has made in the body, which is not described"]);
    const action = tool({});
    const optional = { ...action, parameters: { ...action.parameters, required: ["id"] } };
    expect(differencesOf(await readNested(), optional, new Comparison())).to.deep.equal([
      "PUT /a/{id}: body.owner is no longer required",
    ]);
  });
});

describe("A call made from the description", () => {
  /** The call, and the request that must arrive. */
  const call = async (action = tool({})) => {
    const { operation, definitions } = await readNested();
    const made = callFromSource(operation, { action, definitions }, "everything");
    if ("reason" in made) throw new Error(made.reason);
    return { made, operation };
  };
  const arrived = (changed: Partial<Arrived> = {}, body = "role"): Arrived => ({
    url: "PUT /a/12?tags=new,old&price%3E%3D=12",
    contentType: "application/json",
    headers: { "x-trace": "a b&c=d/e" },
    body: Buffer.from(`{"owner":{"${body}":"a b&c=d/é","name":"a b&c=d/é","home":{"city":"a b&c=d/é"}}}`),
    ...changed,
  });

  it("has arguments under the names of the documented rule", async () => {
    const { made } = await call();
    expect(Object.keys(made.arguments)).to.deep.equal(["id", "tags", "price_gte", "X-Trace", "owner"]);
    const { operation, definitions } = await readNested();
    const renamed = tool({}, { parameters: SENT.map((one) => ({ ...one, name: `the_${one.name}` })) });
    expect(callFromSource(operation, { action: renamed, definitions }, "everything")).to.deep.equal({
      reason: "the argument for id is called the_id",
    });
  });

  it("has arrived where the request is the one described", async () => {
    const { made, operation } = await call();
    expect(await arrivedUnlike({ operation, body: made.body }, made.values, { arrived: arrived(), base: "" })).to.equal(
      undefined,
    );
  });

  for (const [what, changed] of [
    ["another path", { url: "PUT /a/13?tags=new,old&price%3E%3D=12" }],
    ["a list written otherwise", { url: "PUT /a/12?tags=new&tags=old&price%3E%3D=12" }],
    ["a delimiter that is escaped", { url: "PUT /a/12?tags=new%2Cold&price%3E%3D=12" }],
    ["a parameter less", { url: "PUT /a/12?tags=new,old" }],
    ["a parameter more", { url: "PUT /a/12?tags=new,old&price%3E%3D=12&x=1" }],
    ["another header", { headers: { "x-trace": "a" } }],
    ["a cookie", { headers: { "x-trace": "a b&c=d/e", cookie: "a=b" } }],
    ["another media type", { contentType: "text/plain" }],
    ["another member in the body", { body: arrived({}, "roles").body }],
  ] satisfies [string, Partial<Arrived>][])
    it(`has not arrived with ${what}`, async () => {
      const { made, operation } = await call();
      const sides = { arrived: arrived(changed), base: "" };
      expect(await arrivedUnlike({ operation, body: made.body }, made.values, sides)).to.be.a("string");
    });
});

const MODERN = `
openapi: 3.2.0
info: {title: a, version: "1"}
paths:
  /a:
    query:
      parameters:
        - name: filter
          in: querystring
          required: true
          content:
            application/x-www-form-urlencoded:
              schema:
                type: object
                required: [folder]
                properties: {folder: {type: string}, tags: {type: array, items: {type: string}}}
              encoding: {folder: {allowReserved: true}}
      requestBody:
        required: true
        content: {application/json-seq: {itemSchema: {type: object, properties: {n: {type: integer}}}}}
`;

describe("A description of OpenAPI 3.2, read beside the program", () => {
  const modern = (): Promise<SourceOperation> =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, "main.yaml"), MODERN);
      return readSource(join(folder, "main.yaml")).operations.get("QUERY /a") as SourceOperation;
    });

  it("has the members of its query string, and the items of its stream as a list", async () => {
    const { queryString, bodies } = await modern();
    expect(queryString?.members).to.deep.equal(["folder", "tags"]);
    expect(bodies[0]?.schema).to.have.property("type", "array");
    const tool = toolOf({ parameters: [{ name: "folder", in: "query", key: "folder" }], body: BODY }, ["folder"]);
    expect(lostOf(await modern(), tool)[0]).to.contain("tags in the query");
  });

  const there = { url: "QUERY /a?folder=a/b%26&tags=c", body: '\u001e{"n":1}\n\u001e{"n":2}\n' };
  for (const [what, changed, isThere] of [
    ["as it is described", {}, true],
    ["not with reserved characters escaped", { url: "QUERY /a?folder=a%2Fb%26&tags=c" }, false],
    ["not with a member less", { url: "QUERY /a?folder=a/b%26" }, false],
    ["not with the query string under its own name", { url: "QUERY /a?filter=folder%3Da%2Fb%26" }, false],
    ["not with an item less", { body: '\u001e{"n":1}\n' }, false],
    ["not without the separators of a sequence", { body: '{"n":1}\n{"n":2}\n' }, false],
  ] as [string, Partial<typeof there>, boolean][])
    it(`has arrived ${what}`, async () => {
      const operation = await modern();
      const { url, body } = { ...there, ...changed };
      const bytes = new TextEncoder().encode(body);
      const arrived = { url, contentType: "application/json-seq", headers: {}, body: bytes };
      const values = { querystring: { folder: "a/b&", tags: ["c"] }, body: [{ n: 1 }, { n: 2 }] };
      const unlike = await arrivedUnlike({ operation, body: operation.bodies[0] }, values, { arrived, base: "" });
      expect(unlike === undefined, unlike).to.equal(isThere);
    });
});
