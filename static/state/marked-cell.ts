// What of a result a number of an answer was followed to, a cell or what was computed of all rows: its call's card opens, and displays it.
import { signal } from "@preact/signals";

/** A cell, and the call that it is in. */
export interface MarkedCell {
  /** The key of the turn. */
  turn: string;
  call_id: string;
  /** The position of its row; NO_ROW for a field of the result itself. */
  index: number;
  column: string;
  /** For what was computed of all rows of the column; "count" for how many there are. `index` is NO_ROW then. */
  aggregate?: "count" | "sum" | "avg" | undefined;
}

/** The cell that was followed to last; another object each time. */
export const markedCell = signal<MarkedCell | undefined>(undefined);
