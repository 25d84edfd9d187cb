// Verbs of nearly the same meaning, for the ranking only: "copy a project" finds duplicateProject, "lend a book" the loans. What a
// prompt commands is judged by synonyms.ts, whose words are fewer: there a wrong family is a wrong call, here it is a wrong order.
import { type Intent, wordForms } from "./synonyms.js";
import { stem } from "./terms.js";

const GROUPS: readonly { intent: Intent; words: string }[] = [
  { intent: "create", words: "create add make" },
  { intent: "create", words: "copy duplicate clone" },
  { intent: "create", words: "lend loan borrow checkout" },
  { intent: "create", words: "send post" },
  { intent: "update", words: "update edit change modify" },
  { intent: "update", words: "cancel stop abort" },
  { intent: "update", words: "finish complete" },
  { intent: "update", words: "disable deactivate" },
  { intent: "update", words: "enable activate" },
  { intent: "update", words: "block ban suspend" },
  { intent: "update", words: "unblock unban unsuspend" },
  { intent: "update", words: "restore recover undelete" },
  { intent: "update", words: "replace update" },
  { intent: "update", words: "reorder sort" },
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

const NONE: ReadonlySet<Intent> = new Set();

/** What stemmed verbs are close to. */
export interface CloseVerbs {
  /** Those that mean nearly the same. */
  terms(term: string): Iterable<string>;
  /** The families of one that is no listed verb, as far as it is close to one. */
  intents(term: string): ReadonlySet<Intent>;
  /** Other forms of the same word. */
  forms(term: string): readonly string[];
}

/** By the groups. */
export const CLOSE_VERBS: CloseVerbs = {
  terms: (term) => close.get(term)?.terms ?? [],
  intents: (term) => close.get(term)?.intents ?? NONE,
  forms: wordForms,
};

/** Where only what is said counts. */
export const NO_CLOSE_VERBS: CloseVerbs = { terms: () => [], intents: () => NONE, forms: () => [] };

/** "File a bug" makes one; "the file of a bug" and "file 5" are nouns. */
const FILE_NEW = /\b(?:file|raise|report|log)(?=\s+(?:an?|new|another)\b)/gi;

/** The query with a plain verb where making something is called otherwise. */
export function withoutFiling(query: string): string {
  return query.replace(FILE_NEW, "create");
}
