// Deletes old history, in small commits between which the daemon goes on. Rows leave in the order they were completed, so
// that what is left is still a chain, and the chain's anchor moves in the same commit.
import type { Database } from "better-sqlite3";
import { chainStart } from "./chain-position.js";

/** Of a commit, so that it takes some milliseconds: nothing else runs meanwhile. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 * 1024 * 1024;

/** Confirmations leave with their rows, which hold the proof of them. */
const ORPHANS = `
  DELETE FROM confirmations
  WHERE history_id <= ? AND NOT EXISTS (SELECT 1 FROM history WHERE history.id = confirmations.history_id)`;

interface Candidate {
  seq: number;
  hash: string;
  ts: string;
  id: number;
  /** Of its result. */
  bytes: number | null;
}

/** The first of the rows, old enough and not too many for one commit; at least one, if one is old enough. */
function batchOf(oldest: readonly Candidate[], cutoff: string): Candidate[] {
  let bytes = 0;
  const end = oldest.findIndex((row, at) => {
    bytes += row.bytes ?? 0;
    return row.ts > cutoff || (at > 0 && bytes > MAX_BYTES);
  });
  return end < 0 ? [...oldest] : oldest.slice(0, end);
}

/**
 * Deletes one batch of completed rows that were written up to `cutoff` (ISO 8601), with their confirmations; returns how many. A
 * row that was completed after a younger one stays until that one goes. Runs in the caller's transaction.
 */
export function pruneHistory(db: Database, cutoff: string): number {
  const oldest = db
    .prepare(
      "SELECT seq, hash, ts, id, octet_length(result) AS bytes FROM history WHERE seq IS NOT NULL ORDER BY seq LIMIT ?",
    )
    .all(MAX_ROWS) as Candidate[];
  const old = batchOf(oldest, cutoff);
  const last = old.at(-1);
  if (!last) return 0;
  const prunedId = Math.max(chainStart(db).prunedId, ...old.map((row) => row.id));
  db.prepare("INSERT OR REPLACE INTO chain_anchor (id, seq, hash, pruned_id) VALUES (1, ?, ?, ?)").run(
    last.seq,
    last.hash,
    prunedId,
  );
  db.prepare("DELETE FROM history WHERE seq <= ?").run(last.seq);
  db.prepare(ORPHANS).run(prunedId);
  return old.length;
}
