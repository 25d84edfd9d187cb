// Lists whose columns are not equally important, fitted to a terminal by what identifies a row; whole in a pipe or a file.
import stringWidth from "string-width";
import { type FittedColumn, fitByRank } from "./fit-columns.js";
import { lookOf } from "./look.js";
import { type Mark, paint, type Span, span } from "./spans.js";
import { formatTable } from "./table.js";
import { tableLines } from "./table-lines.js";

/** What a list says of a column for a terminal that is too narrow for all of them. */
export interface ListColumn {
  heading: string;
  /** The lower, the later it is left out. */
  rank: number;
  /** The fewest columns of the terminal it is of use with; whole when left out. */
  least?: number;
}

type Output = Pick<NodeJS.WriteStream, "columns" | "rows" | "isTTY">;

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell === "" || cell === "-");

/** Rows under their headings. Ends with a line break. */
export function listing(
  columns: readonly ListColumn[],
  rows: readonly (readonly string[])[],
  output: Output = process.stdout,
): string {
  const headings = columns.map(({ heading }) => heading);
  if (!output.isTTY) return formatTable(headings, rows);
  const { width, styled } = lookOf(output);
  const measured = columns.map(({ heading, rank, least = Number.POSITIVE_INFINITY }, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const natural = Math.max(...[heading, ...cells].map((cell) => stringWidth(cell)));
    // Where all rows say nothing, nothing is lost.
    return { natural, least, rank: isEmpty(cells) ? Number.POSITIVE_INFINITY : rank };
  });
  const fitted = fitByRank(measured, width);
  const chosen = (row: readonly string[], ...marks: Mark[]): Span[][] =>
    fitted.map(({ at }) => [span(row[at] ?? "", ...marks)]);
  const lines = tableLines(
    {
      headings: chosen(headings, "bold"),
      rows: rows.map((row) => chosen(row)),
      ruled: false,
      fitted: { widths: fitted.map(({ width: own }) => own), left: leftOut(headings, measured, fitted) },
    },
    width,
  );
  return lines.map((line) => `${paint(line, styled).trimEnd()}\n`).join("");
}

/** The headings of columns that had something to say and found no room. */
function leftOut(
  headings: readonly string[],
  measured: readonly { rank: number }[],
  fitted: readonly FittedColumn[],
): string[] {
  const shown = new Set(fitted.map(({ at }) => at));
  return headings.filter((_, at) => !shown.has(at) && Number.isFinite(measured[at]?.rank));
}
