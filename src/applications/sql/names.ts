// What tables, functions and columns are called as tools and arguments: their own names where those are legal, otherwise the
// nearest legal ones, each given once and the same in every run. Pure.
import { BUILTIN_NAMES } from "../../tools/builtin-tools.js";
import { createArgumentNames, hash, legal, MAX_NAME, withSuffix } from "../names.js";
import type { TableName } from "./catalogue.js";

/** The longest of the words before the name of a table: "create_". */
const PREFIX = 7;

/** A legal form of the text that keeps what it can; a hash stands for a text in another script. */
function legalName(text: string): string {
  const name = legal(text);
  const letters = text.normalize("NFKD").match(/\p{L}/gu)?.length ?? 0;
  const kept = name.match(/[a-zA-Z]/g)?.length ?? 0;
  return name === "" || letters > 2 * kept ? `${name === "" ? "table" : name}_${hash(text, 6)}` : name;
}

/**
 * A name for each table or function, in order: its own; with its schema before it where several have the same; with a hash where
 * that is not enough either.
 */
export function nameTables(tables: readonly TableName[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of tables) counts.set(legalName(name), (counts.get(legalName(name)) ?? 0) + 1);
  const taken = new Set<string>();
  return tables.map(({ schema, name }) => {
    const whole = schema === undefined ? name : `${schema}.${name}`;
    const own = legalName(name);
    const isCommon = (counts.get(own) ?? 0) > 1 && schema !== undefined;
    let found = cut(isCommon ? `${legalName(schema)}_${own}` : own, whole);
    for (let round = 0; taken.has(found); round++) found = cut(own, whole, hash(`${whole}${round || ""}`, 6));
    taken.add(found);
    return found;
  });
}

/** A name that is short enough to stand behind a word, with what distinguishes it. */
function cut(name: string, whole: string, suffix?: string): string {
  const most = MAX_NAME - PREFIX;
  if (suffix === undefined) return name.length <= most ? name : cut(name, whole, hash(whole, 6));
  return `${name.slice(0, most - suffix.length - 1).replace(/[_-]+$/, "")}_${suffix}`;
}

/** The names of tools, each given once; one that is taken, or is a tool of the daemon's own, gets a hash. */
export function createToolNames(): (name: string) => string {
  const taken = new Set<string>(BUILTIN_NAMES);
  return (name) => {
    let found = name;
    for (let round = 0; taken.has(found); round++) found = withSuffix(name, hash(`${name} ${round}`, 6));
    taken.add(found);
    return found;
  };
}

/** What columns or parameters are called as arguments, in order. */
export function nameArguments(names: readonly string[]): string[] {
  const nameOf = createArgumentNames();
  return names.map((name) => nameOf("column", name));
}
