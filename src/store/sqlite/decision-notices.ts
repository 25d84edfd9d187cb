// Sessions are told what became of their held calls, exactly once each: by the turn that waited for the decision, or by a
// notice at the end of the transcript. What is still to be told is on disk, so that neither a death of the daemon between a
// decision and its notice nor a crowd of running turns keeps it from the model. Runs inside the caller's transaction.
import type { Database } from "better-sqlite3";
import type { Message } from "../../domain/message.js";
import { parseJson } from "../../lib/json.js";
import { forModel, toResult } from "../../results/result.js";
import type { SessionTables } from "./sessions.js";
import type { ConfirmationRow, HistoryRow } from "./tables.js";

/** Notices about held calls, synchronously. */
export interface Telling {
  /** Whether a session has something to be told. */
  isDue(session_id: string): boolean;
  /** Appends the due notices of a session, or of all, to their transcripts and returns them; results are cut to `budget`. */
  tell(budget: number, session_id?: string): Message[];
  /** For a call whose outcome the session learns another way. */
  mark(confirmation_id: string): void;
  /** The same for every decided call of a turn. */
  markTurn(turn_id: string): void;
}

type Due = Pick<ConfirmationRow, "id" | "session_id" | "tool" | "call_id" | "arguments" | "status" | "reason"> & {
  ended: HistoryRow["status"];
  result: string | null;
};

function outcome(due: Due, budget: number): string {
  if (due.status === "expired") return "was not made: nobody approved it in time.";
  if (due.status === "denied") return `was refused: ${due.reason}`;
  if (due.ended === "interrupted")
    return "was approved; the daemon stopped while it was in flight, and whether it took effect is unknown.";
  const { text } = forModel(toResult(parseJson(due.result ?? "null")), budget, due.call_id);
  return `was approved and ran with status ${due.ended}: ${text}`;
}

/** The notices of a database that is open and migrated. */
export function createTelling(db: Database, sessions: SessionTables): Telling {
  // A call that is still in flight is due once its row is final.
  const from = `FROM confirmations AS c JOIN history AS h ON h.id = c.history_id
    WHERE c.told = 0 AND c.status <> 'pending' AND h.status NOT IN ('held', 'pending')`;
  const columns = "c.id, c.session_id, c.tool, c.call_id, c.arguments, c.status, c.reason, h.status AS ended, h.result";
  const all = db.prepare(`SELECT ${columns} ${from} ORDER BY c.seq`);
  const ofSession = db.prepare(`SELECT ${columns} ${from} AND c.session_id = ? ORDER BY c.seq`);
  const due = db.prepare(`SELECT 1 ${from} AND c.session_id = ? LIMIT 1`);
  const mark = db.prepare("UPDATE confirmations SET told = 1 WHERE id = ?");
  const markTurn = db.prepare(
    "UPDATE confirmations SET told = 1 WHERE told = 0 AND status <> 'pending' AND turn_id = ?",
  );
  return {
    isDue: (session_id) => due.get(session_id) !== undefined,
    tell(budget, session_id) {
      const found = (session_id === undefined ? all.all() : ofSession.all(session_id)) as Due[];
      return found.map((one) => {
        const text = `The held call ${one.tool} ${one.arguments} (confirmation ${one.id}) ${outcome(one, budget)}`;
        const notice: Message = { role: "notice", text };
        sessions.append(one.session_id, [notice]);
        mark.run(one.id);
        return notice;
      });
    },
    mark: (id) => void mark.run(id),
    markTurn: (turn_id) => void markTurn.run(turn_id),
  };
}
