// A sum, an average, a least or a greatest value, where a prompt asks for one of a field of the records: "total quantity of the stock".

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import { placeIn } from "../prompt/order.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { hasWord } from "../slots/name-words.js";
import { numericFields } from "./amounts.js";
import { fieldNamesOf } from "./narrowed.js";
import { withAmounts } from "./nested.js";
import { supplyField } from "./supply.js";

/** What is asked for, and the numbers it is made of. */
interface Aggregate {
  /** The words of the prompt that ask for it. */
  text: string;
  field: string;
  /** "The total quantity is 37". */
  sentence: string;
  /** How many of the records have nothing in the field. */
  without: number;
}

export type AggregateKind = "total" | "average" | "lowest" | "highest";

const KINDS: readonly [RegExp, AggregateKind][] = [
  [/\b(?:sum|total|combined)(?: of)?$|\b(?:sum|add|tot) up$/i, "total"],
  [/\b(?:average|mean|avg)(?: of)?$/i, "average"],
  [/\b(?:lowest|smallest|minimum|least)(?: of)?$/i, "lowest"],
  [/\b(?:highest|largest|greatest|maximum)(?: of)?$/i, "highest"],
];

/** A number as its text has it, so that no digit is lost; undefined for what is none. */
function digitsOf(value: JsonValue | undefined): string | undefined {
  const text = typeof value === "number" || typeof value === "bigint" || typeof value === "string" ? String(value) : "";
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
}

/** Numbers as whole ones of their smallest decimal, so that 0.1 and 0.2 are 0.3. */
function toUnits(texts: readonly string[]): { units: bigint[]; decimals: number } {
  const decimals = Math.max(0, ...texts.map((text) => text.split(".")[1]?.length ?? 0));
  const units = texts.map((text) => {
    const [whole = "", part = ""] = text.split(".");
    return BigInt(whole + part.padEnd(decimals, "0"));
  });
  return { units, decimals };
}

