// Calls that need a person's confirmation: held on disk before the question is asked, answered by the client that waits, by
// another one, or never. An approved call is prepared anew and runs only when it is still the request that was shown.
import type { Foreseen } from "../../domain/effect.js";
import { messageOf, Stopped } from "../../domain/error.js";
import type { ExtendedEvent } from "../../domain/event.js";
import { tighten } from "../../domain/policy.js";
import type { CallIntent, Confirmation, FinalStatus } from "../../domain/record.js";
import { TURN_CANCELLED } from "../../domain/stopped-call.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import type { Redactor } from "../../lib/redact/redact.js";
import type { CallContext, SendContext } from "../context.js";
import { foresee, wouldFail } from "./effect.js";
import { countCall, isRefusal, prepareCall, type ReadyCall, type Refusal } from "./prepare-call.js";
import { redactArguments } from "./redact-arguments.js";
import { abandonCall, type CallResult, CHANGED_MESSAGE, callResult, sendCall } from "./send-call.js";
import type { Talk } from "./talk.js";
import { watchRecord } from "./watch-record.js";
import { whileSending } from "./while-sending.js";

/** An approval covers the request that was shown and no other. */
const CHANGED = {
  error: "changed",
  message:
    "the description or the configuration of the application has changed since this call was shown, and it would now be another request; nothing was sent, ask for it again",
};

/**
 * What dry_run answers: the request that is not sent, and what it would do, where that is known. It is stored and shown like any
 * result, so secrets go by name too.
 */
export function dryRunResult(
  { prepared, warnings }: ReadyCall,
  foreseen: Foreseen | undefined,
  redactor: Redactor,
): CallResult {
  const doubts = warnings.length > 0 && { warnings: [...warnings] };
  const seen = foreseen && { effect: foreseen.effect as unknown as JsonValue, undo: foreseen.undo };
  return callResult("ok", { dry_run: true, ...doubts, not_sent: redactor.value(prepared.preview), ...seen });
}

/** Prepares a held call by what is in force now; the modes it was held under count too. */
export function prepareHeld(
  { tool, policy }: Confirmation,
  args: JsonObject,
  { contextNow }: Pick<CallContext, "contextNow">,
): Promise<ReadyCall | Refusal> {
  const now = contextNow();
  return prepareCall({ name: tool, arguments: args }, { ...now, policy: tighten(now.policy, policy) });
}

/** What running an approved call needs. */
type ApprovedContext = SendContext & Pick<CallContext, "contextNow" | "confirmations">;

/** Of an approved call: what its application can ask, and who hears that it is held anew, before anyone can decide that. */
interface ApprovedOptions {
  /** Without it its application can ask nobody. */
  talk?: Talk;
  onHeldAgain?(again: Confirmation): void;
}

/** Holds an approved call anew, in a row of its own. */
function holdAgain(
  ready: ReadyCall,
  { session_id, turn_id, call_id, policy, provider, model, client, asked_by }: Confirmation,
  { confirmations, redactor, onHeldAgain }: ApprovedContext & ApprovedOptions,
): (foreseen: Foreseen) => Promise<Confirmation> {
  const { action, prepared, arguments: args, shownArguments } = ready;
  const { application, safety, name: tool } = action;
  const names = { session_id, turn_id, call_id, application, tool, safety };
  const request = prepared.request && redactor.known(prepared.request);
  const intent = { ...names, arguments: shownArguments, policy, request, provider, model, client, asked_by };
  return async (foreseen) => {
    const again = await confirmations.hold(intent, args, { preview: prepared.preview, foreseen });
    onHeldAgain?.(again);
    return again;
  };
}

/** Runs a held call that was approved and claimed; its row is pending. Never throws. */
export async function runApproved(
  confirmation: Confirmation,
  context: ApprovedContext,
  { talk, onHeldAgain }: ApprovedOptions = {},
): Promise<CallResult> {
  const { redactor, store } = context;
  const { history_id: rowId } = confirmation;
  const faulty = (error: unknown): Refusal => ({ status: "error", code: "internal", message: messageOf(error) });
  const ready = await prepareHeld(confirmation, confirmation.arguments, context).catch(faulty);
  const complete = async (status: FinalStatus, result: CallResult): Promise<CallResult> => {
    await store.completeCall(rowId, { status, result: result.recorded, duration_ms: 0 });
    return { ...result, rowId };
  };
  const refuse = ({ status, code, message }: Refusal): Promise<CallResult> =>
    complete(status, callResult("error", { error: code, message }));
  if (isRefusal(ready)) return refuse(ready);
  if (ready.verdict.kind === "dry_run") {
    const foreseen = await foresee(ready, context).catch(() => undefined);
    if (wouldFail(foreseen)) return complete("error", callResult("error", foreseen.error));
    return complete("dry_run", dryRunResult(ready, foreseen, redactor));
  }
  const isSame = toJson(redactor.known(ready.prepared.preview)) === toJson(confirmation.request);
  // Its name may have become that of another application's tool.
  if (!isSame || ready.action.application !== confirmation.application)
    return complete("error", callResult("error", CHANGED));
  const forbidden = await countCall(context, confirmation.session_id).catch(faulty);
  if (forbidden) return refuse(forbidden);
  const fingerprint = await store.fingerprint(confirmation.id).catch(faulty);
  // Without it nothing could tell whether this is what a person saw.
  if (typeof fingerprint !== "string") return refuse(fingerprint);
  const expected = fingerprint || undefined;
  const { catalogue } = context.contextNow();
  const watched = await watchRecord(ready, { asked: confirmation, expected }, { ...context, catalogue });
  const again = holdAgain(ready, confirmation, { ...context, onHeldAgain });
  return sendCall(ready, { rowId, expected, ...watched, talk, holdAgain: again }, context);
}

