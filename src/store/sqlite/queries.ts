// The queries of the record's connection: reads at any time, writes inside the writer's transactions.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { type ConfirmationQueries, createConfirmationQueries } from "./confirmations.js";
import { createDecisionNotices, type DecisionNotices } from "./decision-notices.js";
import { createHistoryQueries, type HistoryQueries } from "./history.js";
import { createSessionQueries, type SessionQueries } from "./sessions.js";

export interface Queries {
  db: Database;
  history: HistoryQueries;
  sessions: SessionQueries;
  confirmations: ConfirmationQueries;
  notices: DecisionNotices;
}

/** Prepares the queries of a database that is open and migrated; `bootId` goes into the rows they write. */
export function createQueries(db: Database, bootId: string): Queries {
  const orm = drizzle(db);
  const history = createHistoryQueries(db, orm, bootId);
  const sessions = createSessionQueries(orm);
  const confirmations = createConfirmationQueries(orm, history);
  const notices = createDecisionNotices(db, sessions);
  return { db, history, sessions, confirmations, notices };
}
