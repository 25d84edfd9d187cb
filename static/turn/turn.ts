// A turn as the page displays it, built from its events by a pure fold, each once by its number. transcript.ts builds the same shape
// from a stored transcript, so that a reload displays what was there before.

import type { Effect } from "../../src/domain/effect.js";
import { RECOVERED_SEQ, type TurnEvent } from "../../src/domain/event.js";
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { KeptResult, TurnStatus } from "../../src/domain/record.js";
import type { Safety } from "../../src/domain/schema-document.js";
import type { UndoState } from "../../src/domain/undo-state.js";
import { addUsage, type ModelUsage } from "../../src/domain/usage.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";

/** A large result that is loaded when it is opened. */
interface OmittedResult {
  /** Its row; undefined when only the transcript is known to have it. */
  history_id?: number;
  size: number;
}

/** One tool call. Everything about its outcome is missing while it runs. */
export interface CallItem {
  kind: "call";
  id: string;
  name: string;
  arguments: JsonObject;
  result?: JsonValue;
  /** Where a result is that was too large to come with the list: its history row, or in the whole transcript. */
  omitted?: OmittedResult;
  status?: HistoryStatus;
  duration_ms?: number | null;
  safety?: Safety;
  /** Known once its row is: "" for the one without a name. */
  application?: string;
  history_id?: number;
  /** The list that the daemon keeps whole, where the result has only the first of it. */
  kept?: KeptResult | undefined;
  effect?: Effect | undefined;
  undo?: UndoState | undefined;
  /** What its application last told of its progress, while it runs. */
  progress?: string;
  /** The reply of the model that asked for it, by a number that others of its turn do not have. */
  reply?: number | undefined;
  /** Known by its row alone: its events are held back behind those of the calls before it. */
  isAhead?: boolean;
  /** Its result has come as an event. */
  isAnswered?: boolean;
  /** When it began by its record, or else when this page first saw it run, in milliseconds since 1970 by this clock. */
  since?: number;
}

/** One thing in a turn, in the order it happened. */
export type Item =
  | { kind: "text"; text: string; streaming: boolean }
  | CallItem
  | { kind: "thoughts"; text: string; streaming: boolean; since?: number; took?: number }
  | { kind: "notice"; text: string }
  | { kind: "error"; text: string };

/** An event with its turn and its number in it. Source: docs/reference.md, "Turns that outlive their client". */
export type FollowedEvent = TurnEvent & { turn_id: string; seq: number };

/** Above the number of any event: nothing of the turn is missing. */
export const ALL_EVENTS = Number.MAX_SAFE_INTEGER;

/** A prompt and everything that followed it. */
export interface Turn {
  /** Stable in this page; the daemon's turn id is `turn_id`, "" until it is known. */
  key: string;
  turn_id: string;
  /** The number of the last event that is in it; 0 before the first. */
  seq: number;
  prompt: string;
  items: Item[];
  status: TurnStatus;
  /** When it began and ended, as ISO 8601; missing where this page does not know. */
  started_at?: string;
  ended_at?: string;
  /** When one that ran already as this page was opened began, in milliseconds since 1970 by this clock. */
  since?: number;
  /** What its model calls took, when the vendor says so. */
  usage?: ModelUsage;
  /** Replies of the model that asked for calls, so far. */
  replies?: number;
  /** The calls of the newest reply that asked for several. */
  asked?: readonly string[];
}

/** A turn before its first event. */
export function startTurn(key: string, prompt: string, turn_id = ""): Turn {
  return { key, turn_id, seq: 0, prompt, items: [], status: "running" };
}

function addText(items: Item[], text: string, streaming: boolean): Item[] {
  const last = items.at(-1);
  if (last?.kind !== "text" || !last.streaming)
    return text === "" ? items : [...items, { kind: "text", text, streaming }];
  // A complete message replaces its deltas: they are the same text, and the message is the one that is stored.
  return [...items.slice(0, -1), { kind: "text", text: streaming ? last.text + text : text, streaming }];
}

/** Thoughts stand above the text they came before. Whole ones replace the pieces of the same call. */
function addThoughts(items: Item[], text: string, streaming: boolean): Item[] {
  const known = items.findLastIndex((item) => item.kind === "thoughts" && item.streaming);
  const open = items[known];
  const before = open?.kind === "thoughts" ? open : undefined;
  const last = items.at(-1);
  const end = last?.kind === "text" && last.streaming ? items.length - 1 : items.length;
  const at = before ? known : end;
  const whole = streaming && before ? before.text + text : text;
  const thoughts: Item = { ...before, kind: "thoughts", text: whole, streaming };
  return items.toSpliced(at, before ? 1 : 0, thoughts);
}

function end(turn: Turn, status: TurnStatus): Turn {
  const items = turn.items.map((item) =>
    (item.kind === "text" || item.kind === "thoughts") && item.streaming ? { ...item, streaming: false } : item,
  );
  return { ...turn, items, status };
}

function finish(turn: Turn): Turn {
  // A restart of the daemon ended it.
  if (turn.seq > RECOVERED_SEQ) return interrupt(turn);
  const failure = turn.items.findLast((item) => item.kind === "error");
  return end(turn, failure === undefined ? "done" : failure.text.startsWith("cancelled") ? "cancelled" : "failed");
}

