// Looks for numbers in the results of calls, and computes what they may be: in the page where it has all of a result, else in the
// daemon, which has it.
import { shortenedIn } from "../../src/domain/shortened-result.js";
import type { JsonValue } from "../../src/lib/json.js";
import { fromPointer } from "../../src/lib/json-pointer.js";
import type { CallItem } from "../turn/turn.js";
import { aggregatesOf, type Column, columnsOf, isNumeric } from "../values/column.js";
import { computedName } from "../values/group.js";
import { addHits, type Hits, searchResult, type Total } from "../values/origins.js";
import { WHOLE } from "../values/query.js";
import { NO_ROW, type Rows, rowsIn } from "../values/rows.js";
import { createPageSource, findKeptNumbers, type NumberPlace, type RowSource } from "./row-source.js";
import { inSlices } from "./slices.js";

/** A result of which it is known which of the numbers stand in it. */
export interface Searched {
  hits: ReadonlyMap<string, Hits>;
  /** Where the list is that the result is about; undefined where it is about none, or about something else that has one. */
  list?: { path: readonly string[]; source: RowSource; columns: readonly Column[] };
}

/** Columns whose sums and averages are compared with numbers. */
const MAX_SUMMED = 24;

/** The whole result of a call, if it is in the page. */
function resultHere({ result, kept }: CallItem): JsonValue | undefined {
  return result === undefined || kept !== undefined || shortenedIn(result) ? undefined : result;
}

async function searchPage(
  call: CallItem,
  result: JsonValue,
  { wanted, signal }: { wanted: ReadonlySet<string>; signal: AbortSignal },
): Promise<Searched | undefined> {
  const hits = await inSlices(searchResult(call, result, wanted), signal);
  const rows = rowsIn(result);
  if (hits === undefined) return undefined;
  if (rows === null || rows.isPart) return { hits };
  return { hits, list: { path: rows.path, source: createPageSource(rows.rows), columns: columnsIn(rows) } };
}

function columnsIn({ columns, rows }: Pick<Rows, "columns" | "rows">, source?: RowSource): Column[] {
  return columnsOf(columns, rows, { facts: source?.facts ?? [] });
}

/** The search in the rows that the daemon has; only what it finds, and the first of the rows, are moved. */
async function searchKept(
  call: CallItem & { history_id: number },
  { wanted, signal }: { wanted: ReadonlySet<string>; signal: AbortSignal },
): Promise<Searched | undefined> {
  const found = await findKeptNumbers(call.history_id, [...wanted], signal);
  if (found.source === undefined)
    return shortenedIn(found.value) ? undefined : searchPage(call, found.value, { wanted, signal });
  const { id: call_id, name: tool } = call;
  const hits = new Map<string, Hits>();
  const add = ({ number, count, index, fields }: NumberPlace): void => {
    const [column] = fields;
    const isCell = count === 1 && index !== undefined && column !== undefined;
    const origin = isCell ? { call_id, tool, index, column } : undefined;
    const columns = fields.map((field) => ({ call_id, tool, column: field, cell: origin }));
    const hit = { count, origin, columns };
    addHits(hits, new Map([[number, hit]]));
  };
  for (const place of found.numbers) add(place);
  for (const place of found.around) add({ ...place, index: NO_ROW });
  // What is not known to be there once is there twice.
  for (const number of found.left) hits.set(number, { count: 2, columns: [] });
  const rows = rowsIn(found.value);
  if (rows === null) return { hits };
  const { source } = found;
  return { hits, list: { path: fromPointer(found.path), source, columns: columnsIn(rows, source) } };
}

/** Which of these numbers stand in the result of a call; undefined where that cannot be known. Throws ApiError, and AbortError. */
export async function searchCall(
  call: CallItem,
  options: { wanted: ReadonlySet<string>; signal: AbortSignal },
): Promise<Searched | undefined> {
  const here = resultHere(call);
  if (here !== undefined) return searchPage(call, here, options);
  const { history_id } = call;
  return history_id === undefined ? undefined : searchKept({ ...call, history_id }, options);
}

/** How many rows a result has, and the sums and averages of its columns. Throws as searchCall does. */
export async function totalsOf(call: CallItem, { list }: Searched, signal: AbortSignal): Promise<Total[]> {
  if (list === undefined || list.source.isIncomplete) return [];
  const { source, columns } = list;
  const of = { call_id: call.id, tool: call.name };
  const computed = columns
    .filter(isNumeric)
    .slice(0, MAX_SUMMED)
    .flatMap((column) => {
      const own = aggregatesOf(column).filter((one) => one === "sum" || one === "avg");
      return own.map((aggregate) => ({ aggregate, field: column.name }));
    });
  const sums = await source.totals(WHOLE, computed, signal);
  return computed.flatMap((one): Total[] => {
    const value = sums[computedName(one)];
    if (typeof value !== "number" && typeof value !== "bigint") return [];
    return [{ ...of, column: one.field, aggregate: one.aggregate, value: Number(value) }];
  });
}

/** The number of rows of a result, where all of them are known. */
export function countOf(call: CallItem, { list }: Searched): Total[] {
  if (list === undefined || list.source.isIncomplete) return [];
  return [{ call_id: call.id, tool: call.name, column: "", aggregate: "count", value: list.source.total }];
}
