// Names of tools: the operationId as it is where a person wrote it, what a person would say where a generator made it or there is
// none. Legal, unique, and the same in every run for the same description.
// Source: docs/reference.md, "Importing a description".
import { BUILTIN_NAMES } from "../../../../tools/builtin-tools.js";
import { fitting, freeName, giveNames, hash, legal, type Unnamed, withSuffix } from "../../../names.js";
import { wordsIn } from "./english.js";
import { createIdReader, VERB_ALONE } from "./generated-ids.js";
import type { IdentifiedOperation } from "./prefixed-ids.js";
import { spokenNames } from "./spoken-names.js";

/** "get", "/pets/{petId}/photos" gives "get_pets_by_petId_photos". */
function fromPath(method: string, path: string): string {
  const parts = path.split("/").map((part) => part.replace(/\{([^{}]*)\}/g, "by_$1"));
  const words = parts.map(legal).filter((part) => part !== "");
  return [method, ...(words.length > 0 ? words : ["root"])].join("_");
}

/** Whether a legal name of the text would keep less than half of its letters. */
function isForeign(text: string): boolean {
  const letters = text.normalize("NFKD").match(/\p{L}/gu)?.length ?? 0;
  return letters > 2 * (legal(text).match(/[a-zA-Z]/g)?.length ?? 0);
}

/** What the tool's name leaves out because it is in another script: the id, or without one the path. */
export function foreignName({ operationId, path }: IdentifiedOperation): string | undefined {
  const name = operationId || path;
  return isForeign(name) ? name : undefined;
}

const whereOf = ({ method, path }: IdentifiedOperation): string => `${method.toUpperCase()} ${path}`;

/** The ids as they are spelled, one after another; without one, method and path. */
function spelledNames(operations: readonly IdentifiedOperation[]): string[] {
  const taken = new Set<string>(BUILTIN_NAMES);
  return operations.map((operation) => {
    const { operationId: id = "", method, path } = operation;
    // An id in another script: the path speaks for it, the hash keeps it apart and stable.
    const foreign = isForeign(id);
    const name = foreign ? withSuffix(fromPath(method, path), hash(id, 6)) : legal(id) || fromPath(method, path);
    const own = freeName(fitting(name), whereOf(operation), taken);
    taken.add(own);
    return own;
  });
}

/** The name of one operation's tool. */
interface ToolName {
  name: string;
  /** What else overrides may call it: its id, and the name it had as long as ids were only spelled. */
  aliases: string[];
  /** The pattern of the id, where the name is another one. */
  pattern?: string;
}

/** Names the operations of a description, each name legal (1 to 64 of a-z, A-Z, 0-9, _, -), given once and none of the daemon's own. */
export function nameTools(operations: readonly IdentifiedOperation[]): ToolName[] {
  const spelled = spelledNames(operations);
  const readId = createIdReader(operations);
  const ids = operations.map((operation) => (foreignName(operation) === undefined ? readId(operation) : undefined));
  const unnamed = operations.flatMap((operation, at): Unnamed[] => {
    const { operationId, method, path } = operation;
    const isNamed = operationId !== undefined && ids[at] === undefined;
    if (isNamed || foreignName(operation) !== undefined) return [];
    const names = spokenNames({ id: ids[at], method, path });
    // An id that says the same in another spelling is left as it is.
    const isSame = ids[at]?.pattern === VERB_ALONE && names[0] === wordsIn(operationId ?? "").join("_");
    return isSame ? [] : [{ at, names }];
  });
  const open = new Set(unnamed.map(({ at }) => at));
  const taken = new Set<string>([...BUILTIN_NAMES, ...spelled.filter((_, at) => !open.has(at))]);
  const given = new Map<number, string>();
  const rankOf = ({ at }: Unnamed): number => (operations[at]?.method === "get" ? 0 : 1);
  const left = giveNames(unnamed, given, taken).toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const { at, names } of left) {
    const operation = operations[at];
    if (!operation) continue;
    const last = names.at(-1) || (spelled[at] ?? "");
    // One path for several methods that say the same: GET keeps the name, or the first.
    const ofMethod = fitting(`${operation.method}_${last}`);
    const isFree = taken.has(fitting(last)) && !taken.has(ofMethod) && !last.startsWith(`${operation.method}_`);
    const name = isFree ? ofMethod : freeName(fitting(last), whereOf(operation), taken);
    taken.add(name);
    given.set(at, name);
  }
  const idCounts = new Map<string, number>();
  for (const { operationId = "" } of operations) idCounts.set(operationId, (idCounts.get(operationId) ?? 0) + 1);
  const names = operations.map((_, at) => given.get(at) ?? spelled[at] ?? "");
  const all = new Set(names);
  return operations.map(({ operationId = "" }, at) => {
    const name = names[at] ?? "";
    const former = [spelled[at] ?? "", ...(idCounts.get(operationId) === 1 ? [operationId] : [])];
    const aliases = [...new Set(former)].filter((alias) => alias !== "" && !all.has(alias));
    const pattern = ids[at]?.pattern;
    return { name, aliases, ...(pattern !== undefined && name !== spelled[at] && { pattern }) };
  });
}
