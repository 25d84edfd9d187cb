// Text to tree: JSON or YAML, bounded in depth and size, so that alias bombs and endless nesting end in a sentence.
// The tree shares no nodes and holds JSON values only; everything after this may walk it without looking behind itself.

import { messageOf, StartError } from "../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, parseJson } from "../../../lib/json.js";

/** Values in one description after YAML aliases are written out. The largest real one known has about 700,000. */
const MAX_VALUES = 5_000_000;
/** Uses of one YAML anchor; the bound on values above is what stops a bomb. */
const MAX_ALIASES = 10_000;

function copyBounded(value: unknown): JsonValue {
  let left = MAX_VALUES;
  const copy = (node: unknown, depth: number): JsonValue => {
    if (--left < 0) throw new Error(`it holds more than ${MAX_VALUES} values (YAML aliases written out)`);
    if (depth > MAX_JSON_DEPTH) throw new Error(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (typeof node === "bigint") return Number.isSafeInteger(Number(node)) ? Number(node) : node;
    if (typeof node === "number") return Number.isFinite(node) ? node : null;
    if (typeof node === "string" || typeof node === "boolean") return node;
    if (Array.isArray(node)) return node.map((item) => copy(item, depth + 1));
    if (!isObject(node)) return null;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, copy(inner, depth + 1)]));
  };
  return copy(value, 0);
}

async function parseYaml(text: string): Promise<JsonValue> {
  const { parseDocument } = await import("yaml");
  const read = (source: string): unknown => {
    const document = parseDocument(source, { intAsBigInt: true, merge: true, uniqueKeys: false, logLevel: "error" });
    if (document.errors[0]) throw document.errors[0];
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  };
  let value: unknown;
  try {
    value = read(text);
  } catch (error) {
    // A first line indented deeper than the rest is a common slip; no other mistake is corrected.
    if (!/^\s/.test(text)) throw error;
    value = read(text.trimStart());
  }
  return copyBounded(value);
}

/** Parses one file of a description. Throws StartError naming `where`. */
export async function parseText(text: string, where: string): Promise<JsonValue> {
  const source = text.replace(/^\uFEFF/, "");
  try {
    if (/^\s*[{[]/.test(source) && !/\.ya?ml$/i.test(where)) return parseJson(source);
    return await parseYaml(source);
  } catch (error) {
    // Parsers report the end of the stack in different words.
    const message = messageOf(error).split("\n")[0] ?? "";
    const reason = error instanceof RangeError || /call stack/i.test(message) ? "it is nested too deep" : message;
    throw new StartError(`${where} cannot be read as JSON or YAML: ${reason}`, { cause: error });
  }
}

/** The main file of a description: it must name its version. Throws StartError otherwise. */
export function checkDescription(value: JsonValue, where: string): JsonObject {
  const version = isObject(value) ? String(value["openapi"] ?? value["swagger"] ?? "") : "";
  if (isObject(value) && (/^3(\.\d|$)/.test(version) || /^2(\.0|$)/.test(version))) return value;
  const found = version
    ? `it says version ${version.slice(0, 20)}`
    : 'it has neither an "openapi" nor a "swagger" field';
  throw new StartError(`${where} is not an OpenAPI 3 or Swagger 2.0 description: ${found}.`);
}
