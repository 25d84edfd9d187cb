// The cell of a result that a number of an answer was followed to: its call's card opens, and displays it.
import { signal } from "@preact/signals";

/** A cell, and the call that it is in. */
export interface MarkedCell {
  /** The key of the turn. */
  turn: string;
  call_id: string;
  /** The position of its row; NO_ROW for a field of the result itself. */
  index: number;
  column: string;
}

/** The cell that was followed to last; another object each time. */
export const markedCell = signal<MarkedCell | undefined>(undefined);
