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
  /\b((?:per|for each|for every|grouped by|by each|(?:in|on|at|of|with|from|under) (?:each|every)|do(?:es)? each|(?<=\b(?:count|how many|number of)\b.*)by)\s+([\p{L}_]+))(?:\s+(\p{L}+))?/iu;
/** "musicians by section": all that a list and its verb leave; a name may stand there as well, so only a field counts. */
const PLAIN =
  /^(?:please )?(?:(?:show|list|give|get|display)(?: me)? )?(?:all )?(?:the |our |my )?(?:\p{L}+ ){1,2}(by (\p{L}+)(?: (\p{L}+))?)[.!?\s]*$/iu;

/** "the sum of the fees of open loans by branch": behind what a number is made of. */
const MEASURED =
  /(?<=\b(?:sum|total|average|mean|avg|combined)\s[^.?!]{0,100})\b(by (\p{L}[\p{L}_]*)(?: (\p{L}+))?)[.!?\s]*$/iu;

/** "films by country, how many each": the count is asked for behind the field. */
const COUNTED_BEHIND =
  /\b(by\s+([\p{L}_]+))(?:\s+(?!how|and|with)(\p{L}+))?\s*[,:;(–-]?\s*(?:and\s+)?(?:how many|with (?:the |a )?(?:counts?|numbers?|totals?)|(?:the )?(?:count|number)s?\b)/iu;

/** What a prompt counts records by, if it does. */
export const groupingIn = oncePerPrompt(({ text: prompt }): Grouping | undefined => {
  const found = COUNTED_BEHIND.exec(prompt) ?? PER.exec(prompt);
  const [, text = "", one = "", next = ""] = found ?? [];
  return found ? { text, start: found.index, one, next } : undefined;
});

/** What a prompt may count records by, if a field is called so. */
export const plainGroupingIn = oncePerPrompt(({ text: prompt }): Grouping | undefined => {
  const found = /\b(?:sort|order|group|\p{L}+ed) by\b/iu.test(prompt)
    ? null
    : (PLAIN.exec(prompt) ?? MEASURED.exec(prompt));
  const [, text = "", one = "", next = ""] = found ?? [];
  return found ? { text, start: prompt.lastIndexOf(text), one, next } : undefined;
});
