// A person's answer to a held call: edited arguments are checked, the claim is won or lost, the call runs where it is
// awaited or here, and the session is told.
import type { Decided, Decision } from "./agent.js";
import { type CallResult, isRefusal, readyCall, runApproved } from "./call.js";
import type { Edited } from "./confirmations.js";
import type { Desk } from "./desk.js";
import { AppError, messageOf } from "./error.js";
import { type JsonObject, toJson } from "./json.js";
import { tighten } from "./policy.js";
import { forModel } from "./result.js";
import type { Confirmation } from "./store/store.js";

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
async function tellSession(desk: Desk, held: Confirmation, outcome: string, ran?: CallResult): Promise<void> {
  const text = `The held call ${held.tool} ${toJson(held.arguments)} (confirmation ${held.id}) ${outcome}`;
  const place = await desk.lanes.enter(held.session_id, new AbortController().signal);
  try {
    await desk.unsaved.settle(held.session_id);
    const session = await desk.sessions.open(held.session_id);
    await desk.store.appendMessages(held.session_id, [{ role: "notice", text }]);
    desk.sessions.add(session, [{ role: "notice", text }]);
    if (ran) session.results.keep(held.call_id, ran.result);
  } finally {
    place.leave();
  }
}

/** Decides a held call. Throws AppError not_found, conflict or invalid_body. */
export async function decide(desk: Desk, id: string, decision: Decision): Promise<Decided> {
  const current = await desk.store.confirmation(id);
  if (!current) throw new AppError("not_found", "There is no held call of this id; GET /-/confirmations lists them.");
  const edited =
    decision.decision === "approve" && decision.arguments
      ? await checkEdit(desk, current, decision.arguments)
      : undefined;
  const { confirmation, awaited } = await desk.confirmations.decide(id, decision, edited);
  const decided: Decided = { ...confirmation, arguments: desk.redactor.known(confirmation.arguments) };
  if (awaited) return decided;
  let outcome = `was refused: ${confirmation.reason}`;
  let ran: CallResult | undefined;
  let isCut = false;
  if (confirmation.status === "approved") {
    const policy = tighten(desk.policy, confirmation.policy);
    const { catalogue } = desk.schemaFile.current();
    ran = await runApproved(confirmation, { ...desk, catalogue, policy, target: desk.target() });
    const view = forModel(ran.result, desk.provider.resultBudget, confirmation.call_id);
    isCut = view.cut;
    decided.outcome = { status: ran.status, result: ran.recorded };
    outcome = `was approved and ran with status ${ran.status}: ${view.text}`;
  }
  const busy = desk.lanes.isBusy(confirmation.session_id);
  const told = tellSession(desk, confirmation, outcome, isCut ? ran : undefined).catch((error: unknown) => {
    desk.log.warn({ id, cause: messageOf(error) }, "the session could not be told of a decided call");
    return ran?.result.rows?.close();
  });
  // A running turn of the session comes first; whoever decided need not wait for it.
  if (!busy) await told;
  return decided;
}
