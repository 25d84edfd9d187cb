// The fields of objects within records, as fields of the records while these are narrowed: the country of the site of a telescope. Records
// in, wider ones and the way back out.

import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { asksForDebt, CEILING, DEBT } from "./amounts.js";
import { fieldNamesOf } from "./narrowed.js";

/** What identifies the object within says nothing of the record. */
const IDENTITY = /^(?:id|name|title|label|slug|uuid|key|url|href)$|(?:_id|Id|_url|Url)$/;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** Records with the fields of the objects within them. */
interface WithNested {
  rows: readonly JsonObject[];
  /** The record as it was, with those of the fields within it that it was narrowed by. */
  originalOf: (row: JsonObject, used: ReadonlySet<string>) => JsonObject;
}

/** The fields of the objects within a record: those that the prompt names, and any that hold a text. */
function nestedIn(
  row: JsonObject,
  isWanted: (name: string, value: JsonValue, outer: string) => boolean,
): [string, JsonValue][] {
  return Object.entries(row).flatMap(([outer, within]) =>
    Object.entries(isObject(within) ? within : {}).filter(
      ([name, value]) => !IDENTITY.test(name) && !isObject(value) && isWanted(name, value, outer),
    ),
  );
}

/** The names of the fields of the objects within a record. */
export const innerFields = (row: JsonObject): string[] =>
  Object.values(row)
    .filter(isObject)
    .flatMap((inner) => Object.keys(inner).filter((name) => !IDENTITY.test(name)));

/** A record with those fields of the objects within it that a prompt has a word of, and the record has no field of. */
export function withAskedFields(row: JsonObject, prompt: PromptText): JsonObject {
  const own = new Set(Object.keys(row).flatMap(words).map(stem));
  const isAsked = (name: string): boolean => {
    const terms = withoutUnit(words(name)).map(stem);
    return terms.some((term) => !own.has(term) && prompt.tokens.some((one) => one.term === term));
  };
  const asked = Object.entries(row).flatMap(([outer, inner]) =>
    isObject(inner)
      ? Object.entries(inner).flatMap(([name, value]): [string, JsonValue][] =>
          !IDENTITY.test(name) && isAsked(name) ? [[`${outer}.${name}`, value]] : [],
        )
      : [],
  );
  return asked.length === 0 ? row : { ...Object.fromEntries(asked), ...row };
}

/** What an amount has beside its number. */
const MEASURE = /^(?:currency|currencyCode|unit|units|symbol)$/i;

/** The number of an object that is an amount with its currency or its unit, and these. */
function amountOf(value: JsonValue | undefined): { amount: JsonValue; of: string } | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const measures = entries.filter(([name]) => MEASURE.test(name));
  const [amount, ...others] = entries.filter(([name]) => !MEASURE.test(name) && !IDENTITY.test(name));
  const isAmount = amount && measures.length > 0 && others.length === 0 && typeof amount[1] === "number";
  return isAmount && entries.length === measures.length + 1 ? { amount: amount[1], of: toJson(measures) } : undefined;
}

/** Records with the amounts of one currency, or one unit, as numbers: `rate: { amount: 42, currency: "EUR" }` is 42. */
export function withAmounts(rows: readonly JsonObject[]): JsonObject[] {
  const isAmount = (key: string): boolean => {
    const held = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
    const amounts = held.map(amountOf);
    return amounts.every((one) => one !== undefined) && new Set(amounts.map((one) => one?.of)).size === 1;
  };
  const keys = fieldNamesOf(rows).filter(isAmount);
  const numberOf = (value: JsonValue | undefined): JsonValue => amountOf(value)?.amount ?? null;
  return keys.length === 0
    ? [...rows]
    : rows.map((row) => ({ ...row, ...Object.fromEntries(keys.map((key) => [key, numberOf(row[key])])) }));
}

/** The numbers within records that a prompt may mean: with a word of their name, as what is owed, or beside a limit that it names. */
function numbersWithin(rows: readonly JsonObject[], prompt: PromptText): ReadonlySet<string> {
  const objects = rows.flatMap((row) => Object.values(row).filter(isObject));
  const numbersOf = (one: JsonObject): string[] =>
    Object.entries(one).flatMap(([name, value]) => (typeof value === "number" && !IDENTITY.test(name) ? [name] : []));
  const isSaid = (name: string): boolean =>
    withoutUnit(words(name)).some((word) => !isStopWord(word) && prompt.terms.has(stem(word)));
  const isOwed = asksForDebt(prompt);
  const said = objects.flatMap((one) => {
    const numbers = numbersOf(one);
    return numbers.some((name) => isSaid(name) && CEILING.test(name))
      ? numbers
      : numbers.filter((name) => isSaid(name) || (isOwed && DEBT.test(name)));
  });
  return new Set(said);
}

/** Records with the fields of the objects within them, where no other field is called so. */
export function withNested(rows: readonly JsonObject[], prompt: PromptText): WithNested {
  const own = new Set(fieldNamesOf(rows));
  const isNamed = (name: string): boolean => withoutUnit(words(name)).every((word) => prompt.terms.has(stem(word)));
  const numbers = numbersWithin(rows, prompt);
  // A day of what the prompt speaks of: "insurance that ran out".
  const isWanted = (name: string, value: JsonValue, outer: string): boolean =>
    !own.has(name) &&
    (isNamed(name) || numbers.has(name) || (typeof value === "string" && (!DAY.test(value) || isNamed(outer))));
  const originals = new Map<JsonObject, JsonObject>();
  const amounts = withAmounts(rows);
  const wide = rows.map((row, at) => {
    const nested = nestedIn(row, isWanted);
    const names = nested.map(([name]) => name);
    // Of a sender and a receiver each has a city.
    const fields = nested.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name));
    const own = amounts[at] ?? row;
    if (fields.length === 0 && own === row) return row;
    const out = { ...own, ...Object.fromEntries(fields) };
    originals.set(out, row);
    return out;
  });
  const originalOf = (row: JsonObject, used: ReadonlySet<string>): JsonObject => {
    const original = originals.get(row);
    if (!original) return row;
    const kept = Object.entries(row).filter(([name]) => name in original || used.has(name));
    const shown = kept.map(([name, value]) => [name, used.has(name) ? value : (original[name] ?? value)]);
    return Object.fromEntries(shown);
  };
  return { rows: wide, originalOf };
}
