// Whether a call can be taken back; apart from the zod schemas, which take milliseconds to load.

/** `done`: it was taken back. */
export const UNDO_STATES = ["possible", "partial", "impossible", "done"] as const;
export type UndoState = (typeof UNDO_STATES)[number];

/** Whether there is something that can be taken back, all of it or a part. */
export function isUndoable(undo: UndoState | undefined): boolean {
  return undo === "possible" || undo === "partial";
}

/** Of a call that was not made yet, or was not undone. */
export type ForeseenUndo = Exclude<UndoState, "done">;
