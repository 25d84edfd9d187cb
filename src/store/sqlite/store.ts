// The record in a SQLite file, behind the Store interface. Reads are this thread's, through a connection that writes nothing; every
// write goes to the writer thread, and every promise that resolves is on disk (write-ahead log, synchronous=FULL for calls
// and decisions, NORMAL for transcripts).
import { randomUUID } from "node:crypto";
import { acquireLock, type Lock } from "../../data-dir/lock.js";
import { messageOf } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import { createRetryQueue } from "../retry-queue.js";
import { retentionCutoff } from "../rules.js";
import type { Store } from "../store.js";
import { checkLater } from "./check.js";
import { toClaimRow, toHeldRow } from "./confirmations.js";
import { toCompletionRow, toIntentRow } from "./history.js";
import { PRUNE_BATCH } from "./prune.js";
import { type OpenRecord, openRecord } from "./record.js";
import { identifyRecord } from "./record-guard.js";
import { recordStats } from "./stats.js";
import { createWriter, type Writer } from "./writer.js";

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
    const bootId = options.bootId ?? randomUUID();
    const record = openRecord(options.dir, bootId, onWarning);
    return createStore(record, { keepDays: options.historyKeepDays, bootId, onWarning, release: () => own?.release() });
  } catch (error) {
    own?.release();
    throw error;
  }
}

interface StoreContext {
  bootId: string;
  keepDays: number | undefined;
  onWarning: (message: string) => void;
  release: () => void;
}

/** Deletes old rows now and every few hours, in small commits between which other writes go on. */
function createPruning(writer: Writer, { keepDays, onWarning }: StoreContext): () => void {
  if (keepDays === undefined) return () => {};
  let isStopped = false;
  const prune = async (): Promise<void> => {
    const cutoff = retentionCutoff(keepDays);
    try {
      while (!isStopped && (await writer.run("pruneHistory", cutoff)) === PRUNE_BATCH);
    } catch (error) {
      if (!isStopped) onWarning(`old history was not deleted: ${messageOf(error)}`);
    }
  };
  const first = setImmediate(() => void prune());
  const timer = setInterval(() => void prune(), PRUNE_EVERY_MS).unref();
  return () => {
    isStopped = true;
    clearImmediate(first);
    clearInterval(timer);
  };
}

function createStore(record: OpenRecord, context: StoreContext): Store {
  const { db, file, history } = record;
  const { bootId, onWarning } = context;
  const writer = createWriter({ bootId, files: identifyRecord(file) }, onWarning);
  const stopCheck = checkLater(file, (message) => writer.refuse(message));
  const retryQueue = createRetryQueue(
    (id, completion) => writer.run("completeCall", id, toCompletionRow(completion)),
    onWarning,
  );
  const stopPruning = createPruning(writer, context);
  let isClosed = false;

  return {
    beginCall: async (intent) => writer.run("beginCall", toIntentRow(intent)),
    recordCall: async (intent, completion) =>
      writer.run("recordCall", toIntentRow(intent), toCompletionRow(completion)),
    async completeCall(id, completion) {
      try {
        return await writer.run("completeCall", id, toCompletionRow(completion));
      } catch {
        retryQueue.add(id, completion);
        return false;
      }
    },
    history: async (query) => history.list(query),
    ...sessionMethods(record, writer),
    ...confirmationMethods(record, writer),
    stats: async () => recordStats(db),
    check: () => writer.run("check"),
    async close() {
      if (isClosed) return;
      isClosed = true;
      stopCheck();
      stopPruning();
      const lost = await retryQueue.stop();
      if (lost > 0) onWarning(`${lost} result(s) could not be recorded; their rows will read interrupted`);
      await writer.close();
      try {
        db.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
        db.pragma("wal_checkpoint(TRUNCATE)");
      } catch (error) {
        onWarning(`the record was not checkpointed: ${messageOf(error)}; the next start does it`);
      }
      db.close();
      context.release();
    },
  };
}

type SessionMethod = "beginTurn" | "endTurn" | "messages" | "hasSession" | "sessions" | "transcript" | "deleteSession";
type NoticeMethod = "appendDecisionNotices" | "markNotified";

function sessionMethods({ sessions, notices }: OpenRecord, writer: Writer): Pick<Store, SessionMethod | NoticeMethod> {
  return {
    beginTurn: (turn) => writer.run("beginTurn", turn, new Date().toISOString()),
    endTurn: async ({ messages, ...end }) =>
      writer.run("endTurn", { ...end, messages: messages.map((message) => toJson(message)) }, new Date().toISOString()),
    appendDecisionNotices: async (session_id, maxChars) =>
      notices.isDue(session_id) ? writer.run("appendDecisionNotices", session_id, maxChars) : [],
    markNotified: (id) => writer.run("markNotified", id),
    messages: async (session_id, limit) => sessions.messages(session_id, limit),
    hasSession: async (session_id) => sessions.has(session_id),
    sessions: async (query) => sessions.list(query),
    transcript: async (session_id) => sessions.transcript(session_id),
    deleteSession: (session_id) => writer.run("deleteSession", session_id),
  };
}

function confirmationMethods(
  { confirmations }: OpenRecord,
  writer: Writer,
): Pick<Store, "hold" | "confirmation" | "confirmations" | "claim"> {
  return {
    async hold(intent, call) {
      await writer.run("hold", toIntentRow(intent), toHeldRow(call));
      const held = confirmations.get(call.id);
      if (!held) throw new Error(`confirmation ${call.id} is missing`);
      return held;
    },
    confirmation: async (id) => confirmations.get(id),
    confirmations: async (query) => confirmations.list(query),
    claim: async (claim, result) =>
      (await writer.run("claim", toClaimRow(claim), toJson(result))) ? confirmations.get(claim.id) : undefined,
  };
}
