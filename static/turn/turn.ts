// A turn as the page displays it, built from live events by a pure fold. transcript.ts builds the same shape from a stored
// transcript, so that a reload displays what was there before.

import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { TurnStatus } from "../../src/domain/record.js";
import type { Safety } from "../../src/domain/schema-document.js";
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
}

/** One thing in a turn, in the order it happened. */
export type Item =
  | { kind: "text"; text: string; streaming: boolean }
  | CallItem
  | { kind: "notice"; text: string }
  | { kind: "error"; text: string };

/** A prompt and everything that followed it. */
export interface Turn {
  /** Stable in this page; the daemon's turn id is `turn_id`, "" until it is known. */
  key: string;
  turn_id: string;
  prompt: string;
  items: Item[];
  status: TurnStatus;
  /** Tokens in and out, when the provider reports them. */
  usage?: { input: number; output: number; model: string };
}

/** A turn that has just been sent. */
export function startTurn(key: string, prompt: string): Turn {
  return { key, turn_id: "", prompt, items: [], status: "running" };
}

function addText(items: Item[], text: string, streaming: boolean): Item[] {
  const last = items.at(-1);
  if (last?.kind !== "text" || !last.streaming)
    return text === "" ? items : [...items, { kind: "text", text, streaming }];
  // A complete message replaces its deltas: they are the same text, and the message is the one that is stored.
  return [...items.slice(0, -1), { kind: "text", text: streaming ? last.text + text : text, streaming }];
}

function end(turn: Turn, status: TurnStatus): Turn {
  const items = turn.items.map((item) =>
    item.kind === "text" && item.streaming ? { ...item, streaming: false } : item,
  );
  return { ...turn, items, status };
}

function finish(turn: Turn): Turn {
  const failure = turn.items.findLast((item) => item.kind === "error");
  return end(turn, failure === undefined ? "done" : failure.text.startsWith("cancelled") ? "cancelled" : "failed");
}

/** The turn when its connection is lost and no further event can arrive. */
export function interrupt(turn: Turn): Turn {
  return end(turn, "interrupted");
}

/** The turn after an event. Unknown events change nothing, so that a newer daemon does not break an open page. */
export function applyEvent(turn: Turn, event: TurnEvent): Turn {
  switch (event.kind) {
    case "session":
      return { ...turn, turn_id: event.turn_id };
    case "assistant_delta":
      return { ...turn, items: addText(turn.items, event.text, true) };
    case "assistant_message":
      return { ...turn, items: addText(turn.items, event.text, false) };
    case "tool_call": {
      const { id, name, arguments: args } = event;
      return { ...turn, items: [...turn.items, { kind: "call", id, name, arguments: args }] };
    }
    case "tool_result": {
      const { result, status, duration_ms } = event;
      const index = turn.items.findLastIndex((item) => item.kind === "call" && item.id === event.id);
      return {
        ...turn,
        items: turn.items.map((item, i) => (i === index ? { ...item, result, status, duration_ms } : item)),
      };
    }
    case "usage": {
      const before = turn.usage ?? { input: 0, output: 0 };
      const usage = {
        input: before.input + event.input_tokens,
        output: before.output + event.output_tokens,
        model: event.model,
      };
      return { ...turn, usage };
    }
    case "notice":
      return { ...turn, items: [...turn.items, { kind: "notice", text: event.message }] };
    case "error":
      return { ...turn, items: [...turn.items, { kind: "error", text: event.message }] };
    case "done":
      return finish(turn);
    case "user_prompt":
    case "confirmation_required":
    case "confirmation_resolved":
      return turn;
    default:
      event satisfies never;
      return turn;
  }
}
