// Recomputes the hash chain of a database, and looks for what its links cannot show. For a connection that sees one snapshot.
import type { Database } from "better-sqlite3";
import { type ChainLink, type ConfirmationContent, confirmationHash, type FinalRow, nextLink } from "../chain.js";
import type { Verification } from "../reader.js";
import { chainHead, chainStart } from "./chain-position.js";

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
/** Rows that carry the hash of a confirmation, with it. */
const CONFIRMED = `
  SELECT history.id AS row, history.confirmation AS hash, confirmations.* FROM history
  LEFT JOIN confirmations ON confirmations.history_id = history.id WHERE history.confirmation IS NOT NULL ORDER BY history.id`;
/** A confirmation without such a row, or the second of one row; those that are older than the hashes are not looked at. */
const ADDED = `
  SELECT min(history_id) FROM confirmations AS c WHERE history_id > ?
  AND (NOT EXISTS (SELECT 1 FROM history WHERE history.id = c.history_id AND history.confirmation IS NOT NULL)
    OR EXISTS (SELECT 1 FROM confirmations AS other WHERE other.history_id = c.history_id AND other.seq < c.seq))`;

/** What the row of a held call has as its confirmation has it. Its arguments are redacted, and a decision may come under another policy. */
const OF_BOTH = ["session_id", "turn_id", "call_id", "tool", "application", "asked_by", "provider", "model", "client"];
/** Held calls whose row, before it was completed, was made that of another call than a person was asked about. */
const ROW_MISMATCH = `
  SELECT min(history.id) FROM confirmations JOIN history ON history.id = confirmations.history_id
  WHERE history.confirmation IS NOT NULL AND (${OF_BOTH.map((column) => `confirmations.${column} <> history.${column}`).join(" OR ")})`;

type Bad = (firstBad: number, reason: string) => Verification;
type One = (sql: string, ...values: number[]) => number | null;

/** Rows that are missing, or were added, apart from the chain. */
function verifyRows(db: Database, one: One, bad: Bad): Verification | undefined {
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
  return missing < 0 ? bad(given, `there are ${-missing} row(s) that agentd did not write`) : undefined;
}

/** Whether the chain ends where the daemon left it. */
function verifyEnd(db: Database, end: ChainLink, { one, bad }: { one: One; bad: Bad }): Verification | undefined {
  const head = chainHead(db);
  const newest = one("SELECT max(id) FROM history") ?? 0;
  if (!head) return bad(newest, "the end of the chain was deleted");
  if (end.seq < head.seq) {
    const open = one("SELECT max(id) FROM history WHERE seq IS NULL") ?? newest;
    return bad(open, `${head.seq - end.seq} completed row(s) at the end were deleted or made incomplete again`);
  }
  if (end.seq === head.seq && end.hash === head.hash) return undefined;
  const beyond = one("SELECT min(id) FROM history WHERE seq > ?", head.seq) ?? newest;
  return bad(beyond, `row ${beyond} was not written by agentd`);
}

/** Confirmations that were deleted, changed or added. */
function verifyConfirmations(db: Database, one: One, bad: Bad): Verification | undefined {
  const mismatch = one(DECISION_MISMATCH);
  if (mismatch !== null) return bad(mismatch, `the decision about row ${mismatch} was changed`);
  type Confirmed = { row: number; hash: string } & (ConfirmationContent | { id: null });
  for (const found of db.prepare(CONFIRMED).iterate() as IterableIterator<Confirmed>) {
    if (found.id === null) return bad(found.row, `the confirmation of row ${found.row} was deleted`);
    if (confirmationHash(found) !== found.hash)
      return bad(found.row, `the confirmation of row ${found.row} (${found.id}) was changed`);
  }
  const other = one(ROW_MISMATCH);
  if (other !== null) return bad(other, `row ${other} is of another call than its confirmation`);
  const added = one(ADDED, chainHead(db)?.confirmations_after ?? 0);
  return added === null ? undefined : bad(added, `a confirmation of row ${added} was not written by agentd`);
}

/** What the links cannot show: rows outside the chain, missing at its end, made incomplete again, and confirmations. */
function verifyRest(db: Database, end: ChainLink, rows: number): Verification {
  const one: One = (sql, ...values) =>
    db
      .prepare<number[]>(sql)
      .pluck()
      .get(...values) as number | null;
  const bad: Bad = (firstBad, reason) => ({ ok: false, rows, firstBad, reason });
  return (
    verifyRows(db, one, bad) ??
    verifyEnd(db, end, { one, bad }) ??
    verifyConfirmations(db, one, bad) ?? { ok: true, rows }
  );
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
  return verifyRest(db, link, rows);
}
