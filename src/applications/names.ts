// Names of arguments and definitions, and what names of tools are made with. Legal, unique, and the same in every run: what
// distinguishes two names is added before a name is cut to length.
import { createHash } from "node:crypto";
import { withoutTrailing } from "../lib/trailing.js";

/** Characters of a name. */
export const MAX_NAME = 64;

/** The first hex digits of a text's SHA-256. */
export function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** A name with what distinguishes it, cut to the length a name may have. */
export function withSuffix(base: string, suffix: string): string {
  return `${base.slice(0, MAX_NAME - suffix.length - 1).replace(/[_-]+$/, "")}_${suffix}`;
}

/** Letters lose their accents, everything else that is not allowed becomes one underscore. */
export function legal(text: string): string {
  const latin = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return withoutTrailing(latin.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+/, ""), "_");
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

/**
 * A function that gives each name in the request an argument name of its own; `location` distinguishes equal names. `expected` are
 * the names that are known to come, as `LOCATION NAME`: a list `id[]` is told from an `id` in any order.
 */
export function createArgumentNames(
  expected: ReadonlySet<string> = new Set(),
): (location: string, key: string) => string {
  const taken = new Set<string>(["__proto__"]);
  const rounds = createRounds();
  return (location, key) => {
    let base = ARGUMENT_NAME.test(key) ? key : legal(spelledOut(key)).replace(/__+/g, "_");
    if (base === "") base = `${location}_${hash(key, 6)}`;
    if (base.length > MAX_NAME) base = withSuffix(base, hash(key, 6));
    let name = base;
    // "id" and "id[]": one value and a list.
    if (key.endsWith("[]") && (taken.has(name) || expected.has(`${location} ${name}`))) name = withSuffix(base, "list");
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

/** A name of at most the length a name may have; of a longer one its beginning and a hash of it. */
export function fitting(name: string): string {
  return name.length > MAX_NAME ? withSuffix(name, hash(name, 6)) : name;
}

/** The name, or where it is taken one with a hash of what distinguishes the operation. */
export function freeName(name: string, where: string, taken: ReadonlySet<string>): string {
  let own = name;
  for (let round = 0; taken.has(own); round++) own = withSuffix(own, hash(`${where}${round || ""}`, 6));
  return own;
}

/** An operation to be named, with the names it could have, the first one first. */
export interface Unnamed {
  at: number;
  names: string[];
}

/**
 * Gives each of the operations the first of its names that is nobody else's. Those that want the same name all get the next one,
 * so that none depends on the order. Returns those that are left.
 */
export function giveNames(unnamed: readonly Unnamed[], given: Map<number, string>, taken: Set<string>): Unnamed[] {
  let left = [...unnamed];
  const levels = Math.max(0, ...unnamed.map(({ names }) => names.length));
  for (let level = 0; level < levels && left.length > 0; level++) {
    const wanted = left.map(({ names }) => fitting(names[Math.min(level, names.length - 1)] ?? ""));
    const counts = new Map<string, number>();
    for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
    const next: Unnamed[] = [];
    for (const [i, one] of left.entries()) {
      const name = wanted[i] ?? "";
      if (name === "" || taken.has(name) || (counts.get(name) ?? 0) > 1) next.push(one);
      else given.set(one.at, name);
    }
    for (const name of given.values()) taken.add(name);
    left = next;
  }
  return left;
}
