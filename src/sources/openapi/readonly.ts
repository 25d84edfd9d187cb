// Which properties only the target may write: they are not asked for, wherever in an `allOf` they are declared.
// Source: OpenAPI 3.1, Schema Object, readOnly.
import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { listOf, objectOf } from "./read.js";
import type { Refs } from "./refs.js";
import { MAX_CHAIN, NO_NAMES } from "./walk.js";

/** How far a property's own schema is followed to find its mark. */
const MAX_STEPS = 5;

/** A function that gives the names of a schema's readOnly properties. */
export function createReadOnly(refs: Refs): (schema: JsonValue | undefined) => ReadonlySet<string> {
  const known = new WeakMap<JsonObject, ReadonlySet<string>>();

  function isReadOnly(schema: JsonValue | undefined): boolean {
    for (let node = schema, i = 0; isObject(node) && i < MAX_STEPS; i++) {
      if (node["readOnly"] === true) return true;
      const only = listOf(node["allOf"]);
      node = typeof node["$ref"] === "string" ? refs.at(node["$ref"]) : only.length === 1 ? only[0] : undefined;
    }
    return false;
  }

  function names(schema: JsonValue | undefined, depth: number): ReadonlySet<string> {
    if (!isObject(schema) || depth > MAX_CHAIN) return NO_NAMES;
    const before = known.get(schema);
    if (before) return before;
    // Stands while the parts are read, so that a circle ends.
    known.set(schema, NO_NAMES);
    const found = new Set<string>();
    for (const [name, property] of Object.entries(objectOf(schema["properties"])))
      if (isReadOnly(property)) found.add(name);
    const target = typeof schema["$ref"] === "string" ? [refs.at(schema["$ref"])] : [];
    for (const part of [...listOf(schema["allOf"]), ...target])
      for (const name of names(part, depth + 1)) found.add(name);
    known.set(schema, found);
    return found;
  }

  return (schema) => names(schema, 0);
}
