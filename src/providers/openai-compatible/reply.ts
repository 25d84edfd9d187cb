// Puts a streamed chat completion together, chunk by chunk: text at once, calls and usage at the end. Checks only what it
// reads: validating whole chunks costs more than all the rest of a turn. Accepts what compatible servers get wrong.
// Source: OpenAI API reference, "The chat completion chunk object".
import { tokenCounts } from "../../domain/usage.js";
import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../../lib/json.js";
import { type RawCall, toCalls } from "../calls.js";
import { type Failures, readObject } from "../http/failure.js";
import { MAX_CALLS, type Reply, tokenCount, tokenCountIfAny, type Usage } from "../provider.js";
import { GrowingObject } from "./growing-object.js";
import { createReasoningReader } from "./reasoning.js";

interface Slot extends Omit<RawCall, "text"> {
  index: number | undefined;
  args: GrowingObject;
}

/** By the reason in small letters: gateways pass on the words of what stands behind them. */
const FINISH: Readonly<Record<string, Reply["finish"]>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "content_filter",
  // Mistral's word for the end of the context.
  model_length: "length",
  // Text Generation Inference.
  eos_token: "stop",
  // Anthropic.
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
  // Google.
  safety: "content_filter",
  recitation: "content_filter",
};

/** The vendor has broken the answer off: OpenRouter, vLLM and Mistral; DeepSeek. */
const BROKEN_OFF = new Set(["error", "insufficient_system_resource"]);

/** Collects one reply. */
export interface ReplyReader {
  /** Takes a chunk's JSON text, returns the text it adds. Throws ProviderError on an error object and on what is not JSON. */
  chunk(data: string): string;
  /** What the model thought aloud in the chunks since this was last asked. */
  thoughts(): string;
  /** Takes a whole answer that was not streamed, returns its text. */
  whole(data: string): string;
  /** At the end of a stream: text that was held back. */
  rest(): string;
  /** Whether the answer has a finish reason. */
  isFinished(): boolean;
  /** Whether nothing of the answer can follow, also before its stream ends. */
  isEnded(): boolean;
  /** What was counted so far. */
  usage(): Usage | undefined;
  reply(): Reply;
}

/** Without either a vendor has counted nothing. */
const COUNTS = ["prompt_tokens", "completion_tokens"] as const;

/** What is cached and what is thought is part of the two totals. */
function usageIn(value: JsonObject): Usage | undefined {
  // Groq may send it in a field of its own.
  const usage = value["usage"] ?? objectOf(value["x_groq"])["usage"];
  if (!isObject(usage) || !COUNTS.some((name) => Number.isSafeInteger(usage[name]))) return undefined;
  const input = tokenCount(usage["prompt_tokens"]);
  const output = tokenCount(usage["completion_tokens"]);
  const reasoning = tokenCountIfAny(objectOf(usage["completion_tokens_details"])["reasoning_tokens"]);
  // xAI counts its reasoning beside the completion, and in the total.
  const isBeside = reasoning !== undefined && tokenCount(usage["total_tokens"]) === input + output + reasoning;
  const ofInput = objectOf(usage["prompt_tokens_details"]);
  return tokenCounts({
    input_tokens: input,
    output_tokens: isBeside ? output + reasoning : output,
    // DeepSeek has a name of its own.
    cached_tokens: tokenCountIfAny(ofInput["cached_tokens"] ?? usage["prompt_cache_hit_tokens"]),
    // OpenRouter; LiteLLM.
    cache_write_tokens: tokenCountIfAny(ofInput["cache_write_tokens"] ?? usage["cache_creation_input_tokens"]),
    reasoning_tokens: reasoning,
  });
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
  // Some servers number every parallel call 0: a new name under a new id, or behind whole arguments, is a new call.
  if (slot && name && (id && slot.id ? slot.id !== id : slot.args.isWhole())) slot = undefined;
  if (!slot) {
    if (slots.length > MAX_CALLS) return undefined;
    slot = { index, id, name: "", args: new GrowingObject() };
    slots.push(slot);
  }
  slot.id ??= id;
  return slot;
}

/** Takes a piece of a call. */
function takeCall(slots: Slot[], part: JsonObject): void {
  const fn = objectOf(part["function"]);
  const name = stringOf(fn["name"]);
  const slot = slotFor(slots, part, name);
  if (!slot) return;
  // A name that comes once more is the same one; another before the arguments is the rest of it.
  if (slot.args.text === "" && slot.name !== name) slot.name += name;
  if (isObject(part["extra_content"])) slot.meta = { extra_content: part["extra_content"] };
  const args = fn["arguments"];
  if (typeof args === "string") slot.args.add(args);
  else if (isObject(args)) slot.args.replace(args);
}

/** A reader for one reply. */
export function createReplyReader(failures: Failures): ReplyReader {
  const slots: Slot[] = [];
  let text = "";
  const reasoning = createReasoningReader();
  let finish: string | undefined;
  let usage: Usage | undefined;

  const read = (data: string): string => {
    const value = readObject(data, failures);
    if (value["error"]) throw failures.reported(value["error"]);
    // vLLM and Mistral send the error itself.
    if (String(value["object"]).toLowerCase() === "error") throw failures.reported(value);
    usage = usageIn(value) ?? usage;
    const choice = listOf(value["choices"]).find((one) => isObject(one) && (one["index"] ?? 0) === 0);
    if (!isObject(choice)) return "";
    // OpenRouter puts it here; Mistral says no more than the reason.
    if (choice["error"]) throw failures.reported(choice["error"]);
    const reason = stringOf(choice["finish_reason"]);
    if (BROKEN_OFF.has(reason))
      throw failures.reported({ message: `the answer ended with ${reason}`, type: "server_error" });
    // Some servers write no reason as a text.
    if (reason !== "" && reason !== "null") finish = reason;
    // Some servers send a whole answer as the only event of a stream.
    const piece = choice["delta"] ?? choice["message"];
    if (!isObject(piece)) return "";
    const parts = piece["tool_calls"];
    if (Array.isArray(parts)) for (const part of parts) if (isObject(part)) takeCall(slots, part);
    const added = reasoning.take(piece);
    text += added;
    return added;
  };

  const rest = (): string => {
    const held = reasoning.rest();
    text += held;
    return held;
  };

  return {
    chunk: read,
    thoughts: () => reasoning.more(),
    whole(data) {
      const added = read(data) + rest();
      if (finish === undefined && added === "" && slots.length === 0) throw failures.unreadable(data);
      return added;
    },
    rest,
    isFinished: () => finish !== undefined,
    // The count of tokens comes after the finish reason.
    isEnded: () => false,
    usage: () => usage,
    reply() {
      const calls = toCalls(
        slots
          .map(({ args: { text }, ...slot }) => ({ ...slot, text }))
          .filter(({ name, text }) => name !== "" || text !== ""),
      );
      const stated = FINISH[(finish ?? "stop").toLowerCase()] ?? "other";
      if (stated === "tool_calls" && calls.length === 0 && text === "") throw failures.noCall();
      return {
        text,
        calls,
        finish: calls.length > 0 && stated === "stop" ? "tool_calls" : stated,
        stopReason: stated === "other" ? finish : undefined,
        usage,
        meta: reasoning.meta(),
        reasoning: reasoning.text() || undefined,
      };
    },
  };
}
