// Where the numbers of an answer come from in the results of its turn: the one cell that has this value, the thing that it is the id of,
// how many rows there are, or the sum or average of a column. What may be several of them is none. Pure. The long loops are generators
// that stop every few milliseconds of work, so that the caller decides how long it goes on at once.
import { isObject, type JsonValue } from "../../src/lib/json.js";
import { plainNumber } from "../../src/lib/plain-number.js";
import { singularOf } from "../../src/lib/plural.js";
import { type Around, isLabelled } from "./labels.js";
import type { ThingTool } from "./links.js";
import { isLoneDigit, numbersIn, type WrittenNumber } from "./numbers.js";
import { NO_ROW, rowsIn } from "./rows.js";

/** A column of the result of a call. */
interface ColumnOf {
  call_id: string;
  tool: string;
  column: string;
}

/** The cell that a number comes from, or the field of a result that is one object. */
interface Origin extends ColumnOf {
  /** The position of its row; NO_ROW for a field of the result itself. */
  index: number;
}

/** What was computed of all rows of a result; `column` is "" for their number. */
export interface Total extends ColumnOf {
  aggregate: "count" | "sum" | "avg";
  value: number;
}

/** A column that has a number, and its cell where that is the only one. */
interface ColumnHits extends ColumnOf {
  cell?: Origin | undefined;
}

/** How often a number stands in a result, and where. */
export interface Hits {
  count: number;
  /** Its cell, where it is there once and in one. */
  origin?: Origin | undefined;
  /** The columns it stands in, or some of them. */
  columns: readonly ColumnHits[];
}

/** A number of an answer leads to one of these. */
export type Place =
  | { kind: "cell"; origin: Origin }
  | { kind: "total"; total: Total }
  | { kind: "thing"; thing: ThingTool; key: string };

/** What is known of the results of a turn. */
export interface Known {
  hits: ReadonlyMap<string, Hits>;
  totals: readonly Total[];
  /** What the rows of a call are called, one of them: "order". */
  nounsOf: (call_id: string) => readonly string[];
  /** What gets the things that the values of a column name, and what such a thing is called. */
  thingOf: (column: ColumnOf) => { thing: ThingTool; noun: string } | undefined;
}

/** Values that are looked at. Of more it is not known whether a number is there twice, so none is found. */
const MAX_VALUES = 200_000;
/** Numbers of a text that are looked at, from its start, and of those the ones that lead somewhere: more is a table of its own. */
const MAX_NUMBERS = 1_000;
const MAX_PLACES = 100;
/** Values, and numbers, between two stops. */
const SLICE = 128;
/** Columns of one number that are told apart. */
const MAX_COLUMNS = 8;

/** The numbers of a text that are looked for. */
export function* firstNumbers(text: string): Generator<void, WrittenNumber[]> {
  const numbers: WrittenNumber[] = [];
  for (const one of numbersIn(text)) {
    if (numbers.push(one) >= MAX_NUMBERS) break;
    if (numbers.length % SLICE === 0) yield;
  }
  return numbers;
}

/** All plain values in a result, with the cell where they are one. */
function* valuesIn(call: { id: string; name: string }, result: JsonValue): Generator<[JsonValue, Origin | undefined]> {
  const rows = rowsIn(result);
  const around = rows === null ? result : rows.rest;
  const own = isObject(around) ? [[NO_ROW, around] as const] : [];
  const others: JsonValue[] = isObject(around) || around === null ? [] : [around];
  for (const [index, row] of [...own, ...(rows?.rows ?? []).entries()])
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === "object") others.push(value);
      else yield [value, { call_id: call.id, tool: call.name, index, column }];
    }
  for (let next = others.pop(); next !== undefined; next = others.pop()) {
    if (typeof next !== "object" || next === null) yield [next, undefined];
    else for (const inner of Object.values(next)) others.push(inner);
  }
}

/** Adds what was found in one result to what is known of others. */
export function addHits(known: Map<string, Hits>, found: ReadonlyMap<string, Hits>): void {
  for (const [number, { count, origin, columns }] of found) {
    const before = known.get(number);
    known.set(number, {
      count: count + (before?.count ?? 0),
      origin: before === undefined ? origin : undefined,
      columns: [...(before?.columns ?? []), ...columns],
    });
  }
}

/** Where these numbers stand in the result of a call; undefined where it has too many values. */
export function* searchResult(
  call: { id: string; name: string },
  result: JsonValue,
  wanted: ReadonlySet<string>,
): Generator<void, Map<string, Hits> | undefined> {
  const found = new Map<string, { count: number; origin?: Origin | undefined; columns: ColumnHits[] }>();
  let seen = 0;
  for (const [value, origin] of valuesIn(call, result)) {
    if (++seen > MAX_VALUES) return undefined;
    if (seen % SLICE === 0) yield;
    const plain = plainNumber(value);
    if (plain === undefined || !wanted.has(plain)) continue;
    const hits = found.get(plain) ?? { count: 0, origin, columns: [] };
    hits.count++;
    if (hits.count > 1) hits.origin = undefined;
    const known = origin && hits.columns.find(({ column }) => column === origin.column);
    if (known) known.cell = undefined;
    else if (origin && hits.columns.length < MAX_COLUMNS) {
      const { call_id, tool, column } = origin;
      hits.columns.push({ call_id, tool, column, cell: origin });
    }
    found.set(plain, hits);
  }
  return found;
}

