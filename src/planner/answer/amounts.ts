// The fields of records that hold amounts, and the one that a prompt means.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { synonymsOf } from "../../tools/search/synonyms.js";
import { isAkin, isStopWord, stem, words } from "../../tools/search/terms.js";
import type { Comparison } from "../prompt/comparison.js";
import { countedBehind, namedBeside } from "../prompt/measured.js";
import type { PromptText } from "../prompt/prompt.js";
import { suppliesIn } from "../prompt/supply.js";
import { beforePer, isCountOf, type Unit, unitOf, withoutUnit } from "../prompt/units.js";
import { isInMinutes } from "../slots/minutes.js";
import { hasWord } from "../slots/name-words.js";

const MONEY = /(?:price|amount|total)s?$|^costs?$/;
/** Fields that say how far another one may go. */
export const CEILING = /min|max|limit|capacity|reorder|threshold|target/i;
/** Fields that say what somebody owes, and whether a prompt asks for that. */
export const DEBT =
  /(?:^|_)(?:owe[ds]?|due|debts?|balance|outstanding|arrears)(?=$|_|[A-Z])|(?:Due|Owed|Debt|Balance)$/;
export const asksForDebt = ({ text }: PromptText): boolean => /\bow(?:e|es|ed|ing)\b/i.test(text);

/** The fields that hold numbers and no keys. */
export function numericFields(rows: readonly JsonObject[]): string[] {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...keys].filter((key) => {
    if (/(?:^|_)id$|Id$/.test(key)) return false;
    const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every((value) => isNumeric(value));
  });
}

/** Whether a value is a number, or a text that is one. */
export const isNumeric = (value: JsonValue | undefined): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));

/** The fields that a comparison stands with the name of; the unit at the end of a name need not be said. */
export function namedAmounts(rows: readonly JsonObject[], comparison: Comparison, prompt: PromptText): string[] {
  const names = numericFields(rows).flatMap((key) => {
    const all = words(key);
    return [...new Set([all, withoutUnit(all)])].map((said) => ({ of: key, stems: said.map(stem) }));
  });
  return namedBeside(names, comparison, prompt);
}

/**
 * Whether a comparison counts something else than the field of money that is left: "more than 5 speakers" is no bound of a price, and
 * of the ticket price and the tickets sold "over 50 tickets" says neither.
 */
export function countsOther(
  field: string,
  comparison: Comparison,
  { rows, prompt }: { rows: readonly JsonObject[]; prompt: PromptText },
): boolean {
  const counted = countedBehind(comparison, prompt);
  if (!hasWord(field, MONEY) || counted === undefined) return false;
  const said = words(counted).map(stem);
  const called = numericFields(rows).filter((key) => said.every((term) => words(key).map(stem).includes(term)));
  return called.length !== 1 || called[0] !== field;
}

/** Words that ask for what something is worth, and fields that say it. */
const WORTH = /\b(?:worth|values?|valued|valuable)\b/i;
const VALUE = /value|worth/i;

/** Whether a field says what something is worth. */
export const isWorth = (field: string): boolean => VALUE.test(field) || hasWord(field, MONEY);

/** The name of a measure right before a comparison: "with altitude above 2000". */
const NAMED_BEFORE =
  /\b(?:with|at|whose|has|have|having)\s+(?:an?\s+|the\s+|its\s+)?(\p{L}{3,})\s+(?:of\s+|is\s+|are\s+)?$/iu;

/** Whether a comparison stands with the name of another measure than that of a field. */
export function isOtherField(field: string, { text }: Comparison, { text: prompt }: PromptText): boolean {
  const said = NAMED_BEFORE.exec(prompt.slice(0, Math.max(0, prompt.indexOf(text))))?.[1]?.toLowerCase();
  if (said === undefined || isStopWord(said)) return false;
  const term = stem(said);
  const own = words(field).map(stem);
  const isOwn = own.some((one) => isAkin(term, one) || synonymsOf(term).has(one));
  return !isOwn && !((WORTH.test(said) || hasWord(said, MONEY)) && isWorth(field));
}

/** The unit of a field, by the end of its name. */
function unitOfField(field: string, all: readonly string[]): Unit | undefined {
  if (isInMinutes(field, all)) return unitOf("minute");
  const last = beforePer(words(field)).at(-1) ?? "";
  return /^(?:min|max)$/.test(last) ? undefined : unitOf(last);
}

/** The only field in another unit of the same measure, and how many of its units one is: of `weight_kg` 1000 for tonnes. */
export function convertedField(
  rows: readonly JsonObject[],
  unit: string | undefined,
): { field: string; factor: number } | undefined {
  const said = unit === undefined ? undefined : unitOf(unit);
  if (!said) return undefined;
  const numeric = numericFields(rows);
  const found = numeric.flatMap((field) => {
    const own = unitOfField(field, numeric);
    return own?.measures === said.measures ? [{ field, factor: said.size / own.size }] : [];
  });
  const [only] = found;
  return found.length === 1 && only?.factor !== 1 ? only : undefined;
}

/** The field that an amount of the prompt is one of: the one of its unit, the one it names, the only one. */
export function amountField(rows: readonly JsonObject[], prompt: PromptText, unit?: string): string | undefined {
  const numeric = numericFields(rows);
  const isMinutes = unit !== undefined && /^min(?:ute)?s?$/i.test(unit);
  const said = unit === undefined ? undefined : unitOf(unit);
  // "square metres" are sqm.
  const isSame = (own: Unit | undefined): boolean =>
    said !== undefined && own?.measures === said.measures && own.size === said.size;
  const measured = numeric.filter(
    (key) =>
      unit !== undefined &&
      (beforePer(words(key)).some((word) => word === unit.toLowerCase() || isCountOf(word, singularOf(unit))) ||
        isSame(unitOfField(key, numeric)) ||
        (isMinutes && isInMinutes(key, numeric))),
  );
  if (measured.length === 1) return measured[0];
  // "in stock" names no amount, and neither does a preposition.
  const supplied = new Set(suppliesIn(prompt).flatMap(({ text }) => words(text)));
  const isNamed = (word: string): boolean => !isStopWord(word) && !supplied.has(word) && prompt.terms.has(stem(word));
  const named = numeric.filter((key) => words(key).some(isNamed));
  if (named.length === 1) return named[0];
  const owed = asksForDebt(prompt) ? numeric.filter((key) => DEBT.test(key)) : [];
  if (owed.length === 1) return owed[0];
  const money = numeric.filter((key) => hasWord(key, MONEY));
  if (WORTH.test(prompt.text)) {
    const values = numeric.filter((key) => VALUE.test(key));
    const [worth, ...others] = values.length > 0 ? values : money;
    return others.length === 0 ? worth : undefined;
  }
  if (/[$€£]|cheap|expensive|cost/i.test(prompt.text) || numeric.length > 1)
    return money.length === 1 ? money[0] : undefined;
  return numeric.length === 1 ? numeric[0] : undefined;
}
