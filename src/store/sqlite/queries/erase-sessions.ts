// Sessions that were not used for long, and how the content of a session is deleted: the first commit takes it out of every list
// and frees its id, the next ones take away what it holds, in batches, since a conversation can be of any size. A kill between two
// of them leaves a session that nothing shows, and the next start goes on with it.
import type { Database } from "better-sqlite3";
import { agedFirst, type Retention } from "../../rules.js";

/** Of a commit, so that it takes some milliseconds. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 * 1024 * 1024;
const WINDOW_SESSIONS = 200;

/** Sessions in the order of their last use; one that is being erased has no last turn. */
const WINDOW = `
  SELECT s.session_id, s.last_turn, t.status, coalesce(t.ended_at, t.started_at) AS used
  FROM sessions AS s JOIN turns AS t ON t.id = s.last_turn
  WHERE s.last_turn > ? ORDER BY s.last_turn LIMIT ${WINDOW_SESSIONS}`;
/** Calls that wait for a decision, or are in flight. */
const OPEN_CALLS = "SELECT 1 FROM history WHERE session_id = ? AND status IN ('held', 'pending') LIMIT 1";
/** No session that a client names can have such an id: it is not printable. */
const HIDE = "UPDATE sessions SET session_id = char(1) || id, last_turn = 0 WHERE session_id = ?";
const FORGET_USE = "DELETE FROM use_counts WHERE scope = 'session' AND name = ?";
const HIDDEN = "SELECT id FROM sessions WHERE last_turn = 0 LIMIT 1";

interface UsedSession {
  session_id: string;
  last_turn: number;
  status: string;
  used: string;
}

/** Sessions of one window that were not used for long, and where to look on, if at all. */
interface UnusedSessions {
  ids: string[];
  next: number | undefined;
}

/** What deletes sessions, synchronously; each method is one step. */
export interface SessionErasure {
  /** Which of the sessions last used after the turn `after` are old enough; none that runs, waits for a decision or has a call in flight. */
  unused(after: number, retention: Retention): UnusedSessions;
  /** Takes a session out of sight; false when there is none. */
  hide(session_id: string): boolean;
  /** Takes away a batch of what a hidden session holds; false when there is no hidden session. */
  erase(): boolean;
}

/** How many of the first rows are together small enough for one commit; at least one. */
function batchSize(bytes: readonly number[]): number {
  let sum = 0;
  const end = bytes.findIndex((size, at) => {
    sum += size;
    return at > 0 && sum > MAX_BYTES;
  });
  return end < 0 ? bytes.length : end;
}

/** The erasure of a database that is open and migrated. */
export function createSessionErasure(db: Database): SessionErasure {
  const window = db.prepare(WINDOW);
  const openCalls = db.prepare(OPEN_CALLS);
  const hide = db.prepare(HIDE);
  const forgetUse = db.prepare(FORGET_USE);
  const hidden = db.prepare(HIDDEN).pluck();
  const parts = ["messages", "turns"].map((table) => {
    const bytes =
      table === "messages" ? "octet_length(body)" : "octet_length(prompt) + coalesce(octet_length(events), 0)";
    return {
      list: db.prepare(`SELECT id, ${bytes} AS bytes FROM ${table} WHERE session = ? ORDER BY id LIMIT ${MAX_ROWS}`),
      remove: db.prepare(`DELETE FROM ${table} WHERE session = ? AND id <= ?`),
    };
  });
  const remove = db.prepare("DELETE FROM sessions WHERE id = ?");
  return {
    unused(after, retention) {
      const rows = window.all(after) as UsedSession[];
      const { count, isEnd } = agedFirst(
        rows.map(({ used }) => used),
        retention,
      );
      const unused = rows
        .slice(0, count)
        .filter(({ session_id, status }) => status !== "running" && openCalls.get(session_id) === undefined);
      const isLast = isEnd || rows.length < WINDOW_SESSIONS;
      return { ids: unused.map(({ session_id }) => session_id), next: isLast ? undefined : rows.at(-1)?.last_turn };
    },
    hide(session_id) {
      forgetUse.run(session_id);
      return hide.run(session_id).changes === 1;
    },
    erase() {
      const session = hidden.get();
      if (session === undefined) return false;
      for (const { list, remove: removePart } of parts) {
        const rows = list.all(session) as { id: number; bytes: number }[];
        const last = rows[batchSize(rows.map(({ bytes }) => bytes)) - 1];
        if (!last) continue;
        removePart.run(session, last.id);
        return true;
      }
      remove.run(session);
      return true;
    },
  };
}
