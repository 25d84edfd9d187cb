// Which messages the model still sees: trimming to the provider's limit and repairing what a crash left open.
import type { Message } from "../../domain/message.js";

const LOST = "The outcome of this call is unknown: the turn ended before its result was recorded.";

/**
 * The newest messages, at most `limit` where that can be done: a tool call is never separated from its results, and the
 * newest user message with all that follows it is always kept.
 */
export function trim(messages: readonly Message[], limit: number): Message[] {
  const current = messages.findLastIndex((message) => message.role === "user");
  let start = Math.max(0, messages.length - limit);
  if (current >= 0) start = Math.min(start, current);
  while (start < messages.length && messages[start]?.role === "tool") start++;
  if (current >= 0) start = Math.min(start, current);
  return messages.slice(start);
}

/** The same messages with every tool call answered right behind it and no answer without its call, as providers demand. */
export function repair(messages: readonly Message[]): Message[] {
  const answers = new Map<string, Message>();
  const out: Message[] = [];
  const flush = (): void => {
    out.push(...answers.values());
    answers.clear();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      if (answers.has(message.call_id)) answers.set(message.call_id, message);
      continue;
    }
    flush();
    out.push(message);
    if (message.role === "assistant")
      for (const call of message.calls)
        answers.set(call.id, { role: "tool", call_id: call.id, name: call.name, text: LOST, is_error: true });
  }
  flush();
  return out;
}
