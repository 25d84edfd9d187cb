// What tells one change from another: a hash over every row that it touches, as the rows were and as they are left. What differs
// each time by its nature (a number from a sequence, a time) is left out, otherwise nothing that was shown could ever be done.
import { createHash } from "node:crypto";
import type { TableCounts } from "../../domain/effect.js";
import { canonicalJson, isSameJson, type JsonObject, type JsonValue } from "../../lib/json.js";
import type { Column, ColumnKind } from "./catalogue.js";

const TEMPORAL: ReadonlySet<ColumnKind> = new Set(["date", "time", "timestamp", "timestamptz"]);
const TIME_TEXT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/;
const DAY_MS = 86_400_000;

/** Whether a number is a moment of these days, in seconds or milliseconds. */
function isClock(value: number): boolean {
  const now = Date.now();
  return Math.abs(value - now) < DAY_MS || Math.abs(value * 1000 - now) < DAY_MS;
}

/** Whether a value can be one that a clock gave. */
function isTimeLike(value: JsonValue): boolean {
  if (typeof value === "string") return TIME_TEXT.test(value);
  return typeof value === "number" && isClock(value);
}

/** A row that a change touched. */
interface TouchedRow {
  /** Name of the table, with its schema where it has one. */
  table: string;
  key: JsonObject;
  before: JsonObject | null;
  after: JsonObject | null;
  columns: readonly Pick<Column, "name" | "kind" | "hasDefault">[];
  /** Names of the columns that the call itself sets in this row; none in rows that cascades and triggers touch. */
  set: readonly string[];
}

/** What of a row is the same each time. */
function lasting({ table, key, before, after, columns, set }: TouchedRow): JsonValue {
  const isNew = before === null;
  const isOwn = (name: string): boolean => set.includes(name);
  const left = columns.flatMap(({ name, kind, hasDefault }): [string, JsonValue][] => {
    const value = after?.[name] ?? null;
    const isKept = before !== null && isSameJson(before[name] ?? null, value);
    const isByNature =
      !isOwn(name) &&
      !isKept &&
      (TEMPORAL.has(kind) || isTimeLike(value) || (isNew && (hasDefault || Object.hasOwn(key, name))));
    return isByNature ? [] : [[name, value]];
  });
  const named = isNew ? Object.entries(key).filter(([name]) => isOwn(name)) : Object.entries(key);
  return [table, Object.fromEntries(named), before, after && Object.fromEntries(left)];
}

/** Takes the rows of a change in any order. */
interface Fingerprint {
  add(row: TouchedRow): void;
  digest(tables: readonly TableCounts[]): string;
}

/** A fingerprint in the making. */
export function createFingerprint(): Fingerprint {
  const rows: string[] = [];
  return {
    add: (row) =>
      void rows.push(
        createHash("sha256")
          .update(canonicalJson(lasting(row)))
          .digest("base64url"),
      ),
    digest(tables) {
      const counts = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
      const hash = createHash("sha256").update(canonicalJson(counts as unknown as JsonValue));
      for (const row of rows.sort()) hash.update(row);
      return hash.digest("base64url");
    },
  };
}
