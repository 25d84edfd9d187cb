// Deletes old history, in small commits between which the daemon goes on. Rows leave in the order they were completed, so
// that what is left is still a chain, and the chain's anchor moves in the same commit.
import type { Database } from "better-sqlite3";
import { chainStart } from "./chain-position.js";

/** Rows per commit: some milliseconds. */
export const PRUNE_BATCH = 500;

/** Confirmations leave with their rows, which hold the proof of them. */
const ORPHANS = `
  DELETE FROM confirmations
  WHERE history_id <= ? AND NOT EXISTS (SELECT 1 FROM history WHERE history.id = confirmations.history_id)`;

interface Candidate {
  seq: number;
  hash: string;
  ts: string;
  id: number;
}

/**
 * Deletes one batch of completed rows that were written up to `cutoff` (ISO 8601), with their confirmations; returns how many. A
 * row that was completed after a younger one stays until that one goes. Runs in the caller's transaction.
 */
export function pruneHistory(db: Database, cutoff: string): number {
  const oldest = db
    .prepare("SELECT seq, hash, ts, id FROM history WHERE seq IS NOT NULL ORDER BY seq LIMIT ?")
    .all(PRUNE_BATCH) as Candidate[];
  const keep = oldest.findIndex((row) => row.ts > cutoff);
  const old = keep < 0 ? oldest : oldest.slice(0, keep);
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
