// Comparisons of a prompt: "longer than 100", "no more than 5", "at least 3". A comparative that is not known has no sign, so that it
// is reported and never guessed. Text in, signs out; knows nothing of tools.

import { singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "./entities.js";
import { oncePerPrompt, type PromptText, textBefore } from "./prompt.js";
import { beforePer, isCountOf, unitOf, withoutUnit } from "./units.js";

/** How a value is compared with. */
export type ComparisonSign = "<" | "≤" | ">" | "≥" | "=";

export interface Comparison {
  /** The words of it, with the number. */
  text: string;
  /** Undefined when the words are not understood. */
  sign?: ComparisonSign | undefined;
  entity: Entity;
  /** The unit of the number, which may stand behind the other end of a span. */
  unit?: string | undefined;
  /** The number is a year that something is older or newer than. */
  isYear?: boolean;
  /** It is one end of a span. */
  isSpan?: boolean;
  /** It is enough to meet this one or the one beside it. */
  isAlternative?: boolean;
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

/** What begins a span, right before its first number: "between 10 and 20 kg", "from 10 to 20 kg". */
export const SPAN_START = /\b(?:between|from)\s+(?:[$€£]\s*)?$/i;
const SPAN_JOINT = /^\s*(?:\p{L}+\s+)?(?:and|to|-|–)\s+(?:[$€£]\s*)?$/iu;
/** "4.5 or better", "20 or less". */
const OR_MORE =
  /^\s*(?:\p{L}+\s+){0,2}(?:or|and)\s+(?:more|over|above|better|higher|greater|longer|heavier|older|larger|up)\b(?!\s+(?:than|[$€£]?\d))/iu;
const OR_LESS =
  /^\s*(?:\p{L}+\s+){0,2}(?:or|and)\s+(?:less|fewer|under|below|lower|worse|shorter|lighter|younger|smaller|cheaper)\b(?!\s+(?:than|[$€£]?\d))/iu;

/** The span of numbers that a number begins or ends. */
function spanOf(entity: Entity, { text, entities }: PromptText): { first: Entity; second: Entity } | undefined {
  const at = entities.indexOf(entity);
  for (const [first, second] of [entities.slice(at, at + 2), entities.slice(Math.max(0, at - 1), at + 1)]) {
    if (!first || !second || first.kind !== "number" || second.kind !== "number") continue;
    // Years are days as well, and read as such.
    if (first.day !== undefined || second.day !== undefined) continue;
    const before = text.slice(Math.max(0, first.start - SPAN_WORDS), first.start);
    if (!SPAN_START.test(before) || !SPAN_JOINT.test(text.slice(first.end, second.start))) continue;
    // "from 3 to 5" may be two records, "from 3 to 5 kg" is none.
    if (/\bbetween\s+\S*$/i.test(before) || second.unit !== undefined) return { first, second };
  }
  return undefined;
}

const SPAN_WORDS = 12;

/** The comparison that words around a number make, where it is no word right before it. */
function comparisonAround(entity: Entity, prompt: PromptText): Comparison | undefined {
  const span = spanOf(entity, prompt);
  if (span) {
    const { first, second } = span;
    const unit = first.unit ?? second.unit;
    const said = { ...entity, unit };
    const text = `${SPAN_START.exec(textBefore(prompt, first.start))?.[0] ?? ""}${prompt.text.slice(first.start, second.end)}`;
    return { text, sign: entity === first ? "≥" : "≤", entity, unit: said.unit?.text, isSpan: true };
  }
  const behind = prompt.text.slice(entity.end);
  const more = OR_MORE.exec(behind)?.[0];
  const less = OR_LESS.exec(behind)?.[0];
  const said = more ?? less;
  return said === undefined || entity.kind !== "number"
    ? undefined
    : { text: `${entity.text}${said}`, sign: more === undefined ? "≤" : "≥", entity, unit: entity.unit?.text };
}

/** "older than 2019" is made before that year. */
const AGE: Readonly<Record<string, ComparisonSign>> = {
  older: "<",
  earlier: "<",
  newer: ">",
  younger: ">",
  later: ">",
};

/** "brighter than magnitude 3": what a field is compared with, or the key of another record; neither is known. */
const FIELD_BETWEEN = /\b\p{L}+er\s+than\s+(?!(?:the|a|an)\s)\p{L}+\s+$/iu;

/** The comparisons of a prompt. */
export const comparisonsIn = oncePerPrompt((prompt): Comparison[] => {
  const all = prompt.entities.flatMap((entity) => {
    if (entity.kind !== "number" && entity.kind !== "date") return [];
    const around = comparisonAround(entity, prompt);
    if (around) return [around];
    const before = textBefore(prompt, entity.start);
    const field = FIELD_BETWEEN.exec(before)?.[0];
    const comparative = field?.trim().split(/\s/)[0] ?? "";
    if (field !== undefined && entity.kind === "number" && !isKnown(comparative))
      return [{ text: `${field}${entity.text}`, entity }];
    const found = BEFORE.exec(before);
    const words = found?.[2];
    // "number 5" and "order 7" are no comparatives: those have a "than".
    if (!found || words === undefined || (/^\w+er$/i.test(words) && !isKnown(words))) return [];
    const negated = /^(?:not|no|never)\s|n['’]t\s/i.test(found[0]);
    const [, sign, other] = SIGNS.find(([pattern]) => pattern.test(words.trim())) ?? [];
    const text = `${found[0]}${entity.text}`.trim();
    const isYear = entity.kind === "number" && /^[12]\d{3}$/.test(entity.text) && entity.unit === undefined;
    const aged =
      AGE[
        words
          .trim()
          .replace(/\s+than$/i, "")
          .toLowerCase()
      ];
    if (aged !== undefined && isYear) return [{ text, sign: negated ? undefined : aged, entity, isYear }];
    const age = /^older|^younger/i.test(words) && entity.kind === "date";
    return [{ text, sign: age ? undefined : negated ? other : sign, entity, unit: entity.unit?.text }];
  });
  return all.map((one, at): Comparison => {
    const [before, after] = [all[at - 1], all[at + 1]];
    const isJoined = (first: Comparison | undefined, second: Comparison | undefined): boolean =>
      first !== undefined &&
      second !== undefined &&
      first.text !== second.text &&
      areAlternatives(first, second, prompt);
    return isJoined(before, one) || isJoined(one, after) ? { ...one, isAlternative: true } : one;
  });
});

/** Whether either comparison will do: "under 5 or over 100". */
function areAlternatives(first: Comparison, second: Comparison, { text }: PromptText): boolean {
  const between = text.slice(first.entity.end, second.entity.start);
  return /^\s*(?:\p{L}+\s*)?,?\s*or\b/iu.test(between);
}

const isKnown = (words: string): boolean => new RegExp(`^(?:${UP}|${DOWN})$`, "i").test(words);

const UNIT =
  /^\s(seconds?|minutes?|hours?|days?|weeks?|months?|years?|km|kilomet\w+|miles?|met(?:er|re)s?|cm|feet|inch(?:es)?|kg|kilo\w*|grams?|pounds|lbs?|lit(?:er|re)s?|mb|gb)\b/i;

/** Whether a number is in a unit that `about` does not name: "longer than 2 hours" of a length that may be in minutes. */
export function isOtherUnit(about: string, entity: Entity, prompt: PromptText): boolean {
  const shared = comparisonOf(entity, prompt)?.unit;
  const unit = (UNIT.exec(prompt.text.slice(entity.end))?.[1] ?? entity.unit?.text ?? shared)?.toLowerCase();
  if (unit === undefined || (/^years?$/.test(unit) && /age/i.test(about))) return false;
  const measured = unitOf(unit);
  const isSame = (word: string): boolean => {
    const own = unitOf(word);
    return own !== undefined && own.measures === measured?.measures && own.size === measured.size;
  };
  const written = SYMBOLS.find(([symbol, name]) => unit === symbol || unit.startsWith(name));
  return !beforePer(words(about)).some(
    (word) =>
      written?.[0] === word ||
      word === unit ||
      isSame(word) ||
      isCountOf(word, singularOf(unit)) ||
      (word.length > 1 && !/^(?:min|max)$/.test(word) && unit.startsWith(word.replace(/s$/, ""))),
  );
}

/** What is measured in metres, or in kilograms, where nothing says in what. */
const PLAIN_MEASURES: readonly (readonly [unit: RegExp, field: RegExp])[] = [
  [/^met(?:er|re)s?$/i, /^(?:length|height|width|depth|draft|draught|beam|altitude|elevation)$/],
  [/^(?:kg|kilos?|kilograms?)$/i, /^(?:weight|mass)$/],
];

/** Whether a number is in the unit that the measure of a field is usually in, and its name has none: "longer than 15 metres" of a length. */
export function isInPlainUnit(about: string, { unit = "" }: Comparison): boolean {
  const own = words(about);
  return (
    own.length === withoutUnit(own).length &&
    PLAIN_MEASURES.some(([said, field]) => said.test(unit) && own.some((word) => field.test(word)))
  );
}

/** Units that fields are called by in short. */
const SYMBOLS: readonly [symbol: string, name: string][] = [
  ["km", "kilomet"],
  ["kg", "kilo"],
  ["cm", "centimet"],
  ["lbs", "pound"],
];
