// Whether a call can be taken back; apart from the zod schemas, which take milliseconds to load.

/** `done`: it was taken back. */
export const UNDO_STATES = ["possible", "partial", "impossible", "done"] as const;
export type UndoState = (typeof UNDO_STATES)[number];

/** Of a call that was not made yet, or was not undone. */
export type ForeseenUndo = Exclude<UndoState, "done">;
