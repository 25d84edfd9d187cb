// The front desk: every prompt from every door comes through here, and so do the doors' questions about tools, history,
// sessions and confirmations. How a prompt is run is in prompt.ts, how a held call is decided in decide.ts.
import { createConfirmations } from "./confirmations.js";
import { decide } from "./decide.js";
import { type AgentParts, type Desk, withoutCredentials } from "./desk.js";
import { AppError } from "./error.js";
import type { ResultStatus, TurnEvent } from "./event.js";
import type { JsonObject, JsonValue } from "./json.js";
import { createLanes } from "./lanes.js";
import type { Policy } from "./policy.js";
import { prompt } from "./prompt.js";
import { createSessions } from "./session.js";
import type { Confirmation, HistoryEntry, HistoryQuery, SessionSummary, TranscriptTurn } from "./store/store.js";
import type { Tool } from "./tool.js";
import { createUnsaved } from "./unsaved.js";

/** A prompt, checked by its door. */
export interface PromptRequest {
  message: string;
  /** Chosen by the door when the client named none (a new UUID). */
  session_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** Label for the history: the door's name or what the client calls itself. */
  client: string;
}

/** What reaches inside from a door. */
export interface PromptIo {
  /** Aborted with a `Stopped` as its reason. */
  signal: AbortSignal;
  /** Whether somebody behind this door can answer a confirmation while the turn waits. */
  waits: boolean;
}

/** GET /config/public. Never holds a secret. */
export interface PublicConfig {
  default_provider: string;
  sync_source: string;
  base_url: string;
  read_only: boolean;
  dry_run: boolean;
  strict: boolean;
  confirm_default: boolean;
  version: string;
  model: string;
  max_iterations: number;
  history_limit: number;
}

/** A person's answer to a held call. */
export interface Decision {
  decision: "approve" | "deny";
  /** Replace the call's arguments; validated and judged again. */
  arguments?: JsonObject;
  reason?: string;
}

/** A held call after its decision; `outcome` is there when the call ran here and not in a turn that waited for it. */
export type Decided = Confirmation & { outcome?: { status: ResultStatus; result: JsonValue } };

/** A daemon without its doors. */
export interface Agent {
  /**
   * Runs one turn. Waits for the session's earlier turns first. Throws AppError before the first event when the turn cannot
   * be taken (too_many_turns, busy, shutting_down, audit_unavailable); never rejects after it. A door that loses its client
   * aborts the signal and drains to `done`.
   */
  prompt(request: PromptRequest, io: PromptIo): AsyncGenerator<TurnEvent, void, void>;
  config(): PublicConfig;
  /** The schema file's bytes, verbatim. */
  schema(): { bytes: Buffer; etag: string };
  /** In document order. `json` is the serialised list, made once per document. */
  tools(): { list: readonly Tool[]; json: string };
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
  backup(file: string): Promise<void>;
  /** Turns running and waiting right now. */
  load(): { running: number; waiting: number };
  /** Takes no new turns; gives the running ones `graceMs`, then cancels them; resolves when none is left. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

function publicConfig(desk: Desk): PublicConfig {
  const { provider, policy, version, maxIterations } = desk;
  return {
    default_provider: provider.name,
    sync_source: desk.schemaFile.current().catalogue.document.source,
    base_url: withoutCredentials(desk.target().baseUrl),
    read_only: policy.read_only,
    dry_run: policy.dry_run,
    strict: policy.strict,
    confirm_default: policy.confirm,
    version,
    model: provider.model,
    max_iterations: maxIterations,
    history_limit: provider.historyLimit,
  };
}

/** An agent from its parts. */
export async function createAgent(parts: AgentParts): Promise<Agent> {
  const { store, provider, redactor, schemaFile } = parts;
  const desk: Desk = {
    ...parts,
    lanes: createLanes(parts),
    sessions: createSessions(store, provider.historyLimit),
    confirmations: createConfirmations({ store, redactor, ttlMs: parts.confirmationTtlMs }),
    unsaved: createUnsaved(store, parts.log),
  };
  const { lanes, confirmations, sessions } = desk;
  await confirmations.resume();
  return {
    prompt: (request, io) => prompt(desk, request, io),
    config: () => publicConfig(desk),
    schema: () => schemaFile.current(),
    tools() {
      const { tools: list, json } = schemaFile.current().catalogue;
      return { list, json };
    },
    searchTools: (query, limit) => schemaFile.current().catalogue.search(query, limit),
    history: (query) => store.history(query),
    sessions: (query) => store.sessions(query),
    transcript: async (id) => ((await store.hasSession(id)) ? store.transcript(id) : undefined),
    async deleteSession(id) {
      if (lanes.isBusy(id)) throw new AppError("conflict", "A turn of this session is running; cancel it first.");
      const place = await lanes.enter(id, new AbortController().signal);
      try {
        sessions.forget(id);
        desk.unsaved.forget(id);
        return await store.deleteSession(id);
      } finally {
        place.leave();
      }
    },
    cancel: async (id) => lanes.stop(id, "cancelled") || ((await store.hasSession(id)) ? 0 : undefined),
    async confirmations(query) {
      const list = await store.confirmations(query);
      return list.map((held) => ({ ...held, arguments: redactor.known(held.arguments) }));
    },
    decide: (id, decision) => decide(desk, id, decision),
    backup: (file) => store.backup(file),
    load: () => lanes.load(),
    drain: (graceMs) => lanes.drain(graceMs),
    async close() {
      confirmations.close();
      await desk.unsaved.close();
      await sessions.close();
      await store.close();
      await parts.onClose();
    },
  };
}
