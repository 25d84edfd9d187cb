// A schema document to disk, whole or not at all, and what changed against the one it replaces.
// Source: docs/reference.md, "Importing a description".
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writeAtomically } from "../data-dir/atomic-file.js";
import { namesIn } from "../domain/definitions.js";
import { messageOf, StartError } from "../domain/error.js";
import type { Action, SchemaDocument, TransportDescription } from "../domain/schema-document.js";
import {
  canonicalJson,
  checkJsonSize,
  isSameJson,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  textsOf,
  toJson,
} from "../lib/json.js";

/** One tool that is not what it was. */
interface Change {
  name: string;
  /** In words: "safety mutating → read_only, parameters +color". */
  what: string;
}

/** What a sync changes. */
export interface Difference {
  /** Of the document itself, in words: "base_url http://a → http://b", "auth +apiKey". */
  document: string[];
  added: string[];
  removed: string[];
  /** Tools that have another name and are the same operation; left out when there are none. */
  renamed?: { from: string; to: string }[];
  changed: Change[];
  /** Changes that a person should look at: of safety, of arguments a call now needs, of a tool's method and path or of its key. */
  warnings: string[];
}

/** What is kept of a sync: names of tools, of long lists the first ones. */
interface KeptDifference {
  added: string[];
  removed: string[];
  changed: string[];
}

/** Longer lists are cut where they are kept. */
const MAX_KEPT_NAMES = 200;

/** A longer document is written without indentation, which would be most of it. In characters. */
const MAX_INDENTED = 100_000;

/** Permissions before the umask: a schema document holds no secret, and is for its owner alone to write. */
const READABLE = 0o644;

/**
 * Writes a document so that a reader, also after a power cut, sees the old one or the new one and nothing between.
 * Returns the text written. Throws StartError naming the file, or what is too large in the document.
 */
export async function writeDocument(file: string, document: JsonObject): Promise<string> {
  const compact = toJson(document);
  try {
    checkJsonSize(compact);
  } catch (error) {
    throw new StartError(
      `the description is too large: its document would have ${messageOf(error)}, which no daemon reads. Nothing was written.`,
      { cause: error },
    );
  }
  const text = `${compact.length > MAX_INDENTED ? compact : toJson(document, 2)}\n`;
  const fill = (partial: string): Promise<void> => writeFile(partial, text, { flush: true });
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeAtomically(file, fill, { replace: true, mode: READABLE, durable: true });
    return text;
  } catch (error) {
    throw new StartError(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Names that were added, removed and changed: "+a", "-b", "~c". */
function nameChange(old: JsonObject, now: JsonObject): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (!Object.hasOwn(old, name)) return [`+${name}`];
    if (!Object.hasOwn(now, name)) return [`-${name}`];
    return isSameJson(old[name], now[name]) ? [] : [`~${name}`];
  });
}

/** What the definitions of a document say, by name: its own, and those that an older one has in each of its tools. */
function definitionTexts({ $defs = {}, actions }: SchemaDocument): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  const add = (definitions: JsonValue | undefined): void => {
    for (const [name, definition] of Object.entries(objectOf(definitions)))
      texts.set(name, (texts.get(name) ?? new Set()).add(canonicalJson(definition)));
  };
  add($defs);
  for (const { parameters } of actions) add(parameters["$defs"]);
  return texts;
}

/** The names of definitions that are not what they were, and of all that reach one of them. */
function changedDefinitions(before: SchemaDocument, after: SchemaDocument): ReadonlySet<string> {
  const old = definitionTexts(before);
  const now = definitionTexts(after);
  const isSame = (name: string): boolean => {
    const [left, right] = [old.get(name), now.get(name)];
    return left !== undefined && left.size === right?.size && [...left].every((text) => right.has(text));
  };
  const changed = new Set([...old.keys(), ...now.keys()].filter((name) => !isSame(name)));
  const users = new Map<string, Set<string>>();
  const definitions = [before, after].flatMap(({ $defs = {} }) => Object.entries($defs));
  for (const [name, definition] of definitions)
    for (const used of namesIn(definition)) users.set(used, (users.get(used) ?? new Set()).add(name));
  // A set is walked in the order of insertion, what is added on the way too.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user);
  return changed;
}

/** Whether the arguments of a tool are not what they were, by themselves or by what they refer to. */
function isOther(before: Action, after: Action, changed: ReadonlySet<string>): boolean {
  const own = ({ parameters: { $defs: _, ...rest } }: Action): string => canonicalJson(rest);
  return own(before) !== own(after) || namesIn(after.parameters).some((name) => changed.has(name));
}

function documentChange(before: SchemaDocument, after: SchemaDocument): string[] {
  const words = (["source", "base_url"] as const).flatMap((key) =>
    before[key] === after[key] ? [] : [`${key} ${before[key] || "none"} → ${after[key] || "none"}`],
  );
  const schemes = nameChange(before.auth, after.auth);
  return schemes.length > 0 ? [...words, ["auth", ...schemes].join(" ")] : words;
}

