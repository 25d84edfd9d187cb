// JSON in and out without losing anything: integers beyond 2^53 keep every digit as a bigint, because rounding one
// changes the wrong record in the target application. Text goes in, values come out, and the other way round.
import { parse as parseLossless, stringify as stringifyLossless } from "lossless-json";

/** A JSON value in memory: integers that a double cannot hold exactly are bigints. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** Deeper nesting than this is refused: JSON.stringify overflows the stack from about 5,000 levels on. */
export const MAX_JSON_DEPTH = 512;

/** An integer that a double may not hold. A text is not parsed for it, so digits inside a string may match too. */
const LONG_INTEGER = /(?:^|[[,:\s-])\d{16,}\s*(?:[,\]}]|$)/;

function parseNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** The deepest nesting of arrays and objects in a JSON text, found without parsing it. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}

/**
 * Parses a JSON text (RFC 8259), keeping integers beyond 2^53 as bigints.
 * Throws SyntaxError on anything else and on nesting deeper than MAX_JSON_DEPTH.
 */
export function parseJson(text: string): JsonValue {
  if (text.length > MAX_JSON_DEPTH && jsonDepth(text) > MAX_JSON_DEPTH)
    throw new SyntaxError(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (!LONG_INTEGER.test(text)) return JSON.parse(text) as JsonValue;
  // lossless-json refuses an own "__proto__" key's special meaning the same way JSON.parse does: it is a plain key.
  return parseLossless(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as JsonValue;
}

/** Serialises a value; bigints become plain JSON numbers with all their digits. Never throws on a JsonValue of allowed depth. */
export function toJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyLossless(value, null, indent) ?? "null";
  }
}

/** Whether the value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
