// The agent as its entry points see it: what it takes, answers and promises. Implemented by src/agent/, used by src/server/ and src/cli/.
import type { z } from "zod";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { Caller } from "./caller.js";
import type { DaemonChange } from "./change.js";
import type { Decision } from "./decision.js";
import type { ExtendedEvent, HeldCall, NumberedEvent, ResultStatus, TurnEvent } from "./event.js";
import type { LimitKind, LimitScope } from "./limits.js";
import type { ContextMessage } from "./message.js";
import type { ModelRequest, OfferedProvider } from "./model-choice.js";
import type { Policy } from "./policy.js";
import type { ProviderTesting } from "./provider-test.js";
import type {
  Confirmation,
  ConfirmationQuery,
  HistoryEntry,
  HistoryQuery,
  HistorySearch,
  RecordStats,
  SearchedHistory,
  SessionQuery,
  SessionSummary,
  TranscriptTurn,
} from "./record.js";
import type { ResultAnswer, ResultFile, ResultFormat, ResultQuery } from "./result-query.js";
import type { SavedActions } from "./saved-action.js";
import type * as schemas from "./schemas/agent.js";
import type { SettingsViewSchema } from "./schemas/settings.js";
import type { Tool } from "./tool.js";
import type { ReadOptions, SessionEvent, SessionRead, TurnState } from "./turn-reading.js";

/** A prompt, checked by its entry point. */
export interface PromptRequest extends ModelRequest {
  message: string;
  /**
   * The conversation before it, where the client keeps that itself, the oldest first: it goes to the model and into the transcript
   * with the prompt. Its instructions hold for this turn alone.
   */
  context?: readonly ContextMessage[] | undefined;
  /** The turn of another session that it stands in place of: the session is a new one, and begins with all turns before that. */
  continue_from?: string | undefined;
  /** The name of the only application it may use, "" for the one without a name; without it, all of them. */
  application?: string | undefined;
  /** `none`: the model is offered no tool and can call none. Without it, those of the applications. */
  tools?: "none" | undefined;
  /** Chosen by the entry point when the client named none (a new UUID). */
  session_id: string;
  /** Chosen by the entry point, a new UUID: it can name the turn before the first event. */
  turn_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** Label for the history: what the client calls itself, or the name of the entry point. */
  client: string;
  /** The IANA name of the zone the person is in; this machine's without it. */
  time_zone?: string | undefined;
  /** Whose word it is. */
  caller: Caller;
}

/** A prompt that is to run once, however often it is sent. */
export interface KeyedPrompt extends Pick<PromptRequest, "message" | "session_id" | "turn_id" | "client" | "caller"> {
  /** Chosen by the client. */
  key: string;
  /** The session that the key counts in, "" for the daemon; for a read-only token a scope of its own. */
  scope: string;
  /** Of all that is asked. */
  fingerprint: string;
}

/** What reaches inside from an entry point while the turn runs. */
export interface PromptOptions {
  /** Aborted with a `Stopped` as its reason. */
  signal: AbortSignal;
  /** Whether the client can answer a confirmation while the turn waits. */
  interactive: boolean;
  /** Called at once when the turn is accepted and has to wait for the session's earlier ones; must not throw. */
  onQueued?: (() => void) | undefined;
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
  /** Names the call on record; made up without it. */
  call_id?: string;
  /** The session it is recorded under; "" for none. */
  session_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** Label for the history. */
  client: string;
  /** Whose word it is. */
  caller: Caller;
}

/** The result of a call, redacted, as the history keeps it. */
export interface CallAnswer {
  call_id: string;
  /** Its row; missing when none could be written. */
  history_id?: number | undefined;
  status: ResultStatus;
  result: JsonValue;
  duration_ms: number;
  /** Set when the call is held and the client cannot answer. */
  confirmation?: HeldCall;
}

/** A call that is to be taken back. */
export interface UndoRequest extends Pick<CallRequest, "policy" | "client" | "caller"> {
  history_id: number;
}

/** What became of an undo. */
export type UndoAnswer = z.infer<typeof schemas.UndoAnswerSchema>;

/** GET /-/settings. Never holds a secret. */
export type SettingsView = z.infer<typeof SettingsViewSchema>;

