// The second half of a call: its row is on disk, the request goes out at most once, and the row is completed whatever happens,
// before any caller reads the result.
import type { ExecuteOptions, Outcome, Preview } from "../../applications/transport.js";
import type { Foreseen } from "../../domain/effect.js";
import { messageOf, Stopped } from "../../domain/error.js";
import type { ResultStatus } from "../../domain/event.js";
import { type Confirmation, type FinalStatus, INTERRUPTED } from "../../domain/record.js";
import { NOT_CALLED, STOPPED_CALL, STOPPED_READ } from "../../domain/stopped-call.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { createSlices } from "../../lib/slices.js";
import { withFields } from "../../lib/with-fields.js";
import { forRecord, type Result, toResult } from "../../results/result.js";
import { redactedRows } from "../../results/rows.js";
import type { SendContext } from "../context.js";
import { unlessShutdown } from "../state/shutdown.js";
import { effectKeeper, toForeseen } from "./effect.js";
import { keepWhole } from "./keep-result.js";
import type { ReadyCall } from "./prepare-call.js";
import { resultRedactor } from "./redact-arguments.js";
import type { Talk } from "./talk.js";
import { undoOnce, withLaterCalls } from "./undone.js";

/** The result of a call, redacted. */
export interface CallResult {
  status: ResultStatus;
  /** Whole: cutting it for the model is up to the reader, who keeps its rows or closes them. */
  result: Result;
  /** The result as events and the history keep it. */
  recorded: JsonValue;
  /** Milliseconds, the target's time included. */
  durationMs: number;
  /** Set when the result could not be put on record yet. */
  unsaved?: true;
  /** What was doubtful about the arguments, a sentence each. */
  warnings?: readonly string[];
  /** Set when the call is held and the client cannot be asked now. */
  held?: Confirmation;
  /** Its history row. */
  rowId?: number;
  /** What its application asked and nobody could answer, a sentence each. */
  unanswered?: readonly string[];
}

/** A call that may leave: its row is pending. */
interface Leaving {
  rowId: number;
  /** The fingerprint of what a person said yes to. */
  expected?: string | undefined;
  /** What it would do now, where that is known to be something else than a person said yes to: then it is not sent. */
  changed?: Preview | undefined;
  /** Why it is not sent after all. */
  refused?: Outcome | undefined;
  /** Holds the call anew, for what it would do now. */
  holdAgain?(foreseen: Foreseen): Promise<Confirmation>;
  /** What its application may say and ask. */
  talk?: Talk | undefined;
  /** Gets the answer before it is recorded, unredacted. */
  seen?: ((answer: Outcome, rowId: number) => Promise<void>) | undefined;
}

export const CHANGED_MESSAGE =
  "what this call would change is not what was shown any more, and nothing was done; a new confirmation shows what it would do now";

/** A value without rows as the result of a call. */
export function callResult(status: ResultStatus, value: JsonValue): CallResult {
  const result = toResult(value);
  return { status, result, recorded: forRecord(result), durationMs: 0 };
}

/** For results that nobody takes: what was sent is awaited, and its rows are let go. Never throws. */
export async function releaseResults(results: readonly Promise<CallResult>[]): Promise<void> {
  for (const one of await Promise.allSettled(results))
    if (one.status === "fulfilled") await one.value.result.rows?.close();
}

/** Completes the row of a call that was not sent after all. */
export async function abandonCall(rowId: number, store: SendContext["store"]): Promise<CallResult> {
  await store.completeCall(rowId, { status: "error", result: { ...NOT_CALLED }, duration_ms: 0 });
  return { ...callResult("error", { ...NOT_CALLED }), rowId };
}

