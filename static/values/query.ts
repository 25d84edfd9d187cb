// What of a list is displayed and in which order: filters, a search over all fields, and a sort by several columns. Pure. The long
// loops are generators that stop every few milliseconds of work, so that the caller decides how long it goes on at once.

import type { FieldCondition } from "../../src/domain/result-query.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { fieldOf, plainText } from "./rows.js";

/** How a filter compares. Source: docs/reference.md, "Whole results". */
export type FilterOp = FieldCondition["op"];

/** One condition on a column. */
export interface Filter {
  field: string;
  op: FilterOp;
  value?: JsonValue;
}

/** A column to sort by. */
interface SortKey {
  field: string;
  descending: boolean;
}

/** What is asked of a list. */
export interface Query {
  filters: readonly Filter[];
  /** A text anywhere in a row. */
  q: string;
  sort: readonly SortKey[];
}

/** Everything, in its own order. */
export const WHOLE: Query = { filters: [], q: "", sort: [] };

/** Rows between two stops of a long loop: at most a few milliseconds of work, on a slow computer too. */
const SLICE = 256;

const isEmpty = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === "";
const asNumber = (value: JsonValue | undefined): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

/** Less than 0 when `a` is before `b`: numbers by their size, texts as they sort in the reader's language. */
function compareValues(a: JsonValue, b: JsonValue, collator: Intl.Collator): number {
  const [left, right] = [asNumber(a), asNumber(b)];
  if (left !== undefined && right !== undefined) return left < right ? -1 : left > right ? 1 : 0;
  // Numbers stand before texts.
  if (left !== undefined || right !== undefined) return left !== undefined ? -1 : 1;
  return collator.compare(plainText(a), plainText(b));
}

/** Orders texts with digits in them as people count. */
function createCollator(): Intl.Collator {
  return new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
}

function matchesFilter(row: JsonObject, filter: Filter, collator: Intl.Collator): boolean {
  const value = fieldOf(row, filter.field);
  const wanted = filter.value ?? null;
  if (filter.op === "empty") return isEmpty(value);
  if (filter.op === "not_empty") return !isEmpty(value);
  const isEqual = (one: JsonValue): boolean =>
    plainText(value) === plainText(one) && ((value ?? null) === null) === (one === null);
  if (filter.op === "in") return Array.isArray(wanted) && wanted.some(isEqual);
  if (filter.op === "eq") return isEqual(wanted);
  if (filter.op === "ne") return !isEqual(wanted);
  if (isEmpty(value)) return false;
  const text = plainText(value).toLowerCase();
  if (filter.op === "contains") return text.includes(plainText(wanted).toLowerCase());
  if (filter.op === "starts") return text.startsWith(plainText(wanted).toLowerCase());
  const order = compareValues(value ?? null, wanted, collator);
  switch (filter.op) {
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "gt":
      return order > 0;
    case "ge":
      return order >= 0;
    default:
      filter.op satisfies never;
      return false;
  }
}

/** A test of rows: all conditions and the search. */
function createMatcher({ filters, q }: Query): (row: JsonObject) => boolean {
  const wanted = q.trim().toLowerCase();
  const collator = createCollator();
  const hasText = (row: JsonObject): boolean =>
    wanted === "" || Object.values(row).some((value) => plainText(value).toLowerCase().includes(wanted));
  return (row) => filters.every((filter) => matchesFilter(row, filter, collator)) && hasText(row);
}

function createComparer(rows: readonly JsonObject[], sort: readonly SortKey[]): (a: number, b: number) => number {
  const collator = createCollator();
  return (a, b) => {
    for (const { field, descending } of sort) {
      const left = fieldOf(rows[a] ?? {}, field) ?? null;
      const right = fieldOf(rows[b] ?? {}, field) ?? null;
      // Rows without a value stand last in both directions.
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
        continue;
      }
      const order = compareValues(left, right, collator);
      if (order !== 0) return descending ? -order : order;
    }
    return a - b;
  };
}

/** Two sorted lists as one, with stops. */
function* merge(
  a: readonly number[],
  b: readonly number[],
  compare: (a: number, b: number) => number,
): Generator<void, number[]> {
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left = 0, right = 0] = [a[i], b[j]];
    if (compare(left, right) <= 0) {
      merged.push(left);
      i++;
    } else {
      merged.push(right);
      j++;
    }
    if (merged.length % SLICE === 0) yield;
  }
  for (; i < a.length; i++) merged.push(a[i] ?? 0);
  for (; j < b.length; j++) merged.push(b[j] ?? 0);
  return merged;
}

function* sorted(order: readonly number[], compare: (a: number, b: number) => number): Generator<void, number[]> {
  let runs: number[][] = [];
  for (let from = 0; from < order.length; from += SLICE) {
    runs.push(order.slice(from, from + SLICE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const next: number[][] = [];
    for (let i = 0; i < runs.length; i += 2) next.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = next;
  }
  return runs[0] ?? [];
}

/** The positions of the rows that match, in their order; stops between slices of work. */
export function* matchingOrder(rows: readonly JsonObject[], query: Query): Generator<void, number[]> {
  const matches = createMatcher(query);
  const found: number[] = [];
  for (const [i, row] of rows.entries()) {
    if (matches(row)) found.push(i);
    if (i % SLICE === SLICE - 1) yield;
  }
  return query.sort.length === 0 ? found : yield* sorted(found, createComparer(rows, query.sort));
}

/** The query after a click on a column's head: ascending, descending, as it was; `adds` keeps the other columns. */
export function toggleSort(sort: readonly SortKey[], field: string, adds: boolean): SortKey[] {
  const present = sort.find((key) => key.field === field);
  const others = adds ? sort.filter((key) => key.field !== field) : [];
  if (present === undefined) return [...others, { field, descending: false }];
  if (present.descending) return others;
  const next = { field, descending: true };
  return adds ? sort.map((key) => (key.field === field ? next : key)) : [next];
}
