// What a prompt says of what is there and what has run out: "in stock", "out of stock", "sold out". Text in, stretches of it out.

import { oncePerPrompt, type PromptText } from "./prompt.js";

const SUPPLY =
  /\b(?:out of|no|run out of|without any)\s+(?:stock|supply)\b(?:\s+left)?|(?<!\b(?:low|short|light) )\b(?<some>in|on)\s+(?:stock|hand)\b|\bsold[ -]out\b/giu;

const HOW_MANY_LEFT =
  /^\s*(?:(?:and|so)\s+)?how (?:many|much)\s.*?\b(?:left|remaining|in stock|do we (?:still )?have|have we got)\b/i;

/** Whether a prompt asks how many there are of something. */
export const asksHowManyLeft = ({ text }: PromptText): boolean => HOW_MANY_LEFT.test(text);

/** The words by which a prompt asks for what is there, or is not. */
export const suppliesIn = oncePerPrompt(({ text }): { text: string; index: number; isOut: boolean }[] =>
  [...text.matchAll(SUPPLY)].map(({ 0: whole, index, groups }) => ({
    text: whole,
    index,
    isOut: groups?.["some"] === undefined,
  })),
);
