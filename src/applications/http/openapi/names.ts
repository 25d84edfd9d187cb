// Names: of tools, from operationId or from verb and path; of arguments and definitions. Legal, unique, and the same in
// every run: what distinguishes two names is added before a name is cut to length.
import { createHash } from "node:crypto";
import { BUILTIN_NAMES } from "../../../tools/builtin-tools.js";

const MAX_NAME = 64;

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

function withSuffix(base: string, suffix: string): string {
  return `${base.slice(0, MAX_NAME - suffix.length - 1).replace(/[_-]+$/, "")}_${suffix}`;
}

/** "get", "/pets/{petId}/photos" gives "get_pets_by_petId_photos". */
function fromPath(method: string, path: string): string {
  const parts = path.split("/").map((part) => part.replace(/\{([^{}]*)\}/g, "by_$1"));
  const words = parts.map(legal).filter((part) => part !== "");
  return [method, ...(words.length > 0 ? words : ["root"])].join("_");
}

/** Letters lose their accents, everything else that is not allowed becomes one underscore. */
function legal(text: string): string {
  const latin = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return latin.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");
}

/** Whether a legal name of the text would keep less than half of its letters. */
function isForeign(text: string): boolean {
  const letters = text.normalize("NFKD").match(/\p{L}/gu)?.length ?? 0;
  return letters > 2 * (legal(text).match(/[a-zA-Z]/g)?.length ?? 0);
}

/** What the tool's name leaves out because it is in another script: the id, or without one the path. */
export function foreignName({ operationId, path }: OperationName): string | undefined {
  const name = operationId || path;
  return isForeign(name) ? name : undefined;
}

/** What names a tool is made of. */
export interface OperationName {
  operationId: string | undefined;
  method: string;
  path: string;
}

/** A function that names operations one after another, each name legal (1 to 64 of a-z, A-Z, 0-9, _, -), given once and none of the daemon's own. */
export function createToolNames(): (operation: OperationName) => string {
  const taken = new Set<string>(BUILTIN_NAMES);
  return ({ operationId, method, path }) => {
    const where = `${method.toUpperCase()} ${path}`;
    const id = operationId ?? "";
    const cleaned = legal(id);
    // An id in another script: the path speaks for it, the hash keeps it apart and stable.
    const foreign = isForeign(id);
    let name = foreign || cleaned === "" ? fromPath(method, path) : cleaned;
    if (foreign) name = withSuffix(name, hash(id, 6));
    if (name.length > MAX_NAME) name = withSuffix(name, hash(name, 6));
    for (let round = 0; taken.has(name); round++) name = withSuffix(name, hash(`${where}${round || ""}`, 6));
    taken.add(name);
    return name;
  };
}

/** A function that counts from 2 for each text: thousands of equal names are not tried one after another again for each. */
function createRounds(): (text: string) => number {
  const last = new Map<string, number>();
  return (text) => {
    const next = (last.get(text) ?? 1) + 1;
    last.set(text, next);
    return next;
  };
}

/** What a name inside a schema may be: the character set every model provider takes for an argument. */
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What characters mean that no name can carry, as words: first those of two characters. */
const OPERATORS: [RegExp, string, whenDate?: string][] = [
  [/>=|≥/g, "_gte_", "_from_"],
  [/<=|≤/g, "_lte_", "_until_"],
  [/!=|<>|≠/g, "_not_"],
  [/</g, "_lt_", "_before_"],
  [/>/g, "_gt_", "_after_"],
  [/!/g, "_not_"],
  [/[~≈]/g, "_like_"],
  [/%/g, "_percent_"],
  [/\+/g, "_plus_"],
];
const IS_DATE = /date|time|(^|[^a-z])(day|since|until)|(_a|A)t\b/i;

/** A name in the request with words for the characters that mean something. */
function spelledOut(key: string): string {
  const isDate = IS_DATE.test(key);
  return OPERATORS.reduce((text, [sign, word, whenDate]) => text.replace(sign, (isDate && whenDate) || word), key);
}

/** A function that gives each name in the request an argument name of its own; `location` distinguishes equal names. */
export function createArgumentNames(): (location: string, key: string) => string {
  const taken = new Set<string>(["__proto__"]);
  const rounds = createRounds();
  return (location, key) => {
    let base = ARGUMENT_NAME.test(key) ? key : legal(spelledOut(key)).replace(/__+/g, "_");
    if (base === "") base = `${location}_${hash(key, 6)}`;
    if (base.length > MAX_NAME) base = withSuffix(base, hash(key, 6));
    let name = base;
    // "id" and "id[]": one value and a list.
    if (taken.has(name) && key.endsWith("[]")) name = withSuffix(base, "list");
    if (taken.has(name)) name = `${location}_${base}`.slice(0, MAX_NAME);
    while (taken.has(name)) name = withSuffix(`${location}_${base}`, String(rounds(`${location} ${base}`)));
    taken.add(name);
    return name;
  };
}

/** A function that gives each definition, by the names on its way, one legal name. */
export function createDefinitionNames(): (way: string[]) => string {
  const taken = new Set<string>();
  const rounds = createRounds();
  return (way) => {
    const last = way.at(-1) ?? "";
    const base = legal(/^\d*$/.test(last) ? way.slice(-2).join("_") : last) || `schema_${hash(way.join("/"), 6)}`;
    let name = base;
    while (taken.has(name)) name = `${base}_${rounds(base)}`;
    taken.add(name);
    return name;
  };
}
