// Tables for a terminal: columns as wide as their widest cell, whatever alphabet it is written in.
import stringWidth from "string-width";
import { visible } from "../../lib/invisible-characters.js";
import { lookOf } from "./look.js";
import { type Mark, paint, type Span, span } from "./spans.js";
import { tableLines } from "./table-lines.js";

/** A cell's text on one line. */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** As oneLine; cut for a terminal only: what is piped on is whole. */
export function cellFor(output: { isTTY?: boolean }): (text: string, longest: number) => string {
  return (text, longest) => oneLine(text, output.isTTY ? longest : Number.POSITIVE_INFINITY);
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** One line whose cells begin where those of other lines do, as far as they are no wider than that. */
export function alignedLine(row: readonly string[], widths: readonly number[]): string {
  const line = row.map((cell, i) => pad(cell, widths[i] ?? 0)).join("  ");
  return `${line.trimEnd()}\n`;
}

/** Rows as aligned lines under their headings. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => stringWidth(row[i] ?? ""))));
  return all.map((row) => alignedLine(row, widths)).join("");
}

/** Rows as lines under their headings: fitted to a terminal's width, whole in a pipe or a file. Ends with a line break. */
export function fittedTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  output: Pick<NodeJS.WriteStream, "columns" | "rows" | "isTTY"> = process.stdout,
): string {
  if (!output.isTTY) return formatTable(headings, rows);
  const { width, styled } = lookOf(output);
  const cells = (row: readonly string[], ...marks: Mark[]): Span[][] => row.map((text) => [span(text, ...marks)]);
  const lines = tableLines(
    { headings: cells(headings, "bold"), rows: rows.map((row) => cells(row)), ruled: false },
    width,
  );
  return lines.map((line) => `${paint(line, styled).trimEnd()}\n`).join("");
}
