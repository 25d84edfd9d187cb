// One tool call, from what the model asked to what it is told: find, validate, judge, confirm, record, execute, record.
// The only place where a call leaves the daemon. The row is on disk before the request goes and complete before anyone is told.

import { CallError, type Outcome, type PreparedCall, type Target, type Transport } from "../applications/transport.js";
import { AppError, messageOf, Stopped } from "../domain/error.js";
import type { ExtendedEvent, ResultStatus } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import { judge, type Policy } from "../domain/policy.js";
import { type CallIntent, type Confirmation, type FinalStatus, INTERRUPTED } from "../domain/record.js";
import type { Action, Safety } from "../domain/schema-document.js";
import { type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import type { Redactor } from "../lib/redact/redact.js";
import { forRecord, type Result, toResult } from "../results/result.js";
import { redactedRows } from "../results/rows.js";
import type { Store } from "../store/store.js";
import { checkArguments } from "../tools/arguments/check.js";
import type { Catalogue } from "../tools/catalogue.js";
import type { Confirmations } from "./held-calls.js";
import { unlessShutdown } from "./shutdown.js";

/** What a call needs around it. */
export interface CallRoom {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly store: Store;
  readonly redactor: Redactor;
  readonly confirmations: Confirmations;
  readonly target: Target;
  /** The transport of a kind, loaded when first used; undefined for a kind the daemon does not know. */
  transport(kind: string): Promise<Transport | undefined>;
  readonly session_id: string;
  readonly turn_id: string;
  readonly provider: string;
  readonly model: string;
  readonly client: string;
  /** Whether somebody can answer a confirmation while the call waits. */
  readonly interactive: boolean;
  readonly signal: AbortSignal;
}

/** What came of a call, redacted. */
export interface CallResult {
  status: ResultStatus;
  /** Whole: cutting it for the model is up to the reader. Its rows are the reader's to keep or to close. */
  result: Result;
  /** The result as events and the history keep it. */
  recorded: JsonValue;
  /** Milliseconds, the target's time included. */
  durationMs: number;
  /** Set when the result could not be put on record yet. */
  unsaved?: true;
  /** Set when the call now waits for a person and nobody here can ask one. */
  held?: Confirmation;
}

/** A call found, checked and prepared. */
interface Ready {
  action: Action;
  transport: Transport;
  prepared: PreparedCall;
  arguments: JsonObject;
}

type Refusal = { status: FinalStatus; code: string; message: string };

/** For a call of a turn that was stopped while the call was made ready: it did not leave. */
export const NOT_CALLED: Refusal = {
  status: "error",
  code: "not_called",
  message: "the turn was stopped before this call was made; nothing was sent",
};

/** A result without rows, ready to be told. */
function told(status: ResultStatus, value: JsonValue, durationMs = 0): CallResult {
  const result = toResult(value);
  return { status, result, recorded: forRecord(result), durationMs };
}

/** What dry_run answers: the request that is not sent. It is stored and shown like any result, so secrets go by name too. */
function pretended({ preview }: PreparedCall, redactor: Redactor): CallResult {
  return told("ok", { dry_run: true, not_sent: redactor.value(preview) });
}

const since = (start: number): number => Math.round((performance.now() - start) * 100) / 100;

function intentOf(call: ToolCall, room: CallRoom, safety: Safety, request: JsonObject | null): CallIntent {
  return {
    session_id: room.session_id,
    turn_id: room.turn_id,
    call_id: call.id,
    tool: call.name,
    arguments: room.redactor.value(call.malformed === undefined ? call.arguments : { malformed: call.malformed }),
    safety,
    policy: room.policy,
    request: request && room.redactor.known(request),
    provider: room.provider,
    model: room.model,
    client: room.client,
  };
}

/** Said of arguments that cannot be read. */
export const MALFORMED =
  "the arguments were not a whole JSON object, or the reply was cut before they were; send them again";

/** Finds, validates and prepares a call without sending anything; a refusal is a value the model can read. */
export async function readyCall(
  call: Pick<ToolCall, "name" | "arguments" | "malformed">,
  room: Pick<CallRoom, "catalogue" | "policy" | "target" | "transport">,
): Promise<Ready | Refusal> {
  const invalid = (code: string, message: string): Refusal => ({ status: "error", code, message });
  const action = room.catalogue.action(call.name);
  if (!action) return invalid("unknown_tool", room.catalogue.unknown(call.name));
  if (call.malformed !== undefined) return invalid("invalid_arguments", MALFORMED);
  // Judged before validation: a forbidden tool is refused whatever its arguments look like.
  const verdict = judge(room.policy, action);
  if (verdict.kind === "refuse") return { status: "blocked", code: "refused", message: verdict.reason };
  const transport = await room.transport(action.transport.kind);
  if (!transport)
    return invalid(
      "unsupported_transport",
      `${action.name} uses the transport "${action.transport.kind}", which this daemon does not know`,
    );
  const checked = await checkArguments(action, call.arguments, room.policy.strict);
  if (checked.kind === "unfit")
    return { status: room.policy.strict ? "blocked" : "error", code: "invalid_arguments", message: checked.reason };
  try {
    return {
      action,
      transport,
      arguments: checked.arguments,
      prepared: transport.prepare(action, checked.arguments, room.target),
    };
  } catch (error) {
    return invalid(error instanceof CallError ? "invalid_arguments" : "transport_failed", messageOf(error));
  }
}

/** Whether a call was refused before anything was prepared. */
export function isRefusal(ready: Ready | Refusal): ready is Refusal {
  return "code" in ready;
}

type Came = Omit<CallResult, "durationMs" | "held">;

/** What an outcome comes to; when it cannot be told, nothing of it stays open. */
async function toCame(outcome: Outcome, redactor: Redactor): Promise<Came> {
  try {
    const rows = outcome.rows && redactedRows(outcome.rows, redactor);
    const result = toResult(redactor.value(outcome.value), rows);
    return { status: outcome.status, result, recorded: forRecord(result) };
  } catch (error) {
    await outcome.rows?.close();
    throw error;
  }
}

/**
 * Sends a call whose row is already pending, and completes the row whatever happens: a transport that throws in spite of
 * its promise, or answers what nobody can read, is an error like any other. The call is sent at most once.
 */
async function send(
  ready: Ready,
  rowId: number,
  room: Pick<CallRoom, "store" | "redactor" | "target" | "signal">,
): Promise<CallResult> {
  const start = performance.now();
  const complete = async (status: FinalStatus, came: Came): Promise<CallResult> => {
    const durationMs = since(start);
    const completion = { status, result: came.recorded, duration_ms: durationMs };
    const saved = await room.store.completeCall(rowId, completion);
    return { ...came, durationMs, ...(!saved && { unsaved: true }) };
  };
  let came: Came;
  try {
    const outcome = await unlessShutdown(ready.transport.execute(ready.prepared, room.target), room.signal);
    came = await toCame(outcome, room.redactor);
  } catch (error) {
    if (error instanceof Stopped) return complete("interrupted", told("error", INTERRUPTED));
    const value = { error: "transport_failed", message: messageOf(error) };
    came = await toCame({ status: "error", value }, room.redactor);
  }
  return complete(came.status, came);
}

/** A yes is for the request that was shown and for no other. */
const CHANGED = {
  error: "changed",
  message:
    "the description or the configuration of the application has changed since this call was shown, and it would now be another request; nothing was sent, ask for it again",
};

/** Runs a held call that was approved and claimed; its row is pending. The modes in force now count too. */
export async function runApproved(
  confirmation: Confirmation,
  room: Pick<CallRoom, "catalogue" | "policy" | "store" | "redactor" | "target" | "transport" | "signal">,
): Promise<CallResult> {
  const ready = await readyCall({ name: confirmation.tool, arguments: confirmation.arguments }, room).catch(
    (error: unknown): Refusal => ({ status: "error", code: "internal", message: messageOf(error) }),
  );
  const complete = async (status: FinalStatus, came: CallResult): Promise<CallResult> => {
    await room.store.completeCall(confirmation.history_id, { status, result: came.recorded, duration_ms: 0 });
    return came;
  };
  if (isRefusal(ready)) return complete(ready.status, told("error", { error: ready.code, message: ready.message }));
  if (judge(room.policy, ready.action).kind === "pretend")
    return complete("dry_run", pretended(ready.prepared, room.redactor));
  if (toJson(room.redactor.known(ready.prepared.preview)) !== toJson(confirmation.request))
    return complete("error", told("error", CHANGED));
  return send(ready, confirmation.history_id, room);
}

/** The result a caller gets for a call that waits for a person. Source: reference, 10.2. */
function heldResult(confirmation: Confirmation): JsonObject {
  return { error: "confirmation_required", confirmation_id: confirmation.id, expires_at: confirmation.expires_at };
}

/** A client that went away may come back and decide; one that cancelled has decided. */
async function denyCancelled(held: Confirmation, room: CallRoom): Promise<Confirmation | undefined> {
  const stopped = room.signal.reason;
  if (!(stopped instanceof Stopped && stopped.why === "cancelled")) return undefined;
  const no = { decision: "deny" as const, reason: "the turn was cancelled" };
  // Somebody else may have decided it, or the disk may be full: then this no is not what became of it.
  return (await room.confirmations.decide(held.id, no).catch(() => undefined))?.confirmation;
}

async function* ask(call: ToolCall, ready: Ready, room: CallRoom): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { safety } = ready.action;
  const intent = intentOf({ ...call, arguments: ready.arguments }, room, safety, ready.prepared.request);
  const held = await room.confirmations.hold(intent, ready.arguments, ready.prepared.preview);
  const start = performance.now();
  const notNow: CallResult = { ...told("error", heldResult(held)), held };
  if (!room.interactive) return notNow;
  const answer = room.confirmations.wait(held.id, room.signal);
  yield { kind: "confirmation_required", ...room.confirmations.shown(held) };
  const decided = (await answer) ?? (await denyCancelled(held, room));
  if (!decided || decided.status === "pending") return notNow;
  // Failing here only means that the session hears of it twice.
  await room.store.markTold(held.id).catch(() => undefined);
  const { reason } = decided;
  const edited = toJson(decided.arguments) !== toJson(held.arguments) && {
    arguments: room.confirmations.shown(decided).arguments,
  };
  yield { kind: "confirmation_resolved", id: held.id, decision: decided.status, ...(reason && { reason }), ...edited };
  if (decided.status === "approved") {
    const result = await runApproved(decided, room);
    return { ...result, durationMs: since(start) };
  }
  const value = { error: decided.status === "expired" ? "confirmation_expired" : "denied", message: reason };
  return told("error", value, since(start));
}

