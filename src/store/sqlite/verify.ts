// Recomputes the hash chain of a database, and looks for what its links cannot show. For a connection that sees one snapshot.
import type { Database } from "better-sqlite3";
import { type ChainLink, type FinalRow, nextLink } from "../chain.js";
import type { Verification } from "../reader.js";
import { chainStart } from "./chain-position.js";

type ChainedRow = FinalRow & ChainLink;

/** The highest id without a row; what was pruned lies below. */
const LAST_GAP = `
  SELECT max(id) FROM (SELECT id - 1 AS id FROM history UNION SELECT ?) AS candidate
  WHERE id > ? AND NOT EXISTS (SELECT 1 FROM history WHERE history.id = candidate.id)`;
/** Held calls whose row has another outcome than the decision in their confirmation. */
const DECISION_MISMATCH = `
  SELECT min(history.id) FROM confirmations JOIN history ON history.id = confirmations.history_id
  WHERE (confirmations.status = 'pending') <> (history.status = 'held')
     OR (confirmations.status IN ('denied', 'expired')) <> (history.status = 'denied')`;

/** Final rows outside the chain, rows missing at its end, rows deleted before they were in it, decisions that were changed. */
function verifyRest(db: Database, rows: number): Verification {
  const one = (sql: string, ...values: number[]): number | null =>
    db
      .prepare<number[]>(sql)
      .pluck()
      .get(...values) as number | null;
  const bad = (firstBad: number, reason: string): Verification => ({ ok: false, rows, firstBad, reason });
  const outside = one("SELECT min(id) FROM history WHERE seq IS NULL AND status NOT IN ('held', 'pending')");
  if (outside !== null) return bad(outside, `row ${outside} was not written by agentd`);
  // Ids are given without gaps, and each pruned row had its number in the chain.
  const start = chainStart(db);
  const given = one("SELECT seq FROM sqlite_sequence WHERE name = 'history'") ?? 0;
  const missing = given - start.seq - (one("SELECT count(*) FROM history") ?? 0);
  if (missing > 0) {
    const gap = one(LAST_GAP, given, start.prunedId) ?? given;
    return bad(gap, `${missing} row(s) are missing, row ${gap} among them`);
  }
  if (missing < 0) return bad(given, `there are ${-missing} row(s) that agentd did not write`);
  const mismatch = one(DECISION_MISMATCH);
  if (mismatch !== null) return bad(mismatch, `the decision about row ${mismatch} was changed`);
  return { ok: true, rows };
}

/** Recomputes the whole chain, one row in memory at a time. */
export function verifyChain(db: Database): Verification {
  let link: ChainLink = chainStart(db);
  let rows = 0;
  const final = db.prepare("SELECT * FROM history WHERE seq > ? ORDER BY seq").iterate(link.seq);
  for (const row of final as IterableIterator<ChainedRow>) {
    const bad = (reason: string): Verification => ({ ok: false, rows, firstBad: row.id, reason });
    if (row.seq !== link.seq + 1)
      return bad(`${row.seq - link.seq - 1} completed row(s) before row ${row.id} are missing`);
    const expected = nextLink(link, row);
    if (expected.hash !== row.hash) return bad(`row ${row.id} was changed after it was completed`);
    link = expected;
    rows++;
  }
  return verifyRest(db, rows);
}
