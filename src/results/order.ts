// The rows that match, in the order asked for: their positions in the list. Keys are gathered in one pass over the rows; then runs are
// sorted and merged in slices, so that a hundred thousand rows hold nothing up.
import { AppError } from "../domain/error.js";
import type { SortField } from "../domain/result-query.js";
import type { JsonValue } from "../lib/json.js";
import { createSlices } from "../lib/slices.js";
import { fieldReader } from "./row-filter.js";
import { compareKeys, type SortKey, sortKey } from "./value-order.js";

/** Rows that are put in order; more would take too much memory for their keys. */
const MAX_SORTED_ROWS = 1_000_000;
/** Characters of all keys together. */
const MAX_KEY_CHARS = 128 * 1024 * 1024;
/** Rows sorted in one go: a few milliseconds of them. */
const RUN = 1_024;
/** Rows merged between two looks at the clock. */
const LOOK_EVERY = 512;

const tooMany = (what: string): AppError =>
  new AppError("invalid_query", `${what} match to be put in order: filter them first.`);

type Compare = (a: number, b: number) => number;

/** What is to be merged: rows from `start` to `middle` with those from there to `end`. */
interface Merge {
  from: Uint32Array;
  to: Uint32Array;
  start: number;
  middle: number;
  end: number;
}

/** Merges until enough rows are done for a look at the clock; then gives control back. */
function* merging({ from, to, start, middle, end }: Merge, compare: Compare): Generator<void, void, void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const takesLeft = right >= end || (left < middle && compare(from[left] as number, from[right] as number) <= 0);
    to[at] = from[takesLeft ? left++ : right++] as number;
    if ((at - start) % LOOK_EVERY === LOOK_EVERY - 1) yield;
  }
}

/** 0 to `count` in the order of `compare`, without holding anything up. Throws the signal's reason. */
export async function sortedNumbers(count: number, compare: Compare, signal: AbortSignal): Promise<Uint32Array> {
  const slices = createSlices(signal);
  let from = Uint32Array.from({ length: count }, (_, at) => at);
  let to = new Uint32Array(count);
  for (let start = 0; start < count; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    if (slices.isOver()) await slices.pause();
  }
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, count), Math.min(start + 2 * width, count)];
      for (const _ of merging({ from, to, start, middle, end }, compare)) if (slices.isOver()) await slices.pause();
    }
    [from, to] = [to, from];
  }
  return from;
}

/** The positions of the rows that match, being gathered. */
interface OrderBuilder {
  /** Throws AppError invalid_query when there are too many. */
  add(row: JsonValue, position: number): void;
  /** In order. Throws the signal's reason. */
  finish(signal: AbortSignal): Promise<Uint32Array>;
}

/** An order by these fields; without any, that of the list. */
export function createOrder(sort: readonly SortField[]): OrderBuilder {
  const fields = sort.map(({ field, descending }) => ({ read: fieldReader(field), descending, keys: [] as SortKey[] }));
  const positions: number[] = [];
  let chars = 0;
  const keyOf = (value: JsonValue | undefined): SortKey => {
    const key = sortKey(value);
    if (typeof key === "string") chars += key.length;
    else if (typeof key === "object" && key !== null) chars += key.text.length;
    return key;
  };
  return {
    add(row, position) {
      positions.push(position);
      if (fields.length === 0) return;
      for (const { read, keys } of fields) keys.push(keyOf(read(row)));
      if (positions.length > MAX_SORTED_ROWS) throw tooMany(`More than ${MAX_SORTED_ROWS} rows`);
      if (chars > MAX_KEY_CHARS) throw tooMany("Rows with too long values");
    },
    async finish(signal) {
      if (fields.length === 0) return Uint32Array.from(positions);
      const compare: Compare = (a, b) => {
        for (const { keys, descending } of fields) {
          const order = compareKeys(keys[a] as SortKey, keys[b] as SortKey, descending);
          if (order !== 0) return order;
        }
        return a - b;
      };
      const order = await sortedNumbers(positions.length, compare, signal);
      return order.map((at) => positions[at] as number);
    },
  };
}
