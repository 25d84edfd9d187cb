// The conversation as the planner needs it: the prompt under way and the calls made for it, the question it may answer, and the
// record it may refer to. Messages in.

import type { Message, ToolCall } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import { displayedRows } from "./answer/list.js";
import { renderAnswer } from "./answer/render.js";
import { type ResultContent, readResultText } from "./answer/rows.js";
import { fromMeta, type Goal } from "./goal.js";
import type { Today } from "./prompt/entities.js";
import { beginningOf, readPrompt } from "./prompt/prompt.js";
import { isSmallTalk, readRequest } from "./prompt/request.js";
import { collectionOf } from "./resource-noun.js";
import { pathNames, replacesWhole } from "./slots/slot.js";

/** A call of the conversation with its result. */
export interface CompletedCall {
  call: ToolCall;
  text: string;
  isError: boolean;
  goal?: Goal;
  /** How many further pages of the list were read. */
  pages?: number;
  /** What the text shows behind a call that only searched: records of a list, or none. */
  shown?: Goal | "none";
}

/** Calls of a turn that read, at most. */
const MOST_READS = 6;

/** How many calls of a turn may still read: behind them it has those of a change and the answer left. */
export function readsLeft(
  { turn }: Conversation,
  { repliesLeft = Infinity, tools }: { repliesLeft?: number | undefined; tools: readonly Tool[] },
): number {
  // A change that replaces a record reads it first.
  const last = tools.some(replacesWhole) ? 3 : 2;
  return Math.min(MOST_READS - turn.length, repliesLeft - last);
}

/** A conversation, read. */
interface Conversation {
  prompt: string;
  /** How many words of it were read, when that was not all. */
  cutAt?: number;
  /** Completed calls of this turn, in order. */
  turn: CompletedCall[];
  /** Completed calls of earlier turns, in order. */
  before: CompletedCall[];
  /** No prompt was left without calls since the newest of `before`; thanks and greetings ask for none. */
  areCallsCurrent: boolean;
  /** The question right before the prompt. */
  question?: Goal;
}

/** What a plan is made from. */
export interface Situation {
  conversation: Conversation;
  tools: readonly Tool[];
  today: Today;
  /** How many calls may still read, beside those that the next step needs. */
  readsLeft: number;
}

/** Whether a call only searched a list: what it read is shown by no answer. */
const isSearch = ({ goal }: CompletedCall): boolean =>
  /^(?:name|value|find|through|lacking|beside|told)$/.test(goal?.step ?? "");

/** Keeps with the searches at the end of some calls that the text behind them shows none of it, and with the last what it shows. */
function noteShown(completed: readonly CompletedCall[], goal: Goal | undefined): void {
  const from = completed.findLastIndex((one) => !isSearch(one) || one.shown !== undefined) + 1;
  for (const one of completed.slice(from)) one.shown = "none";
  const last = completed.at(-1);
  if (goal?.keys && last) last.shown = goal;
}

function completedCalls(messages: readonly Message[]): CompletedCall[] {
  const completed: CompletedCall[] = [];
  const calls = new Map<string, { call: ToolCall; goal: Goal | undefined }>();
  for (const message of messages) {
    if (message.role === "assistant") {
      const goal = fromMeta(message.meta);
      for (const call of message.calls) calls.set(call.id, { call, goal });
      const last = completed.at(-1);
      if (message.calls.length === 0 && last && isSearch(last)) noteShown(completed, goal);
    }
    if (message.role !== "tool") continue;
    const known = calls.get(message.call_id);
    if (known) completed.push({ ...known, text: message.text, isError: message.is_error });
  }
  return completed;
}

/** Reads a conversation. */
export function readConversation(messages: readonly Message[]): Conversation {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const user = messages[at];
  const before = messages.slice(0, Math.max(0, at));
  const last = before.findLast(({ role }) => role === "assistant" || role === "user");
  const goal = last?.role === "assistant" ? fromMeta(last.meta) : undefined;
  const previous = before.findLastIndex((one) => one.role === "user" && !isSmallTalk(beginningOf(one.text).text));
  const { text, cut, words } = beginningOf(user?.role === "user" ? user.text : "");
  return {
    prompt: text,
    cutAt: cut ? words : undefined,
    turn: completedCalls(messages.slice(at + 1)),
    before: completedCalls(before),
    areCallsCurrent: previous < 0 || before.slice(previous + 1).some(({ role }) => role === "tool"),
    question: goal?.step === "ask" ? goal : undefined,
  };
}

/** The collection of the newest completed call. */
export function lastCollection({ conversation, tools }: Situation): string | undefined {
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  return tool === undefined || last?.shown === "none" ? undefined : collectionOf(tool);
}

const ORDINALS: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, fifth: 4, last: -1 };

/**
 * The record that "it", "that one" or "the second one" refers to: the only record of the newest result of a collection,
 * or the one of the list that the word picks, with the keys of what holds it, in the order of the path. Undefined when that is not
 * clear.
 */
export function referredRecord(
  collection: string,
  { conversation, tools, today }: Situation,
): { record: JsonObject; holders: JsonValue[] } | undefined {
  for (const one of conversation.before.toReversed()) {
    const { call, text, isError, goal, shown } = one;
    // Behind a search comes what was found by it.
    if (isSearch(one) && shown !== "none") continue;
    const other = tools.find(({ name }) => name === call.name);
    if (isError || !other || collectionOf(other) !== collection) continue;
    // What was searched for the name of something is not what was shown of it.
    if (shown === "none") return undefined;
    if (other.verb === "delete") return undefined;
    const whole = readResultText(text);
    const context = { prompt: readPrompt(goal?.prompt ?? "", today), lookupPhrase: goal?.phrase ?? "" };
    const answered = { tool: other, args: call.arguments, text, isError };
    const isShown = shown !== undefined;
    // Of records that were kept back none is referred to.
    if (!isShown && renderAnswer(answered, { ...context, request: readRequest(context.prompt) }).offers)
      return undefined;
    // The list may have been narrowed or sorted for the answer: "the second one" is the second that was displayed.
    const rows = isShown
      ? whole.rows
      : whole.rows && displayedRows(whole.rows, { tool: other, args: call.arguments }, context.prompt).rows;
    const result = rows ? { ...whole, rows } : whole;
    const word = /\b(first|second|third|fourth|fifth|last)\b/i.exec(conversation.prompt)?.[1]?.toLowerCase();
    const record =
      pick(result, word === undefined ? undefined : ORDINALS[word]) ?? fromArguments(call.arguments, result);
    const holders = [...pathNames(other)].map((name) => call.arguments[name] ?? null);
    return record && { record, holders };
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

/** An update with an empty answer still has its record in its arguments. */
function fromArguments(args: JsonObject, result: ResultContent): JsonObject | undefined {
  return result.rows === undefined && Object.keys(args).length > 0 ? args : undefined;
}
