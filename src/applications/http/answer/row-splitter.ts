// The interface of what splits a long answer into rows: the bytes that arrive become lines, each the JSON text of one row.
import type { JsonValue } from "../../../lib/json.js";

/** Makes lines of the rows of an answer while it arrives; one for an answer. */
export interface RowSplitter {
  /** Rows that are complete. */
  readonly count: number;
  /** Where the line of the last of them ends, in bytes of all that was given out. */
  readonly end: number;
  /** Whether it wants no more, although the answer goes on: it is broken, or too long behind its rows. */
  readonly isOver: boolean;
  /** Lines, or parts of them, from the next packet, whose bytes are its own to change. Never throws. */
  cut(packet: Buffer): Iterable<Buffer>;
  /** What is left once the whole answer has been cut. Never throws. */
  finish(): Iterable<Buffer>;
  /** The answer with an empty list in place of its rows, and where; `isWhole` is false when it did not end as it should. */
  around(): { value: JsonValue; path: readonly string[]; isWhole: boolean };
}
