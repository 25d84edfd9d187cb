// Puts a streamed chat completion together, chunk by chunk: text at once, calls and usage at the end. Checks only what it
// reads: validating whole chunks costs more than all the rest of a turn. Accepts what compatible servers get wrong.
// Source: OpenAI API reference, "The chat completion chunk object".
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, parseJson, toJson } from "../../lib/json.js";
import { type RawCall, toCalls } from "../calls.js";
import type { Failures } from "../http/failure.js";
import { MAX_CALLS, type Reply, tokenCount, type Usage } from "../provider.js";

interface Slot extends RawCall {
  index: number | undefined;
}

const FINISH: Record<string, Reply["finish"]> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "content_filter",
};

/** Collects one reply. */
interface ReplyReader {
  /** Takes a chunk's JSON text, returns the text it adds. Throws ProviderError on an error object and on what is not JSON. */
  chunk(data: string): string;
  /** Takes a whole answer that was not streamed, returns its text. */
  whole(data: string): string;
  /** Whether the answer has a finish reason. */
  readonly finished: boolean;
  reply(): Reply;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

function usageOf(usage: JsonObject): Usage {
  return { input_tokens: tokenCount(usage["prompt_tokens"]), output_tokens: tokenCount(usage["completion_tokens"]) };
}

/**
 * A piece of a call belongs to the call of its index; without one, to the call of its id or to the newest. Undefined for a call
 * beyond those that are kept.
 */
function slotFor(slots: Slot[], part: JsonObject, name: string): Slot | undefined {
  const index = typeof part["index"] === "number" ? part["index"] : undefined;
  const id = typeof part["id"] === "string" && part["id"] !== "" ? part["id"] : undefined;
  let slot: Slot | undefined;
  if (index !== undefined) slot = slots.findLast((one) => one.index === index);
  else if (id !== undefined) slot = slots.find((one) => one.id === id);
  else if (!name) slot = slots.at(-1);
  // Some servers number every parallel call 0: a new name under a new id is a new call.
  if (slot && name && id && slot.id && slot.id !== id) slot = undefined;
  if (!slot) {
    if (slots.length > MAX_CALLS) return undefined;
    slot = { index, id, name: "", text: "" };
    slots.push(slot);
  }
  slot.id ??= id;
  return slot;
}

/** A reader for one reply. */
export function createReplyReader(failures: Failures): ReplyReader {
  const slots: Slot[] = [];
  let text = "";
  let reasoning = "";
  let finish: string | undefined;
  let usage: Usage | undefined;

  const take = (part: JsonObject): void => {
    const fn = objectOf(part["function"]);
    const name = typeof fn["name"] === "string" ? fn["name"] : "";
    const slot = slotFor(slots, part, name);
    if (!slot) return;
    slot.name ||= name;
    if (isObject(part["extra_content"])) slot.meta = { extra_content: part["extra_content"] };
    const args = fn["arguments"];
    if (typeof args === "string") slot.text += args;
    else if (isObject(args)) slot.text = toJson(args);
  };

  const read = (data: string, key: "delta" | "message"): string => {
    let value: JsonValue;
    try {
      value = parseJson(data);
    } catch {
      throw failures.unreadable(data);
    }
    if (!isObject(value)) throw failures.unreadable(data);
    if (value["error"]) throw failures.reported(value["error"]);
    if (isObject(value["usage"])) usage = usageOf(value["usage"]);
    const choice = listOf(value["choices"])[0];
    if (!isObject(choice)) return "";
    if (typeof choice["finish_reason"] === "string") finish = choice["finish_reason"];
    const piece = choice[key];
    if (!isObject(piece)) return "";
    const parts = piece["tool_calls"];
    if (Array.isArray(parts)) for (const part of parts) if (isObject(part)) take(part);
    if (typeof piece["reasoning_content"] === "string") reasoning += piece["reasoning_content"];
    const added = textOf(piece["content"]) || textOf(piece["refusal"]);
    text += added;
    return added;
  };

  return {
    chunk: (data) => read(data, "delta"),
    whole(data) {
      const added = read(data, "message");
      if (finish === undefined && added === "" && slots.length === 0) throw failures.unreadable(data);
      return added;
    },
    get finished() {
      return finish !== undefined;
    },
    reply() {
      const calls = toCalls(slots.filter((slot) => slot.name !== "" || slot.text !== ""));
      const stated = FINISH[finish ?? "stop"] ?? "other";
      return {
        text,
        calls,
        finish: calls.length > 0 && stated === "stop" ? "tool_calls" : stated,
        usage,
        meta: reasoning && calls.length > 0 ? { reasoning_content: reasoning } : undefined,
      };
    },
  };
}
