// The order a prompt asks for: "the cheapest three", "latest orders", "sorted by name". Either the target sorts, by an option
// its tool has for that, or the records are sorted for the answer.

import { NUMBER_WORDS } from "./entities.js";
import { oncePerPrompt } from "./prompt.js";

/** An order, and how many of its first are wanted. */
export interface Order {
  /** As written in the prompt. */
  text: string;
  descending: boolean;
  /** The word after "sorted by". */
  field?: string;
  /** By time; otherwise by an amount. */
  byTime: boolean;
  count?: number;
}

const SORTED =
  /\b(?:sort(?:ed)?\b[^.?!]*?|order(?:ed)?) by (?:the )?(\w+)(\s+(?:desc\w*|from high\w*|highest first))?/i;
const SUPERLATIVE =
  /\b(cheapest|most expensive|priciest|lowest|highest|largest|biggest|smallest|newest|latest|most recent|oldest)\b/i;
const TIME = /newest|latest|recent|oldest/i;
const UP = /cheapest|lowest|smallest|oldest/i;
const COUNT = `(\\d{1,3}|${NUMBER_WORDS.slice(1).join("|")})`;
/** "the cheapest one" counts nothing. */
const COUNTED = new RegExp(
  `\\b${COUNT} (?:${SUPERLATIVE.source})|(?:${SUPERLATIVE.source}) (?!one\\b)${COUNT}\\b`,
  "i",
);

/** "the top 3 products by stock". */
const TOP = new RegExp(`\\btop ${COUNT} [^.?!]*?\\bby (?:the )?(\\w+)`, "i");

function countOf(digits: string | undefined): number {
  if (digits === undefined) return Number.NaN;
  return /^\d/.test(digits) ? Number(digits) : NUMBER_WORDS.indexOf(digits.toLowerCase());
}

/** The order a prompt asks for, if any. */
export const orderIn = oncePerPrompt((prompt): Order | undefined => {
  const sorted = SORTED.exec(prompt.text);
  if (sorted?.[1]) return { text: sorted[0], descending: sorted[2] !== undefined, field: sorted[1], byTime: false };
  const top = TOP.exec(prompt.text);
  if (top?.[2]) return { text: top[0], descending: true, field: top[2], byTime: false, count: countOf(top[1]) };
  const word = SUPERLATIVE.exec(prompt.text)?.[0].toLowerCase();
  if (word === undefined) return undefined;
  const counted = COUNTED.exec(prompt.text);
  const count = countOf(counted?.[1] ?? counted?.at(-1));
  return { text: word, descending: !UP.test(word), byTime: TIME.test(word), count: count > 0 ? count : undefined };
});
