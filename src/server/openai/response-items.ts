// The items that a response is made of: messages and thoughts, whose text streams, and the calls of the agent's own tools with their
// results, which a client reads and does not run. Source: docs/reference.md, "OpenAI-compatible routes".
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";

/** An item whose text streams. */
export type TextKind = "reasoning" | "message";
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** How such an item is written, and where its events stand among those of one event of the turn. */
interface TextForm {
  idPrefix: string;
  /** Slots: `first` the item, then its part, a delta, the whole text, the whole part, the whole item. */
  first: number;
  /** Of its deltas and its whole text. */
  event: string;
  part(text: string): JsonObject;
  item(id: string, status: ItemStatus, content: JsonValue[]): JsonObject;
}

export const TEXT_FORMS: Readonly<Record<TextKind, TextForm>> = {
  reasoning: {
    idPrefix: "rs",
    first: 0,
    event: "response.reasoning_text",
    part: (text) => ({ type: "reasoning_text", text }),
    item: (id, status, content) => ({ id, type: "reasoning", status, summary: [], content }),
  },
  message: {
    idPrefix: "msg",
    first: 6,
    event: "response.output_text",
    part: (text) => ({ type: "output_text", text, annotations: [], logprobs: [] }),
    item: (id, status, content) => ({ id, type: "message", status, role: "assistant", content }),
  },
};

/** Slots of the events of a call and of its result, and of the end. */
export const CALL_SLOTS = { added: 12, delta: 13, text: 14, done: 15 } as const;

/** A call. */
export function callItem(
  id: string,
  call: { call_id: string; name: string; text: string },
  status: ItemStatus,
): JsonObject {
  return { id, type: "function_call", status, call_id: call.call_id, name: call.name, arguments: call.text };
}

/** What a call returned. */
export function resultItem(id: string, call_id: string, result: JsonValue): JsonObject {
  const output = typeof result === "string" ? result : toJson(result);
  return { id, type: "function_call_output", status: "completed", call_id, output };
}
