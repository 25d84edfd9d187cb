// A result as a row of the record has it, read again: whole, with all its rows where these are kept in a file, or with the first of
// them. Pure. Source: docs/reference.md, "Whole results"
import { isObject, type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";
import type { Result } from "./result.js";
import type { Rows } from "./rows.js";

/** The beginning of a long list, as `forRecord` writes it. */
interface Shortened {
  path: string[];
  items: JsonValue[];
  rest: JsonValue;
}

/** An application's own answer may look the same; then it is read as what it looks like. */
function shortenedIn(value: JsonValue): Shortened | undefined {
  if (!isObject(value) || value["truncated"] !== true || typeof value["total_characters"] !== "number")
    return undefined;
  const { items, list = "", rest = null, shape } = value;
  if (!Array.isArray(items) || typeof list !== "string" || typeof shape !== "string") return undefined;
  return { path: fromPointer(list), items, rest };
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

/** Rows of which only the first are left. */
function firstRows(path: readonly string[], items: readonly JsonValue[]): Rows {
  return {
    path,
    count: items.length,
    bytes: 0,
    truncated: true,
    async *read(from = 0) {
      yield items.slice(from);
    },
    pick: async (positions) => positions.map((at) => items[at] ?? null),
    close: async () => {},
  };
}

/** Its text is only made when it is asked for: that of a long row takes longer than the question to it. */
const toLazyResult = (value: JsonValue, rows: Rows | undefined): Result => ({
  value,
  get json() {
    return toJson(value);
  },
  rows,
});

/** The result of a row; `kept` are all rows of its list, where there is a file of them. */
export function recordedResult(value: JsonValue, kept: Rows | undefined): Result {
  const shortened = shortenedIn(value);
  if (!shortened) return toLazyResult(value, kept);
  const { path, items, rest } = shortened;
  return toLazyResult(withItems(rest, path, items), kept ?? firstRows(path, items));
}
