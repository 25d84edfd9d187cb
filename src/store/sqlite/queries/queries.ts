// The queries of the record's connection: reads at any time, writes inside the writer's transactions.
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { ImageFiles } from "../../images.js";
import type { ResultFiles } from "../../results.js";
import { type ConfirmationQueries, createConfirmationQueries } from "./confirmations.js";
import { type ContinuedSessions, createContinuedSessions } from "./continue-session.js";
import { createDecisionNotices, type DecisionNotices } from "./decision-notices.js";
import { createEffectQueries, type EffectQueries } from "./effects.js";
import { createSessionErasure, type SessionErasure } from "./erase-sessions.js";
import { createHistoryQueries, type HistoryQueries } from "./history.js";
import { createKeyQueries, type KeyQueries } from "./idempotency-keys.js";
import { createKeptResultQueries, createRowFiles, type KeptResultQueries } from "./kept-results.js";
import { type ActionQueries, createActionQueries } from "./saved-actions.js";
import { createSessionSearch } from "./search-sessions.js";
import { createSessionQueries, type SessionQueries } from "./sessions.js";
import { createReadTranscript, type ReadTranscript } from "./transcript.js";
import { createTurnQueries, type TurnQueries } from "./turns.js";
import { createUseQueries, type UseQueries } from "./use-counts.js";

export interface Queries {
  db: Database;
  effects: EffectQueries;
  images: ImageFiles;
  kept: KeptResultQueries;
  results: ResultFiles;
  history: HistoryQueries;
  sessions: SessionQueries;
  searchSessions: ReturnType<typeof createSessionSearch>;
  transcript: ReadTranscript;
  turns: TurnQueries;
  continued: ContinuedSessions;
  keys: KeyQueries;
  erasure: SessionErasure;
  confirmations: ConfirmationQueries;
  notices: DecisionNotices;
  use: UseQueries;
  actions: ActionQueries;
}

/** Prepares the queries of a database that is open and migrated; `bootId` goes into the rows they write. */
export function createQueries(
  db: Database,
  bootId: string,
  { images, results }: Pick<Queries, "images" | "results">,
): Queries {
  const orm = drizzle(db);
  const effects = createEffectQueries(db);
  const history = createHistoryQueries({ db, orm, effects, files: createRowFiles(db, images.has, results) }, bootId);
  const sessions = createSessionQueries(orm);
  const searchSessions = createSessionSearch(db, sessions.summary);
  const turns = createTurnQueries(db);
  const continued = createContinuedSessions(db);
  const confirmations = createConfirmationQueries(orm, history);
  const notices = createDecisionNotices(db, sessions);
  const keys = createKeyQueries(db);
  const erasure = createSessionErasure(db);
  const use = createUseQueries(db);
  const actions = createActionQueries(db);
  return {
    db,
    effects,
    images,
    kept: createKeptResultQueries(db),
    results,
    history,
    sessions,
    searchSessions,
    transcript: createReadTranscript(orm),
    turns,
    continued,
    keys,
    erasure,
    confirmations,
    notices,
    use,
    actions,
  };
}
