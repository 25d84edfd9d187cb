// Finds the rows in a result: a list of objects or of plain values, or an object around one. Pure.
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";

/** Rows with the union of their columns, and the fields beside them. */
export interface Rows {
  columns: string[];
  rows: JsonObject[];
  /** Keys from the top of the value to the list. */
  path: readonly string[];
  /** The other fields of the result, such as a total or a next page; null when it is the bare list. */
  rest: JsonObject | null;
  /** Whether the value is about something else that has this list, such as an order with its items. */
  isPart: boolean;
}

/** More columns than this make no readable table; the JSON is displayed instead. */
const MAX_COLUMNS = 120;
/** Columns are collected from this many rows. */
const MAX_SCANNED_ROWS = 200;
/** Lists are looked for this deep: `{ data: { items: [] } }`. */
const MAX_DEPTH = 2;
/** Fields that name the thing a value is about, rather than a page of a list. */
const OWN_FIELDS = /^(_?id|uuid|key|name|title|email|status|number)$/i;

/** In place of a row's position: the result itself, of which something is a field. */
export const NO_ROW = -1;

/** The column of a list of plain values. */
const VALUE_COLUMN = "value";

/** A field of the row itself: a column may have the name of a field that every object inherits. */
export function fieldOf(row: JsonObject, column: string): JsonValue | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** An item of a list as a row: a list in it has its positions for columns, a plain value is the one column. */
export function asRow(item: JsonValue): JsonObject {
  if (Array.isArray(item)) return Object.fromEntries(item.entries());
  return isObject(item) ? item : { [VALUE_COLUMN]: item };
}

const isPlain = (item: JsonValue): boolean => typeof item !== "object" || item === null;

/** A list as rows: objects, lists of plain values, or plain values; null when it mixes them or is empty. */
function asRows(list: readonly JsonValue[]): JsonObject[] | null {
  if (list.length === 0) return null;
  if (list.every(isObject)) return list as JsonObject[];
  const isGrid = list.every((item) => Array.isArray(item) && item.length > 0 && item.every(isPlain));
  return isGrid || list.every(isPlain) ? list.map(asRow) : null;
}

function columnsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.slice(0, MAX_SCANNED_ROWS).flatMap((row) => Object.keys(row)))];
}

interface Found {
  path: string[];
  rows: JsonObject[];
}

function listsIn(value: JsonObject, path: string[]): Found[] {
  return Object.entries(value).flatMap(([name, field]) => {
    if (Array.isArray(field)) {
      const rows = field.every(isObject) ? asRows(field) : null;
      return rows === null ? [] : [{ path: [...path, name], rows }];
    }
    return isObject(field) && path.length + 1 < MAX_DEPTH ? listsIn(field, [...path, name]) : [];
  });
}

/** The value without what a path leads to. */
function without(value: JsonObject, path: readonly string[]): JsonObject {
  const [name = "", ...inner] = path;
  const { [name]: found, ...others } = value;
  if (inner.length === 0 || !isObject(found)) return others;
  const left = without(found, inner);
  return Object.keys(left).length === 0 ? others : { ...others, [name]: left };
}

/** The rows in a value; null when it is no table. */
export function rowsIn(value: JsonValue): Rows | null {
  let found: Found | undefined;
  let rest: JsonObject | null = null;
  if (Array.isArray(value)) {
    const rows = asRows(value);
    if (rows !== null) found = { path: [], rows };
  } else if (isObject(value)) {
    const lists = listsIn(value, []);
    // Two lists in one object: neither is "the" rows.
    if (lists.length !== 1) return null;
    found = lists[0];
    if (found !== undefined) rest = without(value, found.path);
  }
  if (found === undefined) return null;
  const columns = columnsOf(found.rows);
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null;
  const isPart = rest !== null && Object.keys(rest).some((name) => OWN_FIELDS.test(name));
  return {
    columns,
    rows: found.rows,
    path: found.path,
    rest: rest !== null && Object.keys(rest).length > 0 ? rest : null,
    isPart,
  };
}

/** A value that has no rows as the only one. */
export function asOnlyRow(value: JsonValue): Rows | null {
  if (!isObject(value)) return null;
  return { columns: Object.keys(value), rows: [value], path: [], rest: null, isPart: true };
}

/** Lists of what is wrong, rather than of what was found. */
const TROUBLE = /^(errors?|warnings?|issues|messages?|details)$/i;

/** Whether a value is a list that is empty, or an object around one that is about nothing else. */
export function isEmptyList(value: JsonValue): boolean {
  if (!isObject(value)) return Array.isArray(value) && value.length === 0;
  const names = Object.keys(value);
  const [list, ...others] = names.filter((name) => Array.isArray(value[name]));
  const isOnly = list !== undefined && others.length === 0 && (value[list] as JsonValue[]).length === 0;
  return isOnly && !TROUBLE.test(list) && !names.some((name) => OWN_FIELDS.test(name));
}

/** How many rows the whole result has, where the value holds only the first of them. */
export function totalOf({ rows, rest }: Rows): number {
  const total = rest?.["truncated"] === true ? Number(rest["total_items"]) : Number.NaN;
  return total > rows.length ? total : rows.length;
}

/** A cell as the text it is copied and exported as. */
export function plainText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? toJson(value) : String(value);
}
