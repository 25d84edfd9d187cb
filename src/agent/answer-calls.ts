// The calls of one reply, answered in its order: reads run side by side, a change runs alone, changes that a person is asked about are
// asked together, and calls beyond the limit are not made. Events, rows and messages keep the model's order, whatever is done first.
import type { TurnEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import type { Confirmation } from "../domain/record.js";
import { NOT_CALLED } from "../domain/stopped-call.js";
import { toJson } from "../lib/json.js";
import { createSlices } from "../lib/slices.js";
import { MAX_CALLS } from "../providers/provider.js";
import { builtinAction } from "../tools/builtin-tools.js";
import { type CallState, callEvent, resultEvents } from "./answer-call.js";
import { answerTogether, askedTogether } from "./answer-together.js";
import { callTool } from "./call.js";
import { isRefusal, prepareCall, type Refusal } from "./calls/prepare-call.js";
import { type CallResult, releaseResults } from "./calls/send-call.js";
import type { TurnContext } from "./context.js";

/** Reads of one turn under way at once: about what a browser opens to one host, so that no application takes it for an attack. */
const MAX_SIDE_BY_SIDE = 8;

/** For the first call beyond the limit; those behind it are dropped without a word of their own. */
const TOO_MANY_CALLS: Refusal = {
  status: "error",
  code: "too_many_calls",
  message: `one reply may make ${MAX_CALLS} calls; this one and all behind it were not made, ask for them in the next reply`,
};

/** What a call is to its neighbours; one that asks a person is none that others may run beside. The daemon's own tools read what the calls before them brought. */
function kindOf(name: string, { catalogue }: TurnContext): "read" | "own" | "change" {
  const action = catalogue.action(name);
  if (action) return action.safety === "read_only" && action.permission?.is !== "ask" ? "read" : "change";
  return builtinAction(name)?.safety === "read_only" ? "own" : "change";
}

/** The result of a call that asks no person, and so has no events of its own. */
async function resultOf(running: ReturnType<typeof callTool>): Promise<CallResult> {
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
  }
}

/** A read that was started before its turn. */
interface StartedRead {
  result: Promise<CallResult>;
  /** Events it will have, its pair and a notice for each warning: the numbers of those behind it are known before they are out. */
  events: number;
}

/**
 * Starts those of the calls that may run beside the first of them, in order: the row of each is on its way before the next. The
 * `tool_call` of the first is the last event so far.
 */
async function startReads(calls: readonly ToolCall[], started: StartedRead[], turn: TurnContext): Promise<void> {
  while (started.length < MAX_SIDE_BY_SIDE && !turn.signal.aborted) {
    const call = calls[started.length];
    const kind = call && kindOf(call.name, turn);
    if (!call || kind === "change" || (kind === "own" && started.length > 0)) return;
    // What cannot be prepared fails when its turn comes.
    const ready = await prepareCall(call, turn).catch(() => undefined);
    if (!ready || turn.signal.aborted) return;
    // How many events it will have is not known.
    if (!isRefusal(ready) && ready.transport.mayAsk) return;
    const event = started.reduce((sum, { events }) => sum + events, turn.eventCount());
    const result = resultOf(callTool(call, { ...turn, event }, ready));
    // Awaited when its turn comes, which may be after it has failed.
    result.catch(() => {});
    started.push({ result, events: 2 + (isRefusal(ready) ? 0 : ready.warnings.length) });
  }
}

/** Ends a stopped turn whose model asked for more: the next prompt knows that these calls were never made. */
function abandonCalls(calls: readonly ToolCall[], { newMessages, signal }: TurnContext): never {
  const text = toJson({ ...NOT_CALLED });
  for (const { id, name } of calls) newMessages.push({ role: "tool", call_id: id, name, text, is_error: true });
  throw signal.reason;
}

/** Makes one call, or takes the result of the read that was started ahead of its turn: yields its events and adds its answer. */
async function* answerCall(
  calls: readonly ToolCall[],
  { at, started, state }: { at: number; started: StartedRead[]; state: CallState },
  turn: TurnContext,
): AsyncGenerator<TurnEvent, CallResult, void> {
  const call = calls[at] as ToolCall;
  const slices = createSlices();
  yield callEvent(call, turn, state);
  // Its arguments may be long, and so may what became of the event.
  if (slices.isOver()) await slices.pause();
  const numbered = { ...turn, event: turn.eventCount() };
  let result: CallResult;
  if (at >= MAX_CALLS) result = yield* callTool(call, numbered, TOO_MANY_CALLS);
  else {
    await startReads(calls.slice(at, MAX_CALLS), started, turn);
    const read = started.shift();
    result = read ? await read.result : yield* callTool(call, numbered);
  }
  yield* resultEvents(call, result, { turn, state });
  return result;
}

/**
 * Makes the calls of one reply: yields the events of each, adds their answers to the conversation, and returns the calls that
 * are held. When the turn is stopped, what was sent is awaited and answered, and the signal's reason is thrown.
 */
export async function* answerCalls(
  calls: readonly ToolCall[],
  turn: TurnContext,
  state: CallState,
): AsyncGenerator<TurnEvent, Confirmation[], void> {
  const held: Confirmation[] = [];
  /** Reads under way, that of the current call first. */
  const started: StartedRead[] = [];
  if (calls.length > 1 && !turn.signal.aborted) yield { kind: "calls", ids: calls.map(({ id }) => id) };
  try {
    for (let at = 0; at < calls.length; ) {
      if (turn.signal.aborted && started.length === 0) abandonCalls(calls.slice(at), turn);
      const together = askedTogether(calls.slice(at, MAX_CALLS), turn);
      const results =
        together.length > 1
          ? yield* answerTogether(together, turn, state)
          : [yield* answerCall(calls, { at, started, state }, turn)];
      for (const result of results) if (result.held) held.push(result.held);
      at += results.length;
    }
    return held;
  } finally {
    // Left over when the consumer has left or a call threw.
    await releaseResults(started.map(({ result }) => result));
  }
}
