// What a call changes, row by row, and whether it can be taken back. schemas/effect.ts has the fields.
import type { z } from "zod";
import type * as schemas from "./schemas/effect.js";
import type { ForeseenUndo } from "./undo-state.js";

/** What a call would do, or did. */
export type Effect = z.infer<typeof schemas.EffectSchema>;

export type RowChange = Effect["changes"][number];
export type TableCounts = NonNullable<Effect["tables"]>[number];

/** What is shown of a call before it is made. */
export interface Foreseen {
  effect: Effect;
  undo: ForeseenUndo;
  /** Of what the effect is made of, whole; "" when there is nothing to compare. Never shown. */
  fingerprint: string;
}

/** Most changes of an effect that are shown; the counts are of all. */
export const MAX_SHOWN_CHANGES = 100;
/** Most of an effect that is shown, in bytes of its JSON. */
export const MAX_SHOWN_BYTES = 256 * 1024;