/** A safety mode, and what says so. */
export type ModeState = SettingsView["modes"]["confirm"];

/** GET /config/public. Never holds a secret. */
export type PublicConfig = z.infer<typeof schemas.PublicConfigSchema>;

/** A confirmation after its decision; `outcome` is there when the call ran here and not in a turn that waited for it. */
export type Decided = z.infer<typeof schemas.DecidedSchema>;

/** A limit, and what of it is taken. */
export type LimitState = z.infer<typeof schemas.LimitStateSchema>;

/** How often limits refused something. */
export type LimitRefusals = readonly { scope: LimitScope; kind: LimitKind; count: number }[];

/** A daemon without its entry points. */
export interface Agent extends SavedActions, ProviderTesting {
  /**
   * Runs one turn. Waits for the session's earlier turns first. Throws AppError before the first event when the turn cannot
   * be taken (too_many_turns, busy, shutting_down, audit_unavailable, read_only_token for a session of another token, and
   * invalid_body for a model, an application or a turn to go on from that is not there); never rejects after it. An entry point that loses its client aborts the
   * signal and drains to `done`.
   */
  prompt(request: PromptRequest, io: PromptOptions): AsyncGenerator<TurnEvent, void, void>;
  /**
   * Gives a key to the turn of a prompt, on disk before that turn runs, or names the turn that has it. Throws AppError
   * idempotency_mismatch when that was asked for something else.
   */
  claimKey(prompt: KeyedPrompt): Promise<{ session_id: string; turn_id: string }>;
  /** For a turn that was refused: the key is free again. */
  releaseKey(turn_id: string): Promise<void>;
  /** For a turn that was cancelled while it waited: it is on record as cancelled, and its key stays taken. */
  keepCancelled(request: PromptRequest): Promise<void>;
  /**
   * Makes one call without a model, under the same policy, record and confirmation as a turn's; beside the turns of its session.
   * Yields `confirmation_required` and `confirmation_resolved` while an interactive client is asked; returns the result.
   * Throws AppError when it cannot be taken (busy, shutting_down, read_only_token for a session of another token) and the signal's reason when that aborted before.
   */
  call(
    request: CallRequest,
    options: Omit<PromptOptions, "onModelCall">,
  ): AsyncGenerator<ExtendedEvent, CallAnswer, void>;
  config(): PublicConfig;
  /** What is in force and where it comes from. */
  settings(): Promise<SettingsView>;
  /** What the applications are called: by their names, and the one without a name by its title, as far as it has one. */
  applicationNames(): string[];
  /** The providers a prompt may choose, the default first. */
  providers(): readonly OfferedProvider[];
  /**
   * The schema document of an application, byte for byte; of all of them when none is named, which is that of the only one.
   * Throws AppError invalid_query for one that is not there or has no document that can be used.
   */
  schema(application?: string): { bytes: Uint8Array; etag: string };
  /** Those of one application, or all, in document order, as a serialised list. */
  tools(application?: string): Promise<string>;
  /** How many there are of all applications. */
  toolCount(): number;
  /** One tool with the whole schema of its arguments, self-contained; undefined when there is none. */
  tool(name: string): Tool | undefined;
  /** Calls back, with at most a second's delay, when the tools have become others; returns what ends that. */
  onToolsChange(listener: () => void): () => void;
  /** The tools that fit a query best, best first. */
  searchTools(query: string, limit: number): Tool[];
  /** Those of them, or of one application, that are near the best one. */
  searchToolsClosely(query: string, limit: number, application?: string): Tool[];
  /** By what indexes answer alone. */
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  /**
   * What changes from the call on, until the signal aborts or the daemon drains; names only. A newer state replaces one that was not
   * read yet, and a reader that is too far behind comes to an end: it holds up nobody.
   */
  changes(signal: AbortSignal): AsyncGenerator<DaemonChange, void, void>;
  /** By every condition. Rejects with the reason of the signal. */
  searchHistory(query: HistoryQuery, search: HistorySearch): Promise<SearchedHistory>;
  /**
   * What a query asks of the whole result of a row. Undefined for an unknown row, and for one without a result. Throws AppError
   * invalid_query for what this result cannot answer, and the signal's reason.
   */
  result(history_id: number, query: ResultQuery, signal: AbortSignal): Promise<ResultAnswer | undefined>;
  /** All rows a query asks for, as a file; its `offset` and `limit` do not count. As `result` before the first chunk. */
  resultFile(
    history_id: number,
    query: ResultQuery,
    options: { format: ResultFormat; signal: AbortSignal },
  ): Promise<ResultFile | undefined>;
  sessions(query: SessionQuery): Promise<SessionSummary[]>;
  /** Undefined for an unknown session. */
  session(session_id: string): Promise<SessionSummary | undefined>;
  /** Gives a session a title, "" takes it away again; undefined for an unknown session. */
  renameSession(session_id: string, title: string): Promise<SessionSummary | undefined>;
  /** Its turns in order, read beside other work; undefined for an unknown session. They throw AppError not_found when it is deleted meanwhile. */
  transcript(session_id: string): Promise<AsyncGenerator<TranscriptTurn, void, void> | undefined>;
  /** False for an unknown session; throws AppError conflict while a turn of it runs, busy when none could. */
  deleteSession(session_id: string): Promise<boolean>;
  /**
   * Cancels the session's running turn and drops its waiting ones, for a read-only token its own; how many that stopped, undefined
   * for an unknown session.
   */
  cancel(session_id: string, caller: Caller): Promise<number | undefined>;
  /**
   * Cancels one turn, whether it runs or waits; false when it does neither. Throws AppError read_only_token for a turn that another
   * token asked for.
   */
  cancelTurn(turn_id: string, caller: Caller): boolean;
  /**
   * Stops one call that is under way; its turn goes on with what became of it. False for a call that is over or has not begun,
   * undefined for an unknown one. Throws AppError read_only_token for a turn that another token asked for.
   */
  cancelCall(turn_id: string, call_id: string, caller: Caller): Promise<boolean | undefined>;
  /** Undefined for an unknown turn. */
  turn(turn_id: string): Promise<TurnState | undefined>;
  /**
   * The events of a turn behind `after`, then those to come, up to `done`; each once, in order. A turn that is over comes from the
   * record, with a message in place of its deltas. Nothing for an unknown turn. Any number of readers; none of them holds up
   * the turn. Source: docs/reference.md, "Turns that outlive their client".
   */
  turnEvents(turn_id: string, options: ReadOptions): AsyncGenerator<NumberedEvent, void, void>;
  /**
   * The events of a session's running turn and of those that follow, until the signal aborts or the daemon drains. With `turn_id`
   * it goes on in that turn, behind `after`, with all that came since. Throws AppError not_found for an unknown session and for a
   * `turn_id` that is none of its turns; the events do when the session is deleted.
   */
  sessionEvents(session_id: string, options: SessionRead): Promise<AsyncGenerator<SessionEvent, void, void>>;
  confirmations(query: ConfirmationQuery): Promise<Confirmation[]>;
  /** Undefined for an unknown one. */
  confirmation(id: string): Promise<Confirmation | undefined>;
  /**
   * Decides a held call. An approved call runs exactly once: in the turn that waits for it, or here when none does.
   * Throws AppError not_found, conflict (already decided or expired), changed (it would do something else now, and nothing was done;
   * `details` name the confirmation that shows it, where one does), conflict also for an undo of what is not as the call left it,
   * invalid_body (edited arguments do not fit) or read_only_token.
   */
  decide(id: string, decision: Decision, caller: Caller): Promise<Decided>;
  /**
   * Gives a held call this much more time, up to a day from now; a turn that waits for it gets as much. Throws AppError not_found,
   * conflict (decided or expired) or read_only_token.
   */
  extend(id: string, seconds: number, caller: Caller): Promise<Confirmation>;
  /**
   * Undoes the call of a row, as a call of its own. Throws AppError not_found, read_only_token, and conflict: it cannot be undone,
   * or what is there now is not what it left.
   */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer>;
  /** The limits of the day, and what of them is taken. */
  limitsToday(): Promise<LimitState[]>;
  /** How often each limit refused something since the start. */
  limitRefusals(): LimitRefusals;
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
