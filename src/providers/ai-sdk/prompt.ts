// A conversation in the form the vendors' packages take, and tools likewise. What a vendor needs back (signatures of its
// reasoning) is in `meta`, under that vendor's own name, so another vendor never gets it.
import type {
  JSONSchema7,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import type { Message, ToolCall } from "../../domain/message.js";
import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, listOf } from "../../lib/json.js";
import { fromFirstPrompt, NOTICE_PREFIX, sentName } from "../conversation.js";
import type { ReplyRequest } from "../provider.js";
import { encodeBigIntegers } from "./big-integers.js";

/** A vendor's opaque notes on one part of a message. */
export type Notes = SharedV3ProviderMetadata;

/** What `meta` of an assistant message holds. */
export type MessageMeta = {
  /** The model's reasoning, in order, where the vendor signs it. */
  reasoning?: { text: string; notes: JsonObject }[];
  /** The vendor's notes on the text. */
  notes?: JsonObject;
};

type AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];

const tools = new WeakMap<Tool, LanguageModelV3FunctionTool>();

/** A tool in the form the packages take; converted once. */
export function toFunctionTool(tool: Tool): LanguageModelV3FunctionTool {
  const { name, description, input_schema } = tool;
  const known = tools.get(tool);
  if (known) return known;
  const inputSchema = encodeBigIntegers(input_schema) as unknown as JSONSchema7;
  const made: LanguageModelV3FunctionTool = { type: "function", name, description, inputSchema };
  tools.set(tool, made);
  return made;
}

function notesOf(value: JsonValue | undefined): { providerOptions?: Notes } {
  return isObject(value) ? { providerOptions: value as Notes } : {};
}

/** Anthropic takes ids of these characters only; a conversation may hold another vendor's. */
function safeId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_");
}

function toCallPart({ id, name, arguments: args, meta }: ToolCall): AssistantPart {
  const input = encodeBigIntegers(args);
  return { type: "tool-call", toolCallId: safeId(id), toolName: sentName(name), input, ...notesOf(meta?.["notes"]) };
}

function assistantParts({ text, calls, meta }: Extract<Message, { role: "assistant" }>): AssistantPart[] {
  const parts: AssistantPart[] = [];
  for (const thought of listOf(meta?.["reasoning"]))
    if (isObject(thought) && typeof thought["text"] === "string")
      parts.push({ type: "reasoning", text: thought["text"], ...notesOf(thought["notes"]) });
  // Vendors refuse a block of blanks, and with it the rest of the conversation.
  if (text.trim()) parts.push({ type: "text", text, ...notesOf(meta?.["notes"]) });
  parts.push(...calls.map(toCallPart));
  return parts;
}

/** The prompt of one call. */
export function toPrompt(request: ReplyRequest): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  if (request.system) prompt.push({ role: "system", content: request.system });
  for (const message of fromFirstPrompt(request.messages)) {
    switch (message.role) {
      case "user":
        prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
        break;
      case "notice":
        prompt.push({ role: "user", content: [{ type: "text", text: NOTICE_PREFIX + message.text }] });
        break;
      case "assistant": {
        const content = assistantParts(message);
        // Vendors refuse an empty message.
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool": {
        const output = { type: message.is_error ? "error-text" : "text", value: message.text } as const;
        const part = {
          type: "tool-result",
          toolCallId: safeId(message.call_id),
          toolName: sentName(message.name),
          output,
        } as const;
        const last = prompt.at(-1);
        if (last?.role === "tool") last.content.push(part);
        else prompt.push({ role: "tool", content: [part] });
        break;
      }
      default:
        message satisfies never;
    }
  }
  return prompt;
}
