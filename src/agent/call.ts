// One tool call, from a turn or without one: prepare, judge, record, confirm, send, record. The only way a call leaves the daemon.
// The row is on disk before the request goes, and complete before the result leaves this file.
import { AppError } from "../domain/error.js";
import type { ExtendedEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import type { CallIntent } from "../domain/record.js";
import type { Safety } from "../domain/schema-document.js";
import type { JsonObject } from "../lib/json.js";
import { builtinAction } from "../tools/builtin-tools.js";
import { confirmCall, dryRunResult } from "./confirm-call.js";
import type { CallContext } from "./context.js";
import { isRefusal, prepareCall, type Refusal } from "./prepare-call.js";
import { redactCall } from "./redact-arguments.js";
import { type CallResult, callResult, sendCall } from "./send-call.js";

/** For a call whose turn was stopped while it was prepared: it did not leave. */
export const NOT_CALLED: Refusal = {
  status: "error",
  code: "not_called",
  message: "the turn was stopped before this call was made; nothing was sent",
};

/** What the row of a call holds of it, without secrets. */
interface Shown {
  arguments: JsonObject;
  safety: Safety;
  request: JsonObject | null;
}

/** The row of a call before it leaves: the one place where it is built. */
function intentOf(call: ToolCall, context: CallContext, { arguments: args, safety, request }: Shown): CallIntent {
  const { session_id, turn_id, policy, provider, model, client, redactor } = context;
  return {
    session_id,
    turn_id,
    call_id: call.id,
    tool: call.name,
    arguments: args,
    safety,
    policy,
    // The address of the target itself may hold what the arguments do not.
    request: request && redactor.known(request),
    provider,
    model,
    client,
  };
}

async function refuseCall(call: ToolCall, refusal: Refusal, context: CallContext): Promise<CallResult> {
  const action = context.catalogue.action(call.name) ?? (context.builtinTransport && builtinAction(call.name));
  const args = call.malformed === undefined ? redactCall(call, context) : { malformed: call.malformed };
  const intent = intentOf(call, context, { arguments: args, safety: action?.safety ?? "destructive", request: null });
  const value = { error: refusal.code, message: refusal.message };
  await context.store.recordCall(intent, { status: refusal.status, result: value, duration_ms: 0 });
  return callResult("error", value);
}

async function* runCall(call: ToolCall, context: CallContext): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { store, signal } = context;
  const ready = await prepareCall(call, context);
  if (isRefusal(ready)) return refuseCall(call, ready, context);
  if (signal.aborted) return refuseCall(call, NOT_CALLED, context);
  const { action, prepared, verdict } = ready;
  const intent = intentOf(call, context, {
    arguments: ready.shownArguments,
    safety: action.safety,
    request: prepared.request,
  });
  switch (verdict.kind) {
    case "confirm":
      return yield* confirmCall(ready, intent, context);
    case "dry_run": {
      const result = dryRunResult(ready, context.redactor);
      await store.recordCall(intent, { status: "dry_run", result: result.recorded, duration_ms: 0 });
      return result;
    }
    case "allow":
      return sendCall(ready, await store.beginCall(intent), context);
  }
}

/**
 * Runs one tool call. Yields extended events while it waits for a confirmation; returns the result, redacted.
 * Never throws but for a fault of the daemon itself: a refusal, a failure of the target and a record that cannot be written
 * (then nothing was sent) are results of status `error`.
 */
export async function* callTool(call: ToolCall, context: CallContext): AsyncGenerator<ExtendedEvent, CallResult, void> {
  try {
    return yield* runCall(call, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return callResult("error", { error: error.code, message: error.message });
  }
}
