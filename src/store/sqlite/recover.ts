// What a daemon that died left behind, put in order at the next start, in one transaction: calls in flight become
// `interrupted`, running turns too, with a transcript a model can go on from, and confirmations past their time are denied.
// Nothing is ever run again: the effect of a lost call on the target is unknown.

import type { Database } from "better-sqlite3";
import type { Message } from "../../domain/message.js";
import { INTERRUPTED } from "../../domain/record.js";
import { type JsonValue, toJson } from "../../lib/json.js";
import type { ConfirmationTable } from "./confirmations.js";
import type { Telling } from "./decision-notices.js";
import { type HistoryTable, toObject } from "./history.js";
import type { SessionTables } from "./sessions.js";
import type { HistoryRow } from "./tables.js";

/** The result of a held call nobody decided in time. */
const EXPIRED: JsonValue = { error: "denied", message: "nobody approved the call before its confirmation expired" };
const TURN_INTERRUPTED = "The daemon stopped during this turn; it was interrupted before it was finished.";

/** A rebuilt tool message or a notice carries at most this much of its result: the model's budget is not known here. */
const MAX_RESULT_LENGTH = 8_000;

/** The tables a sweep works on. */
export interface SweptTables {
  history: HistoryTable;
  sessions: SessionTables;
  confirmations: ConfirmationTable;
  telling: Telling;
}

interface RunningTurn {
  id: number;
  turn_id: string;
  session_id: string;
  history_before: number;
}

/** What became of a call, for the model. */
function outcome(row: HistoryRow, tables: SweptTables): string {
  if (row.status === "held") {
    const held = tables.confirmations.ofRow(row.id);
    return toJson({
      error: "confirmation_required",
      confirmation_id: held?.id ?? null,
      expires_at: held?.expires_at ?? null,
    });
  }
  const text = row.result ?? "null";
  if (text.length <= MAX_RESULT_LENGTH) return text;
  return toJson({ truncated: true, length: text.length, start: text.slice(0, MAX_RESULT_LENGTH) });
}

/** One assistant message and one answer a call: coherent also where a model gave two calls of a turn the same id. */
function rebuild(row: HistoryRow, tables: SweptTables): Message[] {
  const is_error = row.status !== "ok" && row.status !== "dry_run";
  return [
    { role: "assistant", text: "", calls: [{ id: row.call_id, name: row.tool, arguments: toObject(row.arguments) }] },
    { role: "tool", call_id: row.call_id, name: row.tool, text: outcome(row, tables), is_error },
  ];
}

/** Calls in flight become interrupted. */
function sweepCalls(db: Database, { history }: SweptTables): number {
  const rows = db.prepare("SELECT id FROM history WHERE status = 'pending' ORDER BY id").all() as { id: number }[];
  for (const { id } of rows)
    history.finish(id, { status: "interrupted", result: INTERRUPTED, duration_ms: Number.NaN }, "pending");
  return rows.length;
}

/**
 * Puts in order what an earlier daemon left behind. Only for the one process that holds the data directory's lock: it would
 * take the calls of a living daemon for lost. Returns how many calls and turns were interrupted.
 */
export function sweep(db: Database, tables: SweptTables): { calls: number; turns: number } {
  const running = db
    .prepare(
      `SELECT turns.id, turns.turn_id, sessions.session_id, turns.history_before
       FROM turns JOIN sessions ON sessions.id = turns.session WHERE turns.status = 'running' ORDER BY turns.id`,
    )
    .all() as RunningTurn[];
  for (const { id } of tables.confirmations.expired())
    tables.confirmations.claim({ id, decision: "expired", reason: "" }, EXPIRED);
  const calls = sweepCalls(db, tables);
  // The rebuilt messages of a running turn tell what became of its calls.
  for (const { turn_id } of running) tables.telling.markTurn(turn_id);
  tables.telling.tell(MAX_RESULT_LENGTH);
  const rowsOf = db.prepare("SELECT * FROM history WHERE session_id = ? AND id > ? AND turn_id = ? ORDER BY id");
  for (const turn of running) {
    const rows = rowsOf.all(turn.session_id, turn.history_before, turn.turn_id) as HistoryRow[];
    tables.sessions.end({
      turn_id: turn.turn_id,
      status: "interrupted",
      error: TURN_INTERRUPTED,
      messages: [...rows.flatMap((row) => rebuild(row, tables)), { role: "notice", text: TURN_INTERRUPTED }],
    });
  }
  return { calls, turns: running.length };
}
