// What every provider does to a conversation before it translates it.
import type { Message } from "../domain/message.js";
import type { ReplyRequest } from "./provider.js";

/** How the daemon's own notices begin where a vendor knows user messages only. */
export const NOTICE_PREFIX = "[agentd] ";

/** The conversation from its first prompt or notice on: trimming may leave an answer in front, which vendors refuse. */
export function fromFirstPrompt(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role === "user" || message.role === "notice");
  return first > 0 ? messages.slice(first) : messages;
}

/** The name of a call as every vendor takes it back: a model may have made up any, and one refused name is a refused conversation. */
export function sentName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_") || "unnamed";
}

/** The request with the provider's own instructions after those it has, and the time last: what stands before it stays the same. */
export function withInstructions(request: ReplyRequest, own: string | undefined): ReplyRequest {
  const { system, now } = request;
  const parts = [system, own, now && `It is ${now.text}.`].filter(Boolean);
  return { ...request, system: parts.length === 0 ? system : parts.join("\n\n") };
}
