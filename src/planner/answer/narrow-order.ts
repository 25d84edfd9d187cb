// Putting the records of a list in the order a prompt asks for, and keeping as many as it asks for.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf, singularOf } from "../../lib/plural.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { orderedName, timeNames } from "../match/order-field.js";
import { isKindNoun } from "../prompt/chatter.js";
import { plainGroupingIn } from "../prompt/grouping.js";
import { isNextOf, type Order, orderIn } from "../prompt/order.js";
import { BIRTH, isAge } from "../prompt/superlatives.js";
import { LIMIT } from "../slots/traits.js";
import { amountField, isNumeric, numericFields } from "./amounts.js";
import { fieldNamesOf, type Narrowed, type NarrowedBy, textsOfField } from "./narrowed.js";
import { isYearField } from "./year-fields.js";

/** Sorts the records; those with nothing in the field come last either way. */
function sortBy(out: Narrowed, field: string, down: boolean): void {
  const isKnown = (row: JsonObject): boolean => row[field] !== null && row[field] !== undefined;
  const key = (row: JsonObject): number | string =>
    isNumeric(row[field]) ? Number(row[field]) : String(row[field] ?? "");
  const sorted = out.rows.filter(isKnown).sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
  out.ordered = true;
  out.rows = [...sorted, ...out.rows.filter((row) => !isKnown(row))];
}

/** Leaves out what is still to come. */
function keepPast(out: Narrowed, field: string, today: string): void {
  const past = out.rows.filter((row) => String(row[field] ?? "").slice(0, today.length) <= today);
  if (past.length < out.rows.length) out.conditions.push(`${field} ≤ ${today}`);
  out.rows = past;
}

/** Keeps what is still to come, and of that as much as is wanted; at what time it is nobody knows, so that all of today may be next. */
function keepNext(out: Narrowed, field: string, { today, count = 1 }: { today: string; count?: number }): void {
  const dayOf = (row: JsonObject): string => String(row[field] ?? "").slice(0, today.length);
  const coming = out.rows.filter((row) => dayOf(row) >= today);
  const isOpen = (row: JsonObject): boolean => dayOf(row) === today && String(row[field]).length > today.length;
  const open = coming.filter(isOpen);
  const rest = coming.filter((row) => !isOpen(row));
  const last = rest[count - 1];
  out.rows = [...open, ...(last ? rest.filter((row) => String(row[field]) <= String(last[field])) : rest)];
  out.conditions.push(`${field} ≥ ${today}`);
}

/** Whether several records have the same in a field: which of them is the second, nothing says. */
function isShared(rows: readonly JsonObject[], field: string): boolean {
  const held = rows.map((row) => row[field]);
  return new Set(held).size < held.length;
}

/** The other end of an order says nothing more: "from the lightest to the heaviest". */
const FROM_TO = /\bfrom\s+(?:the\s+)?\p{L}+est\s+to\s+(?:the\s+)?\p{L}+est\b/iu;

/** The day of a record that is next itself, "which boat has the next service", unless a condition has it already. */
function nextOfField({ rows, fields }: Narrowed, { noun = "" }: Order): readonly string[] {
  const [said = ""] = words(noun);
  const field = only(dayFields(rows).filter((key) => words(key).includes(singularOf(said))));
  return field === undefined || fields.has(field) ? [] : [field];
}

/** The first or the last records as they are listed; the last by their time, where they have one for that. */
function byPlace(out: Narrowed, order: Order, by: NarrowedBy): void {
  const { count } = order;
  // A number that went into another parameter counts nothing.
  const isSent =
    order.noun === undefined && Object.entries(by.args).some(([name, value]) => value === count && !LIMIT.test(name));
  if (count === undefined || isSent || (order.noun !== undefined && !isNextOf(order, by.noun))) return;
  out.ordered = true;
  out.understood.push(order.text);
  const latest: Order = { text: "latest", descending: true, byTime: true, count };
  if (order.asListed === "first") out.rows = out.rows.slice(0, count);
  else if (only(superlativeFields(out.rows, latest, by)) !== undefined) byOrder(out, latest, by);
  else {
    out.rows = out.rows.slice(-count);
    out.conditions.push(`the last place${count > 1 ? "s" : ""} in the list`);
  }
}

