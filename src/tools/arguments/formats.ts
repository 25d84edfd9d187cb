// `format` outside strict: a hint. Servers take date-times without a zone, hosts with an underscore and ids of their own making, so
// a text that is not what its format says is sent, with a warning. Knows schemas and a validator's errors, and no validator.
// Source: JSON Schema 2020-12, Validation, section 7 (format as an annotation).
import { hasValue, isObject, type JsonObject, type JsonValue, listOf } from "../../lib/json.js";

/** Keywords that hold data of any form. */
const DATA = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose keys are names of the author's. */
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
/** Warnings of one call. */
const MAX_WARNINGS = 5;
/** Characters of a place in the arguments, which may be made of names as long as the arguments. */
const MAX_PLACE = 200;

const namesFormat = (schema: JsonValue): boolean =>
  hasValue(schema, (one) => isObject(one) && typeof one["format"] === "string");

/**
 * The schema for a validator that ignores formats; undefined when there are none. Alternatives that only their formats tell apart
 * would all fit, so one that fits is enough, and nothing is ruled out by its format.
 */
export function withoutFormats(schema: JsonObject): JsonObject | undefined {
  if (!namesFormat(schema)) return undefined;
  const loosened = (value: JsonValue, isMap = false): JsonValue => {
    if (Array.isArray(value)) return value.map((one) => loosened(one));
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
      if (isMap) return [[key, loosened(inner)]];
      if (DATA.has(key)) return [[key, inner]];
      if (key === "not" && isObject(inner) && typeof inner["format"] === "string") return [];
      if (key !== "oneOf" || !namesFormat(inner)) return [[key, loosened(inner, MAPS.has(key))]];
      return "anyOf" in value ? [] : [["anyOf", loosened(inner)]];
    });
    const out = Object.fromEntries(members);
    // Both choices: the one that cannot stand beside the other becomes a part.
    const { oneOf, anyOf } = value;
    if (isMap || oneOf === undefined || anyOf === undefined || "oneOf" in out) return out;
    return { ...out, allOf: [...listOf(out["allOf"]), { anyOf: loosened(oneOf) }] };
  };
  return loosened(schema) as JsonObject;
}

/** What a validator says of one value. */
interface FormatError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
}

/** A sentence for each value that is not in its format, from all errors of a validator that knows formats. */
export function formatWarnings(errors: readonly FormatError[]): string[] {
  const formats = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors)
    if (keyword === "format")
      formats.set(instancePath, (formats.get(instancePath) ?? new Set()).add(String(params["format"])));
  const sentences = [...formats].map(([path, names]) => {
    const place = path.slice(1).replaceAll("/", ".").slice(0, MAX_PLACE);
    return `${place} is not in the format ${[...names].join(" or ")}; it is sent as it is`;
  });
  const more = sentences.length - MAX_WARNINGS;
  return more > 0 ? [...sentences.slice(0, MAX_WARNINGS), `… and ${more} more like these`] : sentences;
}
