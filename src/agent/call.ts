// One tool call, from a turn or without one: prepare, judge, record, confirm, send, record. The only way a call leaves the daemon.
// The row is on disk before the request goes, and complete before the result leaves this file.
import { AppError } from "../domain/error.js";
import type { ExtendedEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import type { CallIntent, FinalStatus } from "../domain/record.js";
import type { Action } from "../domain/schema-document.js";
import { NOT_CALLED } from "../domain/stopped-call.js";
import type { JsonObject } from "../lib/json.js";
import { builtinAction } from "../tools/builtin-tools.js";
import { confirmCall, dryRunResult } from "./calls/confirm-call.js";
import { foresee, wouldFail } from "./calls/effect.js";
import {
  countCall,
  isOwn,
  isRefusal,
  policyFor,
  prepareCall,
  type ReadyCall,
  type Refusal,
} from "./calls/prepare-call.js";
import { redactCall, redactMalformed } from "./calls/redact-arguments.js";
import { abandonCall, type CallResult, callResult, sendCall } from "./calls/send-call.js";
import { foreseeRecord, watchRecord } from "./calls/watch-record.js";
import { whileSending } from "./calls/while-sending.js";
import type { CallContext } from "./context.js";

/** For a call whose turn was stopped while it was prepared: it did not leave. */
const NOT_MADE: Refusal = { status: "error", code: NOT_CALLED.error, message: NOT_CALLED.message };

/** What the row of a call holds of it, without secrets. */
interface Shown {
  /** Undefined for a tool that does not exist. */
  action: Action | undefined;
  arguments: JsonObject;
  request: JsonObject | null;
}

/** The row of a call before it leaves: the one place where it is built. */
function intentOf(call: ToolCall, context: CallContext, { action, arguments: args, request }: Shown): CallIntent {
  const { session_id, turn_id, provider, model, client, asked_by, redactor, event } = context;
  return {
    session_id,
    turn_id,
    call_id: call.id,
    application: action?.application ?? "",
    tool: call.name,
    arguments: args,
    safety: action?.safety ?? "destructive",
    policy: policyFor(action, context),
    // The address of the target itself may hold what the arguments do not.
    request: request && redactor.known(request),
    provider,
    model,
    client,
    asked_by,
    event,
  };
}

async function refuseCall(call: ToolCall, refusal: Refusal, context: CallContext): Promise<CallResult> {
  const own = context.builtinTransport && builtinAction(call.name);
  const action = refusal.action ?? context.catalogue.action(call.name) ?? own;
  const args =
    call.malformed === undefined
      ? redactCall(call, context)
      : { malformed: redactMalformed(call.malformed, action, context.redactor) };
  const intent = intentOf(call, context, { action, arguments: args, request: null });
  const { code, message, details } = refusal;
  const value: JsonObject = details ? { error: code, message, details: [...details] } : { error: code, message };
  const rowId = await context.store.recordCall(intent, { status: refusal.status, result: value, duration_ms: 0 });
  return { ...callResult("error", value), rowId };
}

/** The one row of a call that is not made. */
async function recordResult(
  intent: CallIntent,
  { status, result }: { status: FinalStatus; result: CallResult },
  { store }: CallContext,
): Promise<CallResult> {
  const rowId = await store.recordCall(intent, { status, result: result.recorded, duration_ms: 0 });
  return { ...result, rowId };
}

/** Makes a call that nothing stands in the way of; until it is over it can be stopped. */
async function* makeCall(
  ready: ReadyCall,
  intent: CallIntent,
  context: CallContext,
): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { store, signal, runningCalls } = context;
  const running = runningCalls.begin(intent.turn_id, intent.call_id);
  const own = { ...context, stop: running.stop };
  try {
    const isRead = ready.action.safety === "read_only";
    const { seen } = isRead ? {} : await watchRecord(ready, { asked: intent }, own);
    const rowId = await store.beginCall(intent);
    // The turn may have been stopped meanwhile.
    if (signal.aborted) return await abandonCall(rowId, store);
    if (!ready.transport.mayAsk) return await sendCall(ready, { rowId, seen }, own);
    const hidden = { sent: ready.arguments, shown: ready.shownArguments };
    return yield* whileSending({ ...intent, hidden }, own, (talk) => sendCall(ready, { rowId, seen, talk }, own));
  } finally {
    running.end();
  }
}

/** What a call would do; what would fail now may go well once the calls before it are over. */
async function foreseeInTurn(ready: ReadyCall, context: CallContext): ReturnType<typeof foresee> {
  const foreseen = await foresee(ready, context);
  if (!context.before || !wouldFail(foreseen)) return foreseen;
  await context.before;
  return foresee(ready, context);
}

async function* runCall(
  call: ToolCall,
  context: CallContext,
  ready: ReadyCall | Refusal,
): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { signal } = context;
  if (isRefusal(ready)) return refuseCall(call, ready, context);
  if (signal.aborted) return refuseCall(call, NOT_MADE, context);
  const { action, prepared, verdict } = ready;
  const intent = intentOf(call, context, {
    action,
    arguments: ready.shownArguments,
    request: prepared.request,
  });
  // What is not made at once is tried, where that leaves nothing behind.
  const foreseen = verdict.kind === "allow" ? undefined : await foreseeInTurn(ready, context);
  if (wouldFail(foreseen))
    return recordResult(intent, { status: "error", result: callResult("error", foreseen.error) }, context);
  switch (verdict.kind) {
    case "confirm": {
      const shown = foreseen ?? (await foreseeRecord(ready, intent, context));
      if (signal.aborted) return refuseCall(call, NOT_MADE, context);
      return yield* confirmCall(ready, { intent, foreseen: shown }, context);
    }
    case "dry_run": {
      const result = dryRunResult(ready, foreseen, context.redactor);
      return recordResult({ ...intent, effect: foreseen?.effect }, { status: "dry_run", result }, context);
    }
    case "allow": {
      const forbidden = isOwn(ready) ? undefined : await countCall(context, context.session_id);
      if (forbidden) return refuseCall(call, forbidden, context);
      return yield* makeCall(ready, intent, context);
    }
  }
}

/**
 * Runs one tool call. Yields extended events while it waits for a confirmation and while its application talks; returns the result, redacted. With a call that
 * was prepared before, its row is handed to the store at the first step, before anything is awaited.
 * Never throws but for a fault of the daemon itself: a refusal, a failure of the target and a record that cannot be written
 * (then nothing was sent) are results of status `error`.
 */
export async function* callTool(
  call: ToolCall,
  context: CallContext,
  prepared?: ReadyCall | Refusal,
): AsyncGenerator<ExtendedEvent, CallResult, void> {
  try {
    const ready = prepared ?? (await prepareCall(call, context));
    const result = yield* runCall(call, context, ready);
    return isRefusal(ready) || ready.warnings.length === 0 ? result : { ...result, warnings: ready.warnings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return callResult("error", { error: error.code, message: error.message });
  }
}
