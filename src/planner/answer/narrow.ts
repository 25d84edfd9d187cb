// Narrowing a list to what was asked for, where the target could not: "under 20", "incomplete todos", "shipped orders",
// "the cheapest three". Only where the prompt's words match a field of the records; otherwise the list stays whole.
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import {
  type Comparison,
  type ComparisonSign,
  comparisonsIn,
  isInPlainUnit,
  isOtherUnit,
} from "../prompt/comparison.js";
import { isPriceFor, priceTimeAt } from "../prompt/price-times.js";
import type { PromptText } from "../prompt/prompt.js";
import { measuresOf } from "../prompt/superlatives.js";
import { isInMinutes } from "../slots/minutes.js";
import { sideOf } from "../slots/traits.js";
import {
  amountField,
  convertedField,
  countsOther,
  DEBT,
  isNumeric,
  isOtherField,
  isWorth,
  namedAmounts,
  numericFields,
} from "./amounts.js";
import { narrowByFields, narrowByOther } from "./field-bounds.js";
import { narrowByAbsence, narrowByDone, narrowByPart, narrowByPresence, narrowByUndone } from "./narrow-fields.js";
import { narrowByHours, narrowByLife, narrowByNobody, narrowByOpposite, narrowByUnknown } from "./narrow-flags.js";
import { orderRows } from "./narrow-order.js";
import { narrowByPast } from "./narrow-past.js";
import { narrowByPlace } from "./narrow-places.js";
import { narrowByState } from "./narrow-states.js";
import { narrowByTime } from "./narrow-time.js";
import { narrowByName, narrowByNumber } from "./narrow-values.js";
import { narrowBySaidTwice, narrowByVerb, showFields } from "./narrow-verbs.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";
import { withNested } from "./nested.js";
import { narrowBySupply } from "./supply.js";
import { isYearField } from "./year-fields.js";

const HOLDS: Readonly<Record<ComparisonSign, (value: number, bound: number) => boolean>> = {
  "<": (value, bound) => value < bound,
  "≤": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  "≥": (value, bound) => value >= bound,
  "=": (value, bound) => value === bound,
};
/** Whether a bound was sent with the call, at any depth. */
function isBoundSent(args: JsonValue | undefined, { sign, entity }: Comparison): boolean {
  if (!isObject(args)) return false;
  return Object.entries(args).some(([name, value]) => {
    if (isObject(value)) return isBoundSent(value, { sign, entity, text: "" });
    const side = sideOf(name);
    const wanted = sign === ">" || sign === "≥" ? "above" : "below";
    return String(value) === String(entity.value) && (side === undefined || side === wanted);
  });
}

/** The only field with the words of the parameter that a bound was sent by: `area_sqm` for `min_area`. */
function sentField(rows: readonly JsonObject[], args: JsonObject, comparison: Comparison): string | undefined {
  const [name] = Object.keys(args).filter((one) => isBoundSent({ [one]: args[one] ?? null }, comparison));
  if (name === undefined || sideOf(name) === undefined) return undefined;
  const said = words(name).filter((word) => sideOf(word) === undefined);
  const fields = numericFields(rows).filter((key) => said.every((word) => words(key).includes(word)));
  return said.length > 0 && fields.length === 1 ? fields[0] : undefined;
}

/** The field that a comparison is about; undefined where that is not clear. */
function boundField(rows: readonly JsonObject[], comparison: Comparison, prompt: PromptText): string | undefined {
  const { text, entity, unit, isYear } = comparison;
  if (isYear) {
    const years = numericFields(rows).filter((key) => isYearField(rows, key));
    return years.length === 1 ? years[0] : undefined;
  }
  const about = (key: string): string => (isInMinutes(key, fieldNamesOf(rows)) ? `${key} minutes` : key);
  const named = namedAmounts(rows, comparison, prompt);
  const [own] = named;
  if (own !== undefined) return named.length === 1 && !isOtherUnit(about(own), entity, prompt) ? own : undefined;
  const time = priceTimeAt(prompt.text.slice(entity.end));
  if (time !== undefined) {
    const priced = numericFields(rows).filter((key) => isPriceFor(key, time));
    if (priced.length === 1) return priced[0];
  }
  const measures = measuresOf(text);
  if (measures.length > 0) {
    const measured = numericFields(rows).filter((key) => words(key).some((word) => measures.includes(word)));
    const [only] = measured;
    const fits = only !== undefined && (!isOtherUnit(about(only), entity, prompt) || isInPlainUnit(only, comparison));
    return measured.length === 1 && fits ? only : undefined;
  }
  const field = amountField(rows, prompt, unit);
  if (field !== undefined && countsOther(field, comparison, { rows, prompt })) return undefined;
  if (field !== undefined && isOtherField(field, comparison, prompt)) return undefined;
  return field !== undefined && !isOtherUnit(about(field), entity, prompt) ? field : undefined;
}

