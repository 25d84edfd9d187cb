// How many tokens a request takes: an estimate at the usual four bytes a token, as for tool definitions. What a vendor counted is
// compared with it (window.ts), so that text which takes more tokens is seen after the first call.
// Our own, because vendors' tokenizers differ, those that are public weigh megabytes, and the count is only compared with a limit.
import type { Message } from "../../domain/message.js";
import type { Tool } from "../../domain/tool.js";
import { toJson } from "../../lib/json.js";
import { tokensOf } from "../../tools/token-budget.js";
import type { ReplyRequest } from "../provider.js";

const BYTES_A_TOKEN = 4;
/** A role, an id and what separates messages. */
const MESSAGE_TOKENS = 8;

/** Messages and lists of tools are never changed, and most of them are sent with many calls. */
const messageTokens = new WeakMap<Message, number>();
const listTokens = new WeakMap<readonly Tool[], number>();

const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

/** Tokens of one message with its calls and what its vendor wants back. */
export function tokensOfMessage(message: Message): number {
  let count = messageTokens.get(message);
  if (count === undefined) {
    count = MESSAGE_TOKENS + tokensIn(message.text);
    if (message.role === "assistant") {
      const { calls, meta } = message;
      if (calls.length > 0) count += tokensIn(toJson(calls));
      if (meta !== undefined) count += tokensIn(toJson(meta));
    }
    messageTokens.set(message, count);
  }
  return count;
}

function tokensOfTools(tools: readonly Tool[]): number {
  let count = listTokens.get(tools);
  if (count === undefined) listTokens.set(tools, (count = tools.reduce((sum, tool) => sum + tokensOf(tool), 0)));
  return count;
}

/** Tokens of all messages. */
export function tokensOfMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

/** Tokens of what goes with every call whatever the conversation: instructions and tools. */
export function tokensOfRest({ system, tools }: ReplyRequest, ownInstructions: string): number {
  return tokensIn(system) + tokensIn(ownInstructions) + tokensOfTools(tools);
}
