// The record as everything outside the store sees it: history rows, sessions, transcripts, confirmations.
// Wire form (snake_case), times in ISO 8601 UTC; nothing here knows how they are kept. schemas/record.ts has the
// fields.
import type { z } from "zod";
import type { JsonObject } from "../lib/json.js";
import type { Effect } from "./effect.js";
import type { HistoryStatus } from "./history-status.js";
import type { Safety } from "./schema-document.js";
import type * as schemas from "./schemas/record.js";

/** A status that a row keeps. */
export type FinalStatus = Exclude<HistoryStatus, "held" | "pending">;

/** What is known of a call before it leaves the daemon. */
export interface CallIntent extends z.infer<typeof schemas.CallIntentSchema> {
  /** The number of its `tool_call` event, for replay; missing for a call without a turn. */
  event?: number | undefined;
  /** What it would do, as it may be shown, for a call that is held or never made. */
  effect?: Effect | undefined;
}

/** One entry of GET /history. `result` and `duration_ms` are null while the call is held or in flight. */
export type HistoryEntry = z.infer<typeof schemas.HistoryEntrySchema>;

/** A list that is kept whole. */
export type KeptResult = NonNullable<HistoryEntry["kept"]>;

export interface HistoryQuery {
  limit: number;
  /** Only rows with a smaller id. */
  before?: number;
  /** Only rows with a larger id; without `before` the first `limit` of them, still newest first. */
  after?: number;
  session_id?: string;
  /** Name of the token; "" for rows that were asked for without one. */
  asked_by?: string;
  /** "" for the application without a name. */
  application?: string;
  tool?: string;
  status?: HistoryStatus;
  /** One of these. This and what follows is found by looking at rows, which takes its time on a long record. */
  statuses?: readonly HistoryStatus[];
  safety?: readonly Safety[];
  /** Part of a tool's name; upper and lower case are one. */
  tool_contains?: string;
  /** Text anywhere in tool, arguments, request and result; upper and lower case are one. */
  q?: string;
  /** When the row was written, ISO 8601 in UTC with milliseconds; both ends belong to it. */
  from?: string;
  to?: string;
  /** Leave results out that are over MAX_SMALL_RESULT_BYTES; their rows have `result_bytes` and a null result. */
  results?: "small";
}

/** How long a search may take. */
export interface HistorySearch {
  /** Milliseconds; then what is found by then is the answer. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
}

/** What a search found; `left` is there when it ended before all rows were looked at: those between the two ids were not. */
export interface SearchedHistory {
  entries: HistoryEntry[];
  left?: { after: number; before: number };
}

/** A result, or an effect, up to this size is as small as the rest of its row. */
export const MAX_SMALL_RESULT_BYTES = 2048;

/** The state of a turn. */
export type TurnStatus = z.infer<typeof schemas.TurnStatusSchema>;

/** One entry of GET /-/sessions. */
export type SessionSummary = z.infer<typeof schemas.SessionSummarySchema>;

/** Which sessions are listed: `before` is the last of the page before; with `q` those that have the words. */
export interface SessionQuery {
  limit: number;
  before?: string | undefined;
  q?: string | undefined;
  /** Ends a search. */
  signal?: AbortSignal | undefined;
}

/** A search of the sessions. */
export type SessionSearch = SessionQuery & { q: string };

/** A turn as a transcript shows it. */
export type TranscriptTurn = z.infer<typeof schemas.TranscriptTurnSchema>;

/** A confirmation as it is kept: the call with its full arguments, and what became of it. */
export type Confirmation = z.infer<typeof schemas.ConfirmationSchema>;

/** Which confirmations are listed. */
export interface ConfirmationQuery {
  /** `decided` is any but `pending`. */
  status?: Confirmation["status"] | "decided" | undefined;
  /** The id of a confirmation: only those that were held before it, the newest first. */
  before?: string | undefined;
  limit: number;
}

/** How large the record is. */
export interface RecordStats {
  historyRows: number;
  /** Of the database file, without what has not been moved into it yet. */
  fileBytes: number;
}

/** Why a confirmation that nobody decided in time was not approved. */
export const EXPIRED_REASON = "nobody answered in time";
/** The result of its call. */
export const EXPIRED_RESULT: JsonObject = { error: "confirmation_expired", message: EXPIRED_REASON };

/** The result of a call the daemon ended in. */
export const INTERRUPTED: JsonObject = {
  error: "interrupted",
  message: "the daemon stopped before the result was recorded; the effect on the target is unknown",
};
