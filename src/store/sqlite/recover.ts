// Recovery of what a dead daemon left, at the next start, in one transaction: calls in flight become `interrupted`, running
// turns and prompts with a key too, with a transcript a model can go on from, and expired confirmations and questions of calls are denied. Nothing is ever run again: the
// effect of a lost call on the target is unknown.

import type { Message } from "../../domain/message.js";
import { EXPIRED_REASON, EXPIRED_RESULT, INTERRUPTED } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { QUESTION_ENDED, RECOVERED_RESULT_CHARS, recoveredMessages, TURN_INTERRUPTED } from "../rules.js";
import { toClaimRow } from "./queries/confirmations.js";
import { toEntry } from "./queries/entry.js";
import { NO_FILES } from "./queries/kept-results.js";
import type { Queries } from "./queries/queries.js";
import { CALLS_ONLY } from "./queries/turns.js";
import type { HistoryRow } from "./tables.js";

interface RunningTurn {
  turn_id: string;
  session_id: string;
  history_before: number;
}

const RUNNING_TURNS = `
  SELECT turns.turn_id, sessions.session_id, turns.history_before
  FROM turns JOIN sessions ON sessions.id = turns.session WHERE turns.status = 'running' ORDER BY turns.id`;

const LOST = "SELECT id FROM history WHERE status = 'pending' AND transaction_id IS NULL ORDER BY id";

/** Calls in flight become interrupted, but for those whose database can be asked about them. */
function recoverCalls({ db, history }: Queries): number {
  const ids = db.prepare(LOST).pluck().all() as number[];
  for (const id of ids)
    history.finish(id, { status: "interrupted", result: toJson(INTERRUPTED), duration_ms: null }, "pending");
  return ids.length;
}

/**
 * Recovers the record. Only for the process that holds the data directory's lock: the calls of a living daemon would be taken
 * for lost. Returns how many calls and turns were interrupted.
 */
export function recover(queries: Queries): { calls: number; turns: number } {
  const { db, sessions, keys, confirmations, notices } = queries;
  // A prompt whose key was taken is never run again, also when its turn had not begun.
  for (const { prompt, ...turn } of keys.waiting()) {
    sessions.begin({ ...turn, prompt, provider: "", model: "" }, new Date().toISOString());
    keys.markBegun(turn.turn_id);
  }
  const running = db.prepare(RUNNING_TURNS).all() as RunningTurn[];
  for (const { id } of confirmations.expired())
    confirmations.claim(toClaimRow({ id, decision: "expired", reason: EXPIRED_REASON }), toJson(EXPIRED_RESULT));
  const ended = toJson({ error: "denied", message: QUESTION_ENDED });
  for (const { id } of confirmations.questions())
    confirmations.claim(toClaimRow({ id, decision: "denied", reason: QUESTION_ENDED }), ended);
  const calls = recoverCalls(queries);
  // The recovered messages of a running turn hold the outcome of its calls.
  for (const { turn_id } of running) notices.markTurn(turn_id);
  notices.append(RECOVERED_RESULT_CHARS);
  const rowsOf = db.prepare(
    `SELECT * FROM history WHERE session_id = ? AND id > ? AND turn_id = ? AND ${CALLS_ONLY} ORDER BY id`,
  );
  for (const { turn_id, session_id, history_before } of running) {
    const rows = rowsOf.all(session_id, history_before, turn_id) as HistoryRow[];
    const messages = rows.flatMap((row) => recoveredMessages(toEntry(row, NO_FILES), confirmations.ofRow(row.id)));
    const notice: Message = { role: "notice", text: TURN_INTERRUPTED };
    sessions.end(
      {
        turn_id,
        status: "interrupted",
        error: TURN_INTERRUPTED,
        events: null,
        messages: [...messages, notice].map((message) => toJson(message)),
      },
      new Date().toISOString(),
    );
  }
  return { calls, turns: running.length };
}
