// The record in a SQLite file, behind the Store interface. Every promise that resolves is committed, which no death of the process
// undoes; what the kinds of write below say of the sync is for a power cut.
import { randomUUID } from "node:crypto";
import { acquireLock, type Lock } from "../../data-dir/lock.js";
import { messageOf } from "../../domain/error.js";
import type { Message } from "../../domain/message.js";
import { toJson } from "../../lib/json.js";
import { withFields } from "../../lib/with-fields.js";
import { createRetryQueue } from "../retry-queue.js";
import type { CallCompletion, Store } from "../store.js";
import { checkLater } from "./check.js";
import { effectMethods } from "./effect-methods.js";
import { createResultKeeper, type KeepLimits } from "./keep-results.js";
import { toClaimRow, toHeldRow } from "./queries/confirmations.js";
import { MAX_COPIED_BYTES } from "./queries/continue-session.js";
import { toCompletionRow, toIntentRow } from "./queries/history.js";
import { recordStats } from "./queries/stats.js";
import { type OpenRecord, openRecord } from "./record.js";
import { createRetention, type RetentionOptions } from "./retention.js";
import { identifyRecord } from "./writing/record-guard.js";
import { createWriter, type WriteKind, type Writer } from "./writing/writer.js";

/** The request leaves once this row is on the disk. */
const ROW: WriteKind = { what: "the call's row", isSynced: true };
/** Of a call that never leaves. */
const FINAL_ROW: WriteKind = { what: "the call's row", isSynced: false };
const RESULT: WriteKind = { what: "the call's result", isSynced: false, completes: true };
/** No prompt is taken that could not be recorded. */
const KEY: WriteKind = { what: "the prompt's key", isSynced: false, looks: true };
const TURN: WriteKind = { what: "the turn", isSynced: false, looks: true };
const TURN_END: WriteKind = { what: "the turn's end", isSynced: false, completes: true };
const TRANSCRIPT: WriteKind = { what: "the transcript", isSynced: false };
const CONFIRMATION: WriteKind = { what: "the confirmation", isSynced: true };
const DECISION: WriteKind = { what: "the decision", isSynced: true };
const USE: WriteKind = { what: "what was used", isSynced: false, looks: true };
const ACTION: WriteKind = { what: "the action", isSynced: false, looks: true };
const NOTHING: WriteKind = { what: "anything", isSynced: false, looks: true };

/** How long the last checkpoint waits for another process that reads the record; nothing else runs any more. */
const CHECKPOINT_TIMEOUT_MS = 50;

export interface StoreOptions extends RetentionOptions {
  /** The data directory; made with mode 0700 when it is not there. */
  dir: string;
  /** The directory's lock, when the caller holds it already and will release it; otherwise it is taken until close(). */
  lock?: Lock;
  /** Names this run of the daemon in the rows it writes. */
  bootId?: string;
  /** Bytes of a result beyond what its row holds, and of all of them; by default none is kept, and none leaves. */
  keptResultBytes?: number;
  keptResultsBytes?: number;
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
    const { historyKeepDays, sessionKeepDays } = options;
    const { keptResultBytes: resultBytes = 0, keptResultsBytes: allBytes = Number.POSITIVE_INFINITY } = options;
    const keepLimits = { resultBytes, allBytes };
    return createStore(record, {
      historyKeepDays,
      sessionKeepDays,
      keepLimits,
      onWarning,
      release: () => own?.release(),
    });
  } catch (error) {
    own?.release();
    throw error;
  }
}

interface StoreContext extends RetentionOptions {
  keepLimits: KeepLimits;
  onWarning: (message: string) => void;
  release: () => void;
}

