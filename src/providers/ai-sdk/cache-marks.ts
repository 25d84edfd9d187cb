// Marks for Anthropic's cache: behind the last tool and behind the instructions, which come before every conversation and are the
// same from call to call. The vendor keeps everything up to a mark, and takes four at most.
// Source: Anthropic API documentation, "Prompt caching".
import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from "@ai-sdk/provider";

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The same prompt, its instructions marked. */
export function withMarkedSystem(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  return prompt.map((message) => (message.role === "system" ? { ...message, providerOptions: MARK } : message));
}

/** The same tools, the last marked. */
export function withMarkedTools(tools: LanguageModelV3FunctionTool[]): LanguageModelV3FunctionTool[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, providerOptions: MARK } : tool));
}
