// Anthropic's stream before the package reads it. The package takes no event that it does not know, although the vendor announces
// that there will be more kinds, and gateways leave out what nothing depends on: the first count of tokens, the last event.
// Source: Anthropic API documentation, "Streaming messages".
import { isObject, type JsonObject, objectOf, parseJson, toJson } from "../../lib/json.js";
import { newCallId } from "../calls.js";
import { encodeBigIntegersIn } from "./big-integers.js";
import type { EventFilter } from "./fetch.js";

const KNOWN = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
]);
/** The events that are looked into; the others pass as they are, since there are many. */
const READ = /"message_(start|delta|stop)"|"tool_use"/;
const TYPE = /"type"\s*:\s*"([^"]*)"/;

const NO_COUNT = { input_tokens: 0, output_tokens: 0 };

/** The event, or undefined for what is none. */
function parsed(data: string): JsonObject | undefined {
  try {
    const value = parseJson(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a call as the package takes it: with an id, and with a name, which is no tool's where the model gave none. */
function withNames({ content_block, ...event }: JsonObject): JsonObject {
  const { id, name } = objectOf(content_block);
  const names = { id: typeof id === "string" ? id : newCallId(), name: typeof name === "string" ? name : "" };
  return { ...event, content_block: { ...objectOf(content_block), ...names } };
}

/** The filter for one stream. */
export function createAnthropicEvents(): EventFilter {
  let isComplete = false;
  let isStopped = false;
  return {
    event(data) {
      // [DONE] of a gateway.
      if (data === "[DONE]") return undefined;
      const first = TYPE.exec(data)?.[1] ?? "";
      if (KNOWN.has(first) && !READ.test(data)) return data;
      const event = parsed(data);
      if (!event) return data;
      const { type, message, delta, error } = event;
      if (!KNOWN.has(String(type))) return isObject(error) ? data : undefined;
      if (type === "message_stop") isStopped = true;
      if (type === "message_delta" && typeof objectOf(delta)["stop_reason"] === "string") isComplete = true;
      if (type === "message_start" && isObject(message) && !isObject(message["usage"]))
        return toJson({ ...event, message: { ...message, usage: NO_COUNT } });
      if (type === "content_block_start" && objectOf(event["content_block"])["type"] === "tool_use")
        return encodeBigIntegersIn(toJson(withNames(event)));
      return data;
    },
    end: () => (isComplete && !isStopped ? '{"type":"message_stop"}' : undefined),
  };
}
