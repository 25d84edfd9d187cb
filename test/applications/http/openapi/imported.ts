// A description written to a temporary folder and imported, with its actions by name: what every test of the source needs.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openapiSource } from "../../../../src/applications/http/openapi/source.js";
import { impliedByTransport } from "../../../../src/applications/kinds.js";
import type { ImportReport, SourceInput } from "../../../../src/applications/source.js";
import { selfContained } from "../../../../src/domain/definitions.js";
import { type Action, parseSchema, type SchemaDocument } from "../../../../src/domain/schema-document.js";
import { type JsonObject, toJson } from "../../../../src/lib/json.js";

/** One import, read back the way the daemon reads it. */
export interface Result {
  document: SchemaDocument;
  /** As written: with the fields that a schema document may have and the daemon does not need. */
  written: JsonObject;
  report: ImportReport;
  /** With the definitions it reaches among its parameters. */
  action(name: string): Action;
  names: string[];
}

/** Runs `use` in a fresh folder and removes it. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "agentd-openapi-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Imports what is at a location. */
export async function importFrom(location: string, input: Partial<SourceInput> = {}): Promise<Result> {
  const { document: written, report } = await openapiSource.read({ location, ...input });
  const document = parseSchema(toJson(written), impliedByTransport);
  const byName = new Map(document.actions.map((action) => [action.name, action]));
  return {
    document,
    written,
    report,
    names: [...byName.keys()],
    action(name) {
      const action = byName.get(name);
      if (!action) throw new Error(`no action ${name} among ${[...byName.keys()].join(", ")}`);
      return { ...action, parameters: selfContained(action) };
    },
  };
}

/** Imports a description given as a value or a text. */
export async function imported(
  description: JsonObject | string,
  input: Partial<SourceInput> = {},
  name = "api.json",
): Promise<Result> {
  return inFolder(async (folder) => {
    const file = join(folder, name);
    await writeFile(file, typeof description === "string" ? description : toJson(description));
    return importFrom(file, input);
  });
}

/** An OpenAPI 3.1 description around paths. */
export function openapi(paths: JsonObject, rest: JsonObject = {}): JsonObject {
  return {
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    servers: [{ url: "http://target.test/api" }],
    paths,
    ...rest,
  };
}

/** A body of one media type. */
export function body(schema: JsonObject, type = "application/json", rest: JsonObject = {}): JsonObject {
  return { required: true, content: { [type]: { schema, ...rest } } };
}

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** Compiles the schema of an action's arguments as JSON Schema 2020-12. */
export function compile(action: Action): ValidateFunction {
  const schema = selfContained(action);
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}
