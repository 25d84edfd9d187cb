// What every provider does to a conversation before it translates it.
import type { Message } from "../domain/message.js";

/** How the daemon's own notices begin where a vendor knows user messages only. */
export const NOTICE_PREFIX = "[agentd] ";

/** The conversation from its first prompt or notice on: trimming may leave an answer in front, which vendors refuse. */
export function fromFirstPrompt(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role === "user" || message.role === "notice");
  return first > 0 ? messages.slice(first) : messages;
}
