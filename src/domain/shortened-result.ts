// A result as a row or an event has it when its list is too long: the first items, and the fields around them. Pure.
// Source: docs/reference.md, "Large results"
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";

/** The beginning of a long list. */
interface ShortenedResult {
  /** Where the list stands in the answer. */
  path: string[];
  items: JsonValue[];
  /** How many items the list has; those that are here where it is not said. */
  total: number;
  /** The answer in the shape it had, with the first items in the place of all. */
  value: JsonValue;
}

/** The answer around a list, with these items in it. */
function withItems(rest: JsonValue, [key, ...inner]: readonly string[], items: JsonValue[]): JsonValue {
  if (key === undefined) return items;
  const around: JsonObject = isObject(rest) ? rest : {};
  const found = Object.hasOwn(around, key) ? (around[key] ?? null) : null;
  return Object.fromEntries([
    ...Object.entries(around).filter(([name]) => name !== key),
    [key, withItems(found, inner, items)],
  ]);
}

/** What a shortened result is the beginning of; undefined for others. An application's own answer may look the same; then it is read as what it looks like. */
export function shortenedIn(value: JsonValue): ShortenedResult | undefined {
  if (!isObject(value) || value["truncated"] !== true || typeof value["total_characters"] !== "number")
    return undefined;
  const { items, list = "", rest = null, shape, total_items } = value;
  if (!Array.isArray(items) || typeof list !== "string" || typeof shape !== "string") return undefined;
  const path = fromPointer(list);
  const total = typeof total_items === "number" ? Math.max(total_items, items.length) : items.length;
  return { path, items, total, value: withItems(rest, path, items) };
}
