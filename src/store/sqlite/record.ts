// A record that is open: the connection and the queries on it, recovered from what an earlier daemon left.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { type ConfirmationQueries, createConfirmationQueries } from "./confirmations.js";
import { createDecisionNotices, type DecisionNotices } from "./decision-notices.js";
import { createHistoryQueries, type HistoryQueries } from "./history.js";
import { openDatabaseFile } from "./open.js";
import { recover } from "./recover.js";
import { createSessionQueries, type SessionQueries } from "./sessions.js";

/** Runs synchronous work in one commit, or not at all. */
export type Atomically = <T>(work: () => T) => T;

/** The connection, the queries on it, and how several writes become one commit. */
export interface OpenRecord {
  db: Database;
  file: string;
  history: HistoryQueries;
  sessions: SessionQueries;
  confirmations: ConfirmationQueries;
  notices: DecisionNotices;
  atomically: Atomically;
}

function createAtomically(db: Database, history: HistoryQueries): Atomically {
  const transaction = db.transaction((work: () => unknown) => work());
  return <T>(work: () => T): T => {
    try {
      return transaction.immediate(work) as T;
    } catch (error) {
      // The rollback does not reach what the history keeps in memory.
      if (db.open) history.reload();
      throw error;
    }
  };
}

/**
 * Opens the record in `dir`, whose lock the caller holds, and recovers it. Throws StartError, naming the file and what
 * to do, and leaves nothing open.
 */
export function openRecord(dir: string, bootId: string, onWarning: (message: string) => void): OpenRecord {
  const { db, file } = openDatabaseFile(dir, onWarning);
  try {
    const orm = drizzle(db);
    const history = createHistoryQueries(db, orm, bootId);
    const sessions = createSessionQueries(db, orm);
    const confirmations = createConfirmationQueries(db, orm, history);
    const notices = createDecisionNotices(db, sessions);
    const atomically = createAtomically(db, history);
    const lost = atomically(() => recover(db, { history, sessions, confirmations, notices }));
    if (lost.calls > 0 || lost.turns > 0)
      onWarning(`the last run did not stop cleanly: ${lost.calls} call(s) and ${lost.turns} turn(s) were interrupted`);
    return { db, file, history, sessions, confirmations, notices, atomically };
  } catch (error) {
    db.close();
    throw new StartError(`cannot use ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}
