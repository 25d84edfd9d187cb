// Finds the rows in a result: an array of objects, or an object that holds one. Pure.
import { isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { counted } from "./format.js";

/** Rows with the union of their columns, and the fields beside them. */
export interface Rows {
  columns: string[];
  rows: JsonObject[];
  /** The other fields of the result, such as a total or a next page; null when it is the bare array. */
  rest: JsonObject | null;
}

/** More columns than this make no readable table; the JSON is displayed instead. */
const MAX_COLUMNS = 60;
/** Columns are collected from this many rows. */
const MAX_SCANNED_ROWS = 200;

function objectsIn(value: JsonValue | undefined): JsonObject[] | null {
  return Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : null;
}

function columnsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.slice(0, MAX_SCANNED_ROWS).flatMap((row) => Object.keys(row)))];
}

/** The rows in a value; null when it is no table. */
export function rowsIn(value: JsonValue): Rows | null {
  let rows = objectsIn(value);
  let rest: JsonObject | null = null;
  if (rows === null && isObject(value)) {
    const lists = Object.entries(value).filter(([, field]) => objectsIn(field) !== null);
    const [name, list] = lists[0] ?? [];
    // Two lists in one object: neither is "the" rows.
    if (lists.length !== 1 || name === undefined) return null;
    rows = objectsIn(list);
    const { [name]: _, ...others } = value;
    rest = Object.keys(others).length > 0 ? others : null;
  }
  const columns = rows === null ? [] : columnsOf(rows);
  return rows === null || columns.length === 0 || columns.length > MAX_COLUMNS ? null : { columns, rows, rest };
}

/** How many rows there are, and of how many where the daemon returned only the first. */
export function rowCount({ rows, rest }: Rows): string {
  const total = rest?.["truncated"] === true ? Number(rest["total_items"]) : Number.NaN;
  return total > rows.length
    ? `${rows.length.toLocaleString()} of ${counted(total, "row")}`
    : counted(rows.length, "row");
}
