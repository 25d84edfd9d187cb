// The keywords of a description's schema that hold no schemas, as JSON Schema 2020-12 has them.
// Source: OpenAPI 3.0.3, Schema Object; Swagger 2.0, Items Object.
import { type JsonObject, type JsonValue, objectOf } from "../../src/lib/json.js";

const COUNTS = ["Length", "Items", "Properties", "Contains"].flatMap((what) => [`min${what}`, `max${what}`]);
const AS_THEY_ARE = [
  ...COUNTS,
  ..."format uniqueItems contentEncoding contentMediaType const multipleOf dependentRequired examples".split(" "),
];

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
};

/** The pattern in JavaScript's dialect: without the slashes of a programming language, and braces that count nothing escaped. */
function patternOf(given: JsonValue | undefined): string | undefined {
  if (typeof given !== "string") return undefined;
  const bare = /^\/(\^.*\$)\/[a-z]*$/s.exec(given)?.[1] ?? given;
  const escaped = bare.replace(/(?<!\\)\{(?!\d+(,\d*)?\})([^{}]*)(?<!\\)\}/g, "\\{$2\\}");
  return [bare, escaped, bare.replace(/(?<!\\)\{(?!\d)/g, "\\{").replace(/(?<![\d,\\])\}/g, "\\}")].find(isPattern);
}

/** The keywords of a schema that hold no schemas. */
export function keywords(given: JsonObject): JsonObject {
  const out: JsonObject = {};
  const types = [given["type"] ?? []].flat().map((type) => (type === "file" ? "string" : type));
  const isNullable = given["nullable"] === true || given["x-nullable"] === true;
  if (isNullable && types.length > 0 && !types.includes("null")) types.push("null");
  if (types.length > 0) out["type"] = types.length === 1 ? (types[0] ?? "null") : types;
  for (const key of AS_THEY_ARE) if (given[key] !== undefined) out[key] = given[key];
  if (given["type"] === "file") out["format"] = "binary";
  for (const bound of ["minimum", "maximum"]) {
    const strict = `exclusive${bound[0]?.toUpperCase()}${bound.slice(1)}`;
    const [limit, exclusive] = [given[bound], given[strict]];
    if (typeof limit === "number") out[exclusive === true ? strict : bound] = limit;
    if (typeof exclusive === "number") out[strict] = exclusive;
  }
  const pattern = patternOf(given["pattern"]);
  if (pattern !== undefined) out["pattern"] = pattern;
  // YAML reads `enum: [1, 2]` as numbers, also where the type is that of texts.
  const asSpelled = (one: JsonValue): JsonValue =>
    given["type"] === "string" && typeof one === "number" ? `${one}` : one;
  if (Array.isArray(given["enum"]) && given["enum"].length > 0) out["enum"] = given["enum"].map(asSpelled);
  if (given["example"] !== undefined && given["examples"] === undefined) out["examples"] = [given["example"]];
  return out;
}

/** Whether JSON Schema has a value of a type. */
const isOf = (type: JsonValue, value: JsonValue): boolean =>
  type === "array"
    ? Array.isArray(value)
    : type === "integer"
      ? Number.isInteger(value)
      : typeof value === type && !Array.isArray(value);

/** A schema whose type and options exclude each other as its author must have meant it: nothing else could be sent. */
export function meant(given: JsonObject): JsonObject {
  const { enum: options, type } = given;
  if (!Array.isArray(options) || options.length === 0 || typeof type !== "string") return given;
  if (options.some((one) => one === null || isOf(type, one))) return given;
  const { enum: _, type: __, ...rest } = given;
  if (type === "array") {
    const items = objectOf(given["items"]);
    return { ...rest, type, items: "enum" in items || "$ref" in items ? items : { ...items, enum: options } };
  }
  const texts = options.map((one) => JSON.stringify(one));
  if (type === "string" && options.every((one) => typeof one !== "object"))
    return { ...given, enum: options.map((one) => String(one)) };
  const read = texts.map(
    (text): JsonValue => (/^"(?:true|false|-?\d+(?:\.\d+)?)"$/.test(text) ? JSON.parse(JSON.parse(text)) : null),
  );
  if (read.every((one) => isOf(type, one))) return { ...given, enum: read };
  const [first = null] = options;
  const own = ["string", "boolean", "integer", "number", "object"].find((one) => isOf(one, first)) ?? null;
  return options.every((one) => isOf(own, one)) ? { ...rest, type: own, enum: options } : { ...rest, enum: options };
}
