// The zod schema of config.json and its JSON Schema for editors, made from the tables of settings.
import { z } from "zod";
import { objectSchema } from "./shape.js";
import { SETTINGS } from "./table.js";

/** The key by which a file names its own schema. */
export const SCHEMA_KEY = "$schema";

/** The whole of config.json. */
export const ConfigFile = objectSchema(SETTINGS, {
  [SCHEMA_KEY]: z.string().optional().describe("Where an editor finds this schema."),
});

/** The object among the forms of a value; the schema itself where it has one form. */
const objectIn = (schema: unknown): unknown =>
  schema instanceof z.ZodUnion ? schema.options.find((one) => one instanceof z.ZodObject) : schema;

/** What stands below a key: of an object the schema of the key, of a record that of every value. */
function below(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodOptional) return below(schema.unwrap(), key);
  if (schema instanceof z.ZodRecord) return objectIn(schema.valueType);
  return schema instanceof z.ZodObject ? schema.shape[key] : undefined;
}

/** The known keys of the object at a path in the file. */
export function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = path.reduce<unknown>((at, key) => below(at, String(key)), ConfigFile);
  if (schema instanceof z.ZodOptional) schema = schema.unwrap();
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function placesBelow(schema: unknown, key: string, place: readonly string[]): string[] {
  if (schema instanceof z.ZodOptional) return placesBelow(schema.unwrap(), key, place);
  if (schema instanceof z.ZodRecord) return placesBelow(objectIn(schema.valueType), key, [...place, "NAME"]);
  if (!(schema instanceof z.ZodObject)) return [];
  const own = Object.hasOwn(schema.shape, key) ? [place.join(".")] : [];
  return [...own, ...Object.entries(schema.shape).flatMap(([name, one]) => placesBelow(one, key, [...place, name]))];
}

const depthOf = (place: string): number => (place === "" ? 0 : place.split(".").length);

/** Where in the file an object has such a key, nearest to its top first: `providers.NAME`, and "" for the file itself. */
export function placesOf(key: string): string[] {
  return placesBelow(ConfigFile, key, []).sort((a, b) => depthOf(a) - depthOf(b));
}

/** The JSON Schema of config.json, for editors. */
export function configJsonSchema(): object {
  return { title: "agentd config.json", ...z.toJSONSchema(ConfigFile, { io: "input" }) };
}
