// Rows by the texts of their columns, as a server's protocol has them, so that comparing them loses nothing; and what is said when they
// are not what they should be. For servers whose values come as texts.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { DatabaseFailure } from "./database.js";

/** A row by the texts of its columns. */
export type RowTexts = { [column: string]: string | null };

/** Most rows that are named. */
const MAX_NAMED = 20;

/** Why rows are compared before they are put back. */
export const CONFLICT = { code: "conflict", message: "rows are no longer what the call left" };
/** Why they are compared again afterwards. */
export const OTHERWISE = {
  code: "partial",
  message: "triggers of the database leave other rows than those that were there before",
};

/** A row of an image. */
export function toRowTexts(row: JsonObject): RowTexts {
  const text = (value: JsonValue): string | null => (value === null ? null : String(value));
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
}

/** The columns of a key in a row. */
export function keyTexts(key: readonly string[], row: RowTexts): RowTexts {
  return Object.fromEntries(key.map((name) => [name, row[name] ?? null]));
}

/** A row as it is and as it should be; null where there is, or should be, none. */
interface ComparedRow {
  /** As people name it. */
  table: string;
  key: RowTexts;
  is: RowTexts | null;
  should: RowTexts | null;
}

/** How a row differs; undefined when it does not. */
function difference({ is, should }: ComparedRow): { now: string; columns?: string[] } | undefined {
  if (!is && !should) return undefined;
  if (!is) return { now: "gone" };
  if (!should) return { now: "there" };
  const columns = Object.keys({ ...is, ...should }).filter((name) => is[name] !== should[name]);
  return columns.length > 0 ? { now: "different", columns } : undefined;
}

/** Throws DatabaseFailure with this code when a row is not what it should be; names rows and columns, no values. */
export function refuseDifferences(
  rows: readonly ComparedRow[],
  { code, message }: { code: string; message: string },
): void {
  const differing = rows.flatMap((row) => {
    const found = difference(row);
    return found ? [{ table: row.table, key: row.key, ...found }] : [];
  });
  if (differing.length === 0) return;
  const named = new Set(differing.map(({ table, now, columns }) => `${table} (${columns ? columns.join(", ") : now})`));
  throw new DatabaseFailure(code, `${message}: ${[...named].slice(0, MAX_NAMED).join("; ")}; nothing was put back`, {
    details: { rows: differing.length, differing: differing.slice(0, MAX_NAMED) as unknown as JsonObject[] },
  });
}
