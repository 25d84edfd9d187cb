// The messages of a model call on the wire of OpenAI's chat completions, and whether a vendor would accept them.
import type { VendorRequest } from "./vendor.js";

/** A message, as far as tests look at it. */
export interface ChatMessage {
  role: string;
  content?: string | { text?: string }[] | null;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

/** The messages of a model call, without the system prompt. */
export function messagesOf(request: VendorRequest | undefined): ChatMessage[] {
  return ((request?.body["messages"] ?? []) as unknown as ChatMessage[]).filter(({ role }) => role !== "system");
}

/** What is wrong with a conversation: a call without its result, or a result without its call; "" when nothing is. */
export function incoherence(messages: readonly ChatMessage[]): string {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "";
      if (!open.includes(id)) return `a result of ${id}, which was not called`;
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return `no result of ${open.join(", ")}`;
    open = (message.tool_calls ?? []).map((call) => call.id);
  }
  return open.length > 0 ? `no result of ${open.join(", ")} at the end` : "";
}
