// Tamper evidence: every history row, when it becomes final, gets the next number in the order of completion and a hash over
// the hash before it and its own content. Changing, removing or inserting a completed row breaks the chain from there on.
// It shows an edit, it does not stop somebody who recomputes the whole chain: keep a backup elsewhere against that.
import { createHash } from "node:crypto";
import type { Database, Statement } from "better-sqlite3";
import type { Verification } from "../reader.js";
import type { HistoryRow } from "./tables.js";

/** What the first row of a chain that was never pruned is chained to. */
const GENESIS = "0".repeat(64);
/** What is verified between two turns of the event loop: some milliseconds, and no more text than one large result. */
const VERIFY_ROWS = 500;
const VERIFY_CHARS = 1024 * 1024;

/** The content of a final row, apart from its place in the chain. */
export type FinalRow = Omit<HistoryRow, "seq" | "hash">;
/** A place in the chain: the newest row's number and hash, or where the chain begins. */
export interface Link {
  seq: number;
  hash: string;
}

/** Each value with its length before it, so that no two rows have the same text. */
function canonical(row: FinalRow, seq: number): string {
  const parts = [
    ...[seq, row.id, row.ts, row.session_id, row.turn_id, row.call_id, row.tool, row.arguments, row.safety, row.policy],
    ...[row.request, row.provider, row.model, row.client, row.boot_id, row.status, row.result, row.duration_ms],
  ];
  let text = "";
  for (const part of parts) {
    const piece = String(part ?? "");
    text += `${part === null ? "-" : piece.length}:${piece}`;
  }
  return text;
}

/** The link a row becomes behind `previous`: SHA-256 in hex over the previous hash and the row's content. */
export function nextLink(previous: Link, row: FinalRow): Link {
  const seq = previous.seq + 1;
  return {
    seq,
    hash: createHash("sha256").update(previous.hash).update(canonical(row, seq)).digest("hex"),
  };
}

/** Where the chain begins: before the first row, or behind the newest pruned one. `prunedId` is 0 when nothing was. */
export function chainStart(db: Database): Link & { prunedId: number } {
  const anchor = db.prepare("SELECT seq, hash, pruned_id AS prunedId FROM chain_anchor WHERE id = 1").get();
  return (anchor as (Link & { prunedId: number }) | undefined) ?? { seq: 0, hash: GENESIS, prunedId: 0 };
}

/** The newest link of the chain in the database. */
export function chainEnd(db: Database): Link {
  const newest = db.prepare("SELECT seq, hash FROM history WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1").get();
  return (newest as Link | undefined) ?? chainStart(db);
}

type ChainedRow = FinalRow & Link;

/** The next rows of the chain; none when it ends at `seq`. */
function nextRows(page: Statement, seq: number): ChainedRow[] {
  const batch: ChainedRow[] = [];
  let chars = 0;
  for (const row of page.iterate(seq, VERIFY_ROWS) as IterableIterator<ChainedRow>) {
    batch.push(row);
    chars += row.arguments.length + (row.result?.length ?? 0);
    if (chars >= VERIFY_CHARS) break;
  }
  return batch;
}

/** Recomputes the whole chain, in pieces, so that a daemon goes on answering meanwhile. */
export async function verifyChain(db: Database): Promise<Verification> {
  const page = db.prepare("SELECT * FROM history WHERE seq > ? ORDER BY seq LIMIT ?");
  let link: Link = chainStart(db);
  let rows = 0;
  for (;;) {
    const batch = nextRows(page, link.seq);
    const start = chainStart(db);
    // Old rows were deleted while this waited.
    if (start.seq > link.seq && batch[0]?.seq === start.seq + 1) link = start;
    for (const row of batch) {
      const bad = (reason: string): Verification => ({ ok: false, rows, firstBad: row.id, reason });
      if (row.seq !== link.seq + 1)
        return bad(`${row.seq - link.seq - 1} completed row(s) before row ${row.id} are missing`);
      const expected = nextLink(link, row);
      if (expected.hash !== row.hash) return bad(`row ${row.id} was changed after it was completed`);
      link = { seq: row.seq, hash: row.hash };
      rows++;
    }
    if (batch.length === 0) return verifyEnds(db, rows);
    await new Promise(setImmediate);
  }
}

/** The highest id without a row; what was pruned lies below. */
const LAST_GAP = `
  SELECT max(id) FROM (SELECT id - 1 AS id FROM history UNION SELECT ?) AS candidate
  WHERE id > ? AND NOT EXISTS (SELECT 1 FROM history WHERE history.id = candidate.id)`;
/** Held calls whose row tells another decision than the one a person is said to have taken. */
const MISTOLD = `
  SELECT min(history.id) FROM confirmations JOIN history ON history.id = confirmations.history_id
  WHERE (confirmations.status = 'pending') <> (history.status = 'held')
     OR (confirmations.status IN ('denied', 'expired')) <> (history.status = 'denied')`;

/** What the links cannot show: final rows outside the chain, rows cut off where it ends or taken before they were in it. */
function verifyEnds(db: Database, rows: number): Verification {
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
  const mistold = one(MISTOLD);
  if (mistold !== null) return bad(mistold, `the decision about row ${mistold} was changed`);
  return { ok: true, rows };
}