/** The turn when no further event can arrive. */
function interrupt(turn: Turn): Turn {
  return end(turn, "interrupted");
}

/** A notice of a call that runs is its progress: the newest takes the place of the one before. Of several, the first runs. */
function addNotice(items: readonly Item[], text: string): Item[] {
  const at = items.findIndex((item) => item.kind === "call" && !item.isAhead && item.status === undefined);
  const call = items[at];
  if (call?.kind !== "call" || !text.startsWith(`${call.name}: `)) return [...items, { kind: "notice", text }];
  return items.with(at, { ...call, progress: text.slice(call.name.length + 2) });
}

/** A call whose row may have been here before it. */
function addCall(turn: Turn, { id, name, arguments: args }: Extract<TurnEvent, { kind: "tool_call" }>): Turn {
  const isOfSeveral = turn.asked?.includes(id) === true;
  const replies = (turn.replies ?? 0) + (isOfSeveral ? 0 : 1);
  const at = turn.items.findLastIndex((item) => item.kind === "call" && item.id === id && item.isAhead);
  const known = turn.items[at];
  if (known?.kind === "call")
    return { ...turn, items: turn.items.with(at, { ...known, arguments: args, isAhead: false }) };
  const call: CallItem = { kind: "call", id, name, arguments: args, reply: replies };
  return { ...turn, replies, items: [...turn.items, call] };
}

/** The result of a call; its row may have told more of its status before. */
function addResult(turn: Turn, { id, result, status, duration_ms }: Extract<TurnEvent, { kind: "tool_result" }>): Turn {
  const index = turn.items.findLastIndex((item) => item.kind === "call" && item.id === id);
  const known = turn.items[index];
  if (known?.kind !== "call") return turn;
  const { omitted: _, ...call } = known;
  const answered: CallItem = { ...call, result, status: call.status ?? status, duration_ms, isAnswered: true };
  return { ...turn, items: turn.items.with(index, answered) };
}

/** The turn after an event. Unknown events change nothing, so that a newer daemon does not break an open page. */
function applyEvent(turn: Turn, event: TurnEvent): Turn {
  switch (event.kind) {
    case "user_prompt":
      return { ...turn, prompt: event.text };
    case "assistant_delta":
      return { ...turn, items: addText(turn.items, event.text, true) };
    case "assistant_message":
      return { ...turn, items: addText(turn.items, event.text, false) };
    case "calls":
      return { ...turn, asked: event.ids, replies: (turn.replies ?? 0) + 1 };
    case "tool_call":
      return addCall(turn, event);
    case "tool_result":
      return addResult(turn, event);
    case "usage": {
      const { kind: _, ...usage } = event;
      return { ...turn, usage: addUsage(turn.usage, usage) };
    }
    case "reasoning_delta":
      return { ...turn, items: addThoughts(turn.items, event.text, true) };
    case "reasoning":
      return { ...turn, items: addThoughts(turn.items, event.text, false) };
    case "notice":
      return { ...turn, items: addNotice(turn.items, event.message) };
    case "error":
      return { ...turn, items: [...turn.items, { kind: "error", text: event.message }] };
    case "done":
      return finish(turn);
    case "session":
    case "confirmation_required":
    case "confirmation_resolved":
      return turn;
    default:
      event satisfies never;
      return turn;
  }
}

/** Whether a turn was prompted from this page and has not begun. */
export function isWaiting({ status, seq, key, turn_id }: Turn): boolean {
  return status === "running" && seq === 0 && key !== turn_id;
}

/** A turn that was prompted from this page and never began. */
export function refuse(turn: Turn, status: TurnStatus, reason: string): Turn {
  const items: Item[] = reason === "" ? [] : [{ kind: "error", text: reason }];
  return { ...turn, turn_id: "", status, items };
}

/** Whether these turns do not have an event yet. */
export function isMissing(turns: readonly Turn[], { turn_id, seq }: FollowedEvent): boolean {
  return seq > (turns.findLast((turn) => turn.turn_id === turn_id)?.seq ?? 0);
}

/** The turns after these events, each of which counts once. A turn that begins stands before those that wait. */
export function applyEvents(turns: readonly Turn[], events: readonly FollowedEvent[]): Turn[] {
  const after = [...turns];
  for (const event of events) {
    const { turn_id, seq } = event;
    let at = after.findLastIndex((turn) => turn.turn_id === turn_id);
    if (at < 0) {
      const waiting = after.findIndex(isWaiting);
      at = waiting < 0 ? after.length : waiting;
      after.splice(at, 0, startTurn(turn_id, "", turn_id));
    }
    const turn = after[at];
    if (turn !== undefined && seq > turn.seq) after[at] = applyEvent({ ...turn, seq }, event);
  }
  return after;
}

/** Behind which event the missing ones begin; null when there is no turn yet. */
export function positionIn(turns: readonly Turn[]): { turn_id: string; after: number } | null {
  const last = turns.findLast((turn) => turn.turn_id !== "" && !isWaiting(turn));
  return last === undefined ? null : { turn_id: last.turn_id, after: last.seq };
}