function byOrder(out: Narrowed, order: Order, by: NarrowedBy): void {
  const { prompt, args, noun } = by;
  const { count } = order;
  if (order.asListed) {
    byPlace(out, order, by);
    return;
  }
  const keys = fieldNamesOf(out.rows);
  const isOther = order.next === true && !isNextOf(order, noun);
  const other = isOther ? nextOfField(out, order) : [];
  if (isOther && other.length === 0) return;
  const fields = isOther
    ? other
    : order.field === undefined
      ? superlativeFields(out.rows, order, { prompt, args })
      : [orderedName(keys, order) ?? []].flat();
  const field = only(fields);
  if (field === undefined) {
    out.orders = fields;
    return;
  }
  const isAged = order.byTime && order.field === undefined && isAge(field);
  if (order.place !== undefined && isShared(out.rows, field)) return;
  if (order.past) keepPast(out, field, prompt.today.date);
  sortBy(out, field, order.descending !== isAged);
  if (order.next) keepNext(out, field, { today: prompt.today.date, count });
  else if (order.place !== undefined) out.rows = out.rows.slice(order.place - 1, order.place);
  else if (count !== undefined) out.rows = out.rows.slice(0, count);
  else if (isOneWanted(order, { prompt, noun, rows: out.rows }))
    out.rows = out.rows.filter((row) => row[field] === out.rows[0]?.[field]);
  if (order.of !== undefined) {
    out.conditions.push(`${order.descending ? "latest" : "earliest"} by ${field} first`);
    out.understood.push(order.of, order.text);
  } else if (order.field === undefined) out.conditions.push(`${order.text} by ${field} first`);
  else out.understood.push(order.text);
  out.understood.push(...(order.measures ?? []), FROM_TO.exec(prompt.text)?.[0] ?? "");
  out.fields.add(field);
}

const isDay = (value: JsonValue | undefined): boolean => typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value);

/** Those that hold days alone. */
const dayFields = (rows: readonly JsonObject[]): string[] =>
  timeFields(rows).filter((key) => rows.some((row) => isDay(row[key])));

/** The fields that hold days, or years. */
function timeFields(rows: readonly JsonObject[]): string[] {
  const isYear = (key: string, value: JsonValue | undefined): boolean =>
    typeof value === "number" && (isYearField(rows, key) || words(key).some((word) => BIRTH.test(word)));
  return fieldNamesOf(rows).filter((key) => {
    const held = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
    return held.length > 0 && held.every((value) => isDay(value) || isYear(key, value));
  });
}

const only = (keys: readonly string[]): string | undefined => (keys.length === 1 ? keys[0] : undefined);

/** Fields that say how big something is. */
const SIZE = /size|seats|capacity|area|volume|population|places/i;

/** Superlatives of what something costs, and the fields that say it; those of the second line where there is none of the first. */
const PRICED = /(?:cheapest|most expensive|priciest|dearest)$|^cost/;
const PRICES: readonly RegExp[] = [
  /^(?:prices?|costs?|fees?|fares?|rents?|rates?|charges?|tariffs?|premium)$/,
  /^(?:amount|total|value|worth)$/,
];

/** The only field that says what something costs, or the one of several that the prompt names. */
function priceField(numeric: readonly string[], isNamed: (key: string) => boolean): string | undefined {
  for (const pattern of PRICES) {
    const found = numeric.filter((key) => words(key).some((word) => pattern.test(word)));
    if (found.length > 0)
      return only(found) ?? only(found.filter(isNamed)) ?? only(found.filter((key) => /price/i.test(key)));
  }
  return undefined;
}

/** The fields that a superlative may be by: the one that it measures, the one that the prompt names, the only one there may be, or all that fit as well. */
function superlativeFields(
  all: readonly JsonObject[],
  order: Order,
  { prompt, args }: Pick<NarrowedBy, "prompt" | "args">,
): readonly string[] {
  // What the records were filtered by says nothing of their order: "the largest room on floor 1".
  const rows = all.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => args[key] === undefined)));
  const { measures, byTime } = order;
  const isNamed = (key: string): boolean =>
    words(key).some((word) => !/^(?:on|at|in|date|id)$/.test(word) && prompt.terms.has(stem(word)));
  if (!byTime) {
    const numeric = numericFields(rows);
    if (PRICED.test(order.text)) return [priceField(numeric, isNamed) ?? []].flat();
    if (!measures) {
      const sizes = /(?:biggest|largest|smallest)$/.test(order.text) ? numeric.filter((key) => SIZE.test(key)) : [];
      return [only(numeric.filter(isNamed)) ?? only(sizes) ?? amountField(rows, prompt) ?? []].flat();
    }
    const measured = numeric.filter((key) => words(key).some((word) => measures.includes(word)));
    const named = only(numeric.filter(isNamed));
    return named === undefined ? measured : [named];
  }
  const times = order.next ? dayFields(rows) : timeFields(rows);
  const { of } = order;
  if (of !== undefined) return times.filter((key) => words(key).some((word) => isAkin(stem(of), stem(word))));
  const named = times.filter(isNamed);
  const found = named.length === 1 ? named : timeNames(named.length > 0 ? named : times, order);
  // Nobody is the youngest by anything but a day of birth.
  return measures && !found.some((key) => words(key).some((word) => BIRTH.test(word))) ? [] : found;
}

