// Rows as delimited text: tabs for the clipboard and spreadsheets, commas for files (RFC 4180). Pure.
import { guardFormula } from "../../src/lib/formula.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { fieldOf, plainText } from "./rows.js";

const quoted = (text: string, special: RegExp): string =>
  special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A value as a cell: a text stays one, whatever program opens it. */
const cellOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? guardFormula(value) : plainText(value);

function delimited(rows: readonly JsonObject[], columns: readonly string[], delimiter: "," | "\t"): string {
  const special = delimiter === "," ? /[",\r\n]/ : /["\t\r\n]/;
  const line = (texts: readonly string[]): string => texts.map((text) => quoted(text, special)).join(delimiter);
  return [
    line(columns.map(guardFormula)),
    ...rows.map((row) => line(columns.map((name) => cellOf(fieldOf(row, name))))),
  ].join("\r\n");
}

/** Rows as comma-separated values with a head. */
export function toCsv(rows: readonly JsonObject[], columns: readonly string[]): string {
  return `${delimited(rows, columns, ",")}\r\n`;
}

/** Rows as tab-separated values with a head. */
export function toTsv(rows: readonly JsonObject[], columns: readonly string[]): string {
  return delimited(rows, columns, "\t");
}
