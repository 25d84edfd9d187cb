// Tokens of a turn in the words of both formats; nothing where no vendor counted any.
import type { TurnEvent } from "../../domain/event.js";
import { addTokens, type TokenCounts } from "../../domain/usage.js";
import type { JsonObject } from "../../lib/json.js";

/** What was counted so far, and what an event adds to it. */
export function countTokens(before: TokenCounts | undefined, event: TurnEvent): TokenCounts | undefined {
  return event.kind === "usage" ? addTokens(before, event) : before;
}

const NONE: TokenCounts = { input_tokens: 0, output_tokens: 0 };

/** As chat completions say it. */
export function chatUsage({ input_tokens, output_tokens, cached_tokens, reasoning_tokens } = NONE): JsonObject {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_tokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: reasoning_tokens ?? 0 },
  };
}

/** As responses say it. */
export function responseUsage({
  input_tokens,
  output_tokens,
  cached_tokens,
  reasoning_tokens,
}: TokenCounts): JsonObject {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached_tokens ?? 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: reasoning_tokens ?? 0 },
    total_tokens: input_tokens + output_tokens,
  };
}
