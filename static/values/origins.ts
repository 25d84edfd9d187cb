// Where the numbers of an answer stand in the results of its turn: each that is the value of exactly one cell. Pure. The long loops are
// generators that stop every few milliseconds of work, so that the caller decides how long it goes on at once.
import { isObject, type JsonValue } from "../../src/lib/json.js";
import { numbersIn, plainNumber, type WrittenNumber } from "./numbers.js";
import { NO_ROW, rowsIn } from "./rows.js";

/** A call and its result. */
export interface Answered {
  id: string;
  name: string;
  result: JsonValue;
}

/** The cell that a number comes from, or the field of a result that is one object. */
export interface Origin {
  call_id: string;
  tool: string;
  /** The position of its row; NO_ROW for a field of the result itself. */
  index: number;
  column: string;
}

/** What is known of the numbers of a text. */
export interface Origins {
  /** Where each plain number is; null where that is more than one place, or none in a table. */
  cells: ReadonlyMap<string, Origin | null>;
  /** Where the numbers with one cell begin in the text. */
  places: readonly number[];
}

/** Values that are looked at. Of more it is not known whether a number is there twice, so none is found. */
const MAX_VALUES = 200_000;
/** Numbers of a text that are looked at, from its start, and of those the ones that lead to a cell: more is a table of its own. */
const MAX_NUMBERS = 1_000;
const MAX_PLACES = 100;
/** Values, and numbers, between two stops. */
const SLICE = 128;

function* firstNumbers(text: string): Generator<void, WrittenNumber[]> {
  const numbers: WrittenNumber[] = [];
  for (const one of numbersIn(text)) {
    if (numbers.push(one) >= MAX_NUMBERS) break;
    if (numbers.length % SLICE === 0) yield;
  }
  return numbers;
}

/** All plain values in a result, with the cell where they are one. */
function* valuesIn({ id, name, result }: Answered): Generator<[JsonValue, Origin | null]> {
  const rows = rowsIn(result);
  const around = rows === null ? result : rows.rest;
  const own = isObject(around) ? [[NO_ROW, around] as const] : [];
  const others: JsonValue[] = isObject(around) ? [] : [around];
  for (const [index, row] of [...own, ...(rows?.rows ?? []).entries()])
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === "object") others.push(value);
      else yield [value, { call_id: id, tool: name, index, column }];
    }
  for (let next = others.pop(); next !== undefined; next = others.pop()) {
    if (typeof next !== "object" || next === null) yield [next, null];
    else for (const inner of Object.values(next)) others.push(inner);
  }
}

/** The one cell of a number; undefined where there is none, or more than one. */
export function originOf({ readings }: WrittenNumber, cells: Origins["cells"]): Origin | undefined {
  const found = readings.filter((one) => cells.has(one));
  return (found.length === 1 && cells.get(found[0] ?? "")) || undefined;
}

/** Finds the cells of the numbers in a text. One that also stands outside the tables is ambiguous, too. */
export function* findOrigins(text: string, calls: readonly Answered[]): Generator<void, Origins> {
  const numbers = yield* firstNumbers(text);
  const wanted = new Set(numbers.flatMap(({ readings }) => readings));
  const cells = new Map<string, Origin | null>();
  let count = 0;
  for (const call of wanted.size === 0 ? [] : calls)
    for (const [value, origin] of valuesIn(call)) {
      if (++count > MAX_VALUES) return { cells: new Map(), places: [] };
      if (count % SLICE === 0) yield;
      const plain = plainNumber(value);
      if (plain !== undefined && wanted.has(plain)) cells.set(plain, cells.has(plain) ? null : origin);
    }
  const found = numbers.filter((one) => originOf(one, cells) !== undefined);
  return { cells, places: found.slice(0, MAX_PLACES).map(({ at }) => at) };
}
