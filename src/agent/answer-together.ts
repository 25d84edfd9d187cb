// The changes of one reply that a person is asked about: all of them are asked at once, so that they can be decided in one look, and each is
// made once those before it are over.
import type { TurnEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import { judge } from "../domain/policy.js";
import { Outbox } from "../lib/outbox.js";
import { type CallState, callEvent, resultEvents } from "./answer-call.js";
import { callTool } from "./call.js";
import { policyFor } from "./calls/prepare-call.js";
import { type CallResult, releaseResults } from "./calls/send-call.js";
import type { TurnContext } from "./context.js";

/** The calls at the beginning of these that are asked about together; fewer than two are not. */
export function askedTogether(calls: readonly ToolCall[], turn: TurnContext): readonly ToolCall[] {
  if (!turn.interactive) return [];
  const isAsked = ({ name }: ToolCall): boolean => {
    const action = turn.catalogue.action(name);
    return action !== undefined && judge(policyFor(action, turn), action).kind === "confirm";
  };
  const end = calls.findIndex((call) => !isAsked(call));
  return end < 0 ? calls : calls.slice(0, end);
}

/** What becomes of a call under way. */
interface Asked {
  /** Resolves once those before it are over, too. */
  result: Promise<CallResult>;
  /** Resolves once a person is asked, or nobody will be. */
  asked: Promise<void>;
}

interface BeginOptions {
  /** The number of its `tool_call`. */
  event: number;
  /** Resolves once the calls before it are over; rejects when one of them threw. */
  before: Promise<unknown>;
  outbox: Outbox<TurnEvent | CallResult>;
}

/** Begins a call, whose events go to the outbox. */
function begin(call: ToolCall, turn: TurnContext, { event, before, outbox }: BeginOptions): Asked {
  const running = callTool(call, { ...turn, event, before });
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const run = async (): Promise<CallResult> => {
    for (;;) {
      const step = await running.next();
      if (step.done) return step.value;
      outbox.push(step.value);
      if (step.value.kind === "confirmation_required") tell();
    }
  };
  const result = run().finally(tell);
  // Nobody takes it when a call before it threw.
  result.catch(() => {});
  return { asked, result: before.then(() => result) };
}

/**
 * Makes the calls: yields the `tool_call` of each, what is asked of them, and their results in order; adds their answers to the
 * conversation, and returns what became of them. A call is held once the one before it is, so that rows keep the order of the calls.
 */
export async function* answerTogether(
  calls: readonly ToolCall[],
  turn: TurnContext,
  state: CallState,
): AsyncGenerator<TurnEvent, CallResult[], void> {
  const numbers: number[] = [];
  for (const call of calls) {
    yield callEvent(call, turn, state);
    numbers.push(turn.eventCount());
  }
  const outbox = new Outbox<TurnEvent | CallResult>();
  const begun: Promise<CallResult>[] = [];
  const beginAll = async (): Promise<void> => {
    for (const [at, call] of calls.entries()) {
      const before = begun.at(-1) ?? Promise.resolve();
      const { asked, result } = begin(call, turn, { event: numbers[at] ?? 0, before, outbox });
      begun.push(result);
      result.then((one) => outbox.push(one)).catch(() => {});
      await asked;
    }
  };
  const all = beginAll()
    .then(() => Promise.all(begun))
    .finally(() => outbox.close());
  all.catch(() => {});
  let answered = 0;
  try {
    for (let next = await outbox.next(); next; next = await outbox.next()) {
      if ("kind" in next) yield next;
      else yield* resultEvents(calls[answered++] as ToolCall, next, { turn, state });
    }
    return await all;
  } finally {
    // Left over when the consumer has left or a call threw; those behind may be about to begin.
    await all.catch(() => {});
    await releaseResults(begun.slice(answered));
  }
}
