// The cells of a sheet: what a value is in a spreadsheet. Pure. Source: docs/reference.md, "Results as files"
import { type JsonValue, toJson } from "../lib/json.js";

/** What a cell holds; a time in milliseconds since 1970. */
export type SheetCell = string | number | boolean | null | { ms: number };

/** Characters that a cell of a spreadsheet holds. */
const MAX_CELL_CHARS = 32_767;
/** Whole numbers from here on lose digits in a spreadsheet. */
const MAX_WHOLE = 1e15;
/** Days before are counted in another way in every spreadsheet. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?/;

/** The time that a text writes, as it is written, without its zone; undefined for other texts. */
function timeIn(text: string): { ms: number } | undefined {
  const [, day, time] = TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T${time ?? "00:00"}Z`);
  // A day that its month does not have would be one of the next.
  const isReal = ms >= FIRST_DAY && new Date(ms).toISOString().startsWith(day);
  return isReal ? { ms } : undefined;
}

/** A text as a cell holds it: cut, and without what no XML has. */
export function textCell(text: string): string {
  const cut = text.length <= MAX_CELL_CHARS ? text : `${text.slice(0, MAX_CELL_CHARS - 1).toWellFormed()}…`;
  return cut.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

/** The cell of a value; of a column of dates a time. Text stays text, whatever it begins with. */
export function sheetCell(value: JsonValue | undefined, isDate: boolean): SheetCell {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) >= MAX_WHOLE ? String(value) : value;
  if (typeof value === "string") return (isDate ? timeIn(value) : undefined) ?? textCell(value);
  return textCell(typeof value === "object" ? toJson(value) : String(value));
}
