// Options that are no values of the type beside them, so that nothing would be valid: those of a list's items beside the
// list, values in quotes or without them, and a type that was left as it came while the options were written by hand.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../../lib/json.js";

const isNumber = (value: JsonValue): boolean => typeof value === "number" || typeof value === "bigint";
const isInteger = (value: JsonValue): boolean => typeof value === "bigint" || Number.isInteger(value);

const IS_OF: Record<string, (value: JsonValue) => boolean> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: isInteger,
  number: isNumber,
  array: Array.isArray,
  object: isObject,
};

/** An option as a value of a type that only its spelling hides; undefined where it is none. */
function read(option: JsonValue, type: string): JsonValue | undefined {
  if (option === null || IS_OF[type]?.(option)) return option;
  if (type === "string" && typeof option !== "object") return String(option);
  if (typeof option !== "string") return undefined;
  if (type === "boolean") return /^(?:true|false)$/i.test(option) ? option.toLowerCase() === "true" : undefined;
  const number = /^-?\d+(?:\.\d+)?$/.test(option) ? Number(option) : undefined;
  return number !== undefined && IS_OF[type]?.(number) ? number : undefined;
}

/** The type that all options have; undefined where they have several. */
const commonType = (options: readonly JsonValue[]): string | undefined =>
  Object.keys(IS_OF).find((type) => options.every((one) => IS_OF[type]?.(one)));

/** The options of a list where its items have them. */
function ofItems({ enum: options = [], ...list }: JsonObject): JsonObject {
  const { items } = list;
  if (items !== undefined && (!isObject(items) || "$ref" in items || "enum" in items)) return list;
  return { ...list, items: { ...objectOf(items), enum: options } };
}

/** A schema with one type and options that fit it: the same one wherever some of them do. */
export function fitted(raw: JsonObject): JsonObject {
  const options = raw["enum"];
  const types = [raw["type"] ?? []].flat();
  const type = types.find((one) => one !== "null");
  if (!Array.isArray(options) || typeof type !== "string" || IS_OF[type] === undefined) return raw;
  const given = options.filter((one) => one !== null);
  if (types.some((one) => one !== "null" && one !== type) || given.length === 0 || given.some(IS_OF[type])) return raw;
  if (type === "array") return ofItems(raw);
  const meant = options.flatMap((one) => read(one, type) ?? (one === null ? [one] : []));
  if (meant.length === options.length) return { ...raw, enum: meant };
  const common = commonType(given);
  const { type: _, ...rest } = raw;
  if (common === undefined) return rest;
  return { ...rest, type: types.includes("null") ? [common, "null"] : common };
}
