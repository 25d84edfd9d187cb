// Which properties only the target may write: they are not asked for, wherever in an `allOf` they are declared.
// Source: OpenAPI 3.1, Schema Object, readOnly.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { listOf, objectOf } from "./read.js";
import type { Refs } from "./refs.js";
import { MAX_CHAIN, NO_NAMES } from "./walk.js";

/** How far a property's own schema is followed to find its `readOnly`. */
const MAX_STEPS = 5;

/** A function that gives the names of a schema's readOnly properties. */
export function createReadOnly(refs: Refs): (schema: JsonValue | undefined) => ReadonlySet<string> {
  const known = new WeakMap<JsonObject, ReadonlySet<string>>();

  /** One part of an `allOf` is enough: among several occurrences a true one counts (JSON Schema 2020-12, Validation, 9.4). */
  function isReadOnly(schema: JsonValue | undefined, steps = 0): boolean {
    if (!isObject(schema) || steps > MAX_STEPS) return false;
    if (schema["readOnly"] === true) return true;
    if (typeof schema["$ref"] === "string") return isReadOnly(refs.at(schema["$ref"]), steps + 1);
    return listOf(schema["allOf"]).some((part) => isReadOnly(part, steps + 1));
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
