// One call of a tool without a model: from a script, a button or another protocol. The same way as a model's call (call.ts),
// with the same policy, record and confirmation; it belongs to no turn.
import { randomUUID } from "node:crypto";
import { createBuiltinTransport } from "../applications/builtin.js";
import type { CallAnswer, CallRequest, PromptOptions } from "../domain/agent.js";
import type { ExtendedEvent } from "../domain/event.js";
import { searchAnswer } from "../tools/selection.js";
import { callTool } from "./call.js";
import { requestPolicy } from "./calls/prepare-call.js";
import type { AgentContext } from "./context.js";
import { refuseOthersSession } from "./foreign-session.js";

/** Makes one call. Order of events, and what throws: `Agent.call`. */
export async function* directCall(
  context: AgentContext,
  request: CallRequest,
  { signal, interactive }: Omit<PromptOptions, "onModelCall">,
): AsyncGenerator<ExtendedEvent, CallAnswer, void> {
  await refuseOthersSession(context, request);
  // A permit of its own: it waits for no turn of the session, counts as one, and is waited for at shutdown.
  const permit = await context.turnQueue.acquire(`call ${randomUUID()}`, signal);
  const { call_id = `call_${randomUUID()}` } = request;
  const endClock = context.turnClocks.start(call_id, context.turnTimeoutMs, () => permit.stop("timeout"));
  let wasRead = false;
  try {
    const set = context.applications.current();
    const { catalogue } = set;
    const { status, result, recorded, durationMs, held, rowId } = yield* callTool(
      { id: call_id, name: request.tool, arguments: request.arguments },
      {
        catalogue,
        policy: requestPolicy(context.policy, request),
        isConfirmFirm: context.isConfirmFirm || request.policy.confirm === true,
        modes: context.modes,
        target: (name) => context.target(set.find(name)),
        argumentChecks: context.argumentChecks,
        transport: context.transport,
        builtinTransport: createBuiltinTransport({
          search: (query) => searchAnswer(set.offered, query),
          keptResult: () => undefined,
          resultBudget: context.providers.inUse.resultBudget,
          signal: permit.signal,
        }),
        store: context.store,
        redactor: context.redactor,
        confirmations: context.confirmations,
        runningCalls: context.runningCalls,
        useLimits: context.useLimits,
        contextNow: context.contextNow,
        signal: permit.signal,
        session_id: request.session_id,
        turn_id: "",
        provider: "",
        model: "",
        client: request.client,
        asked_by: request.caller.name,
        interactive,
      },
    );
    await result.rows?.close();
    wasRead = true;
    return {
      call_id,
      history_id: rowId,
      status,
      result: recorded,
      duration_ms: durationMs,
      confirmation: held && context.confirmations.publicView(held),
    };
  } finally {
    endClock();
    // A consumer that stops reading has gone away: nothing may go on waiting in its name.
    if (!wasRead) permit.stop("client_gone");
    permit.release();
  }
}
