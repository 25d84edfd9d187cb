// The request body of OpenAI's chat completions, as text. Tools are serialised once, not for every call: a list of 64 with
// their schemas is by far the largest part of the body and the same from call to call.
// Source: OpenAI API reference, "Create chat completion".

import type { Message, ToolCall } from "../../domain/message.js";
import type { Tool } from "../../domain/tool.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { fromFirstPrompt, NOTICE_PREFIX } from "../conversation.js";
import type { ReplyRequest } from "../provider.js";

const toolTexts = new WeakMap<Tool, string>();
const listTexts = new WeakMap<readonly Tool[], string>();

function toolText(tool: Tool): string {
  let text = toolTexts.get(tool);
  if (text === undefined) {
    const { name, description, input_schema: parameters } = tool;
    text = toJson({ type: "function", function: { name, description, parameters } });
    toolTexts.set(tool, text);
  }
  return text;
}

function toolsText(tools: readonly Tool[]): string {
  let text = listTexts.get(tools);
  if (text === undefined) {
    text = `,"tools":[${tools.map(toolText).join(",")}]`;
    listTexts.set(tools, text);
  }
  return text;
}

/** The one field of `meta` that this API's replies set; what another vendor set is not sent. */
function only(meta: JsonObject | undefined, key: string): object | undefined {
  return meta?.[key] === undefined ? undefined : { [key]: meta[key] };
}

function toWireCall({ id, name, arguments: args, meta }: ToolCall): object {
  // Malformed arguments go back as {}: servers that parse them would refuse the whole conversation.
  return { id, type: "function", function: { name, arguments: toJson(args) }, ...only(meta, "extra_content") };
}

function toWire(message: Message): object {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "notice":
      return { role: "user", content: NOTICE_PREFIX + message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.call_id, content: message.text };
    case "assistant": {
      const { text, calls, meta } = message;
      if (calls.length === 0) return { role: "assistant", content: text };
      // Reasoning goes back only beside calls: servers that think between calls demand it, others refuse it elsewhere.
      return {
        role: "assistant",
        content: text || null,
        tool_calls: calls.map(toWireCall),
        ...only(meta, "reasoning_content"),
      };
    }
    default:
      return message satisfies never;
  }
}

/** The body of one streamed call. Integers of any size keep their digits. */
export function bodyText(model: string, request: ReplyRequest): string {
  const messages = fromFirstPrompt(request.messages).map(toWire);
  if (request.system) messages.unshift({ role: "system", content: request.system });
  const head = `{"model":${JSON.stringify(model)},"stream":true,"stream_options":{"include_usage":true}`;
  const tools = request.tools.length > 0 ? toolsText(request.tools) : "";
  return `${head},"messages":${toJson(messages)}${tools}}`;
}
