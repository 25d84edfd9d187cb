// What Mistral's models demand of a conversation that no other does, at its own API and behind servers with its tokenizer: ids
// of calls are nine letters and digits, and an assistant's message stands between a tool's and a user's.
// Source: mistral-common, the validator of instruct requests.
import { createHash } from "node:crypto";
import type { Message } from "../../domain/message.js";
import type { ProviderOptions } from "../provider.js";

const MODEL = /(^|[^a-z])(mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/i;
const ID = /^[a-zA-Z0-9]{9}$/;
/** Stands for the answer of a turn that ended without one. */
const NO_ANSWER = "That turn ended without an answer.";

/** Whether these options lead to one of its models. */
export function isMistral({ baseUrl = "", model }: Pick<ProviderOptions, "baseUrl" | "model">): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return /(^|\.)mistral\.ai$/.test(host) || MODEL.test(model);
}

/** The same id for the same call in every request, since servers cache by the text. */
function shortId(id: string): string {
  if (ID.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}

/** The conversation as its models take it. */
export function toMistral(messages: readonly Message[]): Message[] {
  return messages.flatMap((message, at): Message[] => {
    if (message.role === "assistant")
      return [{ ...message, calls: message.calls.map((call) => ({ ...call, id: shortId(call.id) })) }];
    if (message.role === "tool") return [{ ...message, call_id: shortId(message.call_id) }];
    const isAfterTool = messages[at - 1]?.role === "tool";
    return isAfterTool ? [{ role: "assistant", text: NO_ANSWER, calls: [] }, message] : [message];
  });
}
