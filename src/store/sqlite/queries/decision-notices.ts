// Decision notices: each session learns the outcome of its held calls exactly once, from the turn that waited for the decision
// or from a notice at the end of the transcript. What is still due is on disk, so that neither a death of the daemon between
// a decision and its notice nor many running turns keep it from the model. Runs inside the caller's transaction.
import type { Database } from "better-sqlite3";
import type { Message } from "../../../domain/message.js";
import { toJson } from "../../../lib/json.js";
import { type DecidedCall, decisionNotice } from "../../rules.js";
import { fromColumn } from "./entry.js";
import type { SessionQueries } from "./sessions.js";

/** Notices about held calls, synchronously. */
export interface DecisionNotices {
  /** Whether a session has notices due. */
  isDue(session_id: string): boolean;
  /** Appends the due notices of a session, or of all, to their transcripts and returns them; results are cut to `maxChars`. */
  append(maxChars: number, session_id?: string): Message[];
  /** For a call whose outcome reaches the session another way. */
  mark(confirmation_id: string): void;
  /** The same for every decided call of a turn. */
  markTurn(turn_id: string): void;
}

type DueRow = Omit<DecidedCall, "result"> & { session_id: string; result: string | null };

/** The arguments are those of the row, without secrets: a message stays in the conversation. */
const COLUMNS = `c.id AS confirmation_id, c.session_id, c.tool, c.call_id, h.arguments, c.status AS decision, c.reason,
  h.status, h.result`;
/** A call that is still in flight is due once its row is final. */
const DUE = `FROM confirmations AS c JOIN history AS h ON h.id = c.history_id
  WHERE c.told = 0 AND c.status <> 'pending' AND h.status NOT IN ('held', 'pending')`;

/** The notices of a database that is open and migrated. */
export function createDecisionNotices(db: Database, sessions: SessionQueries): DecisionNotices {
  const all = db.prepare(`SELECT ${COLUMNS} ${DUE} ORDER BY c.seq`);
  const ofSession = db.prepare(`SELECT ${COLUMNS} ${DUE} AND c.session_id = ? ORDER BY c.seq`);
  const first = db.prepare(`SELECT 1 ${DUE} AND c.session_id = ? LIMIT 1`);
  const mark = db.prepare("UPDATE confirmations SET told = 1 WHERE id = ?");
  const markTurn = db.prepare(
    "UPDATE confirmations SET told = 1 WHERE told = 0 AND status <> 'pending' AND turn_id = ?",
  );
  return {
    isDue: (session_id) => first.get(session_id) !== undefined,
    append(maxChars, session_id) {
      const due = (session_id === undefined ? all.all() : ofSession.all(session_id)) as DueRow[];
      return due.map((row) => {
        const notice = decisionNotice({ ...row, result: fromColumn(row.result) }, maxChars);
        sessions.append(row.session_id, [toJson(notice)]);
        mark.run(row.confirmation_id);
        return notice;
      });
    },
    mark: (id) => void mark.run(id),
    markTurn: (turn_id) => void markTurn.run(turn_id),
  };
}
