// Texts of a server as a model and a person should read them: nothing invisible, nothing that reorders, not too long.
import { DECEPTIVE } from "../../lib/invisible-characters.js";
import { isObject, type JsonValue } from "../../lib/json.js";

/** A tool's description; the vendors of models take about as much. */
export const MAX_TOOL_TEXT = 1_000;
/** The description of an argument, or of something inside it. */
const ARGUMENT_TEXT = 600;

/** Keys of a schema whose texts are words for a reader. */
const WORDS = /^(description|title|\$comment)$/;
/** Keys whose values are sent as they are. */
const VALUES = /^(const|enum|default|examples)$/;

/** A text without control, zero-width and direction characters, cut at its length. */
export function cleanText(text: string, max: number): string {
  const words = text
    .slice(0, 8 * max)
    .replace(/[ \t\n\r]+/g, " ")
    .replaceAll(DECEPTIVE, "")
    .trim();
  return words.length > max ? `${words.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : words;
}

/** A schema with its words cleaned, at any depth. */
export function cleanSchema(schema: JsonValue, key = ""): JsonValue {
  if (VALUES.test(key)) return schema;
  if (Array.isArray(schema)) return schema.map((item) => cleanSchema(item));
  if (typeof schema === "string") return WORDS.test(key) ? cleanText(schema, ARGUMENT_TEXT) : schema;
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      // A property may be called like a word for readers.
      key === "properties" || key === "$defs" ? cleanSchema(value) : cleanSchema(value, name),
    ]),
  );
}
