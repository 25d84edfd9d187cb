// The queries of the record's connection: reads at any time, writes inside the writer's transactions.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { type ConfirmationQueries, createConfirmationQueries } from "./confirmations.js";
import { createDecisionNotices, type DecisionNotices } from "./decision-notices.js";
import { createSessionErasure, type SessionErasure } from "./erase-sessions.js";
import { createHistoryQueries, type HistoryQueries } from "./history.js";
import { createKeyQueries, type KeyQueries } from "./idempotency-keys.js";
import { createSessionQueries, type SessionQueries } from "./sessions.js";
import { createTurnQueries, type TurnQueries } from "./turns.js";
import { createUseQueries, type UseQueries } from "./use-counts.js";

export interface Queries {
  db: Database;
  history: HistoryQueries;
  sessions: SessionQueries;
  turns: TurnQueries;
  keys: KeyQueries;
  erasure: SessionErasure;
  confirmations: ConfirmationQueries;
  notices: DecisionNotices;
  use: UseQueries;
}

/** Prepares the queries of a database that is open and migrated; `bootId` goes into the rows they write. */
export function createQueries(db: Database, bootId: string): Queries {
  const orm = drizzle(db);
  const history = createHistoryQueries(db, orm, bootId);
  const sessions = createSessionQueries(orm);
  const turns = createTurnQueries(db);
  const confirmations = createConfirmationQueries(orm, history);
  const notices = createDecisionNotices(db, sessions);
  const keys = createKeyQueries(db);
  const erasure = createSessionErasure(db);
  return { db, history, sessions, turns, keys, erasure, confirmations, notices, use: createUseQueries(db) };
}
