// How a text may look on an output: in how many columns, and whether with styles. Source: https://no-color.org,
// https://force-color.org
import type { WriteStream } from "node:tty";

/** A terminal that does not say how wide or high it is. */
const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;
/** Narrower than this no text is laid out: it is broken by the terminal. */
const LEAST_COLUMNS = 20;

/** How text is laid out. */
export interface Look {
  /** Columns that a line may take. */
  width: number;
  /** Whether bold, dim and the like are understood. */
  styled: boolean;
}

/** What of a stream matters here. */
type Output = Pick<WriteStream, "columns" | "rows"> & { isTTY?: boolean };

/** Whether an output takes styles: FORCE_COLOR says yes, NO_COLOR and TERM=dumb say no, else only a terminal does. */
function takesStyles(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: not = "", TERM: term } = env;
  if (force !== undefined) return force !== "0" && force !== "false";
  return not === "" && term !== "dumb" && output.isTTY === true;
}

/** Whether lines on an output can be drawn again: a terminal that can move its cursor. */
export function canRedraw(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return output.isTTY === true && env["TERM"] !== "dumb";
}

/** The columns of an output. */
export function columnsOf({ columns }: { columns?: number }): number {
  return Math.max(LEAST_COLUMNS, columns || USUAL_COLUMNS);
}

/** The rows of an output. */
export function rowsOfScreen({ rows }: { rows?: number }): number {
  return rows || USUAL_ROWS;
}

/** How text looks on an output as it is now. */
export function lookOf(output: Output, env: NodeJS.ProcessEnv = process.env): Look {
  return { width: columnsOf(output), styled: takesStyles(output, env) };
}
