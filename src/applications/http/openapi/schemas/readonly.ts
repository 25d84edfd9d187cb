// Which properties only the target may write: they are not asked for, wherever in an `allOf` they are declared.
// Source: OpenAPI 3.1, Schema Object, readOnly.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../../lib/json.js";
import type { Refs } from "./refs.js";
import { MAX_CHAIN, NO_NAMES } from "./walk.js";
import type { Work } from "./work.js";

/** A function that gives the names of a schema's readOnly properties. */
export function createReadOnly(refs: Refs, work: Work): (schema: JsonValue | undefined) => ReadonlySet<string> {
  const known = new WeakMap<JsonObject, ReadonlySet<string>>();
  const flags = new WeakMap<JsonObject, boolean>();

  /** One part of an `allOf` is enough: among several occurrences a true one counts (JSON Schema 2020-12, Validation, 9.4). */
  function isReadOnly(schema: JsonValue | undefined, depth = 0): boolean {
    if (!isObject(schema) || depth > MAX_CHAIN) return false;
    if (schema["readOnly"] === true) return true;
    const before = flags.get(schema);
    if (before !== undefined) return before;
    // Stands while the parts are looked at, so that a circle ends.
    flags.set(schema, false);
    const { $ref: ref } = schema;
    const parts = typeof ref === "string" ? [refs.at(ref)] : listOf(schema["allOf"]);
    const found = parts.some((part) => isReadOnly(part, depth + 1));
    flags.set(schema, found);
    return found;
  }

  /** One set stands for all schemas that have no other names. */
  function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
    const [first = NO_NAMES, ...rest] = new Set(sets);
    if (rest.length === 0) return first;
    const all = new Set(first);
    work.spend(first.size);
    for (const one of rest) {
      work.spend(one.size);
      for (const name of one) all.add(name);
    }
    return all;
  }

  function names(schema: JsonValue | undefined, depth: number): ReadonlySet<string> {
    if (!isObject(schema) || depth > MAX_CHAIN) return NO_NAMES;
    const before = known.get(schema);
    if (before) return before;
    // Stands while the parts are read, so that a circle ends.
    known.set(schema, NO_NAMES);
    const properties = Object.entries(objectOf(schema["properties"]));
    const own = new Set(properties.filter(([, property]) => isReadOnly(property)).map(([name]) => name));
    const target = typeof schema["$ref"] === "string" ? [refs.at(schema["$ref"])] : [];
    const parts = [...listOf(schema["allOf"]), ...target].map((part) => names(part, depth + 1));
    const found = union([own, ...parts].filter((one) => one.size > 0));
    known.set(schema, found);
    return found;
  }

  return (schema) => names(schema, 0);
}
