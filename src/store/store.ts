// The interface to the durable record: history, sessions, transcripts and confirmations. Asynchronous, so that a database
// server can stand behind it one day. It redacts nothing: values are stored as they are given.
import type { Effect, Foreseen } from "../domain/effect.js";
import type { HeldCall } from "../domain/event.js";
import type { InputRequest } from "../domain/input.js";
import type { Counts, LimitScope, Limits, ReachedLimit } from "../domain/limits.js";
import type { ContextMessage, Message } from "../domain/message.js";
import type { ModelChoice } from "../domain/model-choice.js";
import type {
  CallIntent,
  Confirmation,
  ConfirmationQuery,
  FinalStatus,
  HistoryEntry,
  HistoryQuery,
  HistorySearch,
  RecordStats,
  SearchedHistory,
  SessionQuery,
  SessionSummary,
  TranscriptTurn,
  TurnStatus,
} from "../domain/record.js";
import type { ActionContent, StoredAction } from "../domain/saved-action.js";
import type { ForeseenUndo } from "../domain/undo-state.js";
import type { ModelUsage } from "../domain/usage.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { KeptEvents } from "./kept-events.js";
import type { ResultStore } from "./results.js";

/** What is known of a call once it is over. */
export interface CallCompletion {
  status: FinalStatus;
  result: JsonValue;
  /** Milliseconds. */
  duration_ms: number;
  /** The row that this call has undone, which is done then. */
  undoes?: number | undefined;
}

/** What is known of a change that is done and not yet final. */
export interface KeptEffect {
  /** As it may be shown. */
  effect: Effect;
  undo: ForeseenUndo;
  /** What undoing it needs, secrets included; it is kept in a file of its own and never served. */
  images?: JsonObject | undefined;
  /** What its database can be asked about after a crash. */
  transaction?: string | undefined;
}

/** A call of an earlier run whose database knows what became of it. */
export interface UnsettledCall {
  entry: HistoryEntry;
  transaction: string;
}

/** A held call as it is put on record. */
export interface NewHold extends Omit<HeldCall, "created_at" | "effect" | "undo" | "input"> {
  foreseen?: Foreseen | undefined;
  /** For a question of an application: an approval answers it, and nothing is sent. */
  input?: InputRequest | undefined;
}

export interface TurnStart {
  session_id: string;
  turn_id: string;
  prompt: string;
  /** What the client sent along with the prompt. */
  context?: readonly ContextMessage[] | undefined;
  provider: string;
  model: string;
  client: string;
  /** Name of the token, "" for none. */
  asked_by: string;
  /** What its prompt asked for: the session goes on with it. */
  choice?: ModelChoice | undefined;
  /** The turn of another session that it stands in place of: what is before that is copied, into a session that is new. */
  continues?: string | undefined;
}

/** A key that a client gave a prompt, and the turn that is to run if the key is free. */
export interface KeyClaim {
  /** The session that the key counts in, "" for the daemon; for a read-only token a scope of its own. */
  scope: string;
  key: string;
  /** Of what is asked. */
  fingerprint: string;
  session_id: string;
  turn_id: string;
  prompt: string;
  client: string;
  asked_by: string;
}

/** The turn that has a key. */
export type KeyHolder = Pick<KeyClaim, "fingerprint" | "session_id" | "turn_id">;

/** The final state of a turn. */
export interface TurnEnd {
  turn_id: string;
  status: Exclude<TurnStatus, "running">;
  /** Why it failed, "" otherwise. */
  error: string;
  /** Those that are not in the transcript yet. */
  messages: Message[];
  /** What it emitted, but for its `done`, which has the next number; missing when that is not known. */
  events?: KeptEvents;
  /** What its model calls took, where vendors say so. */
  usage?: ModelUsage | undefined;
}

/** A turn as it is replayed. */
export interface RecordedTurn {
  turn_id: string;
  session_id: string;
  status: TurnStatus;
  error: string;
  provider: string;
  /** ISO 8601. */
  started_at: string;
  /** ISO 8601; null while it runs. */
  ended_at: string | null;
  /** Whether the session had turns before it. */
  resumed: boolean;
  /** The prompt first. */
  messages: Message[];
  /** Null for a turn that did not come to its end, and for one of an older version. */
  events: KeptEvents | null;
}

