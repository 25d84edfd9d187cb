// One schema's own keywords, from the dialects of Swagger 2, OpenAPI 3.0 and 3.1 to JSON Schema 2020-12: what is malformed
// or useless to a caller is left out, so that every schema compiles. Subschemas are converted elsewhere.
// Source: JSON Schema 2020-12, Validation; OpenAPI 3.0.3, Schema Object.
import { hasValue, type JsonObject, type JsonValue } from "../../../../lib/json.js";
import { isShallow } from "../read.js";
import { INNER_TEXT, MAX_EXAMPLE, plain } from "../text.js";

const TYPES = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);
const COUNTS = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
];
const TEXTS = ["format", "contentMediaType", "contentEncoding"];
const FLAGS = ["uniqueItems", "writeOnly", "deprecated"];
/** A title made by a generator, for a generator. */
const MACHINE_TITLE = /^[a-z0-9]+(_[a-z0-9]+)+$/;

/** Whether a value can stand in a schema: its numbers are doubles, and it is not nested like a description. */
const isKept = (value: JsonValue): boolean => isShallow(value) && !hasValue(value, (one) => typeof one === "bigint");

/** A limit as a number; none when a double cannot hold it, since a rounded limit is a wrong one. */
function limit(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number;
}

function typesOf(raw: JsonObject): string[] {
  const given = Array.isArray(raw["type"]) ? raw["type"] : [raw["type"]];
  // "file" is Swagger 2's upload.
  const named = given.map((type) => (type === "file" ? "string" : type));
  const types = [...new Set(named.filter((type) => typeof type === "string" && TYPES.has(type)))] as string[];
  const nullable = raw["nullable"] === true || raw["x-nullable"] === true;
  return nullable && types.length > 0 && !types.includes("null") ? [...types, "null"] : types;
}

/** Whether `null` is meant to be allowed though no type allows it. */
export function isNullableWithoutType(raw: JsonObject): boolean {
  return (raw["nullable"] === true || raw["x-nullable"] === true) && typesOf(raw).length === 0;
}

function numbers(raw: JsonObject, out: JsonObject): void {
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const inclusive = limit(raw[bound]);
    const strict = raw[exclusive] === true ? inclusive : limit(raw[exclusive]);
    if (inclusive !== undefined && raw[exclusive] !== true) out[bound] = inclusive;
    if (strict !== undefined && raw[exclusive] !== false) out[exclusive] = strict;
  }
  const multiple = limit(raw["multipleOf"]);
  if (multiple !== undefined && multiple > 0) out["multipleOf"] = multiple;
  for (const key of COUNTS) {
    const count = limit(raw[key]);
    if (count !== undefined && Number.isInteger(count) && count >= 0) out[key] = count;
  }
}

/**
 * Escapes, classes and counts, whose braces are theirs, and each brace that is left. A class ends with the text at the latest, whatever
 * stands there: otherwise each bracket would be tried as a beginning.
 */
const BRACES = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|\{\d+(?:,\d*)?\}|([{}])/gs;

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/**
 * The pattern, if it is one. "/^a$/" is a pattern in the clothes of a programming language. A brace that counts nothing means
 * itself in most dialects; where that is an error it has to be escaped.
 */
function patternOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const pattern = /^\/(\^.*\$)\/[a-z]*$/s.exec(value)?.[1] ?? value;
  if (isPattern(pattern)) return pattern;
  const escaped = pattern.replace(BRACES, (part, brace?: string) => (brace === undefined ? part : `\\${brace}`));
  return isPattern(escaped) ? escaped : undefined;
}

function values(raw: JsonObject, out: JsonObject): void {
  const { enum: options, default: fallback } = raw;
  if (Array.isArray(options) && options.length > 0 && isKept(options)) {
    const seen = new Set<string>();
    // YAML reads `enum: [1, 2]` as numbers, also where the type is that of texts.
    const spelled = options.map((option) =>
      raw["type"] === "string" && typeof option === "number" ? `${option}` : option,
    );
    out["enum"] = spelled.filter((option) => {
      const text = JSON.stringify(option);
      return !seen.has(text) && seen.add(text);
    });
  }
  if (raw["const"] !== undefined && isKept(raw["const"])) out["const"] = raw["const"];
  if (fallback !== undefined && isKept(fallback)) out["default"] = fallback;
  const given = Array.isArray(raw["examples"]) ? raw["examples"][0] : raw["example"];
  const scalar = typeof given === "string" || typeof given === "number";
  if (scalar && String(given).length <= MAX_EXAMPLE) out["examples"] = [given];
}

/** The keywords of `raw` that hold no schemas, cleaned. */
export function ownKeywords(raw: JsonObject): JsonObject {
  const out: JsonObject = {};
  const types = typesOf(raw);
  if (types.length > 0) out["type"] = types.length === 1 ? (types[0] ?? "null") : types;
  if (typeof raw["description"] === "string" && raw["description"].trim() !== "")
    out["description"] = plain(raw["description"], INNER_TEXT);
  else if (typeof raw["title"] === "string" && !MACHINE_TITLE.test(raw["title"]))
    out["title"] = plain(raw["title"], INNER_TEXT);
  for (const key of TEXTS) if (typeof raw[key] === "string" && raw[key] !== "") out[key] = raw[key];
  for (const key of FLAGS) if (raw[key] === true) out[key] = true;
  const pattern = patternOf(raw["pattern"]);
  if (pattern !== undefined) out["pattern"] = pattern;
  numbers(raw, out);
  values(raw, out);
  if (raw["type"] === "file" && !("format" in out)) out["format"] = "binary";
  return out;
}