function parameterChange(before: JsonObject, after: JsonObject): { words: string[]; needed: string[] } {
  const words = nameChange(objectOf(before["properties"]), objectOf(after["properties"]));
  const neededBefore = new Set(textsOf(before["required"]));
  const needed = textsOf(after["required"]).filter((name) => !neededBefore.has(name));
  const said = new Set(words);
  return {
    words: [...words, ...needed.filter((name) => !said.has(`+${name}`)).map((name) => `!${name}`)],
    needed,
  };
}

/** What is different about the columns of a table that both are about: "+color", "-size", "~weight". */
function columnChange({ transport: before }: Action, { transport: after }: Action): string[] {
  const byName = ({ columns }: TransportDescription): JsonObject =>
    Object.fromEntries(listOf(columns).map((column) => [String(objectOf(column)["name"]), column]));
  return nameChange(byName(before), byName(after));
}

/** What an MCP server says otherwise of a tool than before, by the parts that its hash is made of: "~description", "+annotations". */
function partChange({ transport: before }: Action, { transport: after }: Action): string[] {
  if (before.kind !== "mcp" || after.kind !== "mcp") return [];
  return nameChange(objectOf(before["parts"]), objectOf(after["parts"]));
}

/** The columns that name a row of a table, "nothing" where nothing does. */
const keyText = ({ transport }: Action): string => textsOf(transport["key"]).join(", ") || "nothing";

function compare(before: Action, after: Action, changed: ReadonlySet<string>): { what: string[]; warnings: string[] } {
  const what: string[] = [];
  const warnings: string[] = [];
  if (before.safety !== after.safety) {
    what.push(`safety ${before.safety} → ${after.safety}`);
    warnings.push(`${after.name} was ${before.safety} and is ${after.safety} now.`);
  }
  for (const key of ["provenance", "verb", "resource"] as const)
    if (before[key] !== after[key]) what.push(`${key} ${before[key]} → ${after[key]}`);
  if (before.description !== after.description) what.push("description");
  const columns = columnChange(before, after);
  if (columns.length > 0) what.push(["columns", ...columns].join(" "));
  if (isOther(before, after, changed)) {
    const { words, needed } = parameterChange(before.parameters, after.parameters);
    // Of a table the columns say it.
    if (columns.length === 0) what.push(["parameters", ...words].join(" "));
    if (needed.length > 0) warnings.push(`${after.name} now needs ${needed.join(", ")}.`);
  }
  const keys = [keyText(before), keyText(after)];
  if (keys[0] !== keys[1]) {
    what.push(`key ${keys.join(" → ")}`);
    warnings.push(`${after.name} names a row by ${keys[1]} now, and did by ${keys[0]}.`);
  }
  const said = partChange(before, after);
  if (said.length > 0) {
    what.push(["the server's words", ...said].join(" "));
    warnings.push(
      `${after.name} is not what the server said it was (${said.join(", ")}). Read its description before it is used.`,
    );
  } else if (columns.length === 0 && !isSameJson(before.transport, after.transport)) {
    const requestLine = ({ transport }: Action): string =>
      [transport["method"], transport["path"]].map(String).join(" ");
    const moved = requestLine(before) !== requestLine(after);
    what.push(moved ? `${requestLine(before)} → ${requestLine(after)}` : "transport");
    if (moved) warnings.push(`${after.name} was ${requestLine(before)} and is ${requestLine(after)} now.`);
  }
  return { what, warnings };
}

/** What the new document changes: of itself, then tool by tool in document order. */
export function diffDocuments(before: SchemaDocument, after: SchemaDocument): Difference {
  const old = new Map(before.actions.map((action) => [action.name, action]));
  const now = new Set(after.actions.map((action) => action.name));
  const document = documentChange(before, after);
  const definitions = changedDefinitions(before, after);
  const difference: Difference = { document, added: [], removed: [], changed: [], warnings: [] };
  for (const action of after.actions) {
    const former = action.aliases?.find((alias) => old.has(alias) && !now.has(alias));
    const earlier = old.get(action.name) ?? old.get(former ?? "");
    if (!earlier) {
      difference.added.push(action.name);
      continue;
    }
    if (earlier.name !== action.name) {
      (difference.renamed ??= []).push({ from: earlier.name, to: action.name });
      now.add(earlier.name);
    }
    const { what, warnings } = compare(earlier, action, definitions);
    if (what.length > 0) difference.changed.push({ name: action.name, what: what.join(", ") });
    difference.warnings.push(...warnings);
  }
  difference.removed = before.actions.map((action) => action.name).filter((name) => !now.has(name));
  return difference;
}

/** What is kept of a difference. */
export function keptDifference({ added, removed, renamed = [], changed }: Difference): KeptDifference {
  const first = (names: readonly string[]): string[] => names.slice(0, MAX_KEPT_NAMES);
  const others = [...renamed.map(({ from, to }) => `${from} → ${to}`), ...changed.map(({ name }) => name)];
  return { added: first(added), removed: first(removed), changed: first(others) };
}
