// A person's decision on a held call: edited arguments are checked, the claim is won or lost, an approved call runs in the turn
// that waits for it or here, and the session's transcript gets a notice.
import type { Decided } from "../domain/agent.js";
import { type Caller, readOnlyRefusal } from "../domain/caller.js";
import { type Decision, unknownHeldCall } from "../domain/decision.js";
import type { Foreseen } from "../domain/effect.js";
import { AppError, messageOf } from "../domain/error.js";
import type { Confirmation } from "../domain/record.js";
import { type JsonObject, objectOf, toJson } from "../lib/json.js";
import { forModel } from "../results/result.js";
import { UNDO } from "../tools/builtin-tools.js";
import { prepareHeld, runApproved } from "./calls/confirm-call.js";
import { foresee, wouldFail } from "./calls/effect.js";
import { isRefusal } from "./calls/prepare-call.js";
import type { CallResult } from "./calls/send-call.js";
import { Talk } from "./calls/talk.js";
import { foreseeRecord } from "./calls/watch-record.js";
import type { AgentContext } from "./context.js";
import { decideQuestion } from "./decide-question.js";
import type { EditedCall } from "./state/confirmations.js";
import { betweenTurns } from "./tell-session.js";

/** Of an edited call whose record cannot be read, in place of the effect that was shown. */
const UNSEEN: Foreseen = {
  effect: { changes: [], complete: false, note: "the arguments were edited, and what they change could not be read" },
  undo: "impossible",
  fingerprint: "",
};

/** Edited arguments of a held call, checked against the schema and the modes. Throws AppError invalid_body. */
async function checkEdit(
  context: AgentContext,
  held: Confirmation,
  { args, signal }: { args: JsonObject; signal: AbortSignal },
): Promise<EditedCall> {
  const ready = await prepareHeld(held, args, context);
  if (isRefusal(ready)) throw new AppError("invalid_body", `The edited arguments were refused: ${ready.message}`);
  const { request, preview } = ready.prepared;
  // What was shown is what the call of before would do.
  const { redactor, store, useLimits } = context;
  const tried = await foresee(ready, { redactor, store, signal });
  if (wouldFail(tried))
    throw new AppError("invalid_body", `The call would fail with the edited arguments: ${toJson(tried.error)}`);
  const { catalogue } = context.contextNow();
  const read = tried ?? (await foreseeRecord(ready, held, { redactor, store, useLimits, signal, catalogue }));
  const foreseen = read ?? (held.effect ? UNSEEN : undefined);
  // Only the arguments are the person's: with those that were shown it must still be the request that was shown. Otherwise
  // that one stays the one approved, and running finds that it is another now.
  const before = await prepareHeld(held, held.arguments, context);
  const isSame =
    !isRefusal(before) &&
    before.action.application === held.application &&
    toJson(context.redactor.known(before.prepared.preview)) === toJson(held.request);
  const { arguments: sent, shownArguments } = ready;
  return { arguments: sent, shownArguments, request, preview: isSame ? preview : held.request, foreseen };
}

/** The error of an approval for something else than what would be done now; details name the confirmation that shows that. */
function changedError(again: Confirmation): AppError {
  return new AppError(
    "changed",
    `What this call would change is not what was shown any more, and nothing was done. The confirmation ${again.id} shows what it would do now; decide that one.`,
    { details: [again.id] },
  );
}

/** The error of an approval of which nothing came because of what is there now; undefined for every other result. */
function refusalByState({ tool }: Confirmation, { status, held, recorded }: CallResult): AppError | undefined {
  if (held) return changedError(held);
  const { error, message } = objectOf(recorded);
  if (status !== "error") return undefined;
  if (error === "changed") return new AppError("changed", String(message));
  if (tool === UNDO.name && error === "conflict")
    return new AppError("conflict", String(message), { details: [toJson(recorded)] });
  return undefined;
}

/** Runs an approved call that no turn waits for. */
async function runHere(context: AgentContext, held: Confirmation, signal: AbortSignal): Promise<CallResult> {
  const { store, redactor, providers, sessions, useLimits, contextNow, confirmations } = context;
  const approved = { store, redactor, useLimits, signal, contextNow, confirmations };
  // No turn shows a question here, and whoever decided waits for the outcome: nobody is asked.
  const callResult = await runApproved(held, approved, { talk: new Talk(held, { redactor, signal }) });
  if (held.session_id === "") await callResult.result.rows?.close();
  else if (forModel(callResult.result, providers.inUse.resultBudget, held.call_id).cut) {
    const session = await sessions.open(held.session_id);
    session.results.keep(held.call_id, callResult.result);
  }
  return callResult;
}

async function decideNow(
  context: AgentContext,
  { id, decision, caller, signal }: { id: string; decision: Decision; caller: Caller; signal: AbortSignal },
): Promise<Decided> {
  const { store, confirmations, redactor } = context;
  if (caller.readOnly) throw readOnlyRefusal(caller, "decide held calls");
  const current = await store.confirmation(id);
  if (!current) throw unknownHeldCall();
  if (current.input) return decideQuestion(context, { id, input: current.input }, { decision, caller });
  const edited =
    decision.decision === "approve" && decision.arguments
      ? await checkEdit(context, current, { args: decision.arguments, signal })
      : undefined;
  const { confirmation, tried } = await confirmations.decide(id, { ...decision, decided_by: caller.name }, edited);
  const decided: Decided = { ...confirmation, arguments: redactor.known(confirmation.arguments) };
  if (tried) {
    // What can be found to have changed is tried at once; nothing else is waited for here: the turn has its result.
    const again = confirmation.status === "approved" && confirmation.effect ? await tried : undefined;
    if (again) throw changedError(again);
    return decided;
  }
  let refusal: AppError | undefined;
  if (confirmation.status === "approved") {
    const callResult = await runHere(context, confirmation, signal);
    const { status, recorded, unanswered } = callResult;
    decided.outcome = { status, result: recorded };
    if (unanswered) decided.outcome.notices = [...unanswered];
    refusal = refusalByState(confirmation, callResult);
  }
  await notifyOf(context, confirmation);
  if (refusal) throw refusal;
  return decided;
}

/** Puts the notice of a decision into the transcript of its session, if it has one. */
async function notifyOf(context: AgentContext, { id, session_id }: Confirmation): Promise<void> {
  const { store, turnQueue, log } = context;
  if (session_id === "") return store.markNotified(id);
  const isBusy = turnQueue.isBusy(session_id);
  const notified = betweenTurns(context, session_id).catch((error: unknown) => {
    log.debug({ id, cause: messageOf(error) }, "the session gets the notice of a decided call with its next prompt");
  });
  // A running turn of the session comes first; the decision need not wait for it.
  if (!isBusy) await notified;
}

/** Decides a held call. Throws as `Agent.decide`. */
export function decide(
  context: AgentContext,
  id: string,
  { decision, caller }: { decision: Decision; caller: Caller },
): Promise<Decided> {
  return context.turnQueue.track((signal) => decideNow(context, { id, decision, caller, signal }));
}
