// What is computed of rows, and of groups of them, in one pass: counts, exact sums, averages, bounds and numbers of different values.
// Source: docs/reference.md, "Whole results"
import type { Aggregate, GroupField, ResultGroup, SortField } from "../domain/result-query.js";
import { canonicalJson, type JsonObject, type JsonValue } from "../lib/json.js";
import { datePart } from "./date-part.js";
import { createExactSum } from "./exact-sum.js";
import { fieldsReader } from "./fields.js";
import { sortedNumbers } from "./order.js";
import { fieldReader } from "./row-filter.js";
import { compareKeys, numberIn, sortKey } from "./value-order.js";

/** Groups of one answer. */
const MAX_GROUPS = 10_000;
/** Characters of their keys: one text is made of them at once. */
const MAX_KEY_CHARS = 4 * 1024 * 1024;
/** Different values remembered by all counts of them together, and characters of these. */
const MAX_DISTINCT = 200_000;
const MAX_DISTINCT_CHARS = 32 * 1024 * 1024;

/** What counts of different values may still remember. */
interface Room {
  values: number;
  chars: number;
}

interface Accumulator {
  add(value: JsonValue | undefined): void;
  /** Null where nothing can be said. */
  value(): JsonValue;
}

/** Whether a row has a value at all. */
const isThere = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null;

function createCount(ofRows: boolean): Accumulator {
  let count = 0;
  return {
    add(value) {
      if (ofRows || isThere(value)) count++;
    },
    value: () => count,
  };
}

function createNumbers(kind: "sum" | "avg"): Accumulator {
  const sum = createExactSum();
  return {
    add(value) {
      const number = numberIn(value);
      if (number !== undefined) sum.add(typeof value === "string" ? value : number);
    },
    value: () => (sum.count === 0 ? null : kind === "sum" ? sum.sum() : (sum.average() ?? null)),
  };
}

function createBound(kind: "min" | "max"): Accumulator {
  let bound: JsonValue = null;
  const sign = kind === "min" ? 1 : -1;
  return {
    add(value) {
      if (!isThere(value) || typeof value === "object") return;
      if (bound === null || sign * compareKeys(sortKey(value), sortKey(bound)) < 0) bound = value;
    },
    value: () => bound,
  };
}

function createDistinct(room: Room): Accumulator {
  let seen: Set<string> | undefined = new Set();
  return {
    add(value) {
      if (!seen || !isThere(value)) return;
      const text = canonicalJson(value);
      if (seen.has(text)) return;
      room.chars -= text.length;
      if (--room.values < 0 || room.chars < 0) seen = undefined;
      else seen.add(text);
    },
    value: () => seen?.size ?? null,
  };
}

function createAccumulator({ kind, field }: Aggregate, room: Room): Accumulator {
  switch (kind) {
    case "count":
      return createCount(field === undefined);
    case "sum":
    case "avg":
      return createNumbers(kind);
    case "min":
    case "max":
      return createBound(kind);
    case "distinct":
      return createDistinct(room);
    default:
      return kind satisfies never;
  }
}

const newRoom = (): Room => ({ values: MAX_DISTINCT, chars: MAX_DISTINCT_CHARS });

/** What is computed of rows, one after the other. */
interface Sums {
  add(row: JsonValue): void;
  values(): JsonObject;
}

/** These aggregates over all rows that are added. */
export function createSums(aggregates: readonly Aggregate[], room = newRoom()): Sums {
  const parts = aggregates.map((one) => ({
    name: one.name,
    read: one.field === undefined ? () => null : fieldReader(one.field),
    accumulator: createAccumulator(one, room),
  }));
  return {
    add(row) {
      for (const { read, accumulator } of parts) accumulator.add(read(row));
    },
    values: () => Object.fromEntries(parts.map(({ name, accumulator }) => [name, accumulator.value()])),
  };
}

/** Groups being gathered. */
interface Groups {
  add(row: JsonValue): void;
  /** By their keys, or as `sort` says, which may name an aggregate. */
  groups(sort: readonly SortField[], signal: AbortSignal): Promise<ResultGroup[]>;
  /** Whether rows are in no group because there are too many. */
  readonly isCut: boolean;
}

async function sortGroups(
  groups: readonly ResultGroup[],
  order: readonly SortField[],
  signal: AbortSignal,
): Promise<ResultGroup[]> {
  const columns = order.map(({ field, descending }) => ({
    descending,
    keys: groups.map(({ key, values }) => sortKey(Object.hasOwn(values, field) ? values[field] : key[field])),
  }));
  const compare = (a: number, b: number): number => {
    for (const { keys, descending } of columns) {
      const compared = compareKeys(keys[a] ?? null, keys[b] ?? null, descending);
      if (compared !== 0) return compared;
    }
    return a - b;
  };
  return [...(await sortedNumbers(groups.length, compare, signal))].flatMap((at) => groups[at] ?? []);
}

/** Groups by these fields. */
export function createGroups(fields: readonly GroupField[], aggregates: readonly Aggregate[]): Groups {
  const computed: readonly Aggregate[] = aggregates.length > 0 ? aggregates : [{ name: "count", kind: "count" }];
  const read = fieldsReader(fields.map(({ field }) => field));
  const found = new Map<string, { key: JsonObject; sums: Sums }>();
  const room = newRoom();
  let chars = 0;
  let isCut = false;
  return {
    add(row) {
      const given = read(row);
      const values = fields.map(({ by }, at) => (by ? datePart(given[at], by) : (given[at] ?? null)));
      const text = canonicalJson(values);
      let group = found.get(text);
      if (!group) {
        if (found.size >= MAX_GROUPS || chars + text.length > MAX_KEY_CHARS) {
          isCut = true;
          return;
        }
        chars += text.length;
        const key = Object.fromEntries(fields.map(({ field }, at) => [field, values[at] ?? null]));
        found.set(text, (group = { key, sums: createSums(computed, room) }));
      }
      group.sums.add(row);
    },
    groups(sort, signal) {
      const groups = [...found.values()].map(({ key, sums }) => ({ key, values: sums.values() }));
      return sortGroups(groups, [...sort, ...fields.map(({ field }) => ({ field, descending: false }))], signal);
    },
    get isCut() {
      return isCut;
    },
  };
}
