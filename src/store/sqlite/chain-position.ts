// Where the hash chain of a database begins and ends.
import type { Database } from "better-sqlite3";
import { CHAIN_START, type ChainLink } from "../chain.js";

/** Before the first row, or behind the newest pruned one. `prunedId` is the largest id ever pruned; 0 without any. */
export function chainStart(db: Database): ChainLink & { prunedId: number } {
  const anchor = db.prepare("SELECT seq, hash, pruned_id AS prunedId FROM chain_anchor WHERE id = 1").get();
  return (anchor as (ChainLink & { prunedId: number }) | undefined) ?? { ...CHAIN_START, prunedId: 0 };
}

/** The newest link. */
export function chainEnd(db: Database): ChainLink {
  const newest = db.prepare("SELECT seq, hash FROM history WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1").get();
  return (newest as ChainLink | undefined) ?? chainStart(db);
}
