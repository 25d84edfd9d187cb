// The record as everything outside the store sees it: history rows, sessions, transcripts, confirmations.
// Wire form (snake_case), times in ISO 8601 UTC; nothing here knows how they are kept. The schemas give types and documents;
// rows are never parsed at run time.
import { z } from "zod";
import type { JsonObject } from "../lib/json.js";
import { HeldCall, Resolution } from "./event.js";
import { HISTORY_STATUSES, type HistoryStatus } from "./history-status.js";
import { AnyJson, AnyObject, Timestamp } from "./json-schemas.js";
import { Message } from "./message.js";
import { Policy } from "./policy.js";
import { Safety } from "./schema-document.js";

/** A status that a row keeps. */
export type FinalStatus = Exclude<HistoryStatus, "held" | "pending">;

/** What is known of a call before it leaves the daemon. */
const CallIntent = z.object({
  session_id: z.string(),
  turn_id: z.string(),
  call_id: z.string(),
  tool: z.string(),
  arguments: AnyObject,
  safety: Safety,
  policy: Policy,
  /** `{ method, url }` for HTTP; null when nothing could be prepared or the call never leaves the daemon. */
  request: AnyObject.nullable(),
  provider: z.string(),
  model: z.string(),
  client: z.string(),
});
export type CallIntent = z.infer<typeof CallIntent>;

/** One entry of GET /history. `result` and `duration_ms` are null while the call is held or in flight. */
export const HistoryEntry = z.object({
  ...CallIntent.shape,
  id: z.int(),
  /** When the row was written. Order is by id, clocks jump. */
  ts: Timestamp,
  status: z.enum(HISTORY_STATUSES),
  result: AnyJson,
  duration_ms: z.number().nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

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

/** The state of a turn. */
const TurnStatus = z.enum(["running", "done", "failed", "cancelled", "interrupted"]);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** One entry of GET /-/sessions. */
export const SessionSummary = z.object({
  session_id: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  turns: z.int(),
  /** The first prompt, shortened. */
  title: z.string(),
  /** State of the newest turn. */
  status: TurnStatus,
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** A turn as a transcript shows it. */
export const TranscriptTurn = z.object({
  turn_id: z.string(),
  prompt: z.string(),
  status: TurnStatus,
  /** Why it failed, "" otherwise. */
  error: z.string(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  provider: z.string(),
  model: z.string(),
  client: z.string(),
  messages: z.array(Message),
});
export type TranscriptTurn = z.infer<typeof TranscriptTurn>;

/** The state of a confirmation. */
export const ConfirmationStatus = z.enum(["pending", ...Resolution.options]);

/** A confirmation as it is kept: the call with its full arguments, and what became of it. */
export const Confirmation = z.object({
  ...HeldCall.shape,
  /** The history row that is held. */
  history_id: z.int(),
  policy: Policy,
  provider: z.string(),
  model: z.string(),
  client: z.string(),
  status: ConfirmationStatus,
  decided_at: Timestamp.nullable(),
  reason: z.string(),
});
export type Confirmation = z.infer<typeof Confirmation>;

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
