// Comparisons of a prompt: "longer than 100", "no more than 5", "at least 3". A comparative that is not known has no sign, so that it
// is reported and never guessed. Text in, signs out; knows nothing of tools.

import { words } from "../../tools/search/terms.js";
import type { Entity } from "./entities.js";
import { oncePerPrompt, type PromptText, textBefore } from "./prompt.js";

/** How a value is compared with. */
export type ComparisonSign = "<" | "≤" | ">" | "≥" | "=";

interface Comparison {
  /** The words of it, with the number. */
  text: string;
  /** Undefined when the words are not understood. */
  sign?: ComparisonSign;
  entity: Entity;
}

const UP =
  "over|above|exceeding|beyond|more|greater|larger|longer|older|higher|bigger|taller|heavier|wider|deeper|faster|warmer|hotter|thicker|costlier|dearer|more expensive";
const DOWN =
  "under|below|beneath|less|fewer|smaller|shorter|younger|lower|lighter|narrower|slower|colder|cooler|thinner|cheaper|nearer|closer|less expensive";
const SIGNS: readonly [RegExp, ComparisonSign, negated: ComparisonSign][] = [
  [/^(?:at least|minimum(?: of)?|min|>=|≥|no fewer than|not less than)$/i, "≥", "<"],
  [/^(?:at most|up to|maximum(?: of)?|max|<=|≤)$/i, "≤", ">"],
  [/^exactly$|^=$/i, "=", "="],
  [new RegExp(`^(?:${UP})(?: than)?$|^>$`, "i"), ">", "≤"],
  [new RegExp(`^(?:${DOWN})(?: than)?$|^<$`, "i"), "<", "≥"],
];
/** The comparison right before a number; a comparative of any kind, so that an unknown one is seen, too. */
const BEFORE = new RegExp(
  String.raw`(?:\b(not|no|never)\s+|\b\w+n['’]t\s+)?(?:be\s+)?(\b(?:more expensive than|less expensive than|at least|at most|up to|minimum of|maximum of|exactly|${UP}|${DOWN}|\w+er)(?:\s+than)?|<=|>=|≤|≥|<|>)\s*(?:[$€£]\s*)?$`,
  "i",
);

/** The comparison that a value of the prompt stands in, if any. */
export function comparisonOf(entity: Entity, prompt: PromptText): Comparison | undefined {
  return comparisonsIn(prompt).find((one) => one.entity === entity);
}

/** The comparisons of a prompt. */
export const comparisonsIn = oncePerPrompt((prompt): Comparison[] =>
  prompt.entities.flatMap((entity) => {
    if (entity.kind !== "number" && entity.kind !== "date") return [];
    const before = textBefore(prompt, entity.start);
    const found = BEFORE.exec(before);
    const words = found?.[2];
    // "number 5" and "order 7" are no comparatives: those have a "than".
    if (!found || words === undefined || (/^\w+er$/i.test(words) && !isKnown(words))) return [];
    const negated = /^(?:not|no|never)\s|n['’]t\s/i.test(found[0]);
    const [, sign, other] = SIGNS.find(([pattern]) => pattern.test(words.trim())) ?? [];
    const age = /^older|^younger/i.test(words) && entity.kind === "date";
    return [{ text: `${found[0]}${entity.text}`.trim(), sign: age ? undefined : negated ? other : sign, entity }];
  }),
);

const isKnown = (words: string): boolean => new RegExp(`^(?:${UP}|${DOWN})$`, "i").test(words);

const UNIT =
  /^\s(seconds?|minutes?|hours?|days?|weeks?|months?|years?|km|kilomet\w+|miles?|met(?:er|re)s?|cm|feet|inch(?:es)?|kg|kilo\w*|grams?|pounds|lbs?|lit(?:er|re)s?|mb|gb)\b/i;

/** Whether a number is in a unit that `about` does not name: "longer than 2 hours" of a length that may be in minutes. */
export function isOtherUnit(about: string, { end, unit: own }: Entity, { text }: PromptText): boolean {
  const unit = (UNIT.exec(text.slice(end))?.[1] ?? own?.text)?.toLowerCase();
  if (unit === undefined || (/^years?$/.test(unit) && /age/i.test(about))) return false;
  return !words(about).some(
    (word) => word.length > 1 && !/^(?:min|max)$/.test(word) && unit.startsWith(word.replace(/s$/, "")),
  );
}
