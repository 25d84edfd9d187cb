// The front desk: every prompt from every door comes through here. Finds the session, tightens the policy, runs the turn,
// saves what was said. Also answers the doors' questions about tools, history, sessions and confirmations.
import { randomUUID } from "node:crypto";
import { isRefusal, readyCall, runApproved } from "./call.js";
import { type Confirmations, createConfirmations, type Edited } from "./confirmations.js";
import { AppError, messageOf, Stopped } from "./error.js";
import type { TurnEvent } from "./event.js";
import { instructions } from "./instructions.js";
import { type JsonObject, toJson } from "./json.js";
import { createLanes, type Lanes, type Place } from "./lanes.js";
import type { Log } from "./log.js";
import type { Message } from "./message.js";
import { type Policy, tighten } from "./policy.js";
import type { Provider } from "./providers/provider.js";
import type { Redactor } from "./redact.js";
import { forModel } from "./result.js";
import type { SchemaFile } from "./schema-file.js";
import { createSessions, type Session, type Sessions } from "./session.js";
import type {
  Confirmation,
  HistoryEntry,
  HistoryQuery,
  SessionSummary,
  Store,
  TranscriptTurn,
  TurnStatus,
} from "./store/store.js";
import type { Tool } from "./tool.js";
import type { Target, Transport } from "./transports/transport.js";
import { runTurn } from "./turn.js";

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
  /** False for an unknown session; throws AppError conflict while a turn of it runs. */
  deleteSession(session_id: string): Promise<boolean>;
  /** Cancels the session's running turn and drops its waiting ones; returns how many turns that stopped. */
  cancel(session_id: string): number;
  confirmations(query: { status?: Confirmation["status"]; limit: number }): Promise<Confirmation[]>;
  /**
   * Decides a held call. An approved call runs exactly once: in the turn that waits for it, or here when none does.
   * Throws AppError not_found, conflict (already decided or expired) or invalid_body (edited arguments do not fit).
   */
  decide(id: string, decision: Decision): Promise<Confirmation>;
  backup(file: string): Promise<void>;
  /** Turns running and waiting right now. */
  load(): { running: number; waiting: number };
  /** Takes no new turns; gives the running ones `graceMs`, then cancels them; resolves when none is left. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What an agent is made of; `open.ts` picks the parts. */
export interface AgentParts {
  store: Store;
  provider: Provider;
  schemaFile: SchemaFile;
  redactor: Redactor;
  log: Log;
  policy: Policy;
  /** The target as the operator configured it for the document in force. */
  target(): Target;
  transport(kind: string): Promise<Transport | undefined>;
  version: string;
  maxIterations: number;
  /** Wall clock of one turn, milliseconds; time spent waiting for a person counts too. */
  turnTimeoutMs: number;
  maxTurns: number;
  maxQueue: number;
  confirmationTtlMs: number;
  /** Ends what the parts hold open (connections, the lock). */
  onClose(): Promise<void>;
}

/** What the rooms of an agent share. */
interface Desk extends AgentParts {
  lanes: Lanes;
  sessions: Sessions;
  confirmations: Confirmations;
}

/** An address without the user and password it may carry. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = "";
  url.password = "";
  return url.href;
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

/** How a turn that threw is told and kept. */
function ending(error: unknown): { status: Exclude<TurnStatus, "running">; message: string } {
  if (!(error instanceof Stopped)) return { status: "failed", message: messageOf(error) };
  return { status: error.why === "timeout" ? "failed" : "cancelled", message: error.message };
}

/** The events of one turn between taking the prompt and `done`, and how it ended. */
async function* takeTurn(
  desk: Desk,
  turn: {
    request: PromptRequest;
    io: PromptIo;
    session: Session;
    turn_id: string;
    said: Message[];
    signal: AbortSignal;
  },
): AsyncGenerator<TurnEvent, { status: Exclude<TurnStatus, "running">; error: string }, void> {
  const { request, session, turn_id, said, signal } = turn;
  const { provider } = desk;
  const policy = tighten(desk.policy, request.policy);
  const { catalogue } = desk.schemaFile.current();
  const target = desk.target();
  const today = new Date().toISOString().slice(0, 10);
  try {
    yield* runTurn({
      ...{ catalogue, policy, target, signal, said, turn_id },
      ...{ store: desk.store, redactor: desk.redactor, confirmations: desk.confirmations, transport: desk.transport },
      ...{ session_id: session.id, provider: provider.name, model: provider.model, client: request.client },
      waits: turn.io.waits,
      model_provider: provider,
      system: instructions({ policy, application: withoutCredentials(target.baseUrl), today }),
      prompt: request.message,
      before: session.messages,
      results: session.results,
      maxIterations: desk.maxIterations,
    });
    return { status: "done", error: "" };
  } catch (error) {
    // An abort surfaces in many shapes (a vendor's, a socket's); the signal knows why.
    const { status, message } = ending(signal.aborted ? signal.reason : error);
    const told = desk.redactor.text(message);
    if (status === "failed") desk.log.warn({ turn_id, cause: told }, "turn failed");
    yield { kind: "error", message: told };
    return { status, error: told };
  }
}

