// What a prompt says is not to be: "not done", "nobody has done", "without an assignee", "outside Germany". Text in, stretches of it out; knows
// nothing of tools.

import { isInside } from "./entities.js";
import { oncePerPrompt, type PromptText } from "./prompt.js";

/** A negation and the words it reaches. */
export interface Negation {
  text: string;
  start: number;
  end: number;
  /** It says that something is lacking: "without an assignee", "with no assignee". */
  absence: boolean;
}

const NEGATOR =
  /\b(?:not|never|nobody|no[ -]one|without|lacking|except(?: for)?|excluding|apart from|other than|outside(?: of)?|besides|non|neither|no(?! ?\.? ?\d|-\p{L}| shows?\b))\b|\b\w+n['’]t\b|\b(?:is|are|was|were|do|does|did|has|have|had|should|would|could|ca|wo)nt\b/giu;
const ABSENCE = /^(?:without|lacking|no)$/i;
/** Where the reach of a negation ends: a clause, or a value that is set against it. */
const CLAUSE = /[.,;:!?()]|\b(?:and|but|that|which|who|whose|sorted|ordered|with)\b/i;
/** Words a negation reaches at most. */
const REACH = 5;

/** The negations of a prompt, outside quoted texts; those of a comparison ("no more than 5") belong to the comparison. */
export const negationsIn = oncePerPrompt((prompt): Negation[] => {
  const quoted = prompt.entities.filter(({ kind }) => kind === "quoted");
  return [...prompt.text.matchAll(NEGATOR)].flatMap(({ index, 0: word }) => {
    // "NO" in capitals is rather Norway; a prompt that is all capitals was read in small letters.
    if (isInside(index, quoted) || word === "NO") return [];
    const after = index + word.length;
    const rest = prompt.text.slice(after);
    if (/^\s+(?:\w+er|more|less)\s+than\b|^\s+(?:over|under|above|below|exceeding)\b/i.test(rest)) return [];
    const reached = prompt.tokens.filter(({ start }) => start >= after).slice(0, REACH);
    // "not with doctor 1" goes on beyond its first word.
    const first = /^\s+(?:with|and)\b/i.exec(rest)?.[0].length ?? 0;
    const next = CLAUSE.exec(rest.slice(first))?.index;
    const clause = next === undefined ? rest.length : first + next;
    const end = Math.min(after + clause, reached.at(-1)?.end ?? after);
    const text = prompt.text.slice(index, end).trim();
    return [{ text, start: index, end, absence: ABSENCE.test(word) }];
  });
});

/** Whether a position of the prompt is denied. */
export function isNegated(position: number, prompt: PromptText): boolean {
  return isInside(position, negationsIn(prompt));
}
