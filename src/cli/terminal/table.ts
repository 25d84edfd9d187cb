// Tables for a terminal: columns as wide as their widest cell, whatever alphabet it is written in.
import stringWidth from "string-width";
import { visible } from "../../lib/invisible-characters.js";

/** A cell's text on one line. */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = visible(text).replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
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

const cells = (row: string): string[] =>
  row
    .replace(/^\||(?<!\\)\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Cells, and characters, that aligned rows may have: one long row makes all of them as long. */
const MAX_CELLS = 100_000;
const MAX_ALIGNED_CHARS = 1_000_000;

/** The lines of a Markdown table with their columns aligned; as they are, where that would make them many times as long. */
export function alignMarkdown(lines: readonly string[]): string {
  const asTheyAre = (): string => lines.map((line) => `${line}\n`).join("");
  const rows = lines.map(cells);
  const isRule = (row: readonly string[]): boolean => row.every((cell) => /^:?-+:?$/.test(cell));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns * rows.length > MAX_CELLS) return asTheyAre();
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(3, ...rows.map((row) => (isRule(row) ? 0 : stringWidth(row[i] ?? "")))),
  );
  if (widths.reduce((sum, width) => sum + width, 0) * rows.length > MAX_ALIGNED_CHARS) return asTheyAre();
  return rows
    .map((row) => {
      const rule = isRule(row);
      const padded = widths.map((width, i) => (rule ? "-".repeat(width) : pad(row[i] ?? "", width)));
      return `| ${padded.join(" | ")} |\n`;
    })
    .join("");
}
