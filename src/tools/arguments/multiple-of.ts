// `multipleOf` in decimal digits: in binary fractions 19.99 is no multiple of 0.01. Judges the numbers as they are written, also
// integers that a validator only has as doubles.
// Source: JSON Schema 2020-12, Validation, section 6.2.1.
import { _, type FuncKeywordDefinition, str } from "ajv/dist/2020.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";

/** A number as an integer of that many digits behind the point; the exponents of doubles keep both small. */
function decimal(value: number | bigint): { digits: bigint; places: number } {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** Whether a number is a whole number of steps, by the digits that both are written with. */
function isMultipleOf(value: number | bigint, step: number): boolean {
  if (step === 0) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return Number(value) % step === 0;
  const [of, by] = [decimal(value), decimal(step)];
  const places = Math.max(of.places, by.places);
  const scaled = ({ digits, places: own }: typeof of): bigint => digits * 10n ** BigInt(places - own);
  return scaled(of) % scaled(by) === 0n;
}

type Container = JsonObject | JsonValue[];

/** The lists and objects that copies were made of. */
const originals = new WeakMap<object, Container>();

/** Remembers what a copy for the validator was made of: it has the digits that the copy has not. */
export function rememberOriginal<T extends Container>(copy: T, original: Container): T {
  originals.set(copy, original);
  return copy;
}

/** Where a value stands. */
interface Place {
  parentData: object;
  parentDataProperty: string | number;
}

/** The number with all its digits, where the validator's is a rounded one. */
function exact(value: number, { parentData, parentDataProperty }: Place): number | bigint {
  const original = originals.get(parentData) as Record<string | number, JsonValue> | undefined;
  const given = original?.[parentDataProperty];
  if (typeof given === "bigint") return given;
  const isRounded = typeof given === "string" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d{1,400}$/.test(given) ? BigInt(given) : value;
}

/** The keyword for Ajv, in place of its own. */
export const exactMultipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  errors: false,
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  validate(step: number, value: number, ...[, place]: [schema?: unknown, place?: Place]): boolean {
    return isMultipleOf(place ? exact(value, place) : value, step);
  },
};
