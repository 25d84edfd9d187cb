// What the tools of an application with a name are called: its name before theirs. Pure.
// Source: docs/reference.md, "Several applications".
import { createHash } from "node:crypto";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";

/** The longest name a tool may have. */
const MAX_NAME = 64;
/** With `_` and eight digits of a hash behind it, a name has all of those. */
const MAX_BEFORE_HASH = 55;
const HASH_DIGITS = 8;

/** What the names of an application's tools begin with; "" for the one without a name. */
export function toolPrefix(application: string): string {
  return application === "" ? "" : `${application.replaceAll("-", "_")}_`;
}

/** The first digits of the SHA-256 over the name of the application, a zero byte and the name of the tool, both as UTF-8. */
function hashOf(application: string, tool: string): string {
  return createHash("sha256").update(`${application}\0${tool}`).digest("hex").slice(0, HASH_DIGITS);
}

/**
 * The name of a tool among those of all applications. Where the plain one is too long or taken, its beginning and a hash; where
 * even that is taken, which no accident brings about, the hash of the hash.
 */
export function fullName(application: string, tool: string, taken: { has(name: string): boolean }): string {
  const plain = toolPrefix(application) + tool;
  let name = plain;
  for (let hashed = tool; name.length > MAX_NAME || taken.has(name); ) {
    hashed = hashOf(application, hashed);
    name = `${plain.slice(0, MAX_BEFORE_HASH)}_${hashed}`;
  }
  return name;
}

/** Where a description says which list has the values: "id of a shelf (list_shelves)". */
const HINT = /\((list_[\w-]+)\)/g;

function withHints(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withHints(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, JsonValue] => [
      key,
      key === "description" && typeof inner === "string"
        ? inner.replace(HINT, (hint, name: string) => (names.has(name) ? `(${names.get(name)})` : hint))
        : withHints(inner, names),
    ]),
  );
}

/** What the tools of a table take, where the hints at other tools call them by these names; keyed by their names in the document. */
export function withHintedNames(
  parameters: JsonObject,
  transport: JsonValue | undefined,
  names: ReadonlyMap<string, string>,
): JsonObject {
  const isTable = isObject(transport) && transport["kind"] === "sql";
  return isTable ? (withHints(parameters, names) as JsonObject) : parameters;
}
