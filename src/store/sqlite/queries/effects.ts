// What calls did, in the columns of their history rows: written while a call is pending, before it becomes final, and asked for by
// those who undo it. Runs inside the caller's transaction.
import type { Database } from "better-sqlite3";
import { toJson } from "../../../lib/json.js";
import type { KeptEffect } from "../../store.js";
import type { HistoryRow } from "../tables.js";

/** As the index over it says it. */
const UNDOABLE = "undo IN ('possible', 'partial') AND undone_by IS NULL";

/** The columns of an effect; JSON as text. */
export type EffectRow = Pick<HistoryRow, "effect" | "undo" | "transaction_id">;

/** Effects, synchronously. */
export interface EffectQueries {
  keep(id: number, row: EffectRow): void;
  /** For a call that did not happen after all. */
  drop(id: number): void;
  markUndone(id: number, by: number): void;
  /** Of a session, newest first; nothing is read for a session without. */
  undoable(session_id: string): IterableIterator<number>;
  /** Those of the rows that can still be undone, or are in flight. */
  needed(ids: readonly number[]): ReadonlySet<number>;
  /** Rows in flight whose database can be asked about them. */
  unsettled(): HistoryRow[];
}

/** An effect as it is written. */
export function toEffectRow({ effect, undo, transaction }: KeptEffect): EffectRow {
  return { effect: toJson(effect), undo, transaction_id: transaction ?? null };
}

/** The effects of a database that is open and migrated. */
export function createEffectQueries(db: Database): EffectQueries {
  const keep = db.prepare(
    "UPDATE history SET effect = @effect, undo = @undo, transaction_id = @transaction_id WHERE id = @id AND status = 'pending'",
  );
  const drop = db.prepare("UPDATE history SET effect = NULL, undo = NULL WHERE id = ?");
  const mark = db.prepare("UPDATE history SET undone_by = ? WHERE id = ?");
  const ofSession = db
    .prepare(`SELECT id FROM history WHERE session_id = ? AND status = 'ok' AND ${UNDOABLE} ORDER BY id DESC`)
    .pluck();
  const needed = db
    .prepare(
      `SELECT id FROM history WHERE id IN (SELECT value FROM json_each(?))
       AND (status = 'pending' OR (status = 'ok' AND ${UNDOABLE}))`,
    )
    .pluck();
  const unsettled = db.prepare(
    "SELECT * FROM history WHERE status = 'pending' AND transaction_id IS NOT NULL ORDER BY id",
  );
  const sessionOf = db.prepare("SELECT session_id FROM history WHERE id = ?").pluck();
  /** Sessions that may have calls to undo, so that the others cost nothing. */
  const sessions = new Set(
    db.prepare(`SELECT DISTINCT session_id FROM history WHERE ${UNDOABLE}`).pluck().all() as string[],
  );
  return {
    keep(id, row) {
      if (keep.run({ ...row, id }).changes === 0) throw new Error(`row ${id} is not in flight`);
      if (row.undo !== "impossible") sessions.add(sessionOf.get(id) as string);
    },
    drop: (id) => void drop.run(id),
    markUndone: (id, by) => void mark.run(by, id),
    *undoable(session_id) {
      if (sessions.has(session_id)) yield* ofSession.all(session_id) as number[];
    },
    needed: (ids) => new Set(needed.all(JSON.stringify(ids)) as number[]),
    unsettled: () => unsettled.all() as HistoryRow[],
  };
}
