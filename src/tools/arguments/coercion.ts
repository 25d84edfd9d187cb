// Which of a validator's conversions stand: a text that writes a number, a number wanted as text, "true" and "false". Whatever
// else a validator makes of a value (null into 0, true into "true") would be a value the caller did not give.
import { exactNumber, isObject, type JsonValue } from "../../lib/json.js";

const INTEGER = /^-?(0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** A double holds every decimal of up to so many digits. */
const EXACT_DIGITS = 15;

/** The number a text writes, with all its digits; undefined when it writes none, or one that a double would round. */
function numberIn(text: string): number | bigint | undefined {
  if (INTEGER.test(text)) return exactNumber(text);
  return DECIMAL.test(text) && text.replace(/\D/g, "").length <= EXACT_DIGITS ? Number(text) : undefined;
}

/** What stands for one value that is neither list nor object: the conversion if nothing is lost, else the value as it was given. */
function leaf(given: JsonValue, converted: JsonValue): JsonValue {
  if (typeof given === "string" && typeof converted === "number") return numberIn(given) ?? given;
  if (typeof given === "string" && typeof converted === "boolean")
    return given === String(converted) ? converted : given;
  if ((typeof given === "number" || typeof given === "bigint") && typeof converted === "string") return String(given);
  return given;
}

/** The value given, with those of the conversions that lose nothing; `converted` has its shape. Digits are never rounded away. */
export function losslessConversions(given: JsonValue, converted: JsonValue): JsonValue {
  if (Array.isArray(given) && Array.isArray(converted))
    return given.map((item, i) => losslessConversions(item, converted[i] ?? null));
  if (!isObject(given) || !isObject(converted)) return leaf(given, converted);
  return Object.fromEntries(
    Object.entries(given).map(([key, inner]) => [key, losslessConversions(inner, converted[key] ?? null)]),
  );
}
