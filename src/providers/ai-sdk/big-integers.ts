// Carries integers beyond 2^53 through libraries that know only doubles and cannot serialise a bigint: each becomes a
// prefixed string on the way in and its bare digits again in the text that leaves.
import { randomUUID } from "node:crypto";
import { type JsonValue, parseJson, toJson } from "../../lib/json.js";

/** Cannot be guessed, so no text from outside is ever taken for a number. */
const PREFIX = `int-${randomUUID()}:`;
// In a request the value may stand inside JSON that is itself a JSON string: the quotes then have backslashes.
const ENCODED = new RegExp(`\\\\*"${PREFIX}(-?\\d+)\\\\*"`, "g");
const LONG_INTEGER = /\d{16}/;

function encode(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return PREFIX + value;
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encode(inner)]));
}

/** A value without bigints. The same object when there are none. */
export function encodeBigIntegers<T extends JsonValue>(value: T): T {
  const text = toJson(value);
  return LONG_INTEGER.test(text) ? (encode(value) as T) : value;
}

/** A JSON text with its big integers as prefixed strings. What is not JSON stays as it is. */
export function encodeBigIntegersIn(text: string): string {
  if (!LONG_INTEGER.test(text)) return text;
  try {
    return toJson(encode(parseJson(text)));
  } catch {
    return text;
  }
}

/** A JSON text with the digits in place of the prefixed strings again. */
export function decodeBigIntegersIn(text: string): string {
  return text.includes(PREFIX) ? text.replace(ENCODED, "$1") : text;
}
