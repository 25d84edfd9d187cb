// A schema with less in it, for readers who can do with less: descriptions are shortened and optional depth is cut. Required
// parameters are never dropped. Pure; a definition is followed by name, so that circles end.
import { namesIn, sizeOf } from "../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../lib/json.js";

/** How much of a schema is left. */
export interface Cut {
  /** Characters of a tool's description, and of a parameter's. */
  description: number;
  parameter: number;
  /** Levels below the arguments at which optional parameters keep their own shape. */
  depth: number;
  /** Whether optional parameters are listed at all. */
  optional: boolean;
}

/** Required parameters, and nothing that explains them. */
export const BAREST: Cut = { description: 80, parameter: 0, depth: 0, optional: false };

/** From the fullest to the barest. */
export const CUTS: readonly Cut[] = [
  { description: 400, parameter: 160, depth: 4, optional: true },
  { description: 240, parameter: 80, depth: 2, optional: true },
  { description: 160, parameter: 40, depth: 1, optional: true },
  { description: 100, parameter: 0, depth: 0, optional: true },
  BAREST,
];

/** Keywords that explain rather than constrain; the first to go. */
const DECORATION = new Set([
  "title",
  "example",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "externalDocs",
  "xml",
  "default",
  "$comment",
]);
/** Keywords that hold schemas of the value or of what is inside it. */
const INNER = new Set(["items", "additionalProperties", "allOf", "anyOf", "oneOf", "prefixItems", "not"]);
/** Characters of any other keyword: an `enum` of 20,000 values is checked all the same, and a refusal names the first of them. */
const MAX_KEYWORD = 4000;

/** A text of at most so many characters, cut behind a sentence where there is one. */
export function shortenText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit === 0) return "";
  const sentence = text.slice(0, limit).lastIndexOf(". ");
  return sentence > limit / 2
    ? text.slice(0, sentence + 1)
    : `${text
        .slice(0, limit - 1)
        .trimEnd()
        .toWellFormed()}…`;
}

const isShort = (value: JsonValue): boolean => typeof value !== "object" || sizeOf(value) <= MAX_KEYWORD;

/** What is left of a schema below the depth: its type, its values, a word of description. */
export function shallow(schema: JsonObject, cut: Cut): JsonObject {
  const kept: JsonObject = {};
  for (const key of ["type", "enum", "const", "format"]) {
    const value = schema[key];
    if (value !== undefined && isShort(value)) kept[key] = value;
  }
  if (typeof schema["description"] === "string" && cut.parameter > 0)
    kept["description"] = shortenText(schema["description"], cut.parameter);
  return kept;
}

function isNested(schema: JsonValue): boolean {
  return (
    isObject(schema) &&
    ["properties", "items", "$ref", "allOf", "anyOf", "oneOf", "additionalProperties"].some(
      (key) => isObject(schema[key]) || typeof schema[key] === "string" || Array.isArray(schema[key]),
    )
  );
}

function cutProperties(schema: JsonObject, cut: Cut, depth: number): JsonObject {
  const required = new Set(listOf(schema["required"]));
  const kept: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(objectOf(schema["properties"]))) {
    const must = required.has(name);
    if (!must && !cut.optional) continue;
    const isCut = !must && depth <= 0 && isObject(inner) && isNested(inner);
    kept.push([name, isCut ? shallow(inner, cut) : withoutDefinitions(inner, cut, depth - 1)]);
  }
  return Object.fromEntries(kept);
}

/** A schema without decoration, its descriptions shortened and its optional depth cut; its own `$defs` are left out. */
export function withoutDefinitions(schema: JsonValue, cut: Cut, depth = cut.depth): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => withoutDefinitions(item, cut, depth));
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DECORATION.has(key) || key === "$defs") continue;
    if (key === "description") {
      if (typeof value === "string" && cut.parameter > 0) out[key] = shortenText(value, cut.parameter);
    } else if (key === "properties") out[key] = cutProperties(schema, cut, depth);
    else if (INNER.has(key)) out[key] = withoutDefinitions(value, cut, depth);
    else if (key === "required" || isShort(value)) out[key] = value;
  }
  return out;
}

/** A self-contained schema, cut, with the definitions that what is left refers to. */
export function cutSchema(schema: JsonObject, cut: Cut): JsonObject {
  const root = withoutDefinitions(schema, cut) as JsonObject;
  const { $defs } = schema;
  if (!isObject($defs)) return root;
  const kept = new Map<string, JsonValue>();
  const open = [...namesIn(root)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = Object.hasOwn($defs, name) ? $defs[name] : undefined;
    if (definition === undefined || kept.has(name)) continue;
    const inner = withoutDefinitions(definition, cut, cut.depth - 1);
    kept.set(name, inner);
    open.push(...namesIn(inner));
  }
  return kept.size > 0 ? { ...root, $defs: Object.fromEntries(kept) } : root;
}
