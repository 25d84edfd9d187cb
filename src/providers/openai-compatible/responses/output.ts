// The order in which a reply of the responses API came, kept with the message so that it goes back as it was: reasoning stands
// before what came of it. Texts and calls are not kept twice: the message has them.
import type { Message } from "../../../domain/message.js";
import { isObject, type JsonObject, listOf, toJson } from "../../../lib/json.js";
import { sentName } from "../../conversation.js";

type Answered = Extract<Message, { role: "assistant" }>;

/** Between the texts of two messages of one reply, which become one text. */
export const BETWEEN_TEXTS = "\n\n";

/**
 * A part of a reply, in its order: reasoning as it came; so many characters of the text, with what the vendor calls their phase;
 * the next of the calls.
 */
export type OutputPart = { reasoning: JsonObject } | { chars: number; phase?: string } | { call: true };

/** A reasoning item as it is sent back, undefined where it says nothing to a server that keeps no replies. */
export function toReasoningPart(item: JsonObject): OutputPart | undefined {
  const { id, summary, content, encrypted_content: encrypted } = item;
  const hasContent = Array.isArray(content) && content.length > 0;
  if (typeof encrypted !== "string" && !hasContent) return undefined;
  const reasoning: JsonObject = { type: "reasoning", id: id ?? "", summary: listOf(summary) };
  if (hasContent) reasoning["content"] = content;
  if (typeof encrypted === "string") reasoning["encrypted_content"] = encrypted;
  return { reasoning };
}

/** What is kept with the message; undefined where its text and its calls say all. */
export function outputMeta(parts: readonly OutputPart[]): JsonObject | undefined {
  const says = parts.some((part) => "reasoning" in part || ("phase" in part && part.phase !== undefined));
  return says ? { output: parts as unknown as JsonObject[] } : undefined;
}

const toWireText = (text: string, id: string, phase: unknown): JsonObject => ({
  type: "message",
  // OpenAI pairs ids it gave with reasoning that may have been left out; other servers demand one.
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...(typeof phase === "string" && { phase }),
});

const toWireCall = ({ id, name, arguments: args }: Answered["calls"][number]): JsonObject => ({
  type: "function_call",
  call_id: id,
  name: sentName(name),
  // Malformed arguments go back as {}: servers that parse them would refuse the whole conversation.
  arguments: toJson(args),
});

/** The items of a message in its order. Reasoning is left out where no call came of it; it is of no use there. */
export function toItems({ text, calls, meta }: Answered, messageId: string): JsonObject[] {
  const items: JsonObject[] = [];
  let rest = text;
  let made = 0;
  const addText = (chars: number, phase: unknown): void => {
    const own = rest.slice(0, chars);
    rest = rest.slice(chars);
    if (rest.startsWith(BETWEEN_TEXTS)) rest = rest.slice(BETWEEN_TEXTS.length);
    if (own) items.push(toWireText(own, `${messageId}_${items.length}`, phase));
  };
  const addCall = (): void => {
    const call = calls[made++];
    if (call) items.push(toWireCall(call));
  };
  for (const part of listOf(meta?.["output"]).filter(isObject)) {
    if (isObject(part["reasoning"])) {
      if (made < calls.length) items.push(part["reasoning"]);
    } else if (typeof part["chars"] === "number") addText(part["chars"], part["phase"]);
    else addCall();
  }
  addText(rest.length, undefined);
  while (made < calls.length) addCall();
  return items;
}
