// What a person's query gets of a result: a page of its rows, or the value its path leads to.
// Source: docs/reference.md, "Whole results"
import { AppError } from "../domain/error.js";
import type { ResultAnswer, ResultNumber, ResultPage, ResultQuery } from "../domain/result-query.js";
import { isObject, type JsonValue, toJson } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";
import type { Semaphore } from "../lib/semaphore.js";
import { fieldsReader } from "./fields.js";
import { createNumberPlaces } from "./number-places.js";
import { type OrderCache, type QueriedRows, questionRows } from "./query.js";
import { around, type Result } from "./result.js";
import { type RowList, type RowsOrValue, rowsAt } from "./rows-at.js";

/** Characters of the items of a page: one text is made of them at once. */
const MAX_PAGE_CHARS = 4 * 1024 * 1024;
/** Rows fetched at once. */
const FETCH = 200;

/** A query and what it is asked of. */
export interface Question {
  history_id: number;
  query: ResultQuery;
  orders: OrderCache;
  scans: Semaphore;
  signal: AbortSignal;
}

/** A row as it is answered: itself, or these of its fields. */
export function rowPicker(fields: readonly string[] | undefined): (row: JsonValue) => JsonValue {
  if (!fields) return (row) => row;
  const read = fieldsReader(fields);
  return (row) => {
    const values = read(row);
    return Object.fromEntries(fields.map((field, at) => [field, values[at] ?? null]));
  };
}

/** Rows in their order, from one on, a few at a time, with their positions. Throws the signal's reason. */
export async function* rowsInOrder(
  list: RowList,
  { order, matching }: QueriedRows,
  { from, size, signal }: { from: number; size: number; signal: AbortSignal },
): AsyncGenerator<{ rows: JsonValue[]; positions: number[] }, void, void> {
  if (!order) {
    let at = from;
    for await (const rows of list.read(from)) {
      signal.throwIfAborted();
      yield { rows, positions: rows.map((_, i) => at + i) };
      at += rows.length;
    }
    return;
  }
  for (let at = from; at < matching; ) {
    signal.throwIfAborted();
    const wanted = [...order.subarray(at, at + size)];
    const rows = await list.pick(wanted);
    yield { rows, positions: wanted.slice(0, rows.length) };
    at += rows.length;
  }
}

async function pageOf(list: RowList, path: string, question: Question): Promise<ResultPage> {
  const { history_id, query, orders, scans, signal } = question;
  const { offset, limit, count } = query;
  const listKey = `${history_id} ${path} ${list.count}`;
  const found = await questionRows(list, query, { orders, listKey, scans, signal });
  const pick = rowPicker(query.fields);
  const items: JsonValue[] = [];
  const indexes: number[] = [];
  let chars = 0;
  const isFull = (): boolean => count || items.length >= limit || chars > MAX_PAGE_CHARS;
  if (!isFull() && offset < found.matching)
    for await (const { rows, positions } of rowsInOrder(list, found, {
      from: offset,
      size: Math.min(limit, FETCH),
      signal,
    })) {
      for (const [at, row] of rows.entries()) {
        if (isFull()) break;
        const item = pick(row);
        chars += toJson(item).length;
        items.push(item);
        indexes.push(positions[at] ?? 0);
      }
      if (isFull()) break;
    }
  const { count: total_items } = list;
  const page: ResultPage = {
    history_id,
    path,
    total_items,
    matching_items: found.matching,
    offset,
    items,
    indexes,
  };
  const next = offset + items.length;
  if (items.length > 0 && next < found.matching) page.next_offset = next;
  if (list.truncated) page.incomplete = true;
  return Object.assign(page, computedParts(found));
}

function computedParts({ columns, groups, sums, numbers }: QueriedRows): Partial<ResultPage> {
  const parts: Partial<ResultPage> = {};
  if (columns) parts.columns = columns.columns;
  if (columns?.isCut) parts.more_columns = true;
  if (groups) parts.groups = groups.groups;
  if (groups?.isCut) parts.more_groups = true;
  if (sums) parts.sums = sums;
  if (numbers) parts.numbers = numbers;
  return parts;
}

/** Where numbers stand beside the rows. */
function numbersAround(value: JsonValue, wanted: readonly string[]): ResultNumber[] {
  if (!isObject(value)) return [];
  const places = createNumberPlaces(wanted);
  places.add(value, 0);
  return places.places().map(({ number, count, fields }) => ({ number, count, fields }));
}

/** What a query's path leads to in a result. Throws AppError invalid_query when that is nothing. */
export async function foundIn(result: Result, path: string | undefined): Promise<RowsOrValue> {
  const found = await rowsAt(result, path);
  if (!found) throw new AppError("invalid_query", `There is nothing at ${JSON.stringify(path)} in this result.`);
  return found;
}

/** The answer to a query. Throws AppError invalid_query when its path names nothing, and the signal's reason. */
export async function answerQuery(result: Result, question: Question): Promise<ResultAnswer> {
  const found = await foundIn(result, question.query.path);
  if ("value" in found) return { history_id: question.history_id, path: found.path, value: found.value };
  const page = await pageOf(found.list, found.path, question);
  const { numbers } = question.query;
  const beside = numbers ? numbersAround(around(result.value, fromPointer(found.path)), numbers) : [];
  return beside.length > 0 ? { ...page, numbers_around: beside } : page;
}
