// Words of a prompt that say in which state the records are to be: "open tickets", "loans that have been returned". Text in, words
// out; knows nothing of tools.

import { singularOf } from "../../lib/plural.js";
import { isStopWord } from "../../tools/search/terms.js";
import { type PromptText, type Token, textBefore } from "./prompt.js";
import { fieldVerbOf, isTime } from "./span.js";

/** Words for a state: what was done to something, and the others that fields are often called by. */
const STATE =
  /^\p{L}{2,}[^e]ed$|^(?:open|due|used|owed|sold|paid|unpaid|lent|sent|unsent|lost|won|held|broken|taken|given|written|drawn|empty|free|active)$/u;
/** Words between a state and what is in it: "sold out concerts". */
const PARTICLE = /^(?:out|off|up|in)$/;
/** So many words stand between a state and its noun at most. */
const ADJECTIVES = 3;
const BEING = /^(?:(?:is|are|was|were)(?:n['’]?t)?|be|been|being)$/;
const ADVERB = /^(?:still|already|currently|not|now|all|yet|ever|just)$/;
/** What says of something that it was done by nobody: "that nobody has paid yet". */
const DONE_BY_NOBODY = /\b(?:nobody|no[ -]one)\s+(?:(?:has|have|had)\s+)?(?:(?:yet|ever|even|actually)\s+)*$/i;
/** What says right behind a noun that it was not done: "parcels never collected". */
const NOT_DONE = /^(?:not|never)$/;
/** Behind these stands what a verb is about, which says more than the state: "that are assigned to Ada". */
const GOES_ON = /^(?:by|to|from|of|as|at|in|on|with)$/;

const DEGREE = /^(?:best|worst|highest|lowest|top|most|least|fewest|more|less|well)$/;

/** The words for a state right before the noun of the records, or behind "is". */
export function statesIn(prompt: PromptText, noun: string): Token[] {
  const { tokens } = prompt;
  const own = noun.split(" ").at(-1) ?? noun;
  // In "closed before May" the verb says what the day is of.
  const ofDays = prompt.entities.filter(isTime).map((day) => fieldVerbOf(prompt, day));
  return tokens.filter((token, at) => {
    if (!STATE.test(token.word) || ofDays.includes(token)) return false;
    // "the best rated books" are in an order.
    if (DEGREE.test(tokens[at - 1]?.word ?? "")) return false;
    const behind = tokens.slice(at + 1, at + 1 + ADJECTIVES);
    const end = behind.findIndex(({ word }) => singularOf(word) === own);
    const between = behind.slice(0, end);
    if (end >= 0 && between.every(({ word }) => !isStopWord(word) || PARTICLE.test(word))) return true;
    if (DONE_BY_NOBODY.test(textBefore(prompt, token.start))) return true;
    const ahead = tokens.slice(0, at);
    const last = ahead.findLastIndex(({ word }) => !ADVERB.test(word) && !NOT_DONE.test(word));
    const before = ahead[last];
    const isDenied = ahead.slice(last + 1).some(({ word }) => NOT_DONE.test(word));
    if (isDenied && singularOf(before?.word ?? "") === own) return true;
    return BEING.test(before?.word ?? "") && !GOES_ON.test(behind[0]?.word ?? "");
  });
}
