// What a query asks of the ranking: concepts, each a word with its synonyms, a pair of words, or a meaning that no word has.
import type { CloseVerbs } from "./close-verbs.js";
import { type ImpliedMeaning, isImplied, termsImplied } from "./implied.js";
import { neighbourPairs, type Vocabulary } from "./postings.js";
import { intentsOf, synonymsOf } from "./synonyms.js";
import { isStopWord, stem, terms, words } from "./terms.js";

/** One concept of the query: the terms it may be called by, each with how far it stands for it. */
export interface Concept {
  terms: Map<string, number>;
  weight: number;
}

/** A synonym counts this much of the word itself. */
const SYNONYM = 0.1;
/** A verb counts this much as a word: "cancel" must not find every tool whose name starts with cancel. */
const VERB = 0.8;
/** And one that only asks to see something: "list" is no word to look for a "task list" by. */
const SHOWING = 0.1;
const SHOWS = new Set("show list get find fetch retrieve view display see return".split(" ").map(stem));
const PAIR = 0.5;
/** Shorter beginnings begin too many words. */
const MIN_BEGINNING = 3;

/** A term, of one word or two, with each word in all its forms. */
function formsOfAll(term: string, close: CloseVerbs): string[] {
  const words = term.split(" ");
  if (words.every((word) => close.forms(word).length === 0)) return [term];
  return words
    .map((word) => [word, ...close.forms(word)])
    .reduce((before, forms) => before.flatMap((start) => forms.map((form) => `${start} ${form}`)));
}

/**
 * The concepts of a query that the catalogue knows, with words written together that the catalogue writes so ("to do"). A last
 * word that it does not know may still be being typed: it stands for the words it begins.
 */
export function conceptsOf(
  query: string,
  {
    vocabulary: known,
    close,
    implied,
  }: { vocabulary: Vocabulary; close: CloseVerbs; implied: readonly ImpliedMeaning[] },
): Concept[] {
  const out = new Map<string, Concept>();
  const add = (term: string, weight: number, synonyms: Iterable<string>): void => {
    if (out.has(term)) return;
    const found = new Map<string, number>();
    for (const form of formsOfAll(term, close)) if (known.has(form)) found.set(form, 1);
    for (const synonym of synonyms) if (known.has(synonym)) found.set(synonym, SYNONYM);
    if (found.size > 0) out.set(term, { terms: found, weight });
  };
  for (const term of neighbourPairs(terms(query))) add(term, PAIR, []);
  words(query).forEach((word, i, all) => {
    const term = stem(word);
    const joined = stem(word + (all[i + 1] ?? ""));
    if (joined !== term && known.has(joined)) add(joined, 1, []);
    if (isStopWord(word)) return;
    if (SHOWS.has(term)) add(term, SHOWING, []);
    else if (intentsOf(term).size > 0) add(term, VERB, close.terms(term));
    else add(term, 1, [...synonymsOf(term), ...close.terms(term)]);
    if (i === all.length - 1 && word.length >= MIN_BEGINNING && !out.has(term)) {
      const begun = known.startingWith(word);
      if (begun.length > 0) out.set(term, { terms: new Map(begun.map((one) => [one, 1])), weight: 1 });
    }
  });
  for (const one of implied) {
    if (!isImplied(one, query, known)) continue;
    const found = new Map([...termsImplied(one, known)].filter(([term]) => !out.has(term)));
    if (found.size > 0) out.set(Object.keys(one.means).join(" "), { terms: found, weight: one.weight });
  }
  return [...out.values()];
}

/** An address or a path inside a sentence. */
const VALUE = /(?<=\s)[\w.-]+[/@][\w.@/-]+/g;

/** A query without the values in it that are made of words: "octo/hello". Words that the catalogue knows stay. */
export function withoutValues(query: string, known: Vocabulary): string {
  return query.replace(VALUE, (text) => (words(text).every((word) => known.has(stem(word))) ? text : " "));
}
