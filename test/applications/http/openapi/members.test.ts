// Members of a description that hold something else than the standard says. Source: docs/reference.md, "Importing a description"
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openapiSource } from "../../../../src/applications/http/openapi/source.js";
import { StartError } from "../../../../src/domain/error.js";
import { isObject, type JsonValue } from "../../../../src/lib/json.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const text = { type: "string", description: "d", enum: ["a"], default: "a", format: "date" };
const responses = {
  200: { description: "ok", content: { "application/json": { schema: { $ref: "#/components/schemas/S" } } } },
};
const parameter = { name: "id", in: "path", required: true, description: "d", style: "simple", schema: text };
const openapi = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  servers: [{ url: "http://{host}/", variables: { host: { default: "127.0.0.1:9" } } }],
  tags: [{ name: "a", description: "d" }],
  security: [{ k: ["scope"] }],
  paths: {
    "/a/{id}": {
      parameters: [parameter],
      put: {
        operationId: "putA",
        summary: "Put a.",
        tags: ["a"],
        deprecated: true,
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/S" } } },
        },
        responses,
      },
    },
  },
  components: {
    schemas: { S: { type: "object", required: ["b"], properties: { b: text, c: { type: "array", items: text } } } },
    securitySchemes: { k: { type: "apiKey", in: "header", name: "X-Key" } },
  },
};
const swagger = {
  swagger: "2.0",
  info: { title: "t", version: "1" },
  host: "127.0.0.1:9",
  basePath: "/api",
  schemes: ["http"],
  consumes: ["application/x-www-form-urlencoded"],
  paths: {
    "/a": {
      post: {
        operationId: "postA",
        parameters: [
          {
            name: "b",
            in: "formData",
            type: "array",
            items: { type: "string" },
            collectionFormat: "csv",
            required: true,
          },
          { name: "q", in: "query", type: "string" },
        ],
        responses: { 200: { description: "ok", schema: { $ref: "#/definitions/S" } } },
      },
    },
  },
  definitions: { S: { type: "object", properties: { b: { type: "string" } } } },
};

/** An object that cannot become a text. */
const NO_TEXT = { toString: "x", valueOf: 1 };

/** Every copy of a value in which one member, at any depth, is another. */
function* replaced(value: JsonValue, by: JsonValue): Generator<[path: string, copy: JsonValue], void, void> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const at = (other: JsonValue): JsonValue =>
      Array.isArray(value) ? value.map((one, i) => (String(i) === key ? other : one)) : { ...value, [key]: other };
    yield [key, at(by)];
    for (const [path, copy] of replaced(member, by)) yield [`${key}/${path}`, at(copy)];
  }
}

describe("Importing a description: members", () => {
  it("that are objects, lists or null where a text belongs make a report or a refusal, never a fault @all", async () => {
    const faults: string[] = [];
    const location = join(temporaryFolder("members"), "api.json");
    for (const description of [openapi, swagger])
      for (const other of [NO_TEXT, [NO_TEXT], null])
        for (const [path, copy] of replaced(description as JsonValue, other as JsonValue)) {
          writeFileSync(location, JSON.stringify(copy));
          await openapiSource.read({ location }).catch((error: unknown) => {
            if (!(error instanceof StartError)) faults.push(`${path}: ${(error as Error).stack}`);
          });
        }
    expect(faults.join("\n")).to.equal("");
  });
});
