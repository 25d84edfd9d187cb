// The record as everybody outside the store sees it: history rows, sessions, transcripts, confirmations.
// Wire form (snake_case), times in ISO 8601 UTC; nothing here knows how they are kept.
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { HeldCall } from "./event.js";
import type { Message } from "./message.js";
import type { Policy } from "./policy.js";
import type { Safety } from "./schema-document.js";

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

/** How large the record is. */
export interface RecordStats {
  historyRows: number;
  /** Of the database file, without what has not been moved into it yet. */
  fileBytes: number;
}

/** The result of a call the daemon ended in. */
export const INTERRUPTED: JsonObject = {
  error: "interrupted",
  message: "the daemon stopped before the result was recorded; the effect on the target is unknown",
};
