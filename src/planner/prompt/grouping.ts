// What a prompt counts records by: "issues per project", "how many loans does each borrower have". Text in, words out.

import { oncePerPrompt } from "./prompt.js";

/** The words of a grouping, and the one or two that may name a field. */
interface Grouping {
  text: string;
  start: number;
  one: string;
  next: string;
}

const PER =
  /\b((?:per|for each|for every|grouped by|by each|do(?:es)? each|(?<=\b(?:count|how many|number of)\b.*)by)\s+([\p{L}_]+))(?:\s+(\p{L}+))?/iu;

/** What a prompt counts records by, if it does. */
export const groupingIn = oncePerPrompt(({ text: prompt }): Grouping | undefined => {
  const found = PER.exec(prompt);
  const [, text = "", one = "", next = ""] = found ?? [];
  return found ? { text, start: found.index, one, next } : undefined;
});
