// JSON in and out without losing anything: integers beyond 2^53 keep every digit as a bigint, because rounding one
// changes the wrong record in the target application. Text goes in, values come out, and the other way round.
import { parse as parseLossless } from "lossless-json";

/** A JSON value in memory: integers that a double cannot hold exactly are bigints. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** Deeper nesting than this is refused: JSON.stringify overflows the stack from about 5,000 levels on. */
export const MAX_JSON_DEPTH = 512;
/** More members in one object are refused: beyond, each step that copies it holds the event loop for half a second. */
export const MAX_JSON_MEMBERS = 50_000;
/** A longer integer stays text: nothing counts that far, and a bigint of a million digits takes seconds to make and to print. */
const MAX_DIGITS = 400;

/**
 * A number that a double may not hold: a long integer, one too large, one with a large exponent. A text is not parsed for it,
 * so digits inside a string may match too.
 */
const UNSAFE_NUMBER = /(?:^|[[,:\s-])(?:\d{16,}\s*(?:[,\]}]|$)|\d{309}|\d[\d.]*[eE]\+?\d{3,}\s*(?:[,\]}]|$))/;

/** The number a JSON number writes, with all its digits when it is an integer; undefined when it is too large to be kept as one. */
export function exactNumber(text: string): number | bigint | undefined {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const digits = /^-?(\d+)$/.exec(text)?.[1];
  if (digits) return digits.length <= MAX_DIGITS ? BigInt(text) : undefined;
  return Number.isFinite(value) ? value : undefined;
}

/** The index of the quote that ends the string begun at `start`; the length of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === 92) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** Throws SyntaxError when a JSON text is one that `parseJson` refuses for its size; found without parsing it. */
export function checkJsonSize(text: string, maxMembers = MAX_JSON_MEMBERS): void {
  if (text.length <= MAX_JSON_DEPTH) return;
  /** Members of the objects that are open, the innermost last; a list has as many items as it likes. */
  const members: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) i = endOfString(text, i);
    else if (code === 91 || code === 123) {
      if (members.push(code === 123 ? 1 : Number.NEGATIVE_INFINITY) > MAX_JSON_DEPTH)
        throw new SyntaxError(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === 93 || code === 125) members.pop();
    else if (code === 44) {
      const count = (members.pop() ?? 0) + 1;
      if (count > maxMembers) throw new SyntaxError(`an object of more than ${maxMembers} members`);
      members.push(count);
    }
  }
}

/**
 * Parses a JSON text (RFC 8259), keeping integers beyond 2^53 as bigints, and numbers too large for either as their text.
 * Throws SyntaxError on anything else, on nesting deeper than MAX_JSON_DEPTH and on an object of more than `maxMembers`.
 */
export function parseJson(text: string, maxMembers?: number): JsonValue {
  checkJsonSize(text, maxMembers);
  if (!UNSAFE_NUMBER.test(text)) return JSON.parse(text) as JsonValue;
  // lossless-json refuses an own "__proto__" key's special meaning the same way JSON.parse does: it is a plain key.
  return parseLossless(text, null, {
    parseNumber: (digits) => exactNumber(digits) ?? digits,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as JsonValue;
}

/** The value of a JSON text; the text itself where it is none. */
export function jsonOrText(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Stands before the digits of a bigint in a string; not to be guessed, so that no text from outside is taken for a number. */
const BIGINT_MARK = `int-${crypto.getRandomValues(new BigUint64Array(2)).join("-")}:`;
const MARKED = new RegExp(`"${BIGINT_MARK}(-?\\d+)"`, "g");

/** Serialises a value; bigints become plain JSON numbers with all their digits. Never throws on a JsonValue of allowed depth. */
export function toJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Not lossless-json's: an object with a key of its own inner names is written as something that is no JSON.
    return withDigits(JSON.stringify(value, markDigits, indent));
  }
}

const markDigits = (_key: string, one: unknown): unknown => (typeof one === "bigint" ? BIGINT_MARK + one : one);

/** The value for a library that writes JSON itself and knows no bigints; what it writes goes through `withDigits`. */
export function markBigints<T extends JsonValue>(value: T): T {
  return hasValue(value, (one) => typeof one === "bigint")
    ? (JSON.parse(JSON.stringify(value, markDigits)) as T)
    : value;
}

/** A JSON text with the digits of what `markBigints` marked. */
export function withDigits(text: string): string {
  return text.includes(BIGINT_MARK) ? text.replace(MARKED, "$1") : text;
}

/** The same text for equal values: keys in order, and 5 written one way, whether it came as a double or as a bigint. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(BigInt(value)) : String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return toJson(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${toJson(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}

/** Whether two values are equal, in whatever order their keys stand; a missing one equals only another. */
export function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

/** Whether the value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array, or an empty one. */
export function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text, or `otherwise`. */
export function stringOf(value: JsonValue | undefined, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}

/** The texts of an array; everything else in it is left out. */
export function textsOf(value: JsonValue | undefined): string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/** Whether this is true of a value, or of one inside it at any depth; looks no further than the first. */
export function hasValue(value: JsonValue, test: (value: JsonValue) => boolean): boolean {
  if (test(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (hasValue((value as JsonObject)[key] ?? null, test)) return true;
  return false;
}
