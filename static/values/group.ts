// Rows grouped by a column, and what is computed over a group: counts, sums, averages, least and greatest. Pure; stops between slices.
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { fieldOf, plainText } from "./rows.js";
import { timeOf } from "./time.js";

/** What is computed over the values of a column; "count" needs none. */
export type Aggregate = "count" | "sum" | "avg" | "min" | "max";

/** An aggregate of a column, as the daemon writes it: "sum:amount", "count". */
export interface Computed {
  aggregate: Aggregate;
  field: string;
}

/** The length of time that dates are grouped by. */
export type Granularity = "year" | "month" | "day" | "hour";

/** A column to group by. */
export interface GroupBy {
  field: string;
  granularity?: Granularity | undefined;
}

/** A group of rows. */
export interface Group {
  key: JsonValue[];
  count: number;
  /** By the name of the aggregate: "sum:amount". */
  values: Readonly<Record<string, JsonValue>>;
}

/** Rows between two stops of a long loop. */
const SLICE = 256;
const KEY_LENGTHS: Readonly<Record<Granularity, number>> = { year: 4, month: 7, day: 10, hour: 13 };

/** The name of an aggregate: "sum:amount". */
export function computedName({ aggregate, field }: Computed): string {
  return aggregate === "count" ? "count" : `${aggregate}:${field}`;
}

/** The name of a group by: "created_at:month". */
export function groupName({ field, granularity }: GroupBy): string {
  return granularity === undefined ? field : `${field}:${granularity}`;
}

/** The value a row is grouped under; dates by the first part of their text. */
function groupKey(row: JsonObject, { field, granularity }: GroupBy): JsonValue {
  const value = fieldOf(row, field) ?? null;
  if (granularity === undefined) return typeof value === "object" && value !== null ? plainText(value) : value;
  const text = typeof value === "number" ? momentText(value) : plainText(value);
  return text === "" ? null : text.slice(0, KEY_LENGTHS[granularity]);
}

function momentText(value: number): string {
  const time = timeOf(value);
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

const numberOf = (value: JsonValue | undefined): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

/** The sum of two integers: a number while it is exact. */
function exactSum(a: number | bigint, b: number | bigint): number | bigint {
  const sum = typeof a === "number" && typeof b === "number" ? a + b : Number.NaN;
  return Number.isSafeInteger(sum) ? sum : BigInt(a) + BigInt(b);
}

/** The running state of one aggregate. Integers beyond a double's keep their digits as long as all are integers. */
class Running {
  #count = 0;
  #sum = 0;
  /** The sum while all are integers; it becomes a bigint where a number has no room for it. */
  #exact: number | bigint | undefined = 0;
  #min: number | bigint | undefined;
  #max: number | bigint | undefined;
  readonly #computed: Computed;

  constructor(computed: Computed) {
    this.#computed = computed;
  }

  add(row: JsonObject): void {
    if (this.#computed.aggregate === "count") {
      this.#count++;
      return;
    }
    const value = numberOf(fieldOf(row, this.#computed.field));
    if (value === undefined) return;
    this.#count++;
    this.#sum += Number(value);
    const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
    this.#exact = isWhole && this.#exact !== undefined ? exactSum(this.#exact, value) : undefined;
    if (this.#min === undefined || value < this.#min) this.#min = value;
    if (this.#max === undefined || value > this.#max) this.#max = value;
  }

  get value(): JsonValue {
    const { aggregate } = this.#computed;
    if (aggregate === "count") return this.#count;
    if (this.#count === 0) return null;
    if (aggregate === "min") return this.#min ?? null;
    if (aggregate === "max") return this.#max ?? null;
    if (aggregate === "avg") return this.#sum / this.#count;
    return this.#exact ?? this.#sum;
  }
}

/** What is computed over the rows at these positions. */
export function* aggregateRows(
  rows: readonly JsonObject[],
  order: readonly number[],
  computed: readonly Computed[],
): Generator<void, Record<string, JsonValue>> {
  const running = computed.map((one) => [computedName(one), new Running(one)] as const);
  for (const [i, at] of order.entries()) {
    for (const [, one] of running) one.add(rows[at] ?? {});
    if (i % SLICE === SLICE - 1) yield;
  }
  return Object.fromEntries(running.map(([name, one]) => [name, one.value]));
}

/** The groups of the rows at these positions, in the order in which they are first met; by several columns at once. */
export function* groupRows(
  rows: readonly JsonObject[],
  order: readonly number[],
  { by, computed }: { by: readonly GroupBy[]; computed: readonly Computed[] },
): Generator<void, Group[]> {
  const groups = new Map<string, { key: JsonValue[]; count: number; running: (readonly [string, Running])[] }>();
  for (const [i, at] of order.entries()) {
    const row = rows[at] ?? {};
    const key = by.map((one) => groupKey(row, one));
    const id = key.map((one) => `${typeof one} ${String(one)}`).join("\u0000");
    let group = groups.get(id);
    if (group === undefined) {
      group = { key, count: 0, running: computed.map((one) => [computedName(one), new Running(one)] as const) };
      groups.set(id, group);
    }
    group.count++;
    for (const [, one] of group.running) one.add(row);
    if (i % SLICE === SLICE - 1) yield;
  }
  // There may be as many groups as rows.
  const found: Group[] = [];
  for (const { key, count, running } of groups.values()) {
    found.push({ key, count, values: Object.fromEntries(running.map(([name, one]) => [name, one.value])) });
    if (found.length % SLICE === 0) yield;
  }
  return found;
}
