// Narrowing a list to what was asked for, where the target could not: "under 20", "incomplete todos", "shipped orders",
// "the cheapest three". Only where the prompt's words match a field of the records; otherwise the list stays whole.
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import { type Order, orderIn } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import { recordName } from "./rows.js";

/** The records that meet the prompt's conditions, and these in words. */
export interface Narrowed {
  rows: JsonObject[];
  /** One for each condition, such as `price < 20`. */
  conditions: string[];
  /** Whether they are in the order asked for. */
  ordered: boolean;
  /** Fields of the conditions. */
  fields: Set<string>;
}

const COMPARE =
  /\b(under|below|less than|fewer than|cheaper than|smaller than|at most|up to|over|above|more than|greater than|larger than|at least|older than|exactly|<=|>=|<|>)\s*(?:[$€£]\s*)?(-?\d+(?:\.\d+)?)/gi;
const LESS = /under|below|less|fewer|cheaper|smaller|^<$/i;
const AT_MOST = /at most|up to|<=/i;
const AT_LEAST = /at least|>=/i;
const EXACT = /exactly/i;
const MONEY = /price|cost|amount|total/i;
const STATE = /status|state|stage|^(?:genre|category|kind|type|tier|priority|colou?r|level|role)$/i;

function numericFields(rows: readonly JsonObject[]): string[] {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...keys].filter((key) => {
    if (/(?:^|_)id$|Id$/.test(key)) return false;
    const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every((value) => isNumeric(value));
  });
}

const isNumeric = (value: JsonValue | undefined): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));

function fieldFor(rows: readonly JsonObject[], prompt: PromptText): string | undefined {
  const numeric = numericFields(rows);
  const named = numeric.filter((key) => words(key).some((word) => prompt.terms.has(stem(word))));
  if (named.length === 1) return named[0];
  const money = numeric.filter((key) => MONEY.test(key));
  if (/[$€£]|cheap|expensive|cost/i.test(prompt.text) || numeric.length > 1)
    return money.length === 1 ? money[0] : undefined;
  return numeric.length === 1 ? numeric[0] : undefined;
}

function byBound(rows: readonly JsonObject[], prompt: PromptText, out: Narrowed): void {
  for (const [, how = "", digits] of prompt.text.matchAll(COMPARE)) {
    const field = fieldFor(rows, prompt);
    if (field === undefined) return;
    const bound = Number(digits);
    const sign = EXACT.test(how)
      ? "="
      : AT_MOST.test(how)
        ? "≤"
        : AT_LEAST.test(how)
          ? "≥"
          : LESS.test(how)
            ? "<"
            : ">";
    const holds = (value: number): boolean =>
      sign === "="
        ? value === bound
        : sign === "≤"
          ? value <= bound
          : sign === "≥"
            ? value >= bound
            : sign === "<"
              ? value < bound
              : value > bound;
    out.rows = out.rows.filter((row) => isNumeric(row[field]) && holds(Number(row[field])));
    out.conditions.push(`${field} ${sign} ${bound}`);
    out.fields.add(field);
  }
}

function byState(rows: readonly JsonObject[], prompt: PromptText, out: Narrowed): void {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (const key of keys) {
    const values = rows.map((row) => row[key]);
    if (STATE.test(key)) {
      const known = new Set(values.flatMap((value) => (typeof value === "string" ? [value] : [])));
      const named = [...known].filter((value) =>
        words(value).every((word) => prompt.tokens.some((token) => token.word === word)),
      );
      if (named.length !== 1) continue;
      out.rows = out.rows.filter((row) => row[key] === named[0]);
      out.conditions.push(`${key} = ${named[0]}`);
      out.fields.add(key);
    } else if (values.some((value) => typeof value === "boolean")) {
      const wanted = switchFor(key, prompt);
      if (wanted === undefined) continue;
      out.rows = out.rows.filter((row) => (row[key] === true) === wanted);
      out.conditions.push(`${key} = ${wanted ? "yes" : "no"}`);
      out.fields.add(key);
    }
  }
}

const COMPLETE = /complete|done|finish/i;

