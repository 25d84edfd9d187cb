// Narrowing a list to what was asked for, where the target could not: "under 20", "incomplete todos", "shipped orders",
// "the cheapest three". Only where the prompt's words match a field of the records; otherwise the list stays whole.
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import {
  type Comparison,
  type ComparisonSign,
  comparisonsIn,
  isInPlainUnit,
  isOtherUnit,
} from "../prompt/comparison.js";
import { isInside } from "../prompt/entities.js";
import { isNegated, negationsIn } from "../prompt/negation.js";
import { isPriceFor, priceTimeAt } from "../prompt/price-times.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { fieldTermsOf, isTime, verbAskedWhen } from "../prompt/span.js";
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
import { narrowByLife, narrowByNobody, narrowByOpposite, narrowByUnknown } from "./narrow-flags.js";
import { orderRows } from "./narrow-order.js";
import { narrowByPlace } from "./narrow-places.js";
import { isStateBeside, narrowByTime } from "./narrow-time.js";
import { narrowByName, narrowByNumber } from "./narrow-values.js";
import { narrowBySaidTwice, narrowByVerb, showFields } from "./narrow-verbs.js";
import { fieldNamesOf, keepRows, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";
import { withNested } from "./nested.js";
import { narrowBySupply } from "./supply.js";
import { isYearField } from "./year-fields.js";

const STATE = /status|state|stage|^(?:genre|category|kind|type|tier|priority|colou?r|level|role)$/i;

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

function byState(
  rows: readonly JsonObject[],
  { prompt, noun, args }: Pick<NarrowedBy, "prompt" | "noun" | "args">,
  out: Narrowed,
): void {
  const keys = fieldNamesOf(rows);
  // In "subscribed before 2025" the verb says what the day is of, and no state.
  const days = prompt.entities.filter((one) => isTime(one) && !isStateBeside(rows, one, prompt));
  const asked = verbAskedWhen(prompt)?.term;
  const datedBy = new Set([...days.flatMap((one) => [...(fieldTermsOf(prompt, one) ?? [])]), asked]);
  for (const key of keys) {
    const values = rows.map((row) => row[key]);
    if (STATE.test(key)) {
      const known = new Set(values.flatMap((value) => (typeof value === "string" ? [value] : [])));
      const tokenOf = (word: string): Token | undefined =>
        prompt.tokens.find(
          // The noun of the records says what they are, and no state: "members from Paris" where some are of the role "member".
          (token) => isWord(token.word, word) && singularOf(token.word) !== noun && !datedBy.has(token.term),
        );
      const named = [...known].filter((value) => words(value).every((word) => tokenOf(word) !== undefined));
      const [value] = named;
      if (value === undefined) continue;
      const at = tokenOf(words(value)[0] ?? "")?.start ?? 0;
      if (named.length > 1 && (isNegated(at, prompt) || !/\b(?:or|and)\b|,/i.test(prompt.text))) continue;
      keepRows(out, { key, value: named.join(" or "), at, prompt }, (row) => named.some((one) => row[key] === one));
    } else if (values.some((value) => typeof value === "boolean") || isFlag(key, values)) {
      const sent = args[key];
      const wanted = typeof sent === "boolean" ? sent : switchFor(key, prompt);
      if (wanted === undefined) continue;
      out.rows = out.rows.filter((row) => (row[key] === true || row[key] === 1) === wanted);
      for (const one of wanted ? [] : negationsIn(prompt))
        if (
          prompt.tokens.some(
            ({ word, term, start }) =>
              isInside(start, [one]) && (words(key).map(stem).includes(term) || COMPLETE.test(word)),
          )
        )
          out.negations.add(one);
      out.conditions.push(`${key} = ${wanted ? "yes" : "no"}`);
      out.fields.add(key);
    }
  }
}

/** Whether a field is a switch that a database keeps as 0 and 1: `on_display`, `is_paid`. */
const isFlag = (key: string, values: readonly (JsonValue | undefined)[]): boolean =>
  (/^(?:is|on|in|has|can|was|needs|open|active|public|private)(?=$|[_A-Z])/.test(key) ||
    words(key).some((word) => /(?:\p{L}{2}[^e]ed|able)$/u.test(word))) &&
  values.every((value) => value === 0 || value === 1);

/** Whether a word of the prompt is this one, or several of it: "suites". */
const isWord = (said: string, word: string): boolean => said === word || (isPlural(said) && singularOf(said) === word);

const COMPLETE = /complete|done|finish/i;

function switchFor(key: string, prompt: PromptText): boolean | undefined {
  if (COMPLETE.test(key)) {
    if (
      /\b(?:incomplete|uncompleted|unfinished|undone|open|pending|remaining|left|not (?:yet )?(?:complete|completed|done|finished)|to do)\b/i.test(
        prompt.text,
      )
    )
      return false;
    const said = prompt.tokens.find(({ word }) => /^(?:complete|completed|done|finished)$/.test(word));
    return said && !isNegated(said.start, prompt);
  }
  const terms = words(key)
    .map(stem)
    .filter((term) => term !== "is" && term !== "ha");
  // "inactive" is the opposite of "active".
  const opposite = ({ word }: Token): boolean =>
    terms.length === 1 && stem(word.replace(/^(?:in|un|dis)/, "")) === terms[0];
  if (prompt.tokens.some((token) => token.term !== terms[0] && opposite(token))) return false;
  if (terms.length === 0 || !terms.every((term) => prompt.terms.has(term))) return undefined;
  return !prompt.tokens.some(({ term, start }) => terms.includes(term) && isNegated(start, prompt));
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
  narrowByPart,
  narrowByPresence,
  narrowBySupply,
  narrowByOpposite,
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
  };
  if (rows.length === 0) return out;
  byBound(rows, { prompt, args: sent.args }, out);
  narrowByFields(out, prompt);
  narrowByOther(out, { rows, prompt });
  const { args, noun } = sent;
  byState(rows, { prompt, noun, args }, out);
  for (const step of STEPS) step(out, { rows, prompt, args, noun });
  if (!sent.search) byText(prompt, out);
  orderRows(out, { rows, prompt, args, noun }, sent.order);
  out.rows = out.rows.map((row) => originalOf(row, out.fields));
  out.matching = out.matching.map((row) => originalOf(row, out.fields));
  return out;
}
