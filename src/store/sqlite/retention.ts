// How long things are kept, and what happens to them and their space then: in rounds, step by step, between which writes of others
// go on. Old history is deleted here; old sessions are named here and deleted by the agent, which may
// have them in memory.
import { setImmediate as pause } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { messageOf } from "../../domain/error.js";
import { createClockCheck } from "../clock-check.js";
import { startRounds } from "../rounds.js";
import type { Store } from "../store.js";
import { agedRows, pruneHistory } from "./prune.js";
import { KEY_KEEP_DAYS } from "./queries/idempotency-keys.js";
import type { Queries } from "./queries/queries.js";
import { giveBack } from "./vacuum.js";
import type { WriteKind, Writer } from "./writing/writer.js";

const PRUNING: WriteKind = { what: "the pruned history", isSynced: false };
const DELETION: WriteKind = { what: "the deletion", isSynced: true };
const ERASURE: WriteKind = { what: "the erased session", isSynced: false };

/** How long what is kept; for ever what is missing. */
export interface RetentionOptions {
  /** Completed history. */
  historyKeepDays?: number | undefined;
  /** Sessions that are not used. */
  sessionKeepDays?: number | undefined;
}

interface RetentionContext extends RetentionOptions {
  /** Deletes kept results that belong to nothing. */
  sweepResults(): Promise<void>;
  onWarning(message: string): void;
}

interface StoreRetention extends Pick<Store, "deleteSession" | "unusedSessions"> {
  /** Resolves when no step is under way. */
  stop(): Promise<void>;
}

const NEWEST_CALL = "SELECT ts FROM history ORDER BY id DESC LIMIT 1";
const NEWEST_KEY = "SELECT created_at FROM idempotency_keys ORDER BY id DESC LIMIT 1";
const NEWEST_TURN = "SELECT started_at FROM turns ORDER BY id DESC LIMIT 1";

/** The newest time on record, by the order in which things were written. */
const newestIn = (db: Database, sql: string): string | undefined => db.prepare(sql).pluck().get() as string | undefined;

/**
 * Work that is done one piece after the other; a failure is told, unless the writer said it or nothing was done since the last, and
 * waits for the next round. Both resolve with whether the work was done.
 */
interface Line {
  isStopped(): boolean;
  attempt(work: () => Promise<void>): Promise<boolean>;
  add(work: () => Promise<void>): Promise<boolean>;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

function createLine(writer: Writer, onWarning: (message: string) => void): Line {
  let isStopped = false;
  let isTold = false;
  let working: Promise<unknown> = Promise.resolve();
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      if (!isStopped) await work();
      isTold = false;
      return true;
    } catch (error) {
      const isNew = !isTold && !isStopped && !writer.isRefused();
      if (isNew) onWarning(`what is old was not deleted yet: ${messageOf(error)}`);
      isTold ||= isNew;
      return false;
    }
  };
  return {
    isStopped: () => isStopped,
    attempt,
    add(work) {
      const done = working.then(() => attempt(work));
      working = done;
      return done;
    },
    async stop() {
      isStopped = true;
      await working;
    },
  };
}

/** The retention of an open record, at work until it is stopped. */
export function createRetention(
  writer: Writer,
  { db, keys, erasure, effects, images }: Queries,
  { historyKeepDays, sessionKeepDays, sweepResults, onWarning }: RetentionContext,
): StoreRetention {
  const { isStopped, attempt, add, stop } = createLine(writer, onWarning);
  const checkOf = (keepDays: number | undefined, newest: string) =>
    keepDays === undefined ? () => undefined : createClockCheck({ keepDays, newest: newestIn(db, newest), onWarning });
  const agedHistory = checkOf(historyKeepDays, NEWEST_CALL);
  const agedSessions = checkOf(sessionKeepDays, NEWEST_TURN);

  // Nobody is told: a key that is known for longer does no harm.
  const agedKeys = createClockCheck({
    keepDays: KEY_KEEP_DAYS,
    newest: newestIn(db, NEWEST_KEY),
    onWarning: () => {},
  });

  const prune = async (): Promise<void> => {
    const retention = agedHistory();
    if (!retention) return;
    for (let after: number | undefined = 0; after !== undefined && !isStopped(); await pause()) {
      const { through, next } = agedRows(db, after, retention);
      while (!isStopped() && (await writer.run(PRUNING, () => pruneHistory(db, through))) > 0);
      after = next;
    }
  };
  const forgetKeys = async (): Promise<void> => {
    const retention = agedKeys();
    if (!retention) return;
    while (!isStopped() && (await writer.run(PRUNING, () => keys.forget(retention))) > 0);
  };
  const erase = async (): Promise<void> => {
    while (!isStopped() && (await writer.run(ERASURE, () => erasure.erase())));
  };
  const giveSpaceBack = (): Promise<void> => giveBack(db, writer, isStopped);
  const stopRounds = startRounds(() =>
    add(async () => {
      await prune();
      await forgetKeys();
      await erase();
      images.sweep(effects.needed);
      await sweepResults();
      await giveSpaceBack();
    }),
  );

  return {
    async deleteSession(session_id) {
      const isDeleted = await writer.run(DELETION, () => erasure.hide(session_id));
      if (!isDeleted) return false;
      // What is out of sight is deleted; the next start erases what this one cannot.
      await attempt(erase);
      void add(giveSpaceBack);
      return true;
    },
    async *unusedSessions() {
      const retention = agedSessions();
      if (!retention) return;
      for (let after: number | undefined = 0; after !== undefined && !isStopped(); await pause()) {
        const { ids, next } = erasure.unused(after, retention);
        yield* ids;
        after = next;
      }
    },
    async stop() {
      stopRounds();
      await stop();
    },
  };
}
