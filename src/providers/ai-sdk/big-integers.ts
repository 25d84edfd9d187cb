// Carries integers beyond 2^53 through libraries that know only doubles and cannot serialise a bigint: each becomes a marked
// string on the way in and its bare digits again in the text that leaves.
import { randomUUID } from "node:crypto";
import { type JsonValue, parseJson, toJson } from "../../lib/json.js";

/** Nobody can guess it, so no text from outside is ever taken for a number. */
const MARK = `int-${randomUUID()}:`;
// In a request the value may stand inside JSON that is itself a JSON string: the quotes then have backslashes.
const MARKED = new RegExp(`\\\\*"${MARK}(-?\\d+)\\\\*"`, "g");
const LONG_INTEGER = /\d{16}/;

function mark(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return MARK + value;
  if (Array.isArray(value)) return value.map(mark);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner)]));
}

/** A value without bigints. The same object when there are none. */
export function markIntegers<T extends JsonValue>(value: T): T {
  const text = toJson(value);
  return LONG_INTEGER.test(text) ? (mark(value) as T) : value;
}

/** A JSON text whose long integers are marked strings. What is not JSON stays as it is. */
export function markText(text: string): string {
  if (!LONG_INTEGER.test(text)) return text;
  try {
    return toJson(mark(parseJson(text)));
  } catch {
    return text;
  }
}

/** A JSON text with the digits back in place of the marked strings. */
export function unmarkText(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, "$1") : text;
}
