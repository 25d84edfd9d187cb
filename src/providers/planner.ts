// The embedded provider: a deterministic planner instead of a model. No key, no network, the same answer every time.
// One reply is one step of the plan; the goal of the plan is kept in the message's meta.
import type { Message } from "../domain/message.js";
import { localTime, ownTimeZone } from "../domain/time-zone.js";
import { readConversation, readsLeft } from "../planner/conversation.js";
import { toMeta } from "../planner/goal.js";
import { plan } from "../planner/plan.js";
import { callKey } from "../planner/step.js";
import { taskText } from "../planner/task-text.js";
import { newCallId } from "./calls.js";
import type { Delta, Provider, ProviderOptions, Reply, ReplyRequest } from "./provider.js";

/** The prompts in the words of the applications. */
function translated({ messages, translate }: ReplyRequest): readonly Message[] {
  if (!translate) return messages;
  return messages.map((message) => (message.role === "user" ? { ...message, text: translate(message.text) } : message));
}

function answer(request: ReplyRequest): Reply {
  const prompt = request.tools.length === 0 ? request.messages.findLast(({ role }) => role === "user") : undefined;
  const text = prompt && taskText(prompt.text);
  if (text !== undefined) return { text, calls: [], finish: "stop" };
  const conversation = readConversation(translated(request));
  const today = request.now ?? localTime(new Date(), ownTimeZone());
  const { tools } = request;
  const step = plan({ conversation, tools, today, readsLeft: readsLeft(conversation, request) });
  const meta = step.goal && toMeta(step.goal);
  if (step.kind === "text") return { text: step.text, calls: [], finish: "stop", meta };
  const key = callKey(step.tool, step.args);
  const failed = conversation.turn.some(({ call, isError }) => isError && callKey(call.name, call.arguments) === key);
  if (failed) return { text: `\`${step.tool}\` failed already, so it is not tried again.`, calls: [], finish: "stop" };
  return { text: "", calls: [{ id: newCallId(), name: step.tool, arguments: step.args }], finish: "tool_calls", meta };
}

/**
 * The planner as a provider. Never yields a delta and never fails. It matches words, so what it takes a prompt to mean is a
 * guess: unless the operator lets it `act`, a person confirms its changes.
 */
export function createOfflineProvider(options: ProviderOptions & { act?: boolean }): Provider {
  const { name, model, historyLimit, maxTools, resultBudget } = options;
  return {
    name,
    model,
    historyLimit,
    maxTools,
    resultBudget,
    asksNoModel: true,
    confirmsChanges: options.act !== true,
    // biome-ignore lint/correctness/useYield: the planner's answer is there at once, there is nothing to stream
    async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
      signal.throwIfAborted();
      return answer(request);
    },
  };
}
