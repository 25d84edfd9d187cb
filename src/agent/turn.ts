// The loop of one prompt: model, tools, model, until an answer or the cap. Yields events as they happen and collects the
// messages of the turn. Knows no entry point, no session and no vendor.
import {
  CONTENT_FILTER_NOTICE,
  LOST_CALL_NOTICE,
  OUTPUT_LIMIT_NOTICE,
  oddEndNotice,
  type TurnEvent,
} from "../domain/event.js";
import type { Message } from "../domain/message.js";
import type { ModelUsage } from "../domain/usage.js";
import type { Reply } from "../providers/provider.js";
import { type CallState, heldCallsText } from "./answer-call.js";
import { answerCalls } from "./answer-calls.js";
import type { TurnContext } from "./context.js";
import { modelReply } from "./model-reply.js";

const callIdsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === "assistant" ? message.calls.map(({ id }) => id) : []));

/** What a person is to know of the way a reply ended; undefined for the usual one. */
function endNotice({ finish, calls, stopReason }: Reply): string | undefined {
  switch (finish) {
    case "stop":
      return undefined;
    case "tool_calls":
      return calls.length === 0 ? LOST_CALL_NOTICE : undefined;
    case "length":
      return OUTPUT_LIMIT_NOTICE;
    case "content_filter":
      return CONTENT_FILTER_NOTICE;
    case "other":
      return oddEndNotice(stopReason);
    default:
      return finish satisfies never;
  }
}

/** The events of a complete reply. */
function* replyEvents(reply: Reply, usage: ModelUsage | undefined): Generator<TurnEvent, void, void> {
  const { reasoning, text, calls } = reply;
  if (reasoning) yield { kind: "reasoning", text: reasoning };
  if (usage) yield { kind: "usage", ...usage };
  if (text || calls.length === 0) yield { kind: "assistant_message", text };
  const message = endNotice(reply);
  if (message !== undefined) yield { kind: "notice", message };
}

/**
 * Runs the loop. Yields everything between `user_prompt` and `done` except the `error` that a throw becomes.
 * Throws what ends the turn: ProviderError, the signal's reason, or Error at the iteration cap.
 */
export async function* runTurn(turn: TurnContext, state: CallState): AsyncGenerator<TurnEvent, void, void> {
  const { newMessages, signal } = turn;
  const seenIds = new Set(callIdsIn(turn.earlierMessages));
  for (let iteration = 0; iteration < turn.maxIterations; iteration++) {
    const reply = yield* modelReply(turn, state.selection.tools(), {
      seenIds,
      repliesLeft: turn.maxIterations - iteration,
    });
    const { text, calls, reasoning, meta } = reply;
    const usage = reply.usage && turn.count(reply.usage);
    newMessages.push({ role: "assistant", text, calls, ...(reasoning && { reasoning }), meta, usage });
    yield* replyEvents(reply, usage);
    if (calls.length === 0) return;

    const held = yield* answerCalls(calls, turn, state);
    signal.throwIfAborted();
    if (held.length > 0) {
      const waiting = heldCallsText(held, turn);
      newMessages.push({ role: "assistant", text: waiting, calls: [] });
      yield { kind: "assistant_message", text: waiting };
      return;
    }
  }
  throw new Error(
    `stopped after ${turn.maxIterations} model calls without a final answer; raise max_iterations or ask for less at once`,
  );
}
