// What a message of the 2026 revision says twice, in its body and in headers of its request, so that what stands between can
// route it. Source: Model Context Protocol 2026-07-28, "Streamable HTTP".
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { isHeaderName } from "../http/argument-names.js";

/** Where a message names the revision it is written in. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Which member of its parameters names what a method is about. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** A text as a header's value: as it is where that is safe, otherwise base64 in its marks. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** The headers that a message's body implies; none for one of an earlier revision. */
export function impliedHeaders({ method, params, id }: JsonObject): Record<string, string> {
  const version = objectOf(objectOf(params)["_meta"])[VERSION_KEY];
  if (typeof method !== "string" || id === undefined || typeof version !== "string") return {};
  const headers: Record<string, string> = { "mcp-protocol-version": version, "mcp-method": method };
  const member = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = member === undefined ? undefined : objectOf(params)[member];
  if (typeof name === "string") headers["mcp-name"] = headerValue(name);
  return headers;
}

/** Of headers, those that arguments are mirrored in. */
export function mirroredHeaders(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const entries = Object.entries(headers ?? {}).filter(([name]) => /^mcp-param-/i.test(name));
  return Object.fromEntries(entries);
}

const MARK = "x-mcp-header";

/** What is wrong with the headers that a schema wants its arguments in; undefined when nothing is. */
export function headerFault(inputSchema: JsonObject): string | undefined {
  const names = new Set<string>();
  const check = (schema: JsonObject): string | undefined => {
    const { [MARK]: name, type } = schema;
    if (typeof name !== "string" || !isHeaderName(name)) return `${MARK} is no name of a header`;
    if (type !== "string" && type !== "integer" && type !== "boolean")
      return `${MARK} ${name} stands at what is neither text, whole number nor boolean`;
    if (names.has(name.toLowerCase())) return `${MARK} ${name} is there twice`;
    names.add(name.toLowerCase());
    return undefined;
  };
  /** `isReached`: by properties of properties of the arguments and nothing else. */
  const visit = (value: JsonValue, isReached: boolean, isRoot: boolean): string | undefined => {
    if (Array.isArray(value)) return first(value, (item) => visit(item, false, false));
    if (!isObject(value)) return undefined;
    if (Object.hasOwn(value, MARK)) {
      if (!isReached || isRoot) return `${MARK} stands where no argument is reached by properties alone`;
      const fault = check(value);
      if (fault !== undefined) return fault;
    }
    return first(Object.entries(value), ([key, inner]) => {
      if (key === "properties" && isObject(inner))
        return first(Object.values(inner), (property) => visit(property, isReached, false));
      // Examples and defaults are values, not schemas.
      return /^(default|examples?|const|enum)$/.test(key) ? undefined : visit(inner, false, false);
    });
  };
  return visit(inputSchema, true, true);
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