/** What a caller gets for a held call it cannot wait for. Source: docs/reference.md, "Confirmations". */
function heldResult(held: Confirmation): CallResult {
  const value = { error: "confirmation_required", confirmation_id: held.id, expires_at: held.expires_at };
  return { ...callResult("error", value), held, rowId: held.history_id };
}

/** A client that went away may come back and decide; one that cancelled has decided. */
async function denyCancelled(held: Confirmation, context: CallContext): Promise<Confirmation | undefined> {
  const stopped = context.signal.reason;
  if (!(stopped instanceof Stopped && stopped.why === "cancelled")) return undefined;
  const denial = { decision: "deny" as const, reason: TURN_CANCELLED };
  // Another client may have decided it, or the disk may be full: then this denial is not what became of it.
  return (await context.confirmations.decide(held.id, denial).catch(() => undefined))?.confirmation;
}

/** Whether an approved call may still be made, once those before it are over: a turn that was stopped or failed makes no further change. */
async function mayGo({ before, signal }: CallContext): Promise<boolean> {
  if (!before) return true;
  return before.then(
    () => !signal.aborted,
    () => false,
  );
}

/** Whether calls before this one are still to be made. */
async function isBehind({ before }: CallContext): Promise<boolean> {
  if (!before) return false;
  const over = before.then(
    () => false,
    () => false,
  );
  return Promise.race([over, new Promise<boolean>((resolve) => setImmediate(resolve, true))]);
}

/** Makes an approved call, once those before it are over; its row stays as it is when that may not be any more. */
async function* makeApproved(
  approved: Confirmation,
  { intent, ready, onHeldAgain }: { intent: CallIntent; ready: ReadyCall } & Pick<ApprovedOptions, "onHeldAgain">,
  context: CallContext,
): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { arguments: sent, history_id } = approved;
  const hidden = { sent, shown: redactArguments(sent, ready.action, context.redactor) };
  const running = context.runningCalls.begin(intent.turn_id, intent.call_id);
  const own = { ...context, stop: running.stop };
  try {
    if (!(await mayGo(context))) return await abandonCall(history_id, context.store);
    // The time a person took is none of the call's: its duration is that of its row.
    return yield* whileSending({ ...intent, hidden }, own, (talk) => runApproved(approved, own, { talk, onHeldAgain }));
  } finally {
    running.end();
  }
}

/**
 * Holds a call, and waits for the decision when the client can be asked; again when what it would do has changed since it was shown.
 * Yields `confirmation_required` and `confirmation_resolved`; returns the result of the call, or of its refusal. Throws AppError when
 * it cannot be held.
 */
export async function* confirmCall(
  ready: ReadyCall,
  { intent, foreseen }: { intent: CallIntent; foreseen: Foreseen | undefined },
  context: CallContext,
): AsyncGenerator<ExtendedEvent, CallResult, void> {
  const { confirmations, store } = context;
  let held = await confirmations.hold(intent, ready.arguments, { preview: ready.prepared.preview, foreseen });
  if (!context.interactive) return heldResult(held);
  let answer = confirmations.wait(held.id, context.signal);
  const onHeldAgain = (again: Confirmation): void => void (answer = confirmations.wait(again.id, context.signal));
  for (;;) {
    yield { kind: "confirmation_required", ...confirmations.publicView(held) };
    const answered = await answer;
    const decided = answered?.confirmation ?? (await denyCancelled(held, context));
    if (!decided || decided.status === "pending") return heldResult(held);
    let again: Confirmation | undefined;
    try {
      // Failing here only means that the session's transcript gets a notice as well.
      await store.markNotified(held.id).catch(() => undefined);
      const { reason } = decided;
      const isEdited = toJson(decided.arguments) !== toJson(held.arguments);
      yield {
        kind: "confirmation_resolved",
        id: held.id,
        decision: decided.status,
        reason: reason === "" ? undefined : reason,
        arguments: isEdited ? confirmations.publicView(decided).arguments : undefined,
      };
      if (decided.status !== "approved") {
        const error = decided.status === "expired" ? "confirmation_expired" : "denied";
        return { ...callResult("error", { error, message: reason }), rowId: held.history_id };
      }
      // Those before it may wait for a decision that comes after this one.
      if (await isBehind(context)) answered?.onTried(undefined);
      const result = yield* makeApproved(decided, { intent, ready, onHeldAgain }, context);
      again = result.held;
      if (!again || context.signal.aborted) return result;
    } finally {
      answered?.onTried(again);
    }
    yield { kind: "notice", message: `${intent.tool}: ${CHANGED_MESSAGE}` };
    held = again;
  }
}
