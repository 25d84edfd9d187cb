// What a comparison is about, by the words right beside it: the tickets sold of "fewer than 10 tickets sold" and of "tickets sold
// under 10". Text in; knows nothing of tools and records.

import { isPlural } from "../../lib/plural.js";
import { isStopWord, stem } from "../../tools/search/terms.js";
import type { Comparison } from "./comparison.js";
import { oncePerPrompt, type PromptText } from "./prompt.js";
import { unitOf } from "./units.js";

/** Words between the name of a measure and its comparison: "whose ticket price is still over 10". */
const BETWEEN = new Set("a an the of is are was were be has have at still currently already now that".split(" "));

/** The stems beside a comparison, the nearest first. */
interface Beside {
  before: readonly string[];
  behind: readonly string[];
}

const besideIn = oncePerPrompt(() => new Map<string, Beside>());

/** Where the words behind a comparison begin: in "40 tickets or more" right behind the number. */
function behindAt({ text, entity, isSpan }: Comparison, prompt: PromptText): number {
  return isSpan === true ? prompt.text.indexOf(text) + text.length : entity.end;
}

function besideOf(comparison: Comparison, prompt: PromptText): Beside {
  const { text } = comparison;
  const known = besideIn(prompt).get(text);
  if (known) return known;
  const start = prompt.text.indexOf(text);
  const before = prompt.tokens.filter(({ end }) => end <= start).toReversed();
  const first = before.findIndex(({ word }) => !BETWEEN.has(word));
  const behind = prompt.tokens.filter((token) => token.start >= behindAt(comparison, prompt));
  const beside: Beside =
    start < 0
      ? { before: [], behind: [] }
      : {
          before: first < 0 ? [] : before.slice(first).map(({ word }) => stem(word)),
          behind: behind.map(({ word }) => stem(word)),
        };
  besideIn(prompt).set(text, beside);
  return beside;
}

/** Whether all words of a name stand right beside a comparison: before it, behind it, or on both sides ("sold over 50 tickets"). */
function isBeside(name: readonly string[], { before, behind }: Beside): boolean {
  const wanted = [...name].sort().join(" ");
  for (let ahead = 0; ahead <= name.length; ahead++) {
    const said = [...before.slice(0, ahead), ...behind.slice(0, name.length - ahead)];
    if (said.length === name.length && said.sort().join(" ") === wanted) return true;
  }
  return false;
}

/** Of some names, each in stems, those that a comparison stands with all words of; of several the ones of most words. */
export function namedBeside<T>(
  names: readonly { of: T; stems: readonly string[] }[],
  comparison: Comparison,
  prompt: PromptText,
): T[] {
  const beside = besideOf(comparison, prompt);
  const named = names.filter(({ stems }) => stems.length > 0 && isBeside(stems, beside));
  const most = Math.max(...named.map(({ stems }) => stems.length));
  return named.filter(({ stems }) => stems.length === most).map(({ of }) => of);
}

/** The noun behind a number, and what was done to it: "more than 10 seats", "more than 10 seats sold". */
const COUNTED =
  /^\s+(?!(?:eur|euros?|usd|dollars?|pounds?|gbp|bucks|cents|percent|records?|results?|items?)\b)(\p{L}{3,})(?:\s+(\p{L}{2,}[^e]ed|sold|sent|lent|left|paid|won|lost|held|made|taken)\b)?/iu;

/** What the number of a comparison counts, in the plural; undefined where a unit or nothing stands behind it. */
export function countedBehind(comparison: Comparison, prompt: PromptText): string | undefined {
  const [, noun = "", done] = COUNTED.exec(prompt.text.slice(behindAt(comparison, prompt)).toLowerCase()) ?? [];
  if (!isPlural(noun) || isStopWord(noun) || unitOf(noun) !== undefined) return undefined;
  return done === undefined ? noun : `${noun} ${done}`;
}
