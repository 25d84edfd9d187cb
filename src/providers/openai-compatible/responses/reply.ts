// Puts a streamed response together, event by event: text at once, calls, reasoning and usage at the end. Checks only what it
// reads. Accepts servers that send an item as a whole, or leave its number out.
// Source: OpenAI API reference, "Streaming events" of responses.
import { tokenCounts } from "../../../domain/usage.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, stringOf, toJson } from "../../../lib/json.js";
import { toCalls } from "../../calls.js";
import { type Failures, readObject } from "../../http/failure.js";
import { MAX_CALLS, type Reply, tokenCount, tokenCountIfAny, type Usage } from "../../provider.js";
import type { ReplyReader } from "../reply.js";
import { BETWEEN_TEXTS, type OutputPart, outputMeta, toReasoningPart } from "./output.js";

/** One item of the output. */
interface Slot {
  /** The item as it was sent last. */
  item: JsonObject;
  /** Text of a message, arguments of a call or thoughts, as far as they came. */
  text: string;
}

const typeOf = ({ item }: Slot): string => stringOf(item["type"]);

/** The texts of the parts of an item; a refusal is one. */
function textsOf(parts: JsonValue | undefined): string[] {
  return listOf(parts).map((part) => stringOf(objectOf(part)["text"]) || stringOf(objectOf(part)["refusal"]));
}

function thoughtsOf(item: JsonObject): string {
  return (textsOf(item["summary"]).join("\n\n") || textsOf(item["content"]).join("\n\n")).trim();
}

function argumentsOf({ item, text }: Slot): string {
  const whole = item["arguments"];
  return isObject(whole) ? toJson(whole) : stringOf(whole) || text;
}

/** What is cached and what is thought is part of the two totals. */
function usageIn({ usage }: JsonObject): Usage | undefined {
  if (!isObject(usage)) return undefined;
  return tokenCounts({
    input_tokens: tokenCount(usage["input_tokens"]),
    output_tokens: tokenCount(usage["output_tokens"]),
    cached_tokens: tokenCountIfAny(objectOf(usage["input_tokens_details"])["cached_tokens"]),
    reasoning_tokens: tokenCountIfAny(objectOf(usage["output_tokens_details"])["reasoning_tokens"]),
  });
}

function finishOf(response: JsonObject, hasCalls: boolean): Pick<Reply, "finish" | "stopReason"> {
  const { reason } = objectOf(response["incomplete_details"]);
  if (reason === "content_filter") return { finish: "content_filter" };
  if (reason === "max_output_tokens" || reason === "max_tokens") return { finish: "length" };
  if ((reason ?? undefined) !== undefined || response["status"] === "incomplete")
    return { finish: "other", stopReason: stringOf(reason) };
  return { finish: hasCalls ? "tool_calls" : "stop" };
}

/** The items of one output, in their order. */
interface Items {
  readonly slots: readonly Slot[];
  /** The slot an event is about, by its number, its id or, without either, the newest; undefined for an unknown one. */
  find(event: JsonObject, id?: JsonValue): Slot | undefined;
  /** The slot of an item, a new one for one that is not known; undefined for a call beyond those that are kept. */
  take(event: JsonObject, item: JsonObject): Slot | undefined;
}

const indexOf = (event: JsonObject): number | undefined =>
  typeof event["output_index"] === "number" ? event["output_index"] : undefined;

function createItems(): Items {
  const slots: Slot[] = [];
  // A reply may have tens of thousands of items.
  const byIndex = new Map<number, Slot>();
  const byId = new Map<JsonValue, Slot>();
  let calls = 0;
  const find = (event: JsonObject, id: JsonValue | undefined = event["item_id"]): Slot | undefined => {
    const index = indexOf(event);
    if (index !== undefined) return byIndex.get(index);
    return id === undefined ? slots.at(-1) : byId.get(id);
  };
  const add = (event: JsonObject, item: JsonObject): Slot => {
    const index = indexOf(event);
    const slot: Slot = { item, text: "" };
    slots.push(slot);
    if (index !== undefined) byIndex.set(index, slot);
    if (item["type"] === "function_call") calls++;
    return slot;
  };
  return {
    slots,
    find,
    take(event, item) {
      const id = item["id"];
      const known = find(event, id ?? "");
      if (known) known.item = item;
      else if (item["type"] === "function_call" && calls > MAX_CALLS) return undefined;
      const slot = known ?? add(event, item);
      if (id !== undefined && !byId.has(id)) byId.set(id, slot);
      return slot;
    },
  };
}