/** Whether a superlative means one record: "the newest member", "which of them is the biggest". */
function isOneWanted(
  { text, of }: Order,
  { prompt, noun, rows }: Pick<NarrowedBy, "prompt" | "noun" | "rows">,
): boolean {
  const fieldNames = fieldNamesOf(rows).map((name) => name.toLowerCase());
  const own = noun.split(" ").at(-1) ?? noun;
  const isPlural = prompt.tokens.some(({ word }) => word === pluralOf(own) && word !== own);
  if (of !== undefined) return !isPlural;
  if (/\b(?:sort|order)(?:ed)? by\b|\bin order\b|\bfirst\b|\bfrom (?:the )?\p{L}+(?:est)? to\b/iu.test(prompt.text))
    return false;
  // "which of them costs the most" is one.
  if (/^\p{L}+[^s]s .*(?:most|least)$/u.test(text)) return true;
  const next = new RegExp(`\\bthe ${text.replace(/^the /i, "")} (\\p{L}+)`, "iu").exec(prompt.text)?.[1]?.toLowerCase();
  if (next !== undefined && singularOf(next) !== next) return false;
  if (next !== undefined && !fieldNames.includes(next)) return true;
  // "oldest house" and nothing else is one of what others call buildings; "cheapest tea" is any of a kind.
  const bare = prompt.tokens.length === words(text).length + 1 ? (prompt.tokens.at(-1)?.word ?? "") : "";
  const isOfRecords = (word: string): boolean =>
    rows.some((row) =>
      Object.entries(row).some(([key, held]) => words(key).includes(word) || textsOfField(held).includes(word)),
    );
  if (bare !== "" && singularOf(bare) === bare && !/^ones?$/.test(bare) && !isOfRecords(bare)) return true;
  const is = new RegExp(`\\b(?:is|was|has|['’]s)\\s+(?:the\\s+)?${text.replace(/^the /i, "")}`, "i");
  if (is.test(prompt.text)) return true;
  // "most valuable thing we have stored", but "most valuable thing of each kind" is one of every kind.
  const oneThing = new RegExp(`\\b${text} (?:\\p{L}+ )?(?:thing|object|one)\\b(?!.*\\b(?:each|every|per)\\b)`, "iu");
  const isOneThing = oneThing.test(prompt.text);
  return !isPlural && (isOneThing || prompt.tokens.some(({ word }) => word === own || isKindNoun(word)));
}

/** "machines by hourly rate": by a field of amounts records are rather put in order than counted. */
function plainOrder({ rows, prompt }: NarrowedBy): Order | undefined {
  const { text = "", one = "", next = "" } = plainGroupingIn(prompt) ?? {};
  if (text === "") return undefined;
  const orders = [`${one} ${next}`.trim(), one].map((field) => ({ text, descending: false, byTime: false, field }));
  return orders.find((order) => numericFields(rows).some((key) => orderedName([key], order) !== undefined));
}

/** Puts the records in the order of the prompt, unless the target did, and keeps as many as are wanted. */
export function orderRows(out: Narrowed, by: NarrowedBy, isSorted: boolean): void {
  out.matching = out.rows;
  const order = orderIn(by.prompt) ?? plainOrder(by);
  if (!order) return;
  if (order.count !== undefined) out.understood.push("top");
  if (!isSorted) byOrder(out, order, by);
  else {
    const sorted = Object.entries(by.args).find(([name]) => /^(?:sort|order)/i.test(name))?.[1];
    const field = String(Array.isArray(sorted) ? sorted[0] : sorted).replace(/^[-+]/, "");
    if (order.past) keepPast(out, field, by.prompt.today.date);
    // A database puts what has nothing in the field first.
    const known = out.rows.filter((row) => row[field] !== null);
    if (order.field === undefined && !order.asListed) out.sortedBy = `${order.text} by ${field} first`;
    if (known.length > 0 && order.field === undefined && !order.asListed) out.rows = known;
    const count = order.count ?? (order.asListed || !isOneWanted(order, by) ? undefined : 1);
    if (count !== undefined) out.rows = out.rows.slice(0, count);
  }
}