/** Characters around a number that may tell what it is of. */
const AROUND = 60;
/** Marks of Markdown between a word and a number. */
const MARKS = "[\\s*_~]";
/** "customer 120", "Order no. 4711", "Invoice #12". */
const WORD_BEFORE = new RegExp(`(\\p{L}+)${MARKS}*(?:#|(?:no|nr)\\.?|number|id)?${MARKS}*[:#]?${MARKS}*$`, "iu");
/** "5,000 orders", "12 open orders". */
const WORDS_AFTER = new RegExp(`^${MARKS}*(\\p{L}+)(?:${MARKS}+(\\p{L}+))?`, "u");
/** What rows are called whatever is in them. */
const ROW_WORDS = ["row", "record", "entry", "result", "item"];

const nounOf = (word: string | undefined): string => (word === undefined ? "" : singularOf(word.toLowerCase()));

function wordBefore({ before }: Around): string {
  return nounOf(WORD_BEFORE.exec(before.slice(-AROUND))?.[1]);
}

function wordsAfter({ after }: Around): string[] {
  return (WORDS_AFTER.exec(after.slice(0, AROUND)) ?? []).slice(1).map(nounOf);
}

/** Whether a total is what was written, as exactly as it was written. Whole numbers are no averages that were rounded. */
function isTotal({ aggregate, value }: Total, number: WrittenNumber, reading: string): boolean {
  const decimals = number.decimals[number.readings.indexOf(reading)] ?? 0;
  if (aggregate === "avg" && decimals > 0) return Number(value.toFixed(Math.min(decimals, 20))) === Number(reading);
  // Sums of fractions have noise behind the digits they are made of.
  return Number(value.toPrecision(15)) === Number(reading);
}

/** The thing that a number is the id of, by the word before it and a column that has it. */
function thingFor(number: WrittenNumber, around: Around, known: Known): Place | undefined {
  const word = wordBefore(around);
  if (word === "") return undefined;
  const found = new Map<string, Place>();
  for (const key of number.readings)
    for (const column of known.hits.get(key)?.columns ?? []) {
      const named = known.thingOf(column);
      if (named?.noun === word) found.set(named.thing.tool, { kind: "thing", thing: named.thing, key });
    }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** The cell of a single digit: the only one of the column that is named beside it. */
function labelledCell(number: WrittenNumber, around: Around, known: Known): Place | undefined {
  const columns = number.readings.flatMap((one) => known.hits.get(one)?.columns ?? []);
  const named = columns.filter(
    ({ column, call_id }) =>
      isLabelled(column, around) || (column === "id" && known.nounsOf(call_id).includes(wordBefore(around))),
  );
  const [only, ...others] = named;
  return only?.cell !== undefined && others.length === 0 ? { kind: "cell", origin: only.cell } : undefined;
}

/** Where a number comes from; undefined where that is not certain. */
export function placeOf(number: WrittenNumber, around: Around, known: Known): Place | undefined {
  const totals = known.totals.filter((one) => number.readings.some((reading) => isTotal(one, number, reading)));
  const words = wordsAfter(around);
  const counted = totals.filter(
    ({ aggregate, call_id }) =>
      aggregate === "count" && words.some((word) => known.nounsOf(call_id).includes(word) || ROW_WORDS.includes(word)),
  );
  const [count, ...others] = counted;
  if (count !== undefined) return others.length === 0 ? { kind: "total", total: count } : undefined;
  if (isLoneDigit(number)) return labelledCell(number, around, known) ?? thingFor(number, around, known);
  const found = number.readings.filter((one) => known.hits.has(one));
  const [reading = ""] = found;
  const origin = found.length === 1 ? known.hits.get(reading)?.origin : undefined;
  const isCount = totals.some(({ aggregate }) => aggregate === "count");
  if (origin !== undefined && !isCount) return { kind: "cell", origin };
  if (found.length > 0) return thingFor(number, around, known);
  const [total, ...further] = totals;
  return total !== undefined && further.length === 0 ? { kind: "total", total } : undefined;
}

/** Where the numbers that lead somewhere begin in a text. */
export function* placesIn(text: string, numbers: readonly WrittenNumber[], known: Known): Generator<void, number[]> {
  const places: number[] = [];
  for (const [i, number] of numbers.entries()) {
    if (i % SLICE === SLICE - 1) yield;
    const end = number.at + number.text.length;
    const around = {
      before: text.slice(Math.max(0, number.at - AROUND), number.at),
      after: text.slice(end, end + AROUND),
    };
    if (placeOf(number, around, known) !== undefined && places.push(number.at) >= MAX_PLACES) break;
  }
  return places;
}
