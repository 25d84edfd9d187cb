// The request body of OpenAI's responses, as text. Nothing is kept by the vendor: every request holds its whole conversation,
// and reasoning comes encrypted, to be sent back.
// Source: OpenAI API reference, "Create a model response".
import type { Message } from "../../../domain/message.js";
import { type JsonObject, objectOf, toJson } from "../../../lib/json.js";
import { fromFirstPrompt, NOTICE_PREFIX, withInstructions } from "../../conversation.js";
import type { ProviderOptions, ReplyRequest } from "../../provider.js";
import { createToolsText } from "../tool-texts.js";
import { toItems } from "./output.js";

const toolsText = createToolsText(({ name, description, input_schema: parameters }) => ({
  type: "function",
  name,
  description,
  parameters,
  // Without it schemas are rewritten to what strict decoding takes, or refused.
  strict: false,
}));

const toPrompt = (text: string): JsonObject => ({ type: "message", role: "user", content: text });

function toInput(message: Message, at: number): JsonObject[] {
  switch (message.role) {
    case "user":
      return [toPrompt(message.text)];
    case "notice":
      return [toPrompt(NOTICE_PREFIX + message.text)];
    case "tool":
      return [{ type: "function_call_output", call_id: message.call_id, output: message.text }];
    case "assistant":
      return toItems(message, `msg_${at}`);
    default:
      return message satisfies never;
  }
}

/** The fields of every body that no request changes, as the inside of a JSON object. */
function fixedFields(options: ProviderOptions, isEncrypted: boolean): string {
  const { model, temperature, maxTokens, reasoningEffort, extraBody } = options;
  const fields: JsonObject = { model, stream: true, store: false };
  if (isEncrypted) fields["include"] = ["reasoning.encrypted_content"];
  if (temperature !== undefined) fields["temperature"] = temperature;
  if (maxTokens !== undefined) fields["max_output_tokens"] = maxTokens;
  if (reasoningEffort !== undefined)
    fields["reasoning"] = { ...objectOf(extraBody?.["reasoning"]), effort: reasoningEffort };
  return toJson({ ...extraBody, ...fields }).slice(1, -1);
}

/** The bodies of one provider's calls. Integers of any size keep their digits. */
export function createResponsesBodyText(
  options: ProviderOptions,
): (request: ReplyRequest, isEncrypted: boolean) => string {
  const encrypted = fixedFields(options, true);
  const plain = fixedFields(options, false);
  return (request, isEncrypted) => {
    const { system, tools, messages } = withInstructions(request, options.system);
    const input = fromFirstPrompt(messages).flatMap(toInput);
    const instructions = system ? `,"instructions":${toJson(system)}` : "";
    return `{${isEncrypted ? encrypted : plain}${instructions},"input":${toJson(input)}${toolsText(tools)}}`;
  };
}
