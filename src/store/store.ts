// The interface to the durable record: history, sessions, transcripts and confirmations. Asynchronous, so that a database
// server can stand behind it one day. It redacts nothing: values are stored as they are given.
import type { HeldCall } from "../domain/event.js";
import type { Message } from "../domain/message.js";
import type {
  CallIntent,
  Confirmation,
  FinalStatus,
  HistoryEntry,
  HistoryQuery,
  RecordStats,
  SessionSummary,
  TranscriptTurn,
  TurnStatus,
} from "../domain/record.js";
import type { JsonObject, JsonValue } from "../lib/json.js";

/** What is known of a call once it is over. */
export interface CallCompletion {
  status: FinalStatus;
  result: JsonValue;
  /** Milliseconds. */
  duration_ms: number;
}

export interface TurnStart {
  session_id: string;
  turn_id: string;
  prompt: string;
  provider: string;
  model: string;
  client: string;
}

/** The final state of a turn. */
export interface TurnEnd {
  turn_id: string;
  status: Exclude<TurnStatus, "running">;
  /** Why it failed, "" otherwise. */
  error: string;
  /** Those that are not in the transcript yet. */
  messages: Message[];
}

/** What a decision does to a held call, claimed by exactly one caller. */
export interface Claim {
  id: string;
  decision: "approved" | "denied" | "expired";
  reason: string;
  /** What the call will run with, when approved with edits: for the confirmation, and redacted for its history row. */
  arguments?: JsonObject;
  request?: JsonObject;
  history_arguments?: JsonObject;
  history_request?: JsonObject;
}

/** The durable record. Every promise that resolves is on disk. Every method throws when it cannot be kept. */
export interface Store {
  /** Writes the row of a call about to leave; the call must not leave when this throws. Returns the row's id. */
  beginCall(intent: CallIntent): Promise<number>;
  /** Writes the one row of a call that never leaves (blocked, denied, dry run, invalid). Returns the row's id. */
  recordCall(intent: CallIntent, completion: CallCompletion): Promise<number>;
  /**
   * Completes a pending row. Never throws: what cannot be written now is retried, and false is returned.
   * A row that is not pending is left alone, and that is false too.
   */
  completeCall(id: number, completion: CallCompletion): Promise<boolean>;
  history(query: HistoryQuery): Promise<HistoryEntry[]>;

  /** Opens a turn: the turn row and its user message, in one commit. Creates the session when it is new. */
  beginTurn(turn: TurnStart): Promise<void>;
  /** Closes a turn: its remaining messages and final state, in one commit. */
  endTurn(end: TurnEnd): Promise<void>;
  /**
   * Appends a notice of each decided call to the session's transcript, once for each, and returns the new messages; results
   * are cut to `maxChars`. Calls still waiting or in flight are left for later.
   */
  appendDecisionNotices(session_id: string, maxChars: number): Promise<Message[]>;
  /** For a decision whose outcome the turn that waited for it puts into the transcript: no notice follows. */
  markNotified(confirmation_id: string): Promise<void>;
  /** The newest messages of a session, oldest first, at most `limit`. Empty for an unknown session. */
  messages(session_id: string, limit: number): Promise<Message[]>;
  hasSession(session_id: string): Promise<boolean>;
  sessions(query: { limit: number; before?: string }): Promise<SessionSummary[]>;
  transcript(session_id: string): Promise<TranscriptTurn[]>;
  /** Deletes the session's transcript; history rows stay. False when there is no such session. */
  deleteSession(session_id: string): Promise<boolean>;

  /** Writes the held history row and the confirmation in one commit. Returns the stored confirmation. */
  hold(intent: CallIntent, confirmation: Omit<HeldCall, "created_at">): Promise<Confirmation>;
  confirmation(id: string): Promise<Confirmation | undefined>;
  /** Pending ones first, then the newest decided ones. */
  confirmations(query: { status?: Confirmation["status"]; limit: number }): Promise<Confirmation[]>;
  /**
   * Decides a pending confirmation in one commit: an approval turns its history row from `held` to `pending`, a refusal to
   * `denied` with the given result. Undefined when it was no longer pending: another caller decided. An approval after
   * `expires_at` is no decision either; only a refusal is.
   */
  claim(claim: Claim, result: JsonValue): Promise<Confirmation | undefined>;

  /** Read from indexes and the file's header: as cheap for a million rows as for one. */
  stats(): Promise<RecordStats>;
  /** Throws AppError `audit_unavailable`, as every write would, while nothing can be written. */
  check(): Promise<void>;
  /** Checkpoints and closes. */
  close(): Promise<void>;
}