function switchFor(key: string, prompt: PromptText): boolean | undefined {
  if (COMPLETE.test(key)) {
    if (
      /\b(?:incomplete|uncompleted|unfinished|undone|open|pending|remaining|left|not (?:yet )?(?:complete|completed|done|finished)|to do)\b/i.test(
        prompt.text,
      )
    )
      return false;
    return /\b(?:complete|completed|done|finished)\b/i.test(prompt.text) ? true : undefined;
  }
  const terms = words(key)
    .map(stem)
    .filter((term) => term !== "is" && term !== "ha");
  if (terms.length === 0 || !terms.every((term) => prompt.terms.has(term))) return undefined;
  return !new RegExp(`\\b(?:not|non|no|without)[ -]?${words(key).at(-1) ?? ""}`, "i").test(prompt.text);
}

const fold = (value: JsonValue | undefined): string => (typeof value === "string" ? value.toLowerCase().trim() : "");

/** The text of a field; of a record in it, that record's name. */
const textOf = (value: JsonValue | undefined): string => fold(isObject(value) ? recordName(value) : value);

/** "customers in London": a name that some records have in a field of their own. */
function byName(rows: readonly JsonObject[], prompt: PromptText, out: Narrowed): void {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (const { kind, text } of prompt.entities) {
    if (kind !== "name" && kind !== "quoted") continue;
    const wanted = text.toLowerCase();
    const key = keys.find((one) => rows.some((row) => textOf(row[one]) === wanted));
    if (key === undefined) continue;
    out.rows = out.rows.filter((row) => textOf(row[key]) === wanted);
    out.conditions.push(`${key} = ${text}`);
    out.fields.add(key);
  }
}

/** "todos about milk": the records that contain all of it. */
function byText(prompt: PromptText, out: Narrowed): void {
  const wanted = ABOUT.exec(prompt.text)?.[1]?.trim().toLowerCase();
  if (wanted === undefined || words(wanted).length > MAX_ABOUT) return;
  const contains = (row: JsonObject): boolean => Object.values(row).some((value) => fold(value).includes(wanted));
  const rows = out.rows.filter(contains);
  if (rows.length === 0) return;
  out.rows = rows;
  out.conditions.push(`"${wanted}" in them`);
}

const ABOUT =
  /\b(?:about|containing|that (?:say|mention|contain)|mentioning|with the words?)\s+(?!\s)(?:an?\s+|the\s+)?["“'‘]?([^"”'’.?!]+)(?=["”'’.?!]|$)["”'’]?\s*[.!?]*$/i;
const MAX_ABOUT = 4;

function sortBy(out: Narrowed, field: string, down: boolean): void {
  const key = (row: JsonObject): number | string =>
    isNumeric(row[field]) ? Number(row[field]) : String(row[field] ?? "");
  out.ordered = true;
  out.rows = [...out.rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
}

function byOrder(prompt: PromptText, order: Order, out: Narrowed): void {
  const keys = [...new Set(out.rows.flatMap((row) => Object.keys(row)))];
  if (order.field !== undefined) {
    const field = keys.find((key) => key.toLowerCase() === order.field?.toLowerCase());
    if (field === undefined) return;
    sortBy(out, field, order.descending);
    if (order.count !== undefined) out.rows = out.rows.slice(0, order.count);
    out.fields.add(field);
    return;
  }
  const dates = keys.filter((key) => /created|date|_at$|At$/.test(key));
  const field = order.byTime ? dates[0] : fieldFor(out.rows, prompt);
  if (field === undefined) return;
  sortBy(out, field, order.descending);
  if (order.count !== undefined) out.rows = out.rows.slice(0, order.count);
  out.conditions.push(`${order.text} by ${field} first`);
  out.fields.add(field);
}

/** What the target has already applied to the records. */
interface AppliedByTarget {
  bounds: boolean;
  order: boolean;
  search: boolean;
}

/** The records a prompt asks for among those returned; `sent` needs no narrowing any more. */
export function narrow(rows: readonly JsonObject[], prompt: PromptText, sent: AppliedByTarget): Narrowed {
  const out: Narrowed = { rows: [...rows], conditions: [], ordered: false, fields: new Set() };
  if (rows.length === 0) return out;
  if (!sent.bounds) byBound(rows, prompt, out);
  byState(rows, prompt, out);
  byName(rows, prompt, out);
  if (!sent.search) byText(prompt, out);
  const order = orderIn(prompt);
  if (order && !sent.order) byOrder(prompt, order, out);
  else if (order?.count !== undefined) out.rows = out.rows.slice(0, order.count);
  return out;
}
