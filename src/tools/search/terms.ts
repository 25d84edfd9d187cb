// How text becomes the terms that are ranked: split at case changes and punctuation, lower-cased, stemmed.
// Knows English, and cuts scripts without spaces into pairs of characters; knows nothing of tools.
import { stemmer } from "stemmer";

const STOP = new Set(
  (
    "a an the of for to in on at by with from as is are was were be been being am do does did done i me my mine we our ours us you your " +
    "yours he she his her they them their this that these those it its and or but if then than so such can could would should will shall " +
    "may might must please want need like help also any some all each every there here have has had having not no yes which who whom whose " +
    "what when where why how about into out over under up down just only very more most much many using use used via per let lets hi hello " +
    "thanks thank hey im id ive ll ve s t re d provide additionally know information interested give tell looking"
  ).split(" "),
);

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters beyond ASCII, or capitals inside a word: the rare text that takes the long way. */
const INTRICATE = /[\x80-\uffff]|[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;
const ASCII_WORD = /[a-z0-9]+/g;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** More stems than this are not kept: prompts bring new words for as long as the program runs. */
const MAX_STEMS = 50_000;
const stems = new Map<string, string>();

/** The stem of one lower-case word. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = /^[a-z]+$/.test(word) ? stemmer(word) : word;
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

/** So many letters at the beginning of two words say the same. */
const SHARED_LETTERS = 5;

/** Whether two stems say the same: "who directed it" asks for the director. */
export const isAkin = (one: string, other: string): boolean =>
  one === other || (one.length >= SHARED_LETTERS && other.startsWith(one.slice(0, SHARED_LETTERS)));

/** Words that only say which one is meant: "creates a new customer" is what "create a customer" asks for. */
const WHICH = new Set("certain existing given new particular single specific specified".split(" ").map(stem));

/** Whether a term only says which one is meant: the terms around it stand beside each other. */
export function onlySaysWhich(term: string): boolean {
  return WHICH.has(term);
}

/** The lower-case words of a text: camelCase, snake_case and paths are split, scripts without spaces give pairs of characters. */
export function words(text: string): string[] {
  const out: string[] = [];
  if (!INTRICATE.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? out;
  const split = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  for (const [word] of split.toLowerCase().matchAll(WORD)) {
    if (!SPACELESS.test(word)) out.push(word);
    else if (word.length === 1) out.push(word);
    else for (let i = 0; i + 1 < word.length; i++) out.push(word.slice(i, i + 2));
  }
  return out;
}

/** Whether a word means nothing to a ranking. */
export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

/** The stemmed terms of a text, without stop words, in order, repetitions kept. */
export function terms(text: string): string[] {
  const out: string[] = [];
  for (const word of words(text)) if (!STOP.has(word)) out.push(stem(word));
  return out;
}

/** The terms of a text. */
export type Split = (text: string) => readonly string[];

/** Splits texts, each once: parameters repeat their names and descriptions all over a catalogue. */
export function createSplitter(): Split {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    let found = known.get(text);
    if (!found) known.set(text, (found = terms(text)));
    return found;
  };
}