async function* prompt(desk: Desk, request: PromptRequest, io: PromptIo): AsyncGenerator<TurnEvent, void, void> {
  const place = await desk.lanes.enter(request.session_id, io.signal);
  const clock = setTimeout(() => place.stop("timeout"), desk.turnTimeoutMs);
  try {
    yield* inPlace(desk, request, io, place);
  } finally {
    clearTimeout(clock);
    place.leave();
  }
}

async function* inPlace(
  desk: Desk,
  request: PromptRequest,
  io: PromptIo,
  place: Place,
): AsyncGenerator<TurnEvent, void, void> {
  const { store, provider, sessions } = desk;
  const start = performance.now();
  const turn_id = randomUUID();
  const session = await sessions.open(request.session_id);
  const { message, client } = request;
  const names = { session_id: session.id, turn_id, provider: provider.name, model: provider.model, client };
  await store.beginTurn({ ...names, prompt: message });
  sessions.add(session, [{ role: "user", text: message }]);
  yield { kind: "user_prompt", text: message };
  yield { kind: "session", session_id: session.id, turn_id, resumed: session.resumed };
  const said: Message[] = [];
  const end = yield* takeTurn(desk, { request, io, session, turn_id, said, signal: place.signal });
  sessions.add(session, said);
  try {
    await store.endTurn({ turn_id, ...end, messages: said });
  } catch (error) {
    desk.log.error({ turn_id, cause: messageOf(error) }, "the turn's messages could not be saved");
    yield { kind: "notice", message: "This turn could not be saved; after a restart the session will not know it." };
  }
  const duration_ms = Math.round(performance.now() - start);
  desk.log.info({ ...names, status: end.status, messages: said.length, duration_ms }, "turn");
  yield { kind: "done" };
}

/** Edited arguments of a held call, checked against the schema, the modes it was made under and those in force now. */
async function checkEdit(desk: Desk, held: Confirmation, args: JsonObject): Promise<Edited> {
  const policy = tighten(desk.policy, held.policy);
  const { catalogue } = desk.schemaFile.current();
  const room = { catalogue, policy, target: desk.target(), transport: desk.transport };
  const ready = await readyCall({ name: held.tool, arguments: args }, room);
  if (isRefusal(ready)) throw new AppError("invalid_body", `The edited arguments were refused: ${ready.message}`);
  return { arguments: ready.arguments, request: ready.prepared.request, preview: ready.prepared.preview };
}

/** Tells the session what became of a call that no turn waited for, so that the next prompt knows. */
async function tellSession(desk: Desk, held: Confirmation, outcome: string): Promise<void> {
  const text = `The held call ${held.tool} ${toJson(held.arguments)} (confirmation ${held.id}) ${outcome}`;
  const place = await desk.lanes.enter(held.session_id, new AbortController().signal);
  try {
    const session = await desk.sessions.open(held.session_id);
    await desk.store.appendMessages(held.session_id, [{ role: "notice", text }]);
    desk.sessions.add(session, [{ role: "notice", text }]);
  } finally {
    place.leave();
  }
}

async function decide(desk: Desk, id: string, decision: Decision): Promise<Confirmation> {
  const current = await desk.store.confirmation(id);
  if (!current) throw new AppError("not_found", "There is no held call of this id; GET /-/confirmations lists them.");
  const edited =
    decision.decision === "approve" && decision.arguments
      ? await checkEdit(desk, current, decision.arguments)
      : undefined;
  const { confirmation, awaited } = await desk.confirmations.decide(id, decision, edited);
  if (awaited) return confirmation;
  let outcome = `was refused: ${confirmation.reason}`;
  if (confirmation.status === "approved") {
    const policy = tighten(desk.policy, confirmation.policy);
    const { catalogue } = desk.schemaFile.current();
    const result = await runApproved(confirmation, { ...desk, catalogue, policy, target: desk.target() });
    const view = forModel(result.value, desk.provider.resultBudget, confirmation.call_id);
    outcome = `was approved and ran with status ${result.status}: ${view.text}`;
  }
  const busy = desk.lanes.isBusy(confirmation.session_id);
  const told = tellSession(desk, confirmation, outcome).catch((error: unknown) => {
    desk.log.warn({ id, cause: messageOf(error) }, "the session could not be told of a decided call");
  });
  // A running turn of the session comes first; whoever decided need not wait for it.
  if (!busy) await told;
  return confirmation;
}

/** An agent from its parts. */
export async function createAgent(parts: AgentParts): Promise<Agent> {
  const { store, provider, redactor, schemaFile } = parts;
  const desk: Desk = {
    ...parts,
    lanes: createLanes(parts),
    sessions: createSessions(store, provider.historyLimit),
    confirmations: createConfirmations({ store, redactor, ttlMs: parts.confirmationTtlMs }),
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
      sessions.forget(id);
      return store.deleteSession(id);
    },
    cancel: (id) => lanes.stop(id, "cancelled"),
    confirmations: (query) => store.confirmations(query),
    decide: (id, decision) => decide(desk, id, decision),
    backup: (file) => store.backup(file),
    load: () => lanes.load(),
    drain: (graceMs) => lanes.drain(graceMs),
    async close() {
      confirmations.close();
      await store.close();
      await parts.onClose();
    },
  };
}
