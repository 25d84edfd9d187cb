// The request body of OpenAI's chat completions, as text.
// Source: OpenAI API reference, "Create chat completion".

import type { Message, ToolCall } from "../../domain/message.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { fromFirstPrompt, NOTICE_PREFIX, sentName, withInstructions } from "../conversation.js";
import type { ProviderOptions, ReplyRequest } from "../provider.js";
import { isMistral, toMistral } from "./mistral.js";
import { contentWithThoughts, reasoningFields } from "./reasoning.js";
import { createToolsText } from "./tool-texts.js";

const toolsText = createToolsText(({ name, description, input_schema: parameters }) => ({
  type: "function",
  function: { name, description, parameters },
}));

/** The one field of `meta` that this API's replies set; what another vendor set is not sent. */
function only(meta: JsonObject | undefined, key: string): object | undefined {
  return meta?.[key] === undefined ? undefined : { [key]: meta[key] };
}

function toWireCall({ id, name, arguments: args, meta }: ToolCall): object {
  // Malformed arguments go back as {}: servers that parse them would refuse the whole conversation.
  return {
    id,
    type: "function",
    function: { name: sentName(name), arguments: toJson(args) },
    ...only(meta, "extra_content"),
  };
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
        content: contentWithThoughts(text, meta),
        tool_calls: calls.map(toWireCall),
        ...reasoningFields(meta),
      };
    }
    default:
      return message satisfies never;
  }
}

/** The fields of every body that no request changes, as the inside of a JSON object. */
function fixedFields(options: ProviderOptions, maxTokensField: string): string {
  const { model, streamOptions = true, temperature, maxTokens, reasoningEffort, extraBody } = options;
  const fields: JsonObject = { model, stream: true };
  if (streamOptions) fields["stream_options"] = { include_usage: true };
  if (temperature !== undefined) fields["temperature"] = temperature;
  if (maxTokens !== undefined) fields[maxTokensField] = maxTokens;
  if (reasoningEffort !== undefined) fields["reasoning_effort"] = reasoningEffort;
  return toJson({ ...extraBody, ...fields }).slice(1, -1);
}

/**
 * The body of one streamed call of a provider. Integers of any size keep their digits. `maxTokensField` is the vendor's name
 * of the limit of a reply: OpenAI's newer models refuse the older name, most other servers know no other.
 */
export function createBodyText(
  options: ProviderOptions,
  maxTokensField: "max_tokens" | "max_completion_tokens",
): (request: ReplyRequest) => string {
  const head = fixedFields(options, maxTokensField);
  const adapt = isMistral(options) ? toMistral : undefined;
  return (request) => {
    const { system, tools, messages } = withInstructions(request, options.system);
    const conversation = fromFirstPrompt(messages);
    const wire = (adapt ? adapt(conversation) : conversation).map(toWire);
    if (system) wire.unshift({ role: "system", content: system });
    return `{${head},"messages":${toJson(wire)}${toolsText(tools)}}`;
  };
}
