// Rows as the lines of a file: CSV (RFC 4180), TSV, NDJSON, and JSON. Pure. Source: docs/reference.md, "Results as files"
import { guardFormula } from "../lib/formula.js";
import { type JsonValue, toJson } from "../lib/json.js";
import { fieldsReader } from "./fields.js";

/** How the lines of a file are made. */
export interface LineFormat {
  head: string;
  /** The line of a row; `isFirst` for the first one. */
  line(row: JsonValue, isFirst: boolean): string;
  tail: string;
}

/** The text of a cell: nothing for null, JSON for what is inside a row. Text that would be a formula is guarded; numbers are not. */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return guardFormula(value);
  return typeof value === "object" ? toJson(value) : String(value);
}

const csvCell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell of TSV has no tabs and no lines. */
const tsvCell = (text: string): string => text.replaceAll(/[\t\r\n]+/g, " ");

/** Cells with these columns. */
function tableFormat(columns: readonly string[], separator: string, cell: (text: string) => string): LineFormat {
  const read = fieldsReader(columns);
  const end = separator === "," ? "\r\n" : "\n";
  const toLine = (cells: readonly (JsonValue | undefined)[]): string =>
    cells.map((one) => cell(cellText(one))).join(separator) + end;
  return {
    head: toLine(columns),
    line: (row) => toLine(read(row)),
    tail: "",
  };
}

/** How a file of this form is written; only a table has columns. */
export function lineFormat(format: "json" | "csv" | "tsv" | "ndjson", columns: readonly string[]): LineFormat {
  switch (format) {
    case "csv":
      return tableFormat(columns, ",", csvCell);
    case "tsv":
      return tableFormat(columns, "\t", tsvCell);
    case "ndjson":
      return { head: "", line: (row) => `${toJson(row)}\n`, tail: "" };
    case "json":
      return { head: "[", line: (row, isFirst) => `${isFirst ? "" : ","}\n${toJson(row)}`, tail: "\n]\n" };
    default:
      return format satisfies never;
  }
}
