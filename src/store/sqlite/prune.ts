// Deletes old history, in small commits between which the daemon goes on. Rows leave in the order they were completed, so
// that what is left is still a chain, and the chain's anchor moves in the same commit.
import type { Database } from "better-sqlite3";
import { agedFirst, type Retention } from "../rules.js";
import { chainStart } from "./chain-position.js";

/** Of a commit, so that it takes some milliseconds: nothing else runs meanwhile. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 * 1024 * 1024;
/** Rows whose times are looked at at once. */
const WINDOW_ROWS = 500;

/** Confirmations leave with their rows, which hold the proof of them. */
const ORPHANS = `
  DELETE FROM confirmations
  WHERE history_id <= ? AND NOT EXISTS (SELECT 1 FROM history WHERE history.id = confirmations.history_id)`;

interface Candidate {
  seq: number;
  hash: string;
  id: number;
  /** Of its result. */
  bytes: number | null;
}

/** What a look at rows found: up to which they are old, and where to look on, if at all. */
interface AgedRows {
  /** 0 when none is. */
  through: number;
  next: number | undefined;
}

/**
 * Which of the rows behind the one numbered `after` are old enough, by one window. A row that was completed after a younger one
 * stays until that one goes.
 */
export function agedRows(db: Database, after: number, retention: Retention): AgedRows {
  const rows = db.prepare("SELECT seq, ts FROM history WHERE seq > ? ORDER BY seq LIMIT ?").all(after, WINDOW_ROWS) as {
    seq: number;
    ts: string;
  }[];
  const { count, isEnd } = agedFirst(
    rows.map(({ ts }) => ts),
    retention,
  );
  const isLast = isEnd || rows.length < WINDOW_ROWS;
  return { through: rows[count - 1]?.seq ?? 0, next: isLast ? undefined : rows.at(-1)?.seq };
}

/** The first of the rows, not too many for one commit; at least one, if there is one. */
function batchOf(rows: readonly Candidate[]): readonly Candidate[] {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += row.bytes ?? 0;
    return at > 0 && bytes > MAX_BYTES;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/**
 * Deletes one batch of completed rows, from the oldest up to the one numbered `through`, with their confirmations; returns how
 * many. Runs in the caller's transaction.
 */
export function pruneHistory(db: Database, through: number): number {
  const oldest = db
    .prepare("SELECT seq, hash, id, octet_length(result) AS bytes FROM history WHERE seq <= ? ORDER BY seq LIMIT ?")
    .all(through, MAX_ROWS) as Candidate[];
  const batch = batchOf(oldest);
  const last = batch.at(-1);
  if (!last) return 0;
  const prunedId = Math.max(chainStart(db).prunedId, ...batch.map((row) => row.id));
  db.prepare("INSERT OR REPLACE INTO chain_anchor (id, seq, hash, pruned_id) VALUES (1, ?, ?, ?)").run(
    last.seq,
    last.hash,
    prunedId,
  );
  db.prepare("DELETE FROM history WHERE seq <= ?").run(last.seq);
  db.prepare(ORPHANS).run(prunedId);
  return batch.length;
}