function fromUnits(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${part === "" ? "" : `.${part}`}`;
}

/** Decimals of an average beyond those of its numbers. */
const MORE_DECIMALS = 2;

/** The number of a kind that is made of the values of a field; undefined where some are no numbers, or none is there. */
export function numberOf(kind: AggregateKind, rows: readonly JsonObject[], field: string): string | undefined {
  const known = rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined);
  const texts = known.map(digitsOf).filter((text) => text !== undefined);
  return texts.length === 0 || texts.length < known.length ? undefined : numberFor(kind, texts);
}

function numberFor(kind: AggregateKind, texts: readonly string[]): string {
  const { units, decimals } = toUnits(texts);
  const sum = units.reduce((all, one) => all + one, 0n);
  if (kind === "total") return fromUnits(sum, decimals);
  if (kind === "average") {
    const scaled = sum * 10n ** BigInt(MORE_DECIMALS);
    const count = BigInt(units.length);
    const half = scaled < 0n ? -count / 2n : count / 2n;
    return fromUnits((scaled + half) / count, decimals + MORE_DECIMALS);
  }
  return fromUnits(
    units.reduce((best, one) => ((kind === "lowest") === one < best ? one : best)),
    decimals,
  );
}

/** What was done to so many: `sold`, `cancelled`. */
const DONE = /^(?:sold|paid|lent|sent|won|lost|\p{L}{2,}[^e]ed)$/u;

/** What of a prompt asks for a number made of this field: "total quantity", "the sum of all the quantities". */
export function askedFor(field: string, prompt: PromptText): { kind: AggregateKind; text: string } | undefined {
  // "the total distance" is that of distanceKm.
  return askedBy(withoutUnit(words(field)), field, prompt);
}

/** The number that a prompt asks for by the last word of a field that only this one has: "average rent" of `annual_rent`. */
export function askedByHead(
  numeric: readonly string[],
  prompt: PromptText,
): { field: string; kind: AggregateKind; text: string } | undefined {
  for (const field of numeric) {
    const head = withoutUnit(words(field)).at(-1);
    if (head === undefined || numeric.some((other) => other !== field && words(other).includes(head))) continue;
    const asked = askedBy([head], field, prompt);
    if (asked && /^(?:total|average)$/.test(asked.kind)) return { field, ...asked };
  }
  return undefined;
}

/** "highest amount first" puts records in order. */
const FIRST = /^\s+(?:first|on top|at the top)\b/i;

function askedBy(
  name: readonly string[],
  field: string,
  prompt: PromptText,
): { kind: AggregateKind; text: string } | undefined {
  // "the second highest price" is that of one record.
  if (placeIn(prompt) !== undefined) return undefined;
  for (const [at, token] of prompt.tokens.entries()) {
    // "the least voted" orders records by their votes.
    const isField = name.every((word, i) => singularOf(prompt.tokens[at + i]?.word ?? "") === singularOf(word));
    if (!isField || FIRST.test(prompt.text.slice(prompt.tokens[at + name.length - 1]?.end))) continue;
    const said = textBefore(prompt, token.start).replace(/(?:\s+(?:the|all|of|their|its))*\s*$/i, "");
    // "total tickets sold"
    const before = DONE.test(field) ? said.replace(/(?<=\btotal)\s\p{L}+s$/iu, "") : said;
    for (const [pattern, kind] of KINDS) {
      const found = pattern.exec(before);
      if (found) return { kind, text: prompt.text.slice(found.index, token.end) };
    }
  }
  return undefined;
}

/** What asks for a total by a verb: "what do the open invoices add up to", "sum up the open invoices". */
const ADDS_UP = String.raw`(?<=\b(?:how much|what)\b[^.?!]*)\b(?:add(?:s|ed)? up|come|comes|came|amounts?|sums?(?: up)?) to(?= (?:in total|altogether|together)?\s*[.?!]*$|\s*[.?!]*$)|^(?:please )?(?:sum|add|tot|tally) up\b`;
const SUMS = new RegExp(`\\b(?:total|sum|average|mean|avg)\\b(?! number| count)|${ADDS_UP}`, "i");

/** Words that want the record that has a least or a greatest value: "which room has the largest capacity". */
const RECORD =
  /\b(?:which|who|whose)\b|\b(?:with|has|have|having) (?:the )?(?:lowest|smallest|minimum|least|highest|largest|greatest|maximum)\b/i;
/** A total that names no field: "the total of all unpaid invoices", "what did they cost in total". */
const TOTAL = new RegExp(
  String.raw`\b(?:total|sum) (?:of|for)\b|\b(?:in total|altogether)\b|(?<=\b(?:how much|what (?:do|does|did|will|is|are))\b[^.?!]*)\b(?:all )?together\b|\bhow much money\b|\bhow much (?:is|are|was|were|do|does|did|have|has)\b(?=[^.?!]*\b(?:outstanding|owed?|owes|owing|due|unpaid|overdue)\b)|${ADDS_UP}`,
  "i",
);
/** The word of a prompt that asks for a number made of the records, though no field is clearly meant; no part of a field's name. */
export function openAggregate(rows: readonly JsonObject[], { text }: PromptText): string | undefined {
  const said = SUMS.exec(text)?.[0];
  if (said === undefined || /\bin total\b/i.test(text)) return undefined;
  const fields = rows.slice(0, 1).flatMap((row) => Object.keys(row).flatMap(words));
  return fields.includes(said.toLowerCase()) && !TOTAL.test(text) ? undefined : said;
}

const MONEY = /(?:price|amount|total|budget|balance|salary|rate)s?$|^(?:costs?|fees?|wages?|charges?|debts?|owed)$/;
/** What is done with money, and the fields that say how much of it. */
const PAID: readonly [verb: RegExp, field: RegExp][] = [
  [/\bow(?:e|es|ed|ing)\b/i, /owe|owing|due|balance|debt|outstanding|unpaid/i],
  [/\b(?:pay|pays|paid|paying|earns?|earned)\b/i, /^(?:pay|fee|wage)|paid|salary|rate$|earn/],
  [/\b(?:costs?|charged?)\b/i, /^(?:costs?|fees?|wages?)$|price|salary|rate$|charge/],
];

const isDay = (field: string): boolean => /date|day|_at$|At$|_on$|On$/.test(field);

/** The field of a total that names none: one that the prompt has a word of, or the only one of money. */
function totalIn(rows: readonly JsonObject[], prompt: PromptText): { field: string; text: string } | undefined {
  const text = TOTAL.exec(prompt.text)?.[0];
  if (text === undefined || /\bhow many\b/i.test(prompt.text)) return undefined;
  const numeric = numericFields(rows);
  for (const [verb, pattern] of PAID) {
    const done = verb.exec(prompt.text)?.[0];
    const [field, ...others] = done === undefined ? [] : numeric.filter((one) => hasWord(one, pattern) && !isDay(one));
    if (field !== undefined && others.length === 0) return { field, text: `${text} ${done ?? ""}` };
  }
  const isSaid = (word: string): boolean => !isStopWord(word) && prompt.tokens.some((token) => token.word === word);
  // "the total of all orders" is that of their total, and not of what else has a total in its name.
  const whole = numeric.filter((field) => words(field).every(isSaid));
  const named = whole.length === 1 ? whole : numeric.filter((field) => words(field).some(isSaid));
  const some = named.length > 0 ? named : numeric.filter((field) => hasWord(field, MONEY));
  const [field] = some;
  return some.length === 1 && field !== undefined ? { field, text } : undefined;
}

/** "average order value", "the total value of the orders": the only field of money, where none is called so. */
const VALUE = /\b(?<kind>average|mean|avg|total|combined)\s+(?:\p{L}+\s+)?value\b/iu;

function valueIn(
  rows: readonly JsonObject[],
  { text }: PromptText,
): { field: string; kind: AggregateKind; text: string } | undefined {
  const said = VALUE.exec(text);
  if (!said || fieldNamesOf(rows).some((field) => words(field).includes("value"))) return undefined;
  const [field, ...others] = numericFields(rows).filter((one) => hasWord(one, MONEY));
  if (field === undefined || others.length > 0) return undefined;
  return {
    field,
    kind: /^(?:total|combined)$/i.test(said.groups?.["kind"] ?? "") ? "total" : "average",
    text: said[0],
  };
}

const STOCK = /\b(?:how\s+much|total)\s+(?:stock|inventory)\b/i;

/** "how much stock is there": the sum of the only field that says how many there are. */
function stockIn(
  rows: readonly JsonObject[],
  { text }: PromptText,
): { field: string; kind: AggregateKind; text: string } | undefined {
  const said = STOCK.exec(text)?.[0];
  const field = said === undefined ? undefined : supplyField(rows);
  return said === undefined || field === undefined ? undefined : { field, kind: "total", text: said };
}

/** The number a prompt asks for of these records; undefined when it asks for none, or not all of them have one. */
export function aggregateOf(given: readonly JsonObject[], prompt: PromptText): Aggregate | undefined {
  const rows = withAmounts(given);
  const fields = fieldNamesOf(rows);
  const isNamed = fields.some((field) => askedFor(field, prompt));
  const headed = isNamed
    ? undefined
    : (askedByHead(numericFields(rows), prompt) ?? valueIn(rows, prompt) ?? stockIn(rows, prompt));
  const total = isNamed || headed ? undefined : totalIn(rows, prompt);
  for (const field of fields) {
    const whole =
      total?.field === field ? { kind: "total" as const, text: `${total.text} ${field}` } : askedFor(field, prompt);
    const asked = headed?.field === field ? { ...headed, text: `${headed.text} ${field}` } : whole;
    if (asked && /^(?:lowest|highest)$/.test(asked.kind) && RECORD.test(prompt.text)) continue;
    const known = rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined);
    const texts = known.map(digitsOf).filter((text) => text !== undefined);
    if (!asked || texts.length === 0 || texts.length < known.length) continue;
    const { kind, text } = asked;
    const value = numberFor(kind, texts);
    return {
      text,
      field,
      sentence: `The ${kind === field ? "sum of the" : kind} ${field} is ${value}`,
      without: rows.length - texts.length,
    };
  }
  return undefined;
}
