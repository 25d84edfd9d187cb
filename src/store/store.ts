// The seam to the record: history, sessions, transcripts and confirmations, durable before the promise resolves.
// Asynchronous, so that a database server can stand behind it one day. It redacts nothing: what comes in is what is kept.
import type { HeldCall } from "../event.js";
import type { JsonObject, JsonValue } from "../json.js";
import type { Message } from "../message.js";
import type { Policy } from "../policy.js";
import type { Safety } from "../schema.js";

/** Every status a history row can have; see the reference for what each means. */
export const HISTORY_STATUSES = [
  "ok",
  "error",
  "blocked",
  "denied",
  "dry_run",
  "held",
  "pending",
  "interrupted",
] as const;
export type HistoryStatus = (typeof HISTORY_STATUSES)[number];
/** A status that a row keeps. */
export type FinalStatus = Exclude<HistoryStatus, "held" | "pending">;

/** What is known of a call before it leaves the daemon. */
export interface CallIntent {
  session_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  arguments: JsonObject;
  safety: Safety;
  policy: Policy;
  /** `{ method, url }` for HTTP; null when nothing could be prepared or the call never leaves the daemon. */
  request: JsonObject | null;
  provider: string;
  model: string;
  client: string;
}

/** What is known after it. */
export interface CallCompletion {
  status: FinalStatus;
  result: JsonValue;
  /** Milliseconds. */
  duration_ms: number;
}

/** One entry of GET /history. `result` and `duration_ms` are null while the call is held or in flight. */
export interface HistoryEntry extends CallIntent {
  id: number;
  /** ISO 8601, UTC: when the row was written. Order is by id, clocks jump. */
  ts: string;
  status: HistoryStatus;
  result: JsonValue;
  duration_ms: number | null;
}

export interface HistoryQuery {
  limit: number;
  /** Only rows with a smaller id. */
  before?: number;
  /** Only rows with a larger id; without `before` the first `limit` of them, still newest first. */
  after?: number;
  session_id?: string;
  tool?: string;
  status?: HistoryStatus;
}

export type TurnStatus = "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface TurnStart {
  session_id: string;
  turn_id: string;
  prompt: string;
  provider: string;
  model: string;
  client: string;
}

export interface SessionSummary {
  session_id: string;
  created_at: string;
  updated_at: string;
  turns: number;
  /** The first prompt, shortened. */
  title: string;
  /** State of the newest turn. */
  status: TurnStatus;
}

/** A turn as a transcript shows it. */
export interface TranscriptTurn {
  turn_id: string;
  prompt: string;
  status: TurnStatus;
  /** Why it failed, "" otherwise. */
  error: string;
  started_at: string;
  ended_at: string | null;
  provider: string;
  model: string;
  client: string;
  messages: Message[];
}

/** A confirmation as it is kept: the call with its full arguments, and what became of it. */
export interface Confirmation extends HeldCall {
  /** The history row that is held. */
  history_id: number;
  policy: Policy;
  provider: string;
  model: string;
  client: string;
  status: "pending" | "approved" | "denied" | "expired";
  decided_at: string | null;
  reason: string;
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
   * Completes a pending row. Never throws: what cannot be written now is retried, and reported as false.
   * A row that is not pending is left alone, and that is false too.
   */
  completeCall(id: number, completion: CallCompletion): Promise<boolean>;
  history(query: HistoryQuery): Promise<HistoryEntry[]>;

  /** Opens a turn: the turn row and its user message, in one commit. Creates the session when it is new. */
  beginTurn(turn: TurnStart): Promise<void>;
  /** Closes a turn: its remaining messages and final state, in one commit. */
  endTurn(end: {
    turn_id: string;
    status: Exclude<TurnStatus, "running">;
    error: string;
    messages: Message[];
  }): Promise<void>;
  /**
   * Adds what became of the session's held calls to its transcript, once for each call, and returns the new messages;
   * results are cut to `budget` characters. Calls still waiting or in flight are left for later.
   */
  tellDecided(session_id: string, budget: number): Promise<Message[]>;
  /** Says that the turn that waited for this decision tells its session. */
  markTold(confirmation_id: string): Promise<void>;
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
   * `denied` with the given result. Undefined when it was no longer pending: somebody else decided. An approval after
   * `expires_at` is no decision either; only a refusal is.
   */
  claim(claim: Claim, result: JsonValue): Promise<Confirmation | undefined>;

  /** A consistent copy of the whole record, taken while running. */
  backup(file: string): Promise<void>;
  /** Recomputes the hash chain over completed rows; `firstBad` is the id of the first row that does not fit. */
  verify(): Promise<{ ok: boolean; rows: number; firstBad?: number; reason?: string }>;
  /** Deletes completed history rows at least this many days old, in the order of completion; returns how many. */
  prune(days: number): Promise<number>;
  /** Checkpoints and closes. */
  close(): Promise<void>;
}
