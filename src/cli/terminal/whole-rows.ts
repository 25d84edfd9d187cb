// Rows with nothing of them left out: as a table where the width has room for every column and cell, else row by row, a field a
// line. Pure.
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { COLUMN_GAP } from "./fit-columns.js";
import { lineWidth, type Span, span, widthOf, wrapLine } from "./spans.js";
import { oneLine } from "./table.js";
import { tableLines } from "./table-lines.js";

/** The widest column of labels; what stands behind them needs the room. */
const MAX_LABEL = 24;
/** The most columns of a table: more are no easier to read side by side, however wide the screen. */
const MAX_COLUMNS = 50;

/** What a tabulator stands for: how far it jumps is the terminal's own. */
const TAB = "    ";

/** A value as text, with its line breaks. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return visible(typeof value === "string" ? value : toJson(value)).replaceAll("\t", TAB);
}

/** Labels and what they stand for, wrapped below itself; empty ones have their label alone. */
export function fieldLines(
  fields: readonly (readonly [label: string, text: string])[],
  width: number,
  labelWidth = Math.min(MAX_LABEL, Math.max(0, ...fields.map(([label]) => widthOf(label)))) + COLUMN_GAP,
): Span[][] {
  return fields.flatMap(([label, text]) => {
    const lines = text.split("\n").flatMap((line) => wrapLine([span(line)], width - labelWidth));
    const head = span(label + " ".repeat(Math.max(0, labelWidth - widthOf(label))), "dim");
    // A label with no room beside it stands above.
    const above = widthOf(label) + COLUMN_GAP > labelWidth ? [wrapLine([span(label, "dim")], width)] : [];
    return [
      ...above.flat(),
      ...lines.map((line, at) => [at === 0 && above.length === 0 ? head : span(" ".repeat(labelWidth)), ...line]),
    ];
  });
}

/** The rows as a table, where that leaves nothing out. */
function tableOf(rows: readonly JsonObject[], names: readonly string[], width: number): Span[][] | undefined {
  if (names.length === 0 || names.length > MAX_COLUMNS) return undefined;
  const cellOf = (value: JsonValue | undefined): string => (value === null ? "" : textOf(value));
  const cells = rows.map((row) => names.map((name) => cellOf(Object.hasOwn(row, name) ? row[name] : undefined)));
  if (cells.some((row) => row.some((text) => text.includes("\n")))) return undefined;
  const headings = names.map((name) => [span(oneLine(name), "bold")]);
  const spans = cells.map((row) => row.map((text) => [span(text)]));
  const widths = headings.map((heading, at) =>
    spans.reduce((most, row) => Math.max(most, lineWidth(row[at] ?? [])), lineWidth(heading)),
  );
  if (widths.reduce((sum, own) => sum + own + COLUMN_GAP, -COLUMN_GAP) > width) return undefined;
  return tableLines({ headings, rows: spans, ruled: true }, width);
}

/** Rows whole, in lines of at most `width` columns. */
export function wholeRows(rows: readonly JsonObject[], width: number): Span[][] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const table = tableOf(rows, names, width);
  if (table) return table;
  return rows.flatMap((row, at) => {
    const fields = Object.entries(row).map(([name, value]) => [oneLine(name), textOf(value)] as const);
    const head = [span(`row ${at + 1} of ${rows.length}`, "bold")];
    const lines = fieldLines(fields, width - 2).map((line) => [span("  "), ...line]);
    return at === 0 ? [head, ...lines] : [[], head, ...lines];
  });
}

/** The list of rows that a value is, or holds as its only list, and what stands beside it. */
export function rowsIn(value: JsonValue): { rows: JsonObject[]; beside: JsonObject } | undefined {
  const isRows = (list: JsonValue): list is JsonObject[] =>
    Array.isArray(list) && list.length > 0 && list.every((row) => isObject(row));
  if (!isObject(value)) return isRows(value) ? { rows: value, beside: {} } : undefined;
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one));
  const [[name, rows] = ["", null]] = lists;
  if (lists.length !== 1 || !isRows(rows)) return undefined;
  return { rows, beside: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) };
}

/** The fields of an object, each with its value as text. */
export function objectLines(value: JsonObject, width: number): Span[][] {
  return fieldLines(
    Object.entries(value).map(([name, one]) => [oneLine(name), textOf(one)] as const),
    width,
  );
}
