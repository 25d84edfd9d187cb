// Anthropic's stream before the package reads it. The package ends a turn at every event, block, delta and field that it does not know,
// although the vendor announces that there will be more, and gateways leave out what nothing depends on. So it gets what a reply is
// made of, in the form it knows: texts, thoughts and calls of our tools.
// Source: Anthropic API documentation, "Streaming messages".
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  parseJson,
  stringOf,
  toJson,
} from "../../lib/json.js";
import { newCallId } from "../calls.js";
import { tokenCount } from "../provider.js";
import { encodeBigIntegersIn } from "./big-integers.js";
import type { EventFilter } from "./fetch.js";

/** Most events, which pass as they are unless their block is left out. */
const PLAIN = /^\{"type":"content_block_delta","index":\d+,"delta":\{"type":"(text_delta|input_json_delta)","/;
const DELTAS = new Set(["text_delta", "input_json_delta", "thinking_delta", "signature_delta"]);

/** The event, or undefined for what is none. */
function parsed(data: string): JsonObject | undefined {
  try {
    const value = parseJson(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The counts of tokens in an event. */
function countsOf(usage: JsonValue | undefined): JsonObject {
  const { output_tokens_details: details, ...counts } = objectOf(usage);
  const known = Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number"));
  if (!isObject(details)) return known;
  return { ...known, output_tokens_details: { thinking_tokens: tokenCount(details["thinking_tokens"]) } };
}

/** The block as it begins, and the deltas of what it holds by then; undefined for one that is no part of a reply. */
function blockOf(block: JsonObject): [JsonObject, ...JsonObject[]] | undefined {
  const { type, id, name, input } = block;
  switch (type) {
    case "text": {
      const text = stringOf(block["text"]);
      return text === ""
        ? [{ type, text }]
        : [
            { type, text: "" },
            { type: "text_delta", text },
          ];
    }
    case "thinking": {
      const { thinking, signature } = block;
      const begun: [JsonObject, ...JsonObject[]] = [{ type, thinking: "" }];
      if (stringOf(thinking) !== "") begun.push({ type: "thinking_delta", thinking: stringOf(thinking) });
      if (stringOf(signature) !== "") begun.push({ type: "signature_delta", signature: stringOf(signature) });
      return begun;
    }
    case "redacted_thinking":
      return [{ type, data: stringOf(block["data"]) }];
    case "tool_use": {
      // A name that the model did not give is no tool's.
      const call: JsonObject = { type, id: stringOf(id) || newCallId(), name: stringOf(name) };
      if (isObject(input)) return [{ ...call, input }];
      return typeof input === "string" ? [call, { type: "input_json_delta", partial_json: input }] : [call];
    }
    default:
      return undefined;
  }
}

/** A message that was not streamed as the events that it would have been; one without a word and without an end is none. */
function wholeEvents(message: JsonObject): JsonObject[] {
  const { stop_reason, usage } = message;
  const blocks = listOf(message["content"]).map(objectOf);
  if (blocks.length === 0 && typeof stop_reason !== "string") return [];
  return [
    { type: "message_start", message },
    ...blocks.flatMap((content_block, index): JsonObject[] => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop_reason ?? "end_turn" }, usage: objectOf(usage) },
    { type: "message_stop" },
  ];
}

/** The filter for one stream. */
export function createAnthropicEvents(): EventFilter {
  /** Blocks that are left out. */
  const left = new Set<JsonValue>();
  /** The newest of each, since any may be left out. */
  let counts: JsonObject = { input_tokens: 0, output_tokens: 0 };
  let isStarted = false;
  let stopReason: string | undefined;
  let isOver = false;

  const started = (message: JsonObject): JsonObject[] => {
    if (isStarted) return [];
    isStarted = true;
    counts = { ...counts, ...countsOf(message["usage"]) };
    return [{ type: "message_start", message: { id: stringOf(message["id"]), usage: counts } }];
  };
  const beginning = (index: JsonValue, given: JsonObject): JsonObject[] => {
    const block = blockOf(given);
    if (!block) left.add(index);
    else left.delete(index);
    const [content_block, ...deltas] = block ?? [];
    if (!content_block) return [];
    return [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    ];
  };
  const ending = ({ delta, usage }: JsonObject): JsonObject => {
    stopReason = stringOf(objectOf(delta)["stop_reason"]) || stopReason;
    counts = { ...counts, ...countsOf(usage) };
    return { type: "message_delta", delta: { stop_reason: stopReason ?? null }, usage: counts };
  };
  const read = (event: JsonObject): JsonObject[] => {
    const { type, index = 0, delta, error } = event;
    if (isObject(error) || typeof error === "string") {
      const { type: kind = "", message = "", code } = isObject(error) ? error : { message: error };
      // A gateway's: the status that it got.
      const isBusy = Number(code) === 429 || Number(code) >= 500;
      return [{ type: "error", error: { type: isBusy ? "api_error" : stringOf(kind), message: stringOf(message) } }];
    }
    switch (type) {
      case "message":
        return wholeEvents(event).flatMap(read);
      case "message_start":
        return started(objectOf(event["message"]));
      case "content_block_start":
        return beginning(index, objectOf(event["content_block"]));
      case "content_block_delta":
        return left.has(index) || !DELTAS.has(stringOf(objectOf(delta)["type"])) ? [] : [event];
      case "content_block_stop":
        return left.has(index) ? [] : [event];
      case "message_delta":
        return [ending(event)];
      case "message_stop":
        isOver = true;
        return [event];
      default:
        return [];
    }
  };
  return {
    event(data) {
      // [DONE] of a gateway.
      if (data === "[DONE]") return [];
      if (left.size === 0 && PLAIN.test(data)) return [data];
      const event = parsed(data);
      return event ? read(event).map((one) => encodeBigIntegersIn(toJson(one))) : [data];
    },
    isComplete: () => stopReason !== undefined,
    isOver: () => isOver,
    end: () => (stopReason !== undefined && !isOver ? '{"type":"message_stop"}' : undefined),
  };
}
