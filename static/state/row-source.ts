// Where the rows of a result come from: the page has them, or the daemon keeps them. Both answer the same questions; what the page has
// is filtered, sorted and grouped in slices, so that it goes on answering.
import { PICTURE_PATH } from "../../src/domain/picture.js";
import { type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { toPointer } from "../../src/lib/json-pointer.js";
import type { ColumnFacts } from "../values/column.js";
import {
  aggregateRows,
  type Computed,
  computedName,
  type Group,
  type GroupBy,
  groupName,
  groupRows,
} from "../values/group.js";
import { matchingOrder, type Query } from "../values/query.js";
import { asRow } from "../values/rows.js";
import { requestJson } from "./api.js";
import { inSlices } from "./slices.js";

/** Some rows of what matches. */
interface RowPage {
  rows: JsonObject[];
  /** The position of each in the whole list. */
  indexes: number[];
  /** How many rows match. */
  matching: number;
}

/** Which part of what matches. */
interface Range {
  offset: number;
  limit: number;
  signal?: AbortSignal;
}

/** What is computed over the groups of some columns; without a column, over everything that matches. */
interface Grouping {
  by: readonly GroupBy[];
  computed: readonly Computed[];
  signal?: AbortSignal;
}

/** The rows of a result. Each method throws ApiError, and AbortError once its signal is aborted. */
export interface RowSource {
  /** How many rows there are. */
  readonly total: number;
  /** What is known of the columns of all rows, beside what some rows tell. */
  readonly facts: readonly ColumnFacts[];
  /** Set when the answer had more rows than are kept. */
  readonly isIncomplete?: boolean;
  /** The history row whose result the daemon keeps; undefined when the page has all rows. */
  readonly history_id: number | undefined;
  page(query: Query, range: Range): Promise<RowPage>;
  groups(query: Query, grouping: Grouping): Promise<Group[]>;
  /** What is computed over all rows that match, by its name. */
  totals(
    query: Query,
    computed: readonly Computed[],
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, JsonValue>>>;
}

/** Rows that the page has. */
export function createPageSource(rows: readonly JsonObject[]): RowSource {
  let known: { key: string; order: Promise<number[]> } | undefined;
  const orderOf = (query: Query): Promise<number[]> => {
    const key = toJson([query.filters, query.q, query.sort] as unknown as JsonValue);
    // Not aborted with the question that began it: the next one about the same rows takes what it finds.
    if (known?.key !== key) known = { key, order: inSlices(matchingOrder(rows, query)) };
    return known.order;
  };
  return {
    total: rows.length,
    facts: [],
    history_id: undefined,
    async page(query, { offset, limit }) {
      const order = await orderOf(query);
      const indexes = order.slice(offset, offset + limit);
      return { rows: indexes.map((at) => rows[at] ?? {}), indexes, matching: order.length };
    },
    async groups(query, { by, computed, signal }) {
      return inSlices(groupRows(rows, await orderOf(query), { by, computed }), signal);
    },
    async totals(query, computed, signal) {
      return inSlices(aggregateRows(rows, await orderOf(query), computed), signal);
    },
  };
}

/** The answer of the daemon about a kept list. */
interface ListAnswer {
  total_items?: number;
  matching_items?: number;
  items?: JsonValue[];
  indexes?: number[];
  next_offset?: number;
  path?: string;
  incomplete?: boolean;
  value?: JsonValue;
  columns?: ColumnFacts[];
  groups?: { key: Record<string, JsonValue>; values: Record<string, JsonValue> }[];
  sums?: Record<string, JsonValue>;
  numbers?: NumberPlace[];
  numbers_around?: NumberPlace[];
}

/** Where a number stands in kept rows, or, without an index, beside them. Source: docs/reference.md, "Whole results". */
export interface NumberPlace {
  number: string;
  count: number;
  index?: number;
  fields: string[];
}

/** Rows that the daemon gives at once. */
const MAX_PAGE = 10_000;

/** A query as the parameters of the daemon's address. Source: docs/reference.md, "Whole results". */
export function queryParameters(query: Query): URLSearchParams {
  const parameters = new URLSearchParams();
  if (query.filters.length > 0) parameters.set("filter", toJson(query.filters as unknown as JsonValue));
  if (query.q.trim() !== "") parameters.set("q", query.q.trim());
  const sort = query.sort.map(({ field, descending }) => (descending ? `-${field}` : field));
  if (sort.length > 0) parameters.set("sort", JSON.stringify(sort));
  return parameters;
}

async function ask(history_id: number, parameters: URLSearchParams, signal?: AbortSignal): Promise<ListAnswer> {
  const path = `/-/results/${history_id}?${parameters}`;
  return (await requestJson(path, signal === undefined ? {} : { signal })) as ListAnswer;
}

/** A page of kept rows; of large ones the daemon gives some at a time. */
async function keptPage(history_id: number, query: Query, { offset, limit, signal }: Range): Promise<RowPage> {
  const page: RowPage = { rows: [], indexes: [], matching: 0 };
  for (let next: number | undefined = offset; next !== undefined && page.rows.length < limit; ) {
    const parameters = queryParameters(query);
    parameters.set("offset", String(next));
    parameters.set("limit", String(Math.min(limit - page.rows.length, MAX_PAGE)));
    const answer: ListAnswer = await ask(history_id, parameters, signal);
    const items = answer.items ?? [];
    page.indexes.push(...(answer.indexes ?? items.map((_, i) => (next ?? 0) + i)));
    page.rows.push(...items.map(asRow));
    page.matching = answer.matching_items ?? answer.total_items ?? page.rows.length;
    next = items.length === 0 ? undefined : answer.next_offset;
  }
  return page;
}

/** What the daemon has of a call: a list with its first rows, else a value. */
export interface KeptResult {
  source?: RowSource;
  /** Where the list stands in the answer, as a JSON Pointer. */
  path: string;
  /** The first rows of a list. */
  value: JsonValue;
}

/** Rows that come with the first question about a result. */
const FIRST_ROWS = 200;

/** The result of a call as the daemon has it. Throws ApiError when it does not. */
export async function openKept(history_id: number, signal?: AbortSignal): Promise<KeptResult> {
  const parameters = new URLSearchParams({ limit: String(FIRST_ROWS), columns: "true" });
  const first = await ask(history_id, parameters, signal);
  const { total_items, path = "", items = [], value = null } = first;
  if (total_items === undefined) return { path, value };
  return { path, value: items, source: keptSource(history_id, first) };
}

/** Where the list of a result stands, and how many rows it has; of a result without a list its value. Throws ApiError. */
export async function countKept(
  history_id: number,
): Promise<{ path: string; items: number; truncated: boolean } | { value: JsonValue }> {
  const parameters = new URLSearchParams({ limit: "0", aggregate: '["count"]' });
  const { path = "", total_items, incomplete = false, value = null } = await ask(history_id, parameters);
  return total_items === undefined ? { value } : { path, items: total_items, truncated: incomplete };
}

/** Rows that come with a search for numbers: what a column holds is told beside them. */
const SEARCHED_ROWS = 20;
/** Numbers that the daemon looks for at once, and the characters of their texts. */
const MAX_NUMBERS = 400;
const MAX_NUMBER_CHARS = 3500;

/** A kept result, and where these numbers stand in its rows and around them; `left` are those that were not looked for. Throws ApiError, and AbortError. */
export async function findKeptNumbers(
  history_id: number,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<KeptResult & { numbers: readonly NumberPlace[]; around: readonly NumberPlace[]; left: readonly string[] }> {
  let chars = 0;
  const asked = numbers.slice(0, MAX_NUMBERS).filter(({ length }) => (chars += length + 3) <= MAX_NUMBER_CHARS);
  const parameters = new URLSearchParams({
    limit: String(SEARCHED_ROWS),
    columns: "true",
    numbers: JSON.stringify(asked),
  });
  const first = await ask(history_id, parameters, signal);
  const { path = "", items: value = [], numbers: inRows = [], numbers_around: around = [] } = first;
  const found = { path, value, numbers: inRows, around };
  const left = numbers.slice(asked.length);
  return first.total_items === undefined
    ? { ...found, left }
    : { ...found, left, source: keptSource(history_id, first) };
}

function keptSource(history_id: number, first: ListAnswer): RowSource {
  const compute = async (query: Query, { by, computed, signal }: Grouping): Promise<ListAnswer> => {
    const parameters = queryParameters({ ...query, sort: [] });
    if (by.length > 0) parameters.set("group", JSON.stringify(by.map(groupName)));
    const names = new Set(by.length > 0 ? ["count", ...computed.map(computedName)] : computed.map(computedName));
    parameters.set("aggregate", JSON.stringify([...names]));
    parameters.set("limit", "0");
    return ask(history_id, parameters, signal);
  };
  return {
    total: first.total_items ?? 0,
    isIncomplete: first.incomplete === true,
    facts: first.columns ?? [],
    history_id,
    page: (query, range) => keptPage(history_id, query, range),
    async groups(query, grouping) {
      const { groups = [] } = await compute(query, grouping);
      return groups.map(({ key, values }) => ({
        key: grouping.by.map((one) => key[groupName(one)] ?? key[one.field] ?? null),
        count: Number(values["count"] ?? 0),
        values,
      }));
    },
    async totals(query, computed, signal) {
      if (computed.length === 0) return {};
      const { sums = {} } = await compute(
        query,
        signal === undefined ? { by: [], computed } : { by: [], computed, signal },
      );
      return sums;
    },
  };
}

/** The `data` of a picture that is kept beside its record, a data: URL; "" where it is not. Throws ApiError when its row is gone. */
export async function loadPicture(history_id: number): Promise<string> {
  let url = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const parameters = new URLSearchParams({ path: toPointer(PICTURE_PATH), offset: String(offset) });
    const { items = [], next_offset }: ListAnswer = await ask(history_id, parameters);
    url += items.join("");
    offset = next_offset;
  }
  return url;
}