/** "under 20", "between 10 and 20 kg", "under 5 or over 100". */
function byBound(
  rows: readonly JsonObject[],
  { prompt, args }: Pick<NarrowedBy, "prompt" | "args">,
  out: Narrowed,
): void {
  const either: { text: string; field: string; holds: (row: JsonObject) => boolean }[] = [];
  for (const comparison of comparisonsIn(prompt)) {
    const { sign, entity, isAlternative } = comparison;
    const value = Number(entity.value);
    if (sign === undefined || Number.isNaN(value)) continue;
    const clear = boundField(rows, comparison, prompt);
    const sent = clear === undefined ? sentField(rows, args, comparison) : undefined;
    const own = clear ?? (sent !== undefined && !isOtherUnit(sent, entity, prompt) ? sent : undefined);
    const converted = own === undefined ? convertedField(rows, comparison.unit) : undefined;
    const field = own ?? converted?.field;
    // Without the digits that are none of the bound: 0.7 kg are 700 g.
    const bound = converted ? Number((value * converted.factor).toPrecision(12)) : value;
    // "more than 13" leaves out what a least value of 13 lets through.
    const isLoose = /[<>]/.test(sign) && out.rows.some((row) => field !== undefined && row[field] === bound);
    if (field === undefined || (isBoundSent(args, comparison) && !isLoose)) continue;
    const holds = (row: JsonObject): boolean => isNumeric(row[field]) && HOLDS[sign](Number(row[field]), bound);
    const isTaken = isOtherUnit(field, entity, prompt) && isInPlainUnit(field, comparison);
    const unit = isTaken ? ` (taken to be in ${comparison.unit ?? ""})` : "";
    const text = `${field} ${sign} ${bound}${unit}${converted ? ` (${entity.text} ${comparison.unit ?? ""})` : ""}`;
    if (isAlternative) either.push({ text, field, holds });
    else {
      out.rows = out.rows.filter(holds);
      out.conditions.push(text);
      out.fields.add(field);
    }
    const time = priceTimeAt(prompt.text.slice(entity.end));
    if (time !== undefined && isPriceFor(field, time)) out.understood.push(`${time} charge`);
    if (isWorth(field)) out.understood.push("worth value");
    if (DEBT.test(field)) out.understood.push("owe owes owed owing");
  }
  if (either.length < 2) return;
  out.rows = out.rows.filter((row) => either.some(({ holds }) => holds(row)));
  out.conditions.push(either.map(({ text }) => text).join(" or "));
  for (const { field } of either) out.fields.add(field);
}

/** "todos about milk": the records that contain all of it. */
function byText(prompt: PromptText, out: Narrowed): void {
  const [said = "", about] = ABOUT.exec(prompt.text) ?? [];
  const wanted = about?.trim().toLowerCase();
  if (wanted === undefined || words(wanted).length > MAX_ABOUT) return;
  // It may be the whole of a value.
  if (out.conditions.some((one) => one.toLowerCase().endsWith(` ${wanted}`))) return;
  const contains = (row: JsonObject): boolean =>
    Object.values(row).some((value) => textsOfField(value).some((text) => text.includes(wanted)));
  const rows = out.rows.filter(contains);
  if (rows.length === 0) return;
  out.rows = rows;
  out.conditions.push(`"${wanted}" in them`);
  out.understood.push(said);
}

const ABOUT =
  /\b(?:about|contain(?:s|ing)?|mention(?:s|ing)?|that say|with the words?)\s+(?!\s)(?:an?\s+|the\s+)?["“'‘]?([^"”'’.?!]+)(?=["”'’.?!]|$)["”'’]?\s*[.!?]*$/i;
const MAX_ABOUT = 4;

/** What the target has already applied to the records. */
interface AppliedByTarget {
  order: boolean;
  search: boolean;
  /** The arguments of the call. */
  args: JsonObject;
  /** What one of the records is called. */
  noun: string;
  /** The values that a field may have, in the order of its schema. */
  optionsOf: (field: string) => readonly string[];
}

const STEPS = [
  narrowByName,
  narrowByVerb,
  narrowBySaidTwice,
  narrowByPlace,
  narrowByNumber,
  narrowByTime,
  narrowByAbsence,
  narrowByDone,
  narrowByUndone,
  narrowByPast,
  narrowByPart,
  narrowByPresence,
  narrowBySupply,
  narrowByOpposite,
  narrowByHours,
  narrowByLife,
  narrowByUnknown,
  narrowByNobody,
  showFields,
];

/** The records a prompt asks for among those returned; `sent` needs no narrowing any more. */
export function narrow(given: readonly JsonObject[], prompt: PromptText, sent: AppliedByTarget): Narrowed {
  const { rows, originalOf } = withNested(given, prompt);
  const out: Narrowed = {
    rows: [...rows],
    matching: [...rows],
    conditions: [],
    ordered: false,
    fields: new Set(),
    negations: new Set(),
    understood: [],
    unmet: [],
    taken: [],
  };
  if (rows.length === 0) return out;
  byBound(rows, { prompt, args: sent.args }, out);
  narrowByFields(out, prompt);
  narrowByOther(out, { rows, prompt });
  const { args, noun, optionsOf } = sent;
  narrowByState(out, { rows, prompt, noun, args }, optionsOf);
  for (const step of STEPS) step(out, { rows, prompt, args, noun });
  if (!sent.search) byText(prompt, out);
  orderRows(out, { rows, prompt, args, noun }, sent.order);
  out.rows = out.rows.map((row) => originalOf(row, out.fields));
  out.matching = out.matching.map((row) => originalOf(row, out.fields));
  return out;
}
