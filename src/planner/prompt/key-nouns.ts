// Numbers and identifiers of a prompt that are keys, and the nouns they are the keys of: "task 55" in "move task 55 to done".
import { isPlural } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord } from "../../tools/search/terms.js";
import type { Entity } from "./entities.js";
import { oncePerPrompt, type PromptText, type Token, textBefore } from "./prompt.js";

/** Words that stand between a name and its value without meaning anything. */
export const CONNECTORS = new Set(
  "of is are was be to as at the a an with and equal equals for being set value values its it number from that has have having by approximately about exactly".split(
    " ",
  ),
);

const COMPARED =
  /(?:\b(?:over|under|above|below|than|least|most|up to|between|exceed(?:s|ing)?|within|around|about)|[<>]=?|[$€£])\s*$/i;

/** Whether an entity is a measure: "over 100", "$5", "10%". */
export function isMeasure({ kind, sign, start }: Entity, prompt: PromptText): boolean {
  if (kind !== "number") return false;
  return (sign !== undefined && sign !== "#") || COMPARED.test(textBefore(prompt, start));
}

/** Whether a number says how many of what follows there are or are wanted: "2 students", "the first 3 trips", "with 100 points". */
export function isCount(value: Entity, prompt: PromptText): boolean {
  if (value.kind !== "number") return false;
  const next = prompt.tokens.find(({ start }) => start >= value.end);
  return next !== undefined && isPlural(next.word) && prompt.text.slice(value.end, next.start) === " ";
}

/** Whether an entity is the key of a noun right before it, as in "product 3". */
export function isKeyOfNoun(value: Entity, prompt: PromptText): boolean {
  const before = nounBefore(value, prompt);
  return (value.kind === "number" || value.kind === "id") && before !== undefined && !isMeasure(value, prompt);
}

/** The nouns that have a key behind them: "task" in "move task 55". */
export const keyNouns = oncePerPrompt(
  (prompt) =>
    new Set(prompt.entities.flatMap((value) => (isKeyOfNoun(value, prompt) ? (nounBefore(value, prompt) ?? []) : []))),
);

const nouns = oncePerPrompt(() => new Map<Entity, Token | undefined>());

/** The noun right before a number or an identifier; undefined when there is none. */
export function nounBefore(value: Entity, prompt: PromptText): Token | undefined {
  const known = nouns(prompt);
  if (!known.has(value)) known.set(value, findNounBefore(value, prompt));
  return known.get(value);
}

function findNounBefore(value: Entity, prompt: PromptText): Token | undefined {
  const before = prompt.tokens.findLast(({ end }) => end <= value.start);
  const near = before !== undefined && /^\s*#?$/.test(prompt.text.slice(before.end, value.start));
  return near && isNoun(before) ? before : undefined;
}

function isNoun({ word, term, start }: Token): boolean {
  if (isStopWord(word) || CONNECTORS.has(word) || start === 0) return false;
  return intentsOf(term).size === 0 || synonymsOf(term).size > 0;
}
