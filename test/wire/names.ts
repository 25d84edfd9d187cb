// Names that express-openapi-validator does not take as they are, and the copy of a document without them. What was read under the
// new names is looked up under them (proof.ts).
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";

/** The name a path parameter has in the copy: the validator's router knows letters, digits and underscores. */
export function routeName(name: string): string {
  return name.replace(/\W/g, "_");
}

/** The name a query parameter has in the copy: the validator reads a list's `[]` as notation. */
export function listName(name: string): string {
  return name.replace(/\[\]$/, "");
}

function parameter(raw: JsonValue): JsonValue {
  if (!isObject(raw)) return raw;
  const name = String(raw["name"]);
  if (raw["in"] === "path") return { ...raw, name: routeName(name) };
  return raw["in"] === "query" ? { ...raw, name: listName(name) } : raw;
}

/** An operation, a path item or the components with their own parameters renamed. */
function holder(raw: JsonValue): JsonValue {
  if (!isObject(raw)) return raw;
  const { parameters: own } = raw;
  if (Array.isArray(own)) return { ...raw, parameters: own.map(parameter) };
  const named = Object.entries(objectOf(own)).map(([name, one]) => [name, parameter(one)]);
  return own === undefined ? raw : { ...raw, parameters: Object.fromEntries(named) };
}

/** A copy of the document whose names the validator takes. */
export function renamed(document: JsonObject): JsonObject {
  const paths = Object.entries(objectOf(document["paths"])).map(([path, item]) => [
    path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => `{${routeName(name)}}`),
    holder(Object.fromEntries(Object.entries(objectOf(item)).map(([key, one]) => [key, holder(one)]))),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    ...(document["components"] !== undefined && { components: holder(document["components"]) }),
  };
}
