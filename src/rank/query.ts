// What a prompt asks of the ranking: concepts (a word with its synonyms, or a pair of words), the verb families in it,
// and whether it names a single thing.
import { pair } from "./postings.js";
import { type Intent, intentsOf, synonymsOf } from "./synonyms.js";
import { isStopWord, stem, terms, words } from "./terms.js";

/** One thing the query speaks of: the terms it may be called by, each with how far it stands for it. */
export interface Concept {
  terms: Map<string, number>;
  weight: number;
}

/** A synonym counts this much of the word itself. */
const SYNONYM = 0.1;
/** A verb counts this much as a word: "find" must not find every tool whose name starts with find. */
const VERB = 0.6;
const PAIR = 0.4;
/** A word said again counts this much more. */
const REPEATED = 0.1;

/** The concepts of a query that the catalogue knows, with words written together that the catalogue writes so ("to do"). */
export function conceptsOf(query: string, known: { has(term: string): boolean }): Concept[] {
  const out = new Map<string, Concept>();
  const add = (term: string, weight: number, synonyms: Iterable<string>): void => {
    const seen = out.get(term);
    if (seen) {
      seen.weight *= 1 + REPEATED;
      return;
    }
    const found = new Map<string, number>();
    if (known.has(term)) found.set(term, 1);
    for (const synonym of synonyms) if (known.has(synonym)) found.set(synonym, SYNONYM);
    if (found.size > 0) out.set(term, { terms: found, weight });
  };
  terms(query).forEach((term, i, all) => {
    const before = all[i - 1];
    if (before !== undefined) add(pair(before, term), PAIR, []);
  });
  words(query).forEach((word, i, all) => {
    const term = stem(word);
    const joined = stem(word + (all[i + 1] ?? ""));
    if (joined !== term && known.has(joined)) add(joined, 1, []);
    if (isStopWord(word)) return;
    if (intentsOf(term).size > 0) add(term, VERB, []);
    else add(term, 1, synonymsOf(term));
  });
  return [...out.values()];
}

/** The verb families the words of a query belong to. */
export function intentsIn(query: string): Set<Intent> {
  return new Set(words(query).flatMap((word) => [...intentsOf(stem(word))]));
}

/** A quoted value, or a capital inside a sentence. */
const NAMED = /["“'‘][^"”'’]+["”'’]|[\p{L}\p{N},] \p{Lu}\p{Ll}/u;

/** Whether the query names a single thing, which then has to be searched for. */
export function namesSomething(query: string): boolean {
  return NAMED.test(query);
}
