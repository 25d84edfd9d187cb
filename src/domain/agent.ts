// The agent as its entry points see it: what it takes, what it answers, and what it promises.
// Implemented by src/agent/, used by src/server/ and src/cli/.
import type { z } from "zod";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { Decision } from "./decision.js";
import type { ExtendedEvent, HeldCall, ResultStatus, TurnEvent } from "./event.js";
import type { Policy } from "./policy.js";
import type {
  Confirmation,
  HistoryEntry,
  HistoryQuery,
  RecordStats,
  SessionSummary,
  TranscriptTurn,
} from "./record.js";
import type * as schemas from "./schemas/agent.js";
import type { Tool } from "./tool.js";

/** A prompt, checked by its entry point. */
export interface PromptRequest {
  message: string;
  /** Chosen by the entry point when the client named none (a new UUID). */
  session_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** Label for the history: what the client calls itself, or the name of the entry point. */
  client: string;
}

/** What reaches inside from an entry point while the turn runs. */
export interface PromptOptions {
  /** Aborted with a `Stopped` as its reason. */
  signal: AbortSignal;
  /** Whether the client can answer a confirmation while the turn waits. */
  interactive: boolean;
  /** Called once after each call to the model, for measurements; must not throw. */
  onModelCall?(call: ModelCall): void;
}

/** One call to a model, from its first byte sent to the end of its reply, retries included. */
export interface ModelCall {
  provider: string;
  model: string;
  status: ResultStatus;
  durationMs: number;
}

/** One call of a tool without a model. */
export interface CallRequest {
  tool: string;
  arguments: JsonObject;
  /** The session it is recorded under; "" for none. */
  session_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** Label for the history. */
  client: string;
}

/** The result of a call, redacted, as the history keeps it. */
export interface CallAnswer {
  call_id: string;
  status: ResultStatus;
  result: JsonValue;
  duration_ms: number;
  /** Set when the call is held and the client cannot answer. */
  confirmation?: HeldCall;
}

/** GET /config/public. Never holds a secret. */
export type PublicConfig = z.infer<typeof schemas.PublicConfigSchema>;

/** A confirmation after its decision; `outcome` is there when the call ran here and not in a turn that waited for it. */
export type Decided = z.infer<typeof schemas.DecidedSchema>;

/** A daemon without its entry points. */
export interface Agent {
  /**
   * Runs one turn. Waits for the session's earlier turns first. Throws AppError before the first event when the turn cannot
   * be taken (too_many_turns, busy, shutting_down, audit_unavailable); never rejects after it. An entry point that loses its
   * client aborts the signal and drains to `done`.
   */
  prompt(request: PromptRequest, io: PromptOptions): AsyncGenerator<TurnEvent, void, void>;
  /**
   * Makes one call without a model, under the same policy, record and confirmation as a turn's; beside the turns of its session.
   * Yields `confirmation_required` and `confirmation_resolved` while an interactive client is asked; returns the result.
   * Throws AppError when it cannot be taken (busy, shutting_down) and the signal's reason when that aborted before.
   */
  call(
    request: CallRequest,
    options: Omit<PromptOptions, "onModelCall">,
  ): AsyncGenerator<ExtendedEvent, CallAnswer, void>;
  config(): PublicConfig;
  /** The schema file's bytes, verbatim. */
  schema(): { bytes: Uint8Array; etag: string };
  /** In document order. `json` is the serialised list, made when it is first read. */
  tools(): { list: readonly Tool[]; json: string };
  /** One tool with the whole schema of its arguments, self-contained; undefined when there is none. */
  tool(name: string): Tool | undefined;
  /** The tools that fit a query best, best first. */
  searchTools(query: string, limit: number): Tool[];
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  sessions(query: { limit: number; before?: string }): Promise<SessionSummary[]>;
  /** Undefined for an unknown session. */
  transcript(session_id: string): Promise<TranscriptTurn[] | undefined>;
  /** False for an unknown session; throws AppError conflict while a turn of it runs, busy when none could. */
  deleteSession(session_id: string): Promise<boolean>;
  /** Cancels the session's running turn and drops its waiting ones; how many that stopped, undefined for an unknown session. */
  cancel(session_id: string): Promise<number | undefined>;
  confirmations(query: { status?: Confirmation["status"]; limit: number }): Promise<Confirmation[]>;
  /**
   * Decides a held call. An approved call runs exactly once: in the turn that waits for it, or here when none does.
   * Throws AppError not_found, conflict (already decided or expired) or invalid_body (edited arguments do not fit).
   */
  decide(id: string, decision: Decision): Promise<Decided>;
  /** Turns running and waiting right now. */
  load(): { running: number; waiting: number };
  /** The size of the record; cheap, however long the history is. */
  stats(): Promise<RecordStats>;
  /** Throws AppError audit_unavailable while the record cannot be written: no prompt would be taken and no call made. */
  check(): Promise<void>;
  /** Takes no new turns; gives the running ones `graceMs`, then cancels them; resolves when none is left. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}
