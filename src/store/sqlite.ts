// The record in a SQLite file: opens it, puts in order what an earlier daemon left, and answers the Store interface from the
// tables. One connection, one process; every promise that resolves is on disk (write-ahead log, synchronous=FULL).
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { AppError, messageOf } from "../error.js";
import { backup } from "./backup.js";
import { verifyChain } from "./chain.js";
import { checkLater } from "./check.js";
import { createCompletions } from "./completions.js";
import { createConfirmations } from "./confirmations.js";
import { createFileGuard } from "./files.js";
import { createHistory } from "./history.js";
import { acquireLock, type Lock } from "./lock.js";
import { openDatabase } from "./open.js";
import { prune } from "./prune.js";
import { createSessions } from "./sessions.js";
import type { Store } from "./store.js";
import { sweep } from "./sweep.js";
import { createWriter } from "./write.js";

/** How often old rows are deleted while the daemon runs, when it is told to keep only so many days. */
const PRUNE_EVERY_MS = 6 * 3_600_000;

export interface StoreOptions {
  /** The data directory; made with mode 0700 when it is not there. */
  dir: string;
  /** The directory's lock, when the caller holds it already and will release it; otherwise it is taken until close(). */
  lock?: Lock;
  /** Names this run of the daemon in the rows it writes. */
  bootId?: string;
  /** Completed history older than this is deleted; everything is kept when it is missing. */
  historyKeepDays?: number;
  onWarning?: (message: string) => void;
}

/**
 * Opens the record of a data directory: takes its lock, checks, migrates and sweeps. Throws StartError, naming the file
 * and the way out, when the directory is in use, or the record is damaged, foreign, newer or can't be written.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const lock = options.lock ?? acquireLock(options.dir);
  try {
    return openLocked(options, options.lock ? () => {} : () => lock.release());
  } catch (error) {
    if (!options.lock) lock.release();
    throw error;
  }
}

function openLocked(options: StoreOptions, release: () => void): Store {
  const onWarning = options.onWarning ?? (() => {});
  const { db, file } = openDatabase(options.dir, onWarning);
  const orm = drizzle(db);
  const history = createHistory(db, orm, options.bootId ?? randomUUID());
  const sessions = createSessions(db, orm);
  const confirmations = createConfirmations(db, orm, history);
  const transaction = db.transaction((work: () => unknown) => work());
  const atomically = <T>(work: () => T): T => {
    try {
      return transaction.immediate(work) as T;
    } catch (error) {
      // What the tables remember in memory was rolled back with it.
      if (db.open) history.reload();
      throw error;
    }
  };
  atomically(() => sweep(db, { history, sessions, confirmations }));

  let damage: string | undefined;
  const stopCheck = checkLater(file, (message) => onWarning((damage = message)));
  const guardFiles = createFileGuard([file, `${file}-wal`]);
  const guard = (): void => {
    if (damage !== undefined) throw new Error(damage);
    guardFiles();
  };
  const write = createWriter(guard);
  const completions = createCompletions((id, completion) => {
    guard();
    history.finish(id, completion, "pending");
  }, onWarning);
  let isClosed = false;
  const pruning = { write, atomically, isStopped: () => isClosed };
  const keepDays = options.historyKeepDays;
  const pruneOld = (): void => {
    if (keepDays === undefined) return;
    prune(db, keepDays, pruning).catch((error: unknown) => onWarning(`old history stays: ${messageOf(error)}`));
  };
  const pruneTimer = keepDays === undefined ? undefined : setInterval(pruneOld, PRUNE_EVERY_MS).unref();
  setImmediate(pruneOld);

  return {
    beginCall: (intent) => write("the call's row", () => history.begin(intent, "pending")),
    recordCall: (intent, completion) =>
      write("the call's row", () =>
        atomically(() => {
          const id = history.begin(intent, "held");
          history.finish(id, completion, "held");
          return id;
        }),
      ),
    async completeCall(id, completion) {
      try {
        return await write("the call's result", () => history.finish(id, completion, "pending"));
      } catch {
        completions.add(id, completion);
        return false;
      }
    },
    history: async (query) => history.list(query),

    beginTurn: (turn) => write("the turn", () => atomically(() => sessions.begin(turn))),
    endTurn: (turn) => write("the transcript", () => atomically(() => sessions.end(turn))),
    appendMessages: (session_id, list) =>
      write("the transcript", () => atomically(() => sessions.append(session_id, list))),
    messages: async (session_id, limit) => sessions.messages(session_id, limit),
    hasSession: async (session_id) => sessions.has(session_id),
    sessions: async (query) => sessions.list(query),
    transcript: async (session_id) => sessions.transcript(session_id),
    deleteSession: (session_id) => write("the deletion", () => sessions.delete(session_id)),

    hold: (intent, call) => write("the confirmation", () => atomically(() => confirmations.hold(intent, call))),
    confirmation: async (id) => confirmations.get(id),
    confirmations: async (query) => confirmations.list(query),
    claim: (claim, result) => write("the decision", () => atomically(() => confirmations.claim(claim, result))),

    backup: (target) => backup(db, target),
    verify: () => verifyChain(db),
    prune(days) {
      if (!(days >= 0)) throw new AppError("bad_request", `cannot keep ${days} days of history: give 0 or more`);
      return prune(db, days, pruning);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      stopCheck();
      clearInterval(pruneTimer);
      const lost = completions.stop();
      if (lost > 0) onWarning(`${lost} result(s) could not be recorded; their rows will read interrupted`);
      try {
        if (fs.existsSync(file)) db.pragma("wal_checkpoint(TRUNCATE)");
      } catch (error) {
        onWarning(`the record was not checkpointed: ${messageOf(error)}; the next start does it`);
      }
      db.close();
      release();
    },
  };
}