function createStore(record: OpenRecord, context: StoreContext): Store {
  const { db, file, history, use, images } = record;
  const { onWarning } = context;
  const writer = createWriter(record, identifyRecord(file), onWarning);
  const stopCheck = checkLater(file, (message) => writer.refuse(message));
  const complete = async (id: number, completion: CallCompletion): Promise<boolean> => {
    const row = toCompletionRow(completion);
    const isCompleted = await writer.run(RESULT, () => history.finish(id, row, "pending"));
    if (isCompleted && completion.status === "ok" && completion.undoes !== undefined) images.remove(completion.undoes);
    return isCompleted;
  };
  const retryQueue = createRetryQueue(complete, onWarning);
  const keeper = createResultKeeper({
    ...record,
    writer,
    timeOf: history.timeOf,
    limits: context.keepLimits,
    onWarning,
  });
  const retention = createRetention(writer, record, { ...context, sweepResults: keeper.sweep });
  let isClosed = false;

  return {
    async beginCall(intent) {
      const row = toIntentRow(intent);
      return writer.run(ROW, () => history.begin(row, "pending"));
    },
    async recordCall(intent, completion) {
      const row = toIntentRow(intent);
      const final = toCompletionRow(completion);
      return writer.run(FINAL_ROW, () => history.record(row, final));
    },
    async recordAttempt(id, completion) {
      const final = toCompletionRow(completion);
      const now = new Date().toISOString();
      return writer.run(FINAL_ROW, () => history.recordAttempt(id, final, now));
    },
    async completeCall(id, completion) {
      try {
        return await complete(id, completion);
      } catch {
        retryQueue.add(id, completion);
        return false;
      }
    },
    keepResult: keeper.keepResult,
    keptRows: keeper.keptRows,
    history: async (query) => history.list(query),
    searchHistory: (query, search) => history.search(query, search),
    ...effectMethods(record, writer),
    ...sessionMethods(record, writer),
    deleteSession: retention.deleteSession,
    unusedSessions: retention.unusedSessions,
    ...confirmationMethods(record, writer),
    ...actionMethods(record, writer),
    takeUse: (what, kind) => writer.run(USE, () => use.take(what, kind)),
    addTokens: (what, tokens) => writer.run(USE, () => use.addTokens(what, tokens)),
    useOf: async (scope, name) => use.counts(scope, name),
    stats: async () => recordStats(db),
    check: () => writer.run(NOTHING, () => {}),
    async close() {
      if (isClosed) return;
      isClosed = true;
      stopCheck();
      await keeper.close();
      await retention.stop();
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

type SessionMethod =
  | "beginTurn"
  | "turnOrigin"
  | "endTurn"
  | "messages"
  | "hasSession"
  | "askersOf"
  | "lastChoice"
  | "sessions"
  | "session"
  | "renameSession"
  | "transcript";
type KeyMethod = "claimKey" | "releaseKey";
type TurnMethod = "turn" | "recordedTurn" | "turnCalls" | "turnsAfter";
type NoticeMethod = "appendDecisionNotices" | "appendNotice" | "markNotified";

function sessionMethods(
  { sessions, searchSessions, transcript, turns, continued, keys, notices }: OpenRecord,
  writer: Writer,
): Pick<Store, SessionMethod | KeyMethod | TurnMethod | NoticeMethod> {
  return {
    claimKey(claim) {
      const now = new Date().toISOString();
      return writer.run(KEY, () => keys.claim(claim, now));
    },
    releaseKey: (turn_id) => writer.run(KEY, () => keys.release(turn_id)),
    beginTurn(turn) {
      const now = new Date().toISOString();
      return writer.run(TURN, () => {
        const { continues } = turn;
        const copied = continues === undefined ? [] : continued.begin({ ...turn, continues }, now);
        sessions.begin(turn, now);
        keys.markBegun(turn.turn_id);
        return copied;
      });
    },
    async turnOrigin(turn_id) {
      const session_id = turns.sessionOf(turn_id);
      return session_id === undefined
        ? undefined
        : { session_id, isTooLong: continued.sizeBefore(turn_id) > MAX_COPIED_BYTES };
    },
    endTurn({ messages, events, usage, ...end }) {
      const texts = messages.map((message) => toJson(message));
      const row = withFields(end, { messages: texts, events: events ? toJson(events) : null, usage });
      const now = new Date().toISOString();
      return writer.run(TURN_END, () => sessions.end(row, now));
    },
    appendDecisionNotices: async (session_id, maxChars) =>
      notices.isDue(session_id) ? writer.run(TRANSCRIPT, () => notices.append(maxChars, session_id)) : [],
    async appendNotice(session_id, text) {
      const notice: Message = { role: "notice", text };
      await writer.run(TRANSCRIPT, () => sessions.append(session_id, [toJson(notice)]));
      return notice;
    },
    markNotified: (id) => writer.run(TRANSCRIPT, () => notices.mark(id)),
    messages: async (session_id, limit) => sessions.messages(session_id, limit),
    hasSession: async (session_id) => sessions.has(session_id),
    askersOf: async (session_id) => sessions.askersOf(session_id),
    lastChoice: async (session_id) => sessions.lastChoice(session_id),
    sessions: async ({ q, ...query }) => (q === undefined ? sessions.list(query) : searchSessions({ ...query, q })),
    session: async (session_id) => sessions.summary(session_id),
    async renameSession(session_id, title) {
      if (!sessions.has(session_id)) return false;
      await writer.run(TRANSCRIPT, () => sessions.rename(session_id, title === "" ? null : title));
      return true;
    },
    transcript,
    turn: async (turn_id) => turns.get(turn_id),
    recordedTurn: turns.read,
    turnCalls: async (turn_id) => turns.calls(turn_id),
    turnsAfter: async (session_id, turn_id) => turns.after(session_id, turn_id),
  };
}

function confirmationMethods(
  { confirmations }: OpenRecord,
  writer: Writer,
): Pick<Store, "hold" | "confirmation" | "fingerprint" | "confirmations" | "extend" | "claim"> {
  return {
    async hold(intent, call) {
      const row = toIntentRow(intent);
      const heldRow = toHeldRow(call);
      await writer.run(CONFIRMATION, () => confirmations.hold(row, heldRow));
      const held = confirmations.get(call.id);
      if (!held) throw new Error(`confirmation ${call.id} is missing`);
      return held;
    },
    confirmation: async (id) => confirmations.get(id),
    fingerprint: async (id) => confirmations.fingerprint(id),
    confirmations: async (query) => confirmations.list(query),
    extend: async (id, expires_at) =>
      (await writer.run(CONFIRMATION, () => confirmations.extend(id, expires_at))) ? confirmations.get(id) : undefined,
    async claim(claim, result) {
      const row = toClaimRow(claim);
      const text = toJson(result);
      return (await writer.run(DECISION, () => confirmations.claim(row, text)))
        ? confirmations.get(claim.id)
        : undefined;
    },
  };
}

function actionMethods(
  { actions }: OpenRecord,
  writer: Writer,
): Pick<Store, "actions" | "addAction" | "changeAction" | "deleteAction"> {
  return {
    actions: async () => actions.list(),
    addAction: (action) => writer.run(ACTION, () => actions.add(action)),
    changeAction: (id, change) => writer.run(ACTION, () => actions.change(id, change)),
    deleteAction: (id) => writer.run(ACTION, () => actions.remove(id)),
  };
}
