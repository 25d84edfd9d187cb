// Text to tree: JSON or YAML, bounded in depth and size, so that alias bombs and endless nesting end in a sentence.
// The tree shares no nodes and holds JSON values only; everything after this may walk it without looking behind itself.

import type { Document, visit as visitYaml } from "yaml";
import { messageOf, StartError } from "../../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, parseJson } from "../../../../lib/json.js";
import { namedWithLines, type Repeated, repeatedKeys } from "../../../../lib/repeated-keys.js";
import { spelled } from "../read.js";

/** Values in one file after YAML aliases are written out. The largest real one known has about 700,000. */
const MAX_VALUES = 5_000_000;
/** A value takes two characters at least; a file that uses its aliases well means a few times what it says. */
const VALUES_PER_CHARACTER = 2;
const MIN_VALUES = 100_000;
/** Aliases in one file, and uses of one anchor: the parser looks through all anchors for each. */
const MAX_ALIASES = 10_000;
/** Members that the merges of one file (`<<: *base`) copy. */
const MAX_MERGED = 500_000;

function copyBounded(value: unknown, most: number): JsonValue {
  let left = most;
  const copy = (node: unknown, depth: number): JsonValue => {
    if (--left < 0) throw new Error(`it holds more than ${most} values (YAML aliases written out)`);
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

/** What a person should know of a text, by the tree that was made of it. */
const notes = new WeakMap<object, string>();

/** A sentence on a tree that was parsed here, if there is something to know of its text. */
export function noteOn(tree: JsonValue): string | undefined {
  return typeof tree === "object" && tree !== null ? notes.get(tree) : undefined;
}

/** Of a key that stands twice the last value counts, as in most readers; that the first one is lost is not left unsaid. */
function noteRepeated(
  tree: JsonValue,
  repeated: readonly Repeated[],
  { text, where }: { text: string; where: string },
): void {
  if (repeated.length === 0 || typeof tree !== "object" || tree === null) return;
  const named = namedWithLines(repeated, text);
  notes.set(tree, `${where} has keys twice in one object: ${named}; of each the last value counts.`);
}

/** How many members a JSON text writes: the colons outside its strings. */
function writtenMembers(text: string): number {
  let count = 0;
  for (let i = 0, quoted = false; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) quoted = !quoted;
    else if (quoted && code === 92) i++;
    else if (!quoted && code === 58) count++;
  }
  return count;
}

function membersOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.reduce<number>((sum, one) => sum + membersOf(one), Array.isArray(value) ? 0 : inner.length);
}

/** The keys of a JSON text that stand twice. It is read once more only where some do. */
function repeatedInJson(text: string, tree: JsonValue): Repeated[] {
  return writtenMembers(text) === membersOf(tree) ? [] : repeatedKeys(text);
}

/** Refuses aliases and merges that would take long before the values they mean can be counted. */
function checkAliases(document: Document, visit: typeof visitYaml): Repeated[] {
  const repeated: Repeated[] = [];
  const sizes = new Map<string, number>();
  let aliases = 0;
  let merged = 0;
  visit(document, {
    Alias(_, { source }) {
      if (++aliases > MAX_ALIASES) throw new Error(`it has more than ${MAX_ALIASES} aliases`);
      merged += sizes.get(source) ?? 0;
    },
    // Most aliases of maps are merges, which copy their members.
    Map(_, { anchor, items }) {
      if (anchor) sizes.set(anchor, items.length);
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const { value, range } = key as { value?: unknown; range?: [number, number, number] };
        if (value !== undefined && value !== "<<" && keys.size === keys.add(value).size)
          repeated.push({ key: String(value), at: range?.[0] ?? 0 });
      }
    },
  });
  if (merged > MAX_MERGED) throw new Error(`its aliases write out more than ${MAX_MERGED} values`);
  return repeated;
}

/** The parser's word on one fault, with its place. */
function faultAt(text: string, offset: number, message: string): Error {
  const before = text.slice(0, offset).split("\n");
  return new Error(`${message} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`);
}

/**
 * The one document of a text. Throws at the first fault: the library's own way collects them all, and quotes the line of each, which
 * takes the square of the length of a text that is full of them.
 */
function documentOf(text: string, { Composer, Parser }: typeof import("yaml")): Document {
  const composer = new Composer({ intAsBigInt: true, merge: true, uniqueKeys: false });
  let first: Error | undefined;
  const onError = (
    at: number | [number, number] | { offset: number },
    ...[, message, isWarning]: [code: string, message: string, isWarning?: boolean]
  ) => {
    if (isWarning) return;
    const offset = Array.isArray(at) ? at[0] : typeof at === "number" ? at : at.offset;
    // What is thrown here is caught within, and comes again as a fault of the node around.
    throw (first ??= faultAt(text, offset, message));
  };
  // Where it hands over its faults; private to it, though the only way to stop it.
  Object.assign(composer, { onError });
  let documents = 0;
  for (const token of new Parser().parse(text)) {
    if (token.type === "error") throw faultAt(text, token.offset, token.message);
    if (token.type === "document" && ++documents > 1) throw faultAt(text, token.offset, "it holds several documents");
    if (token.type === "doc-end" && documents === 0) throw faultAt(text, token.offset, "it ends before it begins");
    composer.next(token).next();
  }
  const document = composer.end(true, text.length).next().value as Document;
  if (document.errors[0]) throw faultAt(text, document.errors[0].pos[0], document.errors[0].message);
  return document;
}

async function parseYaml(text: string, where: string): Promise<JsonValue> {
  const yaml = await import("yaml");
  let repeated: Repeated[] = [];
  const read = (source: string): unknown => {
    const document = documentOf(source, yaml);
    repeated = checkAliases(document, yaml.visit);
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
  const tree = copyBounded(value, Math.min(MAX_VALUES, MIN_VALUES + VALUES_PER_CHARACTER * text.length));
  noteRepeated(tree, repeated, { text, where });
  return tree;
}

/** Parses one file of a description. Throws StartError naming `where`. */
export async function parseText(text: string, where: string): Promise<JsonValue> {
  const source = text.replace(/^\uFEFF/, "");
  try {
    if (!/^\s*[{[]/.test(source) || /\.ya?ml$/i.test(where)) return await parseYaml(source, where);
    const tree = parseJson(source);
    noteRepeated(tree, repeatedInJson(source, tree), { text: source, where });
    return tree;
  } catch (error) {
    // Parsers report the end of the stack in different words.
    const message = messageOf(error).split("\n")[0] ?? "";
    const reason = error instanceof RangeError || /call stack/i.test(message) ? "it is nested too deep" : message;
    throw new StartError(`${where} cannot be read as JSON or YAML: ${reason}`, { cause: error });
  }
}

/** The main file of a description: it must name its version. Throws StartError otherwise. */
export function checkDescription(value: JsonValue, where: string): JsonObject {
  const version = isObject(value) ? spelled(value["openapi"] ?? value["swagger"] ?? "") : "";
  if (isObject(value) && (/^3(\.\d|$)/.test(version) || /^2(\.0|$)/.test(version))) return value;
  const found = version
    ? `it says version ${version.slice(0, 20)}`
    : 'it has neither an "openapi" nor a "swagger" field';
  throw new StartError(`${where} is not an OpenAPI 3 or Swagger 2.0 description: ${found}.`);
}