/**
 * Runs one tool call. Yields extended events while it waits for a person; returns what to tell the model.
 * Never throws but for a fault of the daemon itself: a refusal, a failure of the target and a record that cannot be written
 * (then nothing was sent) are results of status `error`.
 */
export async function* callTool(call: ToolCall, room: CallRoom): AsyncGenerator<ExtendedEvent, CallResult, void> {
  try {
    return yield* run(call, room);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return told("error", { error: error.code, message: error.message });
  }
}

async function* run(call: ToolCall, room: CallRoom): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const found = await readyCall(call, room);
  const ready = room.signal.aborted && !isRefusal(found) ? NOT_CALLED : found;
  if (isRefusal(ready)) {
    const value = { error: ready.code, message: ready.message };
    const intent = intentOf(call, room, room.catalogue.action(call.name)?.safety ?? "destructive", null);
    await room.store.recordCall(intent, { status: ready.status, result: value, duration_ms: 0 });
    return told("error", value);
  }
  const { action, prepared } = ready;
  const verdict = judge(room.policy, action);
  if (verdict.kind === "ask") return yield* ask(call, ready, room);
  const intent = intentOf({ ...call, arguments: ready.arguments }, room, action.safety, prepared.request);
  if (verdict.kind === "pretend") {
    const result = pretended(prepared, room.redactor);
    await room.store.recordCall(intent, { status: "dry_run", result: result.recorded, duration_ms: 0 });
    return result;
  }
  const rowId = await room.store.beginCall(intent);
  return send(ready, rowId, room);
}