/** A call of a turn, as far as it is needed to find its row. */
export interface TurnCall {
  /** Of its history row. */
  id: number;
  call_id: string;
  /** The number of its `tool_call` event; null in rows of an older version. */
  event: number | null;
  /** Of its confirmation, if it was held. */
  confirmation_id: string | null;
}

/** What a decision does to a held call, claimed by exactly one caller. */
export interface Claim {
  id: string;
  decision: "approved" | "denied" | "expired";
  reason: string;
  /** Name of the token it was decided with; missing for none, and when nobody decided. */
  decided_by?: string;
  /** What the call will run with, when approved with edits: for the confirmation, and redacted for its history row. */
  arguments?: JsonObject;
  request?: JsonObject;
  history_arguments?: JsonObject;
  history_request?: JsonObject;
  /** What it will do with the edits. */
  foreseen?: Foreseen | undefined;
}

/** A saved action as it is put on record. */
export interface NewAction extends StoredAction {
  /** Name of the token that saved it; "" for none. */
  created_by: string;
}

/** What is changed of a saved action. */
export type ActionChange = Partial<Omit<ActionContent, "tool">>;

/** Who takes something, when, and how much there may be. */
export interface Use {
  /** "" for what belongs to no session. */
  session_id: string;
  /** As 2026-01-31. */
  day: string;
  limits: Limits;
}

/** The durable record. Every promise that resolves is on disk. Every method throws when it cannot be kept. */
export interface Store extends ResultStore {
  /** Writes the row of a call about to leave; the call must not leave when this throws. Returns the row's id. */
  beginCall(intent: CallIntent): Promise<number>;
  /** Writes the one row of a call that never leaves (blocked, denied, dry run, invalid). Returns the row's id. */
  recordCall(intent: CallIntent, completion: CallCompletion): Promise<number>;
  /**
   * Writes a row of its own, with the same call, for an attempt that the target refused; the pending row is that of the next
   * attempt, which must not leave when this throws. Returns the new row's id.
   */
  recordAttempt(id: number, completion: CallCompletion): Promise<number>;
  /**
   * Completes a pending row. Never throws: what cannot be written now is retried, and false is returned.
   * A row that is not pending is left alone, and that is false too.
   */
  completeCall(id: number, completion: CallCompletion): Promise<boolean>;
  /** By what indexes answer alone: the conditions of a search do not count. */
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  /** By every condition. Rejects with the reason of the signal. */
  searchHistory(query: HistoryQuery, search: HistorySearch): Promise<SearchedHistory>;

  /** Puts what a pending call does with its row, and its images beside the record. The call must not become final when this throws. */
  keepEffect(id: number, kept: KeptEffect): Promise<void>;
  /** The images of a row that can be undone; undefined when there are none any more. */
  images(id: number): Promise<JsonObject | undefined>;
  /** The newest row of a session that can be undone. */
  newestUndoable(session_id: string): Promise<number | undefined>;
  /** Calls of earlier runs that are pending until their database was asked about them. */
  unsettledCalls(): Promise<UnsettledCall[]>;

