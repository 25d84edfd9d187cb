// A result as a row of the record has it, read again: whole, with all its rows where these are kept in a file, or with the first of
// them. Pure. Source: docs/reference.md, "Whole results"
import { shortenedIn } from "../domain/shortened-result.js";
import { type JsonValue, toJson } from "../lib/json.js";
import type { Result } from "./result.js";
import type { Rows } from "./rows.js";

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
  const { path, items, value: answer } = shortened;
  return toLazyResult(answer, kept ?? firstRows(path, items));
}
