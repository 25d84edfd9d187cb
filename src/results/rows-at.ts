// The list, or the value, that a question to a result is about. One way to the rows for the model's `read_result` and for the
// queries of people, whether the rows are in memory or in a file.
import { setImmediate } from "node:timers/promises";
import { isPictureDescription } from "../domain/picture.js";
import type { JsonValue } from "../lib/json.js";
import { fromPointer, toPointer, valueAt } from "../lib/json-pointer.js";
import type { Result } from "./result.js";
import { listIn, type Rows } from "./rows.js";

/** Items looked at between two other things the daemon does: a few milliseconds of them. */
const BATCH = 1_000;

/** A list to be read. */
export interface RowList {
  count: number;
  /** Whether the answer had more. */
  truncated: boolean;
  /** Its items from one on, in order, some at a time. */
  read(from: number): AsyncIterable<JsonValue[]>;
  /** The items at these positions, in their order, or the first of them, one at least. */
  pick(positions: readonly number[]): Promise<JsonValue[]>;
}

/** What a path leads to. */
export type RowsOrValue = { path: string; list: RowList } | { path: string; value: JsonValue };

/** The items of a list in memory from one on, some at a time: a list of millions must not hold up the daemon. */
async function* batchesOf(list: readonly JsonValue[], from: number): AsyncGenerator<JsonValue[], void, void> {
  for (let at = from; at < list.length; at += BATCH) {
    if (at > from) await setImmediate();
    yield list.slice(at, at + BATCH);
  }
}

/** A list in memory. */
export function toRowList(items: readonly JsonValue[]): RowList {
  return {
    count: items.length,
    truncated: false,
    read: (from) => batchesOf(items, from),
    pick: async (positions) => positions.map((at) => items[at] ?? null),
  };
}

async function rowAt(rows: Rows, position: number): Promise<JsonValue> {
  for await (const [row = null] of rows.read(position)) return row;
  return null;
}

/** The rows of a file, where they stand in it. */
function rowsAsList(rows: Rows): RowList {
  return {
    count: rows.count,
    truncated: rows.truncated,
    read: (from) => rows.read(from),
    pick: rows.pick?.bind(rows) ?? ((positions) => Promise.all(positions.map((at) => rowAt(rows, at)))),
  };
}

function foundAt(path: readonly string[], value: JsonValue | undefined): RowsOrValue | undefined {
  if (value === undefined) return undefined;
  const pointer = toPointer(path);
  return Array.isArray(value) ? { path: pointer, list: toRowList(value) } : { path: pointer, value };
}

/** The list or value a path (a JSON Pointer) leads to, without one the list the result is about; undefined when it names nothing. */
export async function rowsAt({ value, rows }: Result, pointer: string | undefined): Promise<RowsOrValue | undefined> {
  const path = pointer === undefined ? undefined : fromPointer(pointer);
  if (!rows) {
    if (path?.length) return foundAt(path, valueAt(value, path));
    const inner = listIn(value);
    return inner ? foundAt(inner.path, inner.list) : foundAt([], value);
  }
  // The pieces of a picture are for those who ask for them.
  if (path === undefined && isPictureDescription(value)) return foundAt([], value);
  // A path that leads to the rows, or none, means the rows.
  const way = path ?? [];
  if (!way.every((key, i) => i >= rows.path.length || key === rows.path[i])) return foundAt(way, valueAt(value, way));
  const [index, ...inner] = way.slice(rows.path.length);
  if (index === undefined) return { path: toPointer(rows.path), list: rowsAsList(rows) };
  if (!/^\d+$/.test(index) || Number(index) >= rows.count) return undefined;
  const [row] = await rowsAsList(rows).pick([Number(index)]);
  return foundAt(way, valueAt(row, inner));
}