  /** Gives a key to a turn, or says which turn has it. A turn that has a key and never begins reads `interrupted` after a restart. */
  claimKey(claim: KeyClaim): Promise<KeyHolder>;
  /** Frees the key of a turn that was refused; does nothing for one that has begun. */
  releaseKey(turn_id: string): Promise<void>;
  /**
   * Opens a turn: the turn row and its user message, in one commit. Creates the session when it is new. Returns the messages of the
   * turns that were copied into it, the oldest first.
   */
  beginTurn(turn: TurnStart): Promise<Message[]>;
  /** Where a turn is on record, and whether what stands before it is too long to be copied; undefined for an unknown turn. */
  turnOrigin(turn_id: string): Promise<{ session_id: string; isTooLong: boolean } | undefined>;
  /** Closes a turn: its remaining messages and final state, in one commit. */
  endTurn(end: TurnEnd): Promise<void>;
  /**
   * Appends a notice of each decided call to the session's transcript, once for each, and returns the new messages; results
   * are cut to `maxChars`. Calls still waiting or in flight are left for later.
   */
  appendDecisionNotices(session_id: string, maxChars: number): Promise<Message[]>;
  /** Appends a notice to the transcript of a session that is there, and returns it. */
  appendNotice(session_id: string, text: string): Promise<Message>;
  /** For a decision whose outcome the turn that waited for it puts into the transcript: no notice follows. */
  markNotified(confirmation_id: string): Promise<void>;
  /** The newest messages of a session, oldest first, at most `limit`. Empty for an unknown session. */
  messages(session_id: string, limit: number): Promise<Message[]>;
  hasSession(session_id: string): Promise<boolean>;
  /** The names of the tokens that asked for the turns of a session. */
  askersOf(session_id: string): Promise<string[]>;
  /** What a prompt of the session asked for last; undefined where none asked. */
  lastChoice(session_id: string): Promise<ModelChoice | undefined>;
  sessions(query: SessionQuery): Promise<SessionSummary[]>;
  /** Undefined for an unknown session. */
  session(session_id: string): Promise<SessionSummary | undefined>;
  /** Gives a session a title, "" takes it away again. False when there is no such session. */
  renameSession(session_id: string, title: string): Promise<boolean>;
  /** The turns of a session as they are when the first is read, beside other work. Throws AppError not_found when it is deleted meanwhile. */
  transcript(session_id: string): AsyncGenerator<TranscriptTurn, void, void>;
  /** A turn that was begun; undefined for an unknown one, and for one whose session was deleted. */
  turn(turn_id: string): Promise<Omit<RecordedTurn, "messages" | "events"> | undefined>;
  /** The same with all that it is replayed from, read beside other work. */
  recordedTurn(turn_id: string): Promise<RecordedTurn | undefined>;
  /** The calls of a turn, in order. */
  turnCalls(turn_id: string): Promise<TurnCall[]>;
  /** The turns of its session that were begun after it, in order; undefined when the session does not have it. */
  turnsAfter(session_id: string, turn_id: string): Promise<string[] | undefined>;
  /** Deletes the session's transcript; history rows stay. False when there is no such session. */
  deleteSession(session_id: string): Promise<boolean>;
  /** The sessions that were not used for as long as they are kept, the longest unused first; none without such a setting. */
  unusedSessions(): AsyncGenerator<string, void, void>;

  /**
   * Writes the held history row and the confirmation in one commit. Returns the stored confirmation. A question of an earlier run is
   * denied at the next start: the call that asked has ended. No notice of a decision tells of questions.
   */
  hold(intent: CallIntent, confirmation: NewHold): Promise<Confirmation>;
  confirmation(id: string): Promise<Confirmation | undefined>;
  /** The fingerprint of what a person saw of a held call; "" for none. */
  fingerprint(id: string): Promise<string>;
  confirmations(query: ConfirmationQuery): Promise<Confirmation[]>;
  /** Gives a pending confirmation another expiry, a later one; undefined when it has been decided or has expired. */
  extend(id: string, expires_at: string): Promise<Confirmation | undefined>;
  /**
   * Decides a pending confirmation in one commit: an approval turns its history row from `held` to `pending`, a refusal to
   * `denied` with the given result. The row of a question has the result in both cases, an approval makes it `ok` at once. Undefined when it was no longer pending: another caller decided. An approval after
   * `expires_at` is no decision either; only a refusal is.
   */
  claim(claim: Claim, result: JsonValue): Promise<Confirmation | undefined>;

  /**
   * Counts a call or model call that is about to be made, in the scopes that have limits; a limit that forbids it is returned, and
   * nothing counted. Of uses side by side at most as many are counted as the limit allows.
   */
  takeUse(use: Use, kind: "calls" | "model_calls"): Promise<ReachedLimit | undefined>;
  /** Counts tokens that a model call took. */
  addTokens(use: Use, tokens: number): Promise<void>;
  /** What a session, or a day, took since it has a limit. */
  useOf(scope: LimitScope, name: string): Promise<Counts>;

  /** The saved actions, pinned ones first, then by title. */
  actions(): Promise<StoredAction[]>;
  /** False when there are as many as may be; nothing is saved then. */
  addAction(action: NewAction): Promise<boolean>;
  /** Undefined for an unknown one. */
  changeAction(id: string, change: ActionChange): Promise<StoredAction | undefined>;
  /** False for an unknown one. */
  deleteAction(id: string): Promise<boolean>;

  /** Read from indexes and the file's header: as cheap for a million rows as for one. */
  stats(): Promise<RecordStats>;
  /** Throws AppError `audit_unavailable`, as every write would, while nothing can be written. */
  check(): Promise<void>;
  /** Checkpoints and closes. */
  close(): Promise<void>;
}
