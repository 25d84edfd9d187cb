// The proof misses what is lost: the description is read beside the program, by reference and file, and each thing that a tool lacks
// is named.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Action } from "../../src/domain/schema-document.js";
import type { JsonObject } from "../../src/lib/json.js";
import { inFolder } from "../applications/http/openapi/imported.js";
import { httpAction } from "../support/http.js";
import { lostOf } from "./complete.js";
import { type SourceOperation, sourceOperations } from "./source.js";

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
    return sourceOperations(join(folder, "main.yaml"));
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
    expect(remove.bodies).to.deep.equal([{ contentType: "application/json", members: ["name", "note"] }]);
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
