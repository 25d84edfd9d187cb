// Misspelt words of a query, taken for the nearest word that the catalogue knows or that commands something: "requsts" for
// "requests". Values, names and words that are known stay as they are, and so does a text that is longer than a command.
import { ownName, type Tool } from "../../domain/tool.js";
import { objectOf } from "../../lib/json.js";
import type { Vocabulary } from "./postings.js";
import { intentsOf, synonymsOf, verbs } from "./synonyms.js";
import { isStopWord, stem, words } from "./terms.js";
import { isValuePlace, withoutQuoted } from "./value-place.js";

/** A longer text has more names in it than mistakes. */
const MAX_WORDS = 12;
/** A word in small letters, or the first one, that is no part of an address, a path or a name of several words. */
const WORD = /(?<![\p{L}\p{N}_@./#-])(?:[a-z]{4,}|(?<=^\s*)[A-Z][a-z]{3,})(?![\p{L}\p{N}_@/-]|\.\p{L})/gu;
/** Words from this length on may have one mistake, and two. */
const ONE_MISTAKE = 5;
const TWO_MISTAKES = 8;
/** Of a description the beginning is read. */
const MAX_TEXT = 600;

/** A query with its misspelt words put right. */
type CorrectSpelling = (query: string) => string;

/**
 * Letters that are missing, too many, other ones, or swapped with their neighbours, up to `most`; more than that is `most + 1`.
 */
function countMistakes(word: string, meant: string, most: number): number {
  if (Math.abs(word.length - meant.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, j) => j);
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    for (let j = 1; j <= meant.length; j++) {
      const isSame = word[i - 1] === meant[j - 1];
      const isSwapped = word[i - 1] === meant[j - 2] && word[i - 2] === meant[j - 1];
      const one = Math.min(row[j - 1] ?? 0, last[j] ?? 0) + 1;
      const other = (last[j - 1] ?? 0) + (isSame ? 0 : 1);
      row.push(Math.min(one, other, isSwapped ? (before[j - 2] ?? most) + 1 : most + 1));
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[meant.length] ?? most + 1;
}

/** The words of the tools and the verbs, by their first letter, with how often they are used. */
function byFirstLetter(tools: readonly Tool[]): Map<string, Map<string, number>> {
  const out = new Map<string, Map<string, number>>();
  const add = (word: string): void => {
    if (!/^[a-z]{4,}$/.test(word)) return;
    let found = out.get(word.charAt(0));
    if (!found) out.set(word.charAt(0), (found = new Map()));
    found.set(word, (found.get(word) ?? 0) + 1);
  };
  verbs().forEach(add);
  for (const tool of tools) {
    const parameters = Object.keys(objectOf(tool.input_schema["properties"]));
    const text = [ownName(tool), tool.transport.path, tool.description.slice(0, MAX_TEXT), ...parameters].join(" ");
    words(text).forEach(add);
  }
  return out;
}

/** The nearest word; of equally near ones the one that is used most. */
function nearest(word: string, known: ReadonlyMap<string, number>): string | undefined {
  let most = word.length >= TWO_MISTAKES ? 2 : 1;
  let found: string | undefined;
  for (const [candidate, count] of known) {
    // A short word has to have all letters that it needs: "isue" may be "issue", but "mona" is not "main".
    if (word.length < ONE_MISTAKE && candidate.length <= word.length) continue;
    const mistakes = countMistakes(word, candidate, most);
    if (mistakes > most || (mistakes === most && found !== undefined && count <= (known.get(found) ?? 0))) continue;
    most = mistakes;
    found = candidate;
  }
  return found;
}

/** The corrections for a catalogue; its words are collected when one is first unknown. */
export function createSpelling(tools: readonly Tool[], vocabulary: Vocabulary): CorrectSpelling {
  let letters: Map<string, Map<string, number>> | undefined;
  const applications = new Set([...new Set(tools.map(({ application }) => application))].flatMap(words));
  const isKnown = (word: string): boolean => {
    const term = stem(word);
    if (isStopWord(word) || applications.has(word)) return true;
    if (vocabulary.has(term) || intentsOf(term).size > 0) return true;
    return [...synonymsOf(term)].some((synonym) => vocabulary.has(synonym));
  };
  const corrected = (word: string): string => {
    letters ??= byFirstLetter(tools);
    return nearest(word, letters.get(word.charAt(0)) ?? new Map()) ?? word;
  };
  return (query) => {
    const all = words(query);
    if (all.length > MAX_WORDS) return query;
    const plain = withoutQuoted(query);
    const joined = all.map((word, i) => word + (all[i + 1] ?? "")).filter((word) => vocabulary.has(stem(word)));
    let out = "";
    let from = 0;
    for (const { 0: found, index: start } of plain.matchAll(WORD)) {
      const word = found.toLowerCase();
      const end = start + found.length;
      // What is still being typed is no mistake.
      const isBegun = plain.slice(end).trim() === "" && vocabulary.startingWith(word).length > 0;
      const isJoined = joined.some((one) => one.startsWith(word) || one.endsWith(word));
      if (isKnown(word) || isBegun || isJoined || isValuePlace(plain, { start, end })) continue;
      out += query.slice(from, start) + corrected(word);
      from = end;
    }
    return out + query.slice(from);
  };
}
