// A record that is open: the connection and its tables, put in order after whatever an earlier daemon left behind.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { type ConfirmationTable, createConfirmations } from "./confirmations.js";
import { createTelling, type Telling } from "./decision-notices.js";
import { createHistory, type HistoryTable } from "./history.js";
import { openDatabase } from "./open.js";
import { sweep } from "./recover.js";
import { createSessions, type SessionTables } from "./sessions.js";

/** Runs synchronous work in one commit, or not at all. */
export type Atomically = <T>(work: () => T) => T;

/** The connection, its tables, and how several writes become one. */
export interface OpenRecord {
  db: Database;
  file: string;
  history: HistoryTable;
  sessions: SessionTables;
  confirmations: ConfirmationTable;
  telling: Telling;
  atomically: Atomically;
}

function createAtomically(db: Database, history: HistoryTable): Atomically {
  const transaction = db.transaction((work: () => unknown) => work());
  return <T>(work: () => T): T => {
    try {
      return transaction.immediate(work) as T;
    } catch (error) {
      // What the history remembers in memory was rolled back with it.
      if (db.open) history.reload();
      throw error;
    }
  };
}

/**
 * Opens the record in `dir`, whose lock the caller holds, and sweeps it. Throws StartError, naming the file and the way
 * out, and leaves nothing open.
 */
export function openRecord(dir: string, bootId: string, onWarning: (message: string) => void): OpenRecord {
  const { db, file } = openDatabase(dir, onWarning);
  try {
    const orm = drizzle(db);
    const history = createHistory(db, orm, bootId);
    const sessions = createSessions(db, orm);
    const confirmations = createConfirmations(db, orm, history);
    const telling = createTelling(db, sessions);
    const atomically = createAtomically(db, history);
    const lost = atomically(() => sweep(db, { history, sessions, confirmations, telling }));
    if (lost.calls > 0 || lost.turns > 0)
      onWarning(`the last run did not stop cleanly: ${lost.calls} call(s) and ${lost.turns} turn(s) were interrupted`);
    return { db, file, history, sessions, confirmations, telling, atomically };
  } catch (error) {
    db.close();
    throw new StartError(`cannot use ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}
