// Lines for overrides.json that would make tools read only: a pattern for many at once where their methods and paths, or their
// names, have one in common. Actions come in, lines go out; nothing is relaxed here.
// Source: docs/reference.md, "Safety by words".
import type { Action, Safety } from "../domain/schema-document.js";
import { isPlainlyReading, isVerb } from "./acting-words.js";
import { isFitting, requestLineOf } from "./override-keys.js";
import { words } from "./search/terms.js";

/** One line of overrides.json. */
export interface OverrideLine {
  key: string;
  safety: Safety;
  /** The names of the tools it is for. */
  tools: string[];
}

/** Patterns that are tried, those of most tools first; each is compared with every tool. */
const MAX_TRIED = 100;
/** Lines with a pattern; what they leave over has a line each. */
const MAX_PATTERNS = 12;
/** A pattern for fewer tools is no shorter than their own lines. */
const MIN_TOOLS = 2;
/** Tools that a pattern is for, for each one that it fits and is not for: that one needs a line of its own, which wins. */
const TOOLS_PER_EXCEPTION = 10;

/** How a name begins: "get" of "getUser", "list_" of "list_users"; and how it ends: ".list" of "users.list". */
const BEGINNING = /^(?:[a-z]+(?=[A-Z])|[A-Z][a-z]+(?=[A-Z])|[a-zA-Z]+[_-])/;
const ENDING = /[._:-][a-zA-Z]+$/;

/** Whether a part of a name says by itself that what has it reads: what comes later and fits will do so, too. */
function saysSo(part: string): boolean {
  const found = words(part);
  return found.some(isPlainlyReading) && !found.some(isVerb);
}

/** Beginning and end of a name, as patterns, where they say that it reads. */
function partsOf(name: string): string[] {
  const beginning = BEGINNING.exec(name)?.[0] ?? "";
  const ending = ENDING.exec(name)?.[0] ?? "";
  return [...(saysSo(beginning) ? [`${beginning}*`] : []), ...(saysSo(ending) ? [`*${ending}`] : [])];
}

/** The patterns that an action fits and others may fit too. */
function patternsOf(action: Action): string[] {
  const [method = "", path = ""] = requestLineOf(action)?.split(" ") ?? [];
  const last = path.slice(path.lastIndexOf("/") + 1);
  const ofPath = last.includes("{") ? [] : [...(saysSo(last) ? [last] : []), ...partsOf(last)];
  const ofLine = ofPath.map((part) => (part.startsWith("*") ? `${method} ${part}` : `${method} */${part}`));
  return [...ofLine, ...partsOf(action.name)];
}

function commonPatterns(actions: readonly Action[]): string[] {
  const counts = new Map<string, number>();
  for (const action of actions)
    for (const pattern of patternsOf(action)) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count >= MIN_TOOLS).sort(([, a], [, b]) => b - a);
  return common.slice(0, MAX_TRIED).map(([pattern]) => pattern);
}

/**
 * The lines that make `actions` read only and leave `others`, which change something, as they are; the widest first. A tool that a
 * pattern fits and should not has a line of its own behind it.
 */
export function overrideLines(actions: readonly Action[], others: readonly Action[]): OverrideLine[] {
  const candidates = commonPatterns(actions).flatMap((pattern) => {
    const exceptions = others.filter((action) => isFitting(pattern, action));
    const fitting = actions.filter((action) => isFitting(pattern, action));
    return exceptions.length * TOOLS_PER_EXCEPTION <= fitting.length ? [{ pattern, fitting, exceptions }] : [];
  });
  const left = new Set(actions);
  const lines = new Map<string, OverrideLine>();
  const add = (action: Action, safety: Safety): void => {
    const key = requestLineOf(action) ?? action.name;
    lines.set(key, { key, safety, tools: [action.name] });
  };
  for (let round = 0; round < MAX_PATTERNS; round++) {
    const gains = candidates.map(({ fitting }) => fitting.filter((action) => left.has(action)).length);
    const gain = Math.max(0, ...gains);
    const best = candidates[gains.indexOf(gain)];
    if (!best || gain < MIN_TOOLS) break;
    const { pattern, fitting, exceptions } = best;
    const own = fitting.filter((action) => left.delete(action));
    lines.set(pattern, { key: pattern, safety: "read_only", tools: own.map(({ name }) => name) });
    for (const action of exceptions) add(action, action.safety);
  }
  for (const action of left) add(action, "read_only");
  return [...lines.values()];
}
