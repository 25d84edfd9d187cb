// The queries of the record's connection: reads at any time, writes inside the writer's transactions.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { ImageFiles } from "../images.js";
import { type ConfirmationQueries, createConfirmationQueries } from "./confirmations.js";
import { createDecisionNotices, type DecisionNotices } from "./decision-notices.js";
import { createEffectQueries, type EffectQueries } from "./effects.js";
import { createSessionErasure, type SessionErasure } from "./erase-sessions.js";
import { createHistoryQueries, type HistoryQueries } from "./history.js";
import { createKeyQueries, type KeyQueries } from "./idempotency-keys.js";
import { createSessionQueries, type SessionQueries } from "./sessions.js";
import { createTurnQueries, type TurnQueries } from "./turns.js";
import { createUseQueries, type UseQueries } from "./use-counts.js";

export interface Queries {
  db: Database;
  effects: EffectQueries;
  images: ImageFiles;
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
export function createQueries(db: Database, bootId: string, images: ImageFiles): Queries {
  const orm = drizzle(db);
  const effects = createEffectQueries(db);
  const history = createHistoryQueries({ db, orm, effects, hasImages: images.has }, bootId);
  const sessions = createSessionQueries(orm);
  const turns = createTurnQueries(db);
  const confirmations = createConfirmationQueries(orm, history);
  const notices = createDecisionNotices(db, sessions);
  const keys = createKeyQueries(db);
  const erasure = createSessionErasure(db);
  const use = createUseQueries(db);
  return { db, effects, images, history, sessions, turns, keys, erasure, confirmations, notices, use };
}
