// What an operation answers with on success: the type to ask for, whether it is a list, and the names of what comes back
// (an operation that needs a movie_id is helped by one that yields movies).
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import { ImportProblem, textOf, type Warn } from "./read.js";
import type { Refs } from "./schemas/refs.js";
import { plain } from "./text.js";

const MAX_NAMES = 20;
const MAX_DEPTH = 8;
/** Parts of an answer, and properties of them all, that are looked at; of a larger one the rest would change little. */
const MAX_PARTS = 200;
const MAX_PROPERTIES = 500;
const MAX_HINT = 160;
/** Descriptions that state nothing but success. */
const SAYS_NOTHING =
  /^(200|201|202|204|ok|okay|success(ful(ly)?)?|default|created|updated|deleted|accepted|no content|response|successful (response|operation)|success response|default response|typical success response|request succeeded|the request (has )?succeeded|operation succeeded)\b[\s.!]*$|^successful response\b|^response\b/i;

/** What is known of a successful answer. */
export interface SuccessResponse {
  accept: string | undefined;
  /** "unknown" when the description has no schema. */
  shape: "list" | "object" | "other" | "unknown";
  /** Whether a list was found inside an object: it may as well be a part of one thing. */
  envelope: boolean;
  /** Names of the answer's, or of its items', properties. */
  returns: string[];
  /** What comes back, in words, if the description has any that inform. */
  hint: string;
}

/** Where the properties of a schema and its parts are collected. */
interface Collected {
  found: Map<string, JsonValue>;
  /** Parts that are in it. */
  seen: Set<JsonObject>;
  depth: number;
}

function collect(raw: JsonValue | undefined, refs: Refs, { found, seen, depth }: Collected): void {
  const schema = objectOf(refs.follow(raw));
  if (depth > MAX_DEPTH || seen.has(schema) || seen.size >= MAX_PARTS) return;
  seen.add(schema);
  for (const key of ["allOf", "oneOf", "anyOf"])
    for (const part of listOf(schema[key])) {
      if (found.size >= MAX_PROPERTIES) return;
      collect(part, refs, { found, seen, depth: depth + 1 });
    }
  for (const [name, inner] of Object.entries(objectOf(schema["properties"])).slice(0, MAX_PROPERTIES))
    found.set(name, inner);
}

function propertiesOf(raw: JsonValue | undefined, refs: Refs): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  collect(raw, refs, { found, seen: new Set(), depth: 0 });
  return found;
}

function itemsOf(raw: JsonValue | undefined, refs: Refs): JsonValue | undefined {
  const schema = objectOf(refs.follow(raw));
  const isArray = [schema["type"]].flat().includes("array") || isObject(schema["items"]);
  return isArray ? (schema["items"] ?? {}) : undefined;
}

type Described = Pick<SuccessResponse, "shape" | "envelope" | "returns">;

const known = new WeakMap<JsonObject, Described>();

/** What a schema describes; looked at once, however many operations answer with it. */
function describe(raw: JsonValue | undefined, refs: Refs): Described {
  const schema = refs.follow(raw);
  const before = isObject(schema) ? known.get(schema) : undefined;
  if (before) return before;
  const described = look(schema, refs);
  if (isObject(schema)) known.set(schema, described);
  return described;
}

function look(raw: JsonValue | undefined, refs: Refs): Described {
  const names = (schema: JsonValue): string[] => [...propertiesOf(schema, refs).keys()].slice(0, MAX_NAMES);
  const items = itemsOf(raw, refs);
  if (items !== undefined) return { shape: "list", envelope: false, returns: names(items) };
  const properties = propertiesOf(raw, refs);
  if (properties.size === 0) {
    const type = objectOf(refs.follow(raw))["type"];
    return { shape: typeof type === "string" && type !== "object" ? "other" : "unknown", envelope: false, returns: [] };
  }
  // An envelope: one list of things among paging numbers and links.
  const lists = [...properties].flatMap(([name, schema]) => {
    const inner = itemsOf(schema, refs);
    return inner !== undefined && propertiesOf(inner, refs).size > 0 ? [{ name, inner }] : [];
  });
  const telling = lists.find(({ name }) => /^(data|items|results?|values|records|entries|list|content)$/i.test(name));
  const listed =
    telling ?? (lists.length === 1 && properties.size <= 8 && !properties.has("id") ? lists[0] : undefined);
  if (!listed) return { shape: "object", envelope: false, returns: [...properties.keys()].slice(0, MAX_NAMES) };
  return {
    shape: "list",
    envelope: telling === undefined,
    returns: [...new Set([...names(listed.inner), listed.name])].slice(0, MAX_NAMES),
  };
}

function success(responses: JsonObject): JsonValue | undefined {
  const codes = Object.keys(responses);
  const code = codes.find((one) => /^2\d\d$/.test(one)) ?? codes.find((one) => /^2xx$/i.test(one));
  return responses[code ?? "default"];
}

/** What responses are read with. */
interface ResponseContext {
  refs: Refs;
  warn: Warn;
  /** The operation, as people name it: "GET /pets". */
  where: string;
}

/** What a media type describes: of a stream (`itemSchema`) the items. */
function schemaOf({ schema, itemSchema }: JsonObject): JsonValue | undefined {
  return schema === undefined && isObject(itemSchema) ? { type: "array", items: itemSchema } : schema;
}

/** Reads an operation's success response; what cannot be read is unknown, with a warning, and never a reason to skip the operation. */
export function readResponse(
  responses: JsonValue | undefined,
  { refs, warn, where }: ResponseContext,
): SuccessResponse {
  try {
    const response = refs.object(success(refs.object(responses)));
    const content = refs.object(response["content"]);
    const types = Object.keys(content);
    const json =
      types.find((type) => /^application\/json\b/i.test(type)) ?? types.find((type) => /[+/]json\b/i.test(type));
    const accept = json ?? types[0];
    const schema = accept === undefined ? undefined : schemaOf(refs.object(content[accept]));
    const words = plain(textOf(response["description"]) ?? "", MAX_HINT);
    return { accept, hint: SAYS_NOTHING.test(words) ? "" : words, ...describe(schema, refs) };
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    warn(`${where}: what it answers is not known: ${error.message}.`);
    return { accept: undefined, shape: "unknown", envelope: false, returns: [], hint: "" };
  }
}
