// Where the hash chain of a database begins and ends.
import type { Database } from "better-sqlite3";
import { CHAIN_START, type ChainLink } from "../chain.js";

/** Before the first row, or behind the newest pruned one. `prunedId` is the largest id ever pruned; 0 without any. */
export function chainStart(db: Database): ChainLink & { prunedId: number } {
  const anchor = db.prepare("SELECT seq, hash, pruned_id AS prunedId FROM chain_anchor WHERE id = 1").get();
  return (anchor as (ChainLink & { prunedId: number }) | undefined) ?? { ...CHAIN_START, prunedId: 0 };
}

/** The end as it was saved last; undefined when that was deleted. */
export function chainHead(db: Database): (ChainLink & { confirmations_after: number }) | undefined {
  const head = db.prepare("SELECT seq, hash, confirmations_after FROM chain_head WHERE id = 1").get();
  return head as (ChainLink & { confirmations_after: number }) | undefined;
}

/**
 * The newest link: of the rows, or the end that was saved when rows behind it were deleted or made incomplete. The next row goes
 * on from there, so that the gap stays to be seen.
 */
export function chainEnd(db: Database): ChainLink {
  const newest = db.prepare("SELECT seq, hash FROM history WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1").get();
  const ofRows = (newest as ChainLink | undefined) ?? chainStart(db);
  const head = chainHead(db);
  return head && head.seq > ofRows.seq ? { seq: head.seq, hash: head.hash } : ofRows;
}
