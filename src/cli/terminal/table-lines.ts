// A table of spans on a line of a given width: columns left out last to first, with a line that says which; cells cut; numbers, and
// what Markdown says so of, to the right. Pure.
import { COLUMN_GAP, fitColumns } from "./fit-columns.js";
import { cutLine, cutToWidth, lineWidth, type Span, span, wrapLine } from "./spans.js";

/** A cell's spans on one line. */
type Cell = readonly Span[];

/** Digits with at most one mark of decimals, in groups of three or not; no addresses, versions or telephone numbers. */
const NUMBER =
  /^(?:[-+−]?(?:[$€£¥]\s?)?\d+|[-−]?(?:[$€£¥]\s?)?\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:['’ \u00a0\u202f]\d{3})+))(?:[.,]\d+)?(?:\s?(?:%|€|ms|s|[KMGT]?i?B))?$/;

const textOf = (cell: Cell): string => cell.map(({ text }) => text).join("");

/** Whether the column holds numbers and nothing else. */
function isNumeric(cells: readonly Cell[]): boolean {
  const texts = cells.map((cell) => textOf(cell).trim()).filter((text) => text !== "" && text !== "-");
  return texts.length > 0 && texts.every((text) => NUMBER.test(text));
}

/** What a table is drawn from. */
interface TableOfSpans {
  headings: readonly Cell[];
  rows: readonly (readonly Cell[])[];
  /** What the table itself says of each column; a column of numbers is right where it says nothing. */
  align?: readonly (string | null | undefined)[];
  /** Whether a rule stands below the headings. */
  ruled: boolean;
  /** Widths that were chosen before, and what was left out then; else columns are left out last to first. */
  fitted?: { widths: readonly number[]; left: readonly string[] };
}

const EMPTY: Cell = [];
/** No terminal has room for more columns; the others are not even measured. */
const MAX_COLUMNS = 100;
/** Rows that name the columns left out. */
const MAX_NAMING_ROWS = 4;

function naturalWidths(headings: readonly Cell[], rows: readonly (readonly Cell[])[]): number[] {
  return headings
    .slice(0, MAX_COLUMNS)
    .map((heading, at) =>
      [heading, ...rows.map((row) => row[at] ?? EMPTY)].reduce((most, cell) => Math.max(most, lineWidth(cell)), 1),
    );
}

/** The table as lines of at most `width` columns. */
export function tableLines({ headings, rows, align = [], ruled, fitted }: TableOfSpans, width: number): Span[][] {
  const widths = fitted?.widths ?? fitColumns(naturalWidths(headings, rows), width);
  const isRight = widths.map((_, at) =>
    align[at] ? align[at] === "right" : isNumeric(rows.map((row) => row[at] ?? EMPTY)),
  );
  const gap = span(" ".repeat(COLUMN_GAP));
  const lineOf = (cells: readonly Cell[]): Span[] => {
    const line: Span[] = [];
    for (const [at, own] of widths.entries()) {
      const cell = cutLine(cells[at] ?? EMPTY, own);
      const blank = span(" ".repeat(Math.max(0, own - lineWidth(cell))));
      const isLast = at === widths.length - 1;
      if (at > 0) line.push(gap);
      if (isRight[at]) line.push(blank, ...cell);
      else line.push(...cell, ...(isLast ? [] : [blank]));
    }
    return line;
  };
  const lines = [lineOf(headings)];
  if (ruled) lines.push([span(widths.map((own) => "─".repeat(own)).join(" ".repeat(COLUMN_GAP)), "dim")]);
  lines.push(...rows.map(lineOf));
  const left = fitted?.left ?? headings.slice(widths.length).map(textOf);
  if (left.length > 0) {
    const named = cutToWidth(`not shown for want of width: ${left.join(", ")}`, width * MAX_NAMING_ROWS);
    lines.push(...wrapLine([span(named, "dim")], width));
  }
  return lines;
}