/** The reply that these items make. */
function replyOf(slots: readonly Slot[], text: string, response: JsonObject): Reply {
  const calls = slots.filter((slot) => typeOf(slot) === "function_call");
  const made = toCalls(
    calls.map((slot) => ({
      id: stringOf(slot.item["call_id"]) || stringOf(slot.item["id"]),
      name: stringOf(slot.item["name"]),
      text: argumentsOf(slot),
    })),
  );
  const parts = slots.flatMap((slot): OutputPart | OutputPart[] => {
    switch (typeOf(slot)) {
      case "reasoning":
        return toReasoningPart(slot.item) ?? [];
      case "message": {
        const { phase } = slot.item;
        return typeof phase === "string" ? { chars: slot.text.length, phase } : { chars: slot.text.length };
      }
      case "function_call":
        return { call: true };
      default:
        return [];
    }
  });
  const thoughts = slots
    .filter((slot) => typeOf(slot) === "reasoning")
    .map(({ item, text: streamed }) => thoughtsOf(item) || streamed.trim())
    .filter((thought) => thought !== "");
  return {
    text,
    calls: made,
    ...finishOf(response, made.length > 0),
    usage: usageIn(response),
    meta: outputMeta(parts),
    reasoning: thoughts.length > 0 ? thoughts.join("\n\n") : undefined,
  };
}

/** What of a reply has come. */
interface Collected {
  /** Adds to the text of a message; returns what that adds to the reply. */
  addText(slot: Slot, more: string): string;
  /** Takes an item as it is now; returns text that no delta brought. */
  takeItem(event: JsonObject, item: JsonObject): string;
  readonly items: Items;
  readonly text: string;
}

function createCollected(): Collected {
  const items = createItems();
  let text = "";
  let lastText: Slot | undefined;
  const addText = (slot: Slot, more: string): string => {
    if (more === "") return "";
    const before = text !== "" && lastText !== slot ? BETWEEN_TEXTS : "";
    lastText = slot;
    slot.text += more;
    text += before + more;
    return before + more;
  };
  return {
    items,
    get text() {
      return text;
    },
    addText,
    takeItem(event, item) {
      const slot = items.take(event, item);
      if (!slot || typeOf(slot) !== "message") return "";
      const whole = textsOf(item["content"]).join("");
      return whole.startsWith(slot.text) ? addText(slot, whole.slice(slot.text.length)) : "";
    },
  };
}

/** An event or a whole answer. Throws ProviderError for what is neither, and for one that holds an error. */
function readEvent(data: string, failures: Failures): JsonObject {
  const value = readObject(data, failures);
  if (value["error"] && value["object"] !== "response") throw failures.reported(value["error"]);
  if (value["type"] === "error") throw failures.reported(value);
  return value;
}

/** A reader for one reply. */
export function createResponsesReader(failures: Failures): ReplyReader {
  const collected = createCollected();
  const { items, addText, takeItem } = collected;
  let response: JsonObject | undefined;
  let freshThoughts = "";
  let usage: Usage | undefined;

  const end = (ended: JsonObject): string => {
    const { status, error } = ended;
    usage = usageIn(ended);
    if (status === "failed" || status === "cancelled" || isObject(error))
      throw failures.reported(isObject(error) ? error : { message: `the response ${String(status)}` });
    response = ended;
    if (items.slots.length > 0) return "";
    const all = listOf(ended["output"]).filter(isObject);
    return all.map((item, output_index) => takeItem({ output_index }, item)).join("");
  };
  const take = (event: JsonObject): string => {
    const { type, item, delta } = event;
    switch (type) {
      case "response.output_item.added":
      case "response.output_item.done":
        return isObject(item) ? takeItem(event, item) : "";
      case "response.output_text.delta":
      case "response.refusal.delta": {
        const slot = items.find(event) ?? items.take(event, { type: "message", id: event["item_id"] ?? "" });
        return slot ? addText(slot, stringOf(delta)) : "";
      }
      case "response.function_call_arguments.delta":
      case "response.reasoning_text.delta":
      case "response.reasoning_summary_text.delta": {
        const slot = items.find(event);
        if (slot) slot.text += stringOf(delta);
        if (type !== "response.function_call_arguments.delta") freshThoughts += stringOf(delta);
        return "";
      }
      case "response.completed":
      case "response.incomplete":
      // OpenRouter's word.
      case "response.done":
        return end(objectOf(event["response"]));
      case "response.failed":
        return end({ ...objectOf(event["response"]), status: "failed" });
      default:
        return "";
    }
  };
  return {
    chunk: (data) => take(readEvent(data, failures)),
    whole(data) {
      const value = readEvent(data, failures);
      if (!Array.isArray(value["output"]) && value["object"] !== "response") throw failures.unreadable(data);
      return end(value);
    },
    thoughts() {
      const thoughts = freshThoughts;
      freshThoughts = "";
      return thoughts;
    },
    rest: () => "",
    isFinished: () => response !== undefined,
    isEnded: () => response !== undefined,
    usage: () => usage,
    reply: () => replyOf(items.slots, collected.text, response ?? {}),
  };
}
