// A prompt, read once: its words with their positions and stems, and the entities in it. Only its beginning is read, so that the
// work for one prompt is bounded whatever is pasted into it.
import { type Intent, intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem } from "../../tools/search/terms.js";
import { type Entity, findEntities, type Today } from "./entities.js";

/** One word of a prompt. */
export interface Token {
  word: string;
  term: string;
  start: number;
  end: number;
}

/** A prompt, read. */
export interface PromptText {
  text: string;
  tokens: Token[];
  entities: Entity[];
  /** Stems of every word. */
  terms: ReadonlySet<string>;
  /** What its verbs may ask for. */
  intents: ReadonlySet<Intent>;
  today: Today;
}

/** Of a longer prompt the rest is not read: the planner compares words with words, and blocks the event loop while it does. */
export const MAX_WORDS = 300;
export const MAX_CHARACTERS = 4000;

/** The part of a prompt that is read: whole words, within both bounds. */
export function beginningOf(prompt: string): { text: string; cut: boolean; words: number } {
  const whole = prompt.trim();
  const head = whole.slice(0, MAX_CHARACTERS);
  const tokens = tokensOf(head);
  const next = tokens[MAX_WORDS];
  if (next) return { text: head.slice(0, next.start).trimEnd(), cut: true, words: MAX_WORDS };
  if (head.length === whole.length) return { text: whole, cut: false, words: tokens.length };
  // Half a word or half a number would be a different one.
  const inside = /[^\s,;|]/.test(whole[head.length] ?? "");
  const text = inside ? head.slice(0, Math.max(0, head.search(/[\s,;|][^\s,;|]*$/))) : head;
  return { text: text.trimEnd(), cut: true, words: tokensOf(text).length };
}

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD))
    for (const part of match[0].matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{N}'’]+|[^\p{Lu}\p{Ll}]+/gu)) {
      const word = part[0].toLowerCase().replace(/^['’]|['’]s?$/g, "");
      const start = match.index + part.index;
      tokens.push({ word, term: stem(word), start, end: start + part[0].length });
    }
  return tokens;
}

/** A text without a small letter is shouted: its words are no names. What has a digit or a dash in it stays as it is. */
function unshouted(text: string): string {
  if (/\p{Ll}/u.test(text) || !/\p{Lu}\p{Lu}+\s+\p{Lu}\p{Lu}+/u.test(text)) return text;
  return text.replace(/(?<![\p{L}\p{N}_-])\p{Lu}+(?![\p{L}\p{N}_-])/gu, (word) => {
    const small = word.toLowerCase();
    return small.length === word.length ? small : word;
  });
}

/** "if it is not too much trouble", "if you don't mind": these forbid nothing, and are no condition. */
const POLITE_IF = /,?\s+if (?:it|that|you)\b[^.,;?!"“”`]*?\b(?:trouble|mind|bother)\b,?/gi;

/** "Please" and "thanks" as they are typed in a hurry, at the end; behind a colon somebody may have to be told so. */
const SHORT_PLEASE = /(?<=\S)[\s,]+(?:pls|plz|plse|thx)[\s.!]*$/i;

/** A text without such words; a quoted one stays as it is. */
const withoutPoliteness = (text: string): string =>
  /["“”`]/.test(text) ? text : (text.includes(":") ? text : text.replace(SHORT_PLEASE, "")).replace(POLITE_IF, "");

/** Question words that run into their verb, at the beginning: "whos", "whats". */
const RUN_IN = /^(\s*(?:(?:so|and|but|ok|okay|hi|hey)[\s,]+)?(?:who|what|where|when|how))s(?=\s)/iu;

/** What somebody has run out of, at the end: "what tea are we out of", "lamps we have run out of". */
const RUN_OUT =
  /(?<!\s)\s+(?:(?:are|have)\s+(?<asked>we|you|they)|(?:(?:that|which)\s+)?(?:we|you|they)(?:['’](?:re|ve)|\s+(?:are|have))?)\s+(?:now\s+)?(?:r[ua]n\s+)?out\s+of(?=[\s?.!]*$)/iu;

/** What is quoted or dictated, or written into a record, stays as it is. */
const WRITES = /["“”‘`:]|\b(?:add|change|create|make|note|put|rename|save|send|set|tell|update|write)\b/i;
/** Nothing says of what: the noun "stock" would be taken for it. */
const OF_ANYTHING = /^\s*(?:(?:and|so)\s+)?(?:what|which)\s*$/i;

const outOfStock = (text: string): string =>
  text.replace(RUN_OUT, (said, asked: string | undefined, at: number) => {
    if (OF_ANYTHING.test(text.slice(0, at)) || WRITES.test(text)) return said;
    return `${asked === undefined ? " that" : ""} are out of stock`;
  });

/** A text with its sentences begun small: a capital that is left is that of a name, also in "find It" and "who wrote Her". */
export const withSmallBeginnings = (text: string): string =>
  text.replace(/[A-Z](?<=(?:^|[.!?]\s).)/g, (letter) => letter.toLowerCase());

/** "neither open nor paid" denies either. */
const NEITHER = /(?<![\p{L}"“'‘])neither\s+(?=[^.,;:?!"“”]{1,60}?\snor\s)(?<one>[^.,;:?!"“”]{1,60}?)\s+nor\b/giu;

/** "longer then 90": a slip of a key before a number. */
const THEN = /(?<=\p{L}(?:er|ore|ess) )then(?= (?:[$€£]\s?)?\d)/giu;

/** Reads the beginning of a prompt. */
export function readPrompt(prompt: string, today: Today): PromptText {
  const said = withoutPoliteness(unshouted(beginningOf(prompt).text)).replace(RUN_IN, "$1's");
  const text = outOfStock(said.replace(NEITHER, "not $<one> or").replace(THEN, "than"));
  const tokens = tokensOf(text);
  const terms = new Set(tokens.map(({ term }) => term));
  const intents = new Set([...terms].flatMap((term) => [...intentsOf(term)]));
  return { text, tokens, entities: findEntities(text, today), terms, intents, today };
}

/** A value derived from a prompt, computed once for each: tools are judged by the dozen. */
export function oncePerPrompt<T>(derive: (prompt: PromptText) => T): (prompt: PromptText) => T {
  const known = new WeakMap<PromptText, { derived: T }>();
  return (prompt) => {
    let found = known.get(prompt);
    if (!found) known.set(prompt, (found = { derived: derive(prompt) }));
    return found.derived;
  };
}

/** The same for each entity of a prompt. */
export function oncePerEntity<T>(
  derive: (prompt: PromptText, entity: Entity) => T,
): (prompt: PromptText, entity: Entity) => T {
  const known = oncePerPrompt(() => new Map<Entity, { derived: T }>());
  return (prompt, entity) => {
    const ofPrompt = known(prompt);
    let found = ofPrompt.get(entity);
    if (!found) ofPrompt.set(entity, (found = { derived: derive(prompt, entity) }));
    return found.derived;
  };
}

/** The text right before a position; every rule about what precedes an entity looks back no further. */
export function textBefore({ text }: PromptText, at: number): string {
  return text.slice(Math.max(0, at - LOOK_BACK), at);
}

const LOOK_BACK = 60;

/** The words that carry meaning: no stop words, nothing inside an entity that is no name. */
export const contentTokens = oncePerPrompt((prompt) => {
  const literal = prompt.entities.filter(({ kind }) => kind !== "name");
  return prompt.tokens.filter(
    ({ word, start }) => !isStopWord(word) && !literal.some((value) => start >= value.start && start < value.end),
  );
});
