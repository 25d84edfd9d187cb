// The conversation as the planner needs it: the prompt under way and what was answered to it, the question it may be the
// answer to, and what was last spoken of. Messages go in.

import type { Message, ToolCall } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";
import { displayedRows } from "./answer/render.js";
import { type ResultContent, readResultText } from "./answer/rows.js";
import { fromMeta, type Goal } from "./goal.js";
import { beginningOf, readPrompt } from "./prompt/prompt.js";
import { collectionOf } from "./resource-noun.js";

/** A call of the conversation with its answer. */
export interface CompletedCall {
  call: ToolCall;
  text: string;
  isError: boolean;
  goal?: Goal;
}

/** A conversation, read. */
export interface Conversation {
  prompt: string;
  /** How many words of it were read, when that was not all. */
  cutAt?: number;
  /** Answered calls of this turn, in order. */
  turn: CompletedCall[];
  /** Answered calls of earlier turns, in order. */
  before: CompletedCall[];
  /** The question the prompt comes right after. */
  question?: Goal;
}

function completedCalls(messages: readonly Message[]): CompletedCall[] {
  const done: CompletedCall[] = [];
  const calls = new Map<string, { call: ToolCall; goal: Goal | undefined }>();
  for (const message of messages) {
    if (message.role === "assistant")
      for (const call of message.calls) calls.set(call.id, { call, goal: fromMeta(message.meta) });
    if (message.role !== "tool") continue;
    const known = calls.get(message.call_id);
    if (known) {
      const { call, goal } = known;
      done.push({ call, text: message.text, isError: message.is_error, ...(goal && { goal }) });
    }
  }
  return done;
}

/** Reads a conversation. */
export function readConversation(messages: readonly Message[]): Conversation {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const user = messages[at];
  const before = messages.slice(0, Math.max(0, at));
  const last = before.findLast(({ role }) => role === "assistant" || role === "user");
  const asked = last?.role === "assistant" ? fromMeta(last.meta) : undefined;
  const { text, cut, words } = beginningOf(user?.role === "user" ? user.text : "");
  return {
    prompt: text,
    ...(cut && { cutAt: words }),
    turn: completedCalls(messages.slice(at + 1)),
    before: completedCalls(before),
    ...(asked?.step === "ask" && { question: asked }),
  };
}

/** The collection the newest answered call was about. */
export function lastCollection(conversation: Conversation, tools: readonly Tool[]): string | undefined {
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  return tool === undefined ? undefined : collectionOf(tool);
}

const ORDINALS: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, fifth: 4, last: -1 };

/**
 * The record "it", "that one" or "the second one" stands for: the only record of the newest answer about this collection, or the
 * one of the list that the word picks. Undefined when that is not clear.
 */
export function referredRecord(
  conversation: Conversation,
  tool: Tool,
  tools: readonly Tool[],
  today: string,
): JsonObject | undefined {
  const collection = collectionOf(tool);
  for (const { call, text, isError, goal } of conversation.before.toReversed()) {
    const other = tools.find(({ name }) => name === call.name);
    if (isError || !other || collectionOf(other) !== collection) continue;
    if (other.verb === "delete") return undefined;
    const whole = readResultText(text);
    // What was shown may have been narrowed or sorted: "the second one" is the second that was seen.
    const seen = whole.rows && displayedRows(whole.rows, call.arguments, readPrompt(goal?.prompt ?? "", today)).rows;
    const result = seen ? { ...whole, rows: seen } : whole;
    const word = /\b(first|second|third|fourth|fifth|last)\b/i.exec(conversation.prompt)?.[1]?.toLowerCase();
    return pick(result, word === undefined ? undefined : ORDINALS[word]) ?? fromArguments(call.arguments, result);
  }
  return undefined;
}

function pick(result: ResultContent, ordinal: number | undefined): JsonObject | undefined {
  if (!result.rows)
    return typeof result.value === "object" && result.value !== null && !Array.isArray(result.value)
      ? result.value
      : undefined;
  if (ordinal !== undefined) return result.rows.at(ordinal);
  return result.rows.length === 1 && !result.partial ? result.rows[0] : undefined;
}

/** An update that answers nothing still names its record in its arguments. */
function fromArguments(args: JsonObject, result: ResultContent): JsonObject | undefined {
  return result.rows === undefined && Object.keys(args).length > 0 ? args : undefined;
}
