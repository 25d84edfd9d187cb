// A person's answer to a held call: edited arguments are checked, the claim is won or lost, the call runs where it is
// awaited or here, and the session is told.

import type { Decided, Decision } from "../domain/agent.js";
import { AppError, messageOf } from "../domain/error.js";
import { tighten } from "../domain/policy.js";
import type { Confirmation } from "../domain/record.js";
import { type JsonObject, toJson } from "../lib/json.js";
import { forModel } from "../results/result.js";
import { type CallResult, isRefusal, readyCall, runApproved } from "./call.js";
import type { Desk } from "./context.js";
import type { Edited } from "./held-calls.js";
import { openSession } from "./prompt.js";

/** Edited arguments of a held call, checked against the schema, the modes it was made under and those in force now. */
async function checkEdit(desk: Desk, held: Confirmation, args: JsonObject): Promise<Edited> {
  const policy = tighten(desk.policy, held.policy);
  const { catalogue } = desk.schemaFile.current();
  const room = { catalogue, policy, target: desk.target(), transport: desk.transport };
  const ready = await readyCall({ name: held.tool, arguments: args }, room);
  if (isRefusal(ready)) throw new AppError("invalid_body", `The edited arguments were refused: ${ready.message}`);
  const edited = { arguments: ready.arguments, request: ready.prepared.request };
  // Only the arguments are the person's: with those that were shown it must still be the request that was shown. Otherwise
  // that one stays the one approved, and running finds that it is another now.
  const before = await readyCall({ name: held.tool, arguments: held.arguments }, room);
  const isSame = !isRefusal(before) && toJson(desk.redactor.known(before.prepared.preview)) === toJson(held.request);
  return { ...edited, preview: isSame ? ready.prepared.preview : held.request };
}

/** Tells a session that no turn is running in what became of its held calls; one that cannot be told now is at its next prompt. */
async function tellSession(desk: Desk, session_id: string): Promise<void> {
  const place = await desk.lanes.enter(session_id, new AbortController().signal);
  try {
    await openSession(desk, session_id);
  } finally {
    place.leave();
  }
}

/** Runs an approved call that no turn waits for. */
async function runHere(
  desk: Desk,
  { session_id, call_id, ...held }: Confirmation,
  signal: AbortSignal,
): Promise<CallResult> {
  const policy = tighten(desk.policy, held.policy);
  const { catalogue } = desk.schemaFile.current();
  const ran = await runApproved(
    { ...held, session_id, call_id },
    { ...desk, catalogue, policy, target: desk.target(), signal },
  );
  if (forModel(ran.result, desk.provider.resultBudget, call_id).cut) {
    const session = await desk.sessions.open(session_id);
    session.results.keep(call_id, ran.result);
  }
  return ran;
}

async function decideNow(desk: Desk, id: string, decision: Decision, signal: AbortSignal): Promise<Decided> {
  const current = await desk.store.confirmation(id);
  if (!current) throw new AppError("not_found", "There is no held call of this id; GET /-/confirmations lists them.");
  const edited =
    decision.decision === "approve" && decision.arguments
      ? await checkEdit(desk, current, decision.arguments)
      : undefined;
  const { confirmation, awaited } = await desk.confirmations.decide(id, decision, edited);
  const decided: Decided = { ...confirmation, arguments: desk.redactor.known(confirmation.arguments) };
  if (awaited) return decided;
  if (confirmation.status === "approved") {
    const { status, recorded } = await runHere(desk, confirmation, signal);
    decided.outcome = { status, result: recorded };
  }
  const { session_id } = confirmation;
  const busy = desk.lanes.isBusy(session_id);
  const told = tellSession(desk, session_id).catch((error: unknown) => {
    desk.log.debug({ id, cause: messageOf(error) }, "the session hears of a decided call with its next prompt");
  });
  // A running turn of the session comes first; whoever decided need not wait for it.
  if (!busy) await told;
  return decided;
}

/** Decides a held call. Throws AppError not_found, conflict or invalid_body. */
export function decide(desk: Desk, id: string, decision: Decision): Promise<Decided> {
  return desk.lanes.track((signal) => decideNow(desk, id, decision, signal));
}
