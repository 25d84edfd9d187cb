// What a vendor wants back with a message (its reasoning, signatures) goes back to the provider and model it came from, and to no
// other: another model refuses it or is misled by it, and another vendor has no business with it.
import type { Message } from "../domain/message.js";
import type { Provider, Reply, ReplyRequest } from "./provider.js";

/** Under this name `meta` of a message says whose it is. Messages of older versions do not, and are sent as they are. */
const BY = "by";

function withoutForeign(message: Message, by: string): Message {
  if (message.role !== "assistant" || message.meta === undefined) return message;
  const { [BY]: from, ...meta } = message.meta;
  if (from === undefined || from === by) return { ...message, meta };
  const calls = message.calls.map(({ meta: _, ...call }) => call);
  return { role: "assistant", text: message.text, calls };
}

/** Whose meta is whose: the name that a reply and its later requests have in common. */
export const metaOwner = ({ name, model }: Pick<Provider, "name" | "model">): string => `${name}/${model}`;

/** The request as its owner may see it. */
export function withoutForeignMeta(request: ReplyRequest, by: string): ReplyRequest {
  return { ...request, messages: request.messages.map((message) => withoutForeign(message, by)) };
}

/** The reply with its owner, where it has anything that is only for the owner. */
export function withOwner(reply: Reply, by: string): Reply {
  const hasMeta = reply.meta !== undefined || reply.calls.some(({ meta }) => meta !== undefined);
  return hasMeta ? { ...reply, meta: { ...reply.meta, [BY]: by } } : reply;
}
