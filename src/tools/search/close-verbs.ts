// Verbs of nearly the same meaning, for the ranking only: "copy a project" finds duplicateProject, "lend a book" the loans. What a
// prompt commands is judged by synonyms.ts, whose words are fewer: there a wrong family is a wrong call, here it is a wrong order.
import type { Intent } from "./synonyms.js";
import { stem } from "./terms.js";

const GROUPS: readonly { intent: Intent; words: string }[] = [
  { intent: "create", words: "create add make" },
  { intent: "create", words: "copy duplicate clone" },
  { intent: "create", words: "lend loan borrow checkout" },
  { intent: "create", words: "send post" },
  { intent: "update", words: "update edit change modify" },
  { intent: "update", words: "cancel stop abort" },
  { intent: "update", words: "finish complete" },
  { intent: "delete", words: "delete remove kick expel" },
];

const close = new Map<string, { intents: Set<Intent>; terms: Set<string> }>();
for (const { intent, words } of GROUPS) {
  const group = words.split(" ").map(stem);
  for (const term of group) {
    const known = close.get(term) ?? { intents: new Set<Intent>(), terms: new Set<string>() };
    known.intents.add(intent);
    for (const other of group) if (other !== term) known.terms.add(other);
    close.set(term, known);
  }
}

/** The verbs that mean nearly the same as this stemmed one. */
export function closeVerbs(term: string): Iterable<string> {
  return close.get(term)?.terms ?? [];
}

/** The families of a stemmed verb that is no listed one, as far as it is close to one. */
export function closeIntents(term: string): ReadonlySet<Intent> {
  return close.get(term)?.intents ?? NONE;
}
const NONE: ReadonlySet<Intent> = new Set();
