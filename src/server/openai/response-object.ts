// A response as OpenAI's Responses API and Open Responses describe it. Fields that mean nothing here have the values that say so.
// Source: docs/reference.md, "OpenAI-compatible routes"; https://www.openresponses.org
import type { TokenCounts } from "../../domain/usage.js";
import type { JsonObject } from "../../lib/json.js";
import { responseId } from "./arrive.js";
import { responseUsage } from "./usage.js";

/** What a response is called, and what its request said. */
export interface ResponseNames {
  turn_id: string;
  session_id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  /** The same of the end of a turn of the past. */
  completed?: number | undefined;
  background: boolean;
  instructions: string | null;
  previous_response_id: string | null;
}

export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

/** How far a response is. */
export interface ResponseProgress {
  status: ResponseStatus;
  output: readonly JsonObject[];
  usage: TokenCounts | undefined;
  /** Why it failed. */
  error: string | undefined;
  /** Why it is incomplete. */
  cut: "max_output_tokens" | "content_filter" | undefined;
}

/** The object of a response as it is at one moment. */
export function responseObject(names: ResponseNames, progress: ResponseProgress): JsonObject {
  const { status, output, usage, error, cut } = progress;
  const completed = status === "completed" ? (names.completed ?? Math.floor(Date.now() / 1000)) : null;
  return {
    id: responseId(names.turn_id),
    object: "response",
    created_at: names.created,
    completed_at: completed,
    status,
    background: names.background,
    error: status === "failed" ? { code: "server_error", message: error ?? "" } : null,
    incomplete_details: status === "incomplete" && cut ? { reason: cut } : null,
    model: names.model,
    output: [...output],
    usage: usage ? responseUsage(usage) : null,
    conversation: { id: names.session_id },
    previous_response_id: names.previous_response_id,
    instructions: names.instructions,
    store: true,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    text: { format: { type: "text" } },
    reasoning: { effort: null, summary: null },
    truncation: "disabled",
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    service_tier: "default",
    safety_identifier: null,
    prompt_cache_key: null,
  };
}