/** Milliseconds since `start` (of `performance.now()`), to a hundredth. */
function elapsedMs(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

type RedactedOutcome = Omit<CallResult, "durationMs" | "warnings">;

/** An outcome as it may be stored and shown; when that fails, nothing of it stays open. */
async function redactOutcome(outcome: Outcome, redactor: Pick<Redactor, "text" | "value">): Promise<RedactedOutcome> {
  try {
    const rows = outcome.rows && redactedRows(outcome.rows, redactor);
    // Each step goes through all of a long result.
    const slices = createSlices();
    const value = redactor.value(outcome.value);
    if (slices.isOver()) await slices.pause();
    const result = toResult(value, rows);
    if (slices.isOver()) await slices.pause();
    const recorded = forRecord(result);
    if (slices.isOver()) await slices.pause();
    return { status: outcome.status, result, recorded };
  } catch (error) {
    await outcome.rows?.close();
    throw error;
  }
}

const STOPPED: Outcome = { status: "error", value: { error: "cancelled", message: STOPPED_READ } };
const NOT_SENT: Outcome = {
  status: "error",
  value: { error: "cancelled", message: `${STOPPED_CALL} before it was sent; nothing was sent` },
};

/** A read that a person stopped says so in the same words, whatever those of its transport are. A change says what is known of it. */
function inWordsOfStop(answer: Outcome, ready: ReadyCall, { signal, stop }: SendContext): Outcome {
  const isStopped = stop?.aborted === true && !signal.aborted && ready.action.safety === "read_only";
  return isStopped && answer.status === "error" && objectOf(answer.value)["error"] === "cancelled" ? STOPPED : answer;
}

/**
 * What ends a read: its turn, and what stops it alone. The signal that follows both is made for a transport that asks for it: it holds
 * on to both, and to all that listens to them, until the next full collection.
 */
class ReadOptions implements ExecuteOptions {
  readonly stop: AbortSignal | undefined;
  readonly #turn: AbortSignal;
  #either: AbortSignal | undefined;

  constructor({ signal, stop }: Pick<SendContext, "signal" | "stop">) {
    this.#turn = signal;
    this.stop = stop;
  }

  get signal(): AbortSignal {
    this.#either ??= this.stop ? AbortSignal.any([this.#turn, this.stop]) : this.#turn;
    return this.#either;
  }
}

/** The one attempt that a call has, or two where the target refused the first with 401. */
async function execute(ready: ReadyCall, { rowId, expected, talk }: Leaving, context: SendContext): Promise<Outcome> {
  const { store, signal, stop } = context;
  if (stop?.aborted) return NOT_SENT;
  const start = performance.now();
  const isChange = ready.action.safety !== "read_only";
  const options: ExecuteOptions = isChange
    ? { expected, keep: effectKeeper(ready, rowId, context), signal, stop }
    : new ReadOptions(context);
  if (talk && ready.transport.mayAsk) Object.assign(options, { ask: talk.ask, onProgress: talk.onProgress });
  const first = await unlessShutdown(ready.transport.execute(ready.prepared, ready.target, options), signal);
  if (!first.renew || signal.aborted || stop?.aborted) return inWordsOfStop(first, ready, context);
  const next = await unlessShutdown(first.renew(), signal);
  if ("outcome" in next) return next.outcome;
  // Stopped meanwhile: what a person no longer wants is not sent again.
  if (signal.aborted || stop?.aborted) return first;
  const redactor = resultRedactor({ sent: ready.arguments, shown: ready.shownArguments }, context.redactor);
  const { status, recorded } = await redactOutcome(first, redactor);
  const result = isObject(recorded) ? { ...recorded, sent_again: true } : recorded;
  try {
    await store.recordAttempt(rowId, { status, result, duration_ms: elapsedMs(start) });
  } catch {
    // No row, no request.
    return first;
  }
  await first.rows?.close();
  return inWordsOfStop(await unlessShutdown(next.send(), signal), ready, context);
}

/** The outcome of an undo says what was undone, or what stands in its way. */
async function undoOutcome(
  answer: Outcome,
  { undoes, prepared }: ReadyCall,
  store: SendContext["store"],
): Promise<Outcome> {
  if (undoes === undefined) return answer;
  const { undo, ...call } = prepared.preview;
  const { left } = objectOf(answer.value);
  if (answer.status === "ok" && Array.isArray(left))
    return { ...answer, value: { undone_in_part: undo ?? undoes, left, ...call } };
  if (answer.status === "ok") return { ...answer, value: { undone: undo ?? undoes, ...call } };
  return isObject(answer.value) ? { ...answer, value: await withLaterCalls(answer.value, undoes, store) } : answer;
}

/** The result of a call that would do something else now than a person said yes to. */
async function changedOutcome(
  changed: NonNullable<Outcome["changed"]>,
  ready: ReadyCall,
  { redactor, holdAgain }: Pick<Leaving, "holdAgain"> & Pick<SendContext, "redactor">,
): Promise<RedactedOutcome> {
  const foreseen = toForeseen(changed, ready, redactor);
  // One that cannot be held is asked for again.
  const held = await holdAgain?.(foreseen).catch(() => undefined);
  const value: JsonObject = {
    error: "changed",
    message: CHANGED_MESSAGE,
    effect: foreseen.effect as unknown as JsonObject,
    confirmation_id: held?.id ?? null,
  };
  return held ? { ...callResult("error", value), held } : callResult("error", value);
}

/**
 * Sends a call whose row is already pending and completes the row. It is sent once; once more only when the target refused it with
 * 401 and another credential could be had, and when the refused attempt is on record in a row of its own: a transport that throws in spite of its
 * promise, or answers what nothing can read, is an error like any other. Never throws.
 */
export function sendCall(ready: ReadyCall, leaving: Leaving, context: SendContext): Promise<CallResult> {
  const { undoes } = ready;
  if (undoes === undefined) return sendNow(ready, leaving, context);
  return undoOnce(context.store, undoes, (reason) => {
    const value = { error: "conflict", message: `${reason}; nothing was sent` };
    const refused: Outcome | undefined = reason === undefined ? undefined : { status: "error", value };
    return sendNow(ready, { ...leaving, refused }, context);
  });
}

async function sendNow(ready: ReadyCall, leaving: Leaving, context: SendContext): Promise<CallResult> {
  const { store } = context;
  const { rowId, talk } = leaving;
  // What was answered meanwhile is hidden like the arguments.
  const redactor = () =>
    resultRedactor({ sent: ready.arguments, shown: ready.shownArguments }, context.redactor, talk?.answers);
  const start = performance.now();
  const complete = async (status: FinalStatus, outcome: RedactedOutcome): Promise<CallResult> => {
    const durationMs = elapsedMs(start);
    const completion = { status, result: outcome.recorded, duration_ms: durationMs, undoes: ready.undoes };
    const saved = await store.completeCall(rowId, completion);
    const unanswered = talk && talk.unanswered.length > 0 ? talk.unanswered : undefined;
    const result = keepWhole(outcome.result, rowId, store);
    return withFields(outcome, { result, durationMs, rowId, unanswered, unsaved: saved ? undefined : true });
  };
  let outcome: RedactedOutcome;
  try {
    const answer: Outcome = leaving.changed
      ? { status: "error", value: null, changed: leaving.changed }
      : (leaving.refused ?? (await execute(ready, leaving, context)));
    // What could not be kept cannot be undone; the call was made.
    await leaving.seen?.(answer, rowId).catch(() => undefined);
    const { changed } = answer;
    if (changed) outcome = await changedOutcome(changed, ready, { ...leaving, redactor: context.redactor });
    else if (ready.transport.isLocal) outcome = callResult(answer.status, answer.value);
    else outcome = await redactOutcome(await undoOutcome(answer, ready, store), redactor());
  } catch (error) {
    if (error instanceof Stopped) return complete("interrupted", callResult("error", INTERRUPTED));
    outcome = await redactOutcome(
      { status: "error", value: { error: "transport_failed", message: messageOf(error) } },
      redactor(),
    );
  }
  return complete(outcome.status, outcome);
}
