// The record in a SQLite file, behind the Store interface. One connection, one process; every promise that resolves is on
// disk (write-ahead log, synchronous=FULL for calls and decisions, NORMAL for transcripts).
import { randomUUID } from "node:crypto";
import { createFileGuard } from "../../data-dir/file-guard.js";
import { acquireLock, type Lock } from "../../data-dir/lock.js";
import { messageOf } from "../../domain/error.js";
import { createRetryQueue } from "../retry-queue.js";
import type { Store } from "../store.js";
import { checkLater } from "./check.js";
import { prune } from "./prune.js";
import { type OpenRecord, openRecord } from "./record.js";
import { recordStats } from "./stats.js";
import { createWriter, type Write } from "./write.js";

/** How long the last checkpoint waits for another process that reads the record; nothing else runs any more. */
const CHECKPOINT_TIMEOUT_MS = 50;
/** How often old rows are deleted while the daemon runs, when only so many days are kept. */
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
 * Opens the record of a data directory: takes its lock, checks, migrates and recovers. Throws StartError, naming the file
 * and what to do, when the directory is in use, or the record is damaged, foreign, newer or can't be written.
 */
export async function openSqliteStore(options: StoreOptions): Promise<Store> {
  const onWarning = options.onWarning ?? (() => {});
  const own = options.lock ? undefined : await acquireLock(options.dir);
  try {
    const record = openRecord(options.dir, options.bootId ?? randomUUID(), onWarning);
    return createStore(record, { keepDays: options.historyKeepDays, onWarning, release: () => own?.release() });
  } catch (error) {
    own?.release();
    throw error;
  }
}

interface StoreContext {
  keepDays: number | undefined;
  onWarning: (message: string) => void;
  release: () => void;
}

/** Stops every write once the record can no longer be trusted to keep it. */
function createGuard(file: string, onWarning: (message: string) => void): { check: () => void; stop: () => void } {
  let damage: string | undefined;
  const stop = checkLater(file, (message) => {
    damage = message;
    onWarning(message);
  });
  const checkFiles = createFileGuard([file, `${file}-wal`]);
  return {
    stop,
    check() {
      if (damage !== undefined) throw new Error(damage);
      checkFiles();
    },
  };
}

/** Deletes old rows now and every few hours. */
function createPruning(run: (days: number) => Promise<number>, context: StoreContext): () => void {
  const { keepDays, onWarning } = context;
  if (keepDays === undefined) return () => {};
  const now = (): void => {
    run(keepDays).catch((error: unknown) => onWarning(`old history was not deleted: ${messageOf(error)}`));
  };
  const first = setImmediate(now);
  const timer = setInterval(now, PRUNE_EVERY_MS).unref();
  return () => {
    clearImmediate(first);
    clearInterval(timer);
  };
}

function createStore(record: OpenRecord, context: StoreContext): Store {
  const { db, file, history, atomically } = record;
  const guard = createGuard(file, context.onWarning);
  const write = createWriter(guard.check);
  const retryQueue = createRetryQueue((id, completion) => {
    guard.check();
    history.finish(id, completion, "pending");
  }, context.onWarning);
  let isClosed = false;
  const pruneNow = (days: number) => prune(db, days, { write, atomically, isStopped: () => isClosed });
  const stopPruning = createPruning(pruneNow, context);

  return {
    beginCall: (intent) => write("the call's row", () => history.begin(intent, "pending")),
    recordCall: (intent, completion) =>
      write("the call's row", () => atomically(() => history.record(intent, completion))),
    async completeCall(id, completion) {
      try {
        return await write("the call's result", () => history.finish(id, completion, "pending"));
      } catch {
        retryQueue.add(id, completion);
        return false;
      }
    },
    history: async (query) => history.list(query),
    ...sessionMethods(record, write),
    ...confirmationMethods(record, write),
    stats: async () => recordStats(db),
    async close() {
      if (isClosed) return;
      isClosed = true;
      guard.stop();
      stopPruning();
      const lost = retryQueue.stop();
      if (lost > 0) context.onWarning(`${lost} result(s) could not be recorded; their rows will read interrupted`);
      try {
        db.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
        db.pragma("wal_checkpoint(TRUNCATE)");
      } catch (error) {
        context.onWarning(`the record was not checkpointed: ${messageOf(error)}; the next start does it`);
      }
      db.close();
      context.release();
    },
  };
}

type SessionMethod = "beginTurn" | "endTurn" | "messages" | "hasSession" | "sessions" | "transcript" | "deleteSession";
type NoticeMethod = "appendDecisionNotices" | "markNotified";

function sessionMethods(
  { db, sessions, notices, atomically }: OpenRecord,
  write: Write,
): Pick<Store, SessionMethod | NoticeMethod> {
  /**
   * Without a sync of its own: the transcript survives any death of the process at once, and a power cut from the next
   * call's commit on, whose sync covers the log as a whole. A call's own row is synced before its request leaves.
   */
  const relaxed = <T>(work: () => T): T => {
    db.exec("PRAGMA synchronous = NORMAL");
    try {
      return atomically(work);
    } finally {
      db.exec("PRAGMA synchronous = FULL");
    }
  };
  return {
    beginTurn: (turn) => write("the turn", () => relaxed(() => sessions.begin(turn))),
    endTurn: (turn) => write("the transcript", () => relaxed(() => sessions.end(turn))),
    appendDecisionNotices: async (session_id, maxChars) =>
      notices.isDue(session_id)
        ? write("the transcript", () => relaxed(() => notices.append(maxChars, session_id)))
        : [],
    markNotified: (id) => write("the transcript", () => relaxed(() => notices.mark(id))),
    messages: async (session_id, limit) => sessions.messages(session_id, limit),
    hasSession: async (session_id) => sessions.has(session_id),
    sessions: async (query) => sessions.list(query),
    transcript: async (session_id) => sessions.transcript(session_id),
    deleteSession: (session_id) => write("the deletion", () => sessions.delete(session_id)),
  };
}

function confirmationMethods(
  { confirmations, atomically }: OpenRecord,
  write: Write,
): Pick<Store, "hold" | "confirmation" | "confirmations" | "claim"> {
  return {
    hold: (intent, call) => write("the confirmation", () => atomically(() => confirmations.hold(intent, call))),
    confirmation: async (id) => confirmations.get(id),
    confirmations: async (query) => confirmations.list(query),
    claim: (claim, result) => write("the decision", () => atomically(() => confirmations.claim(claim, result))),
  };
}
