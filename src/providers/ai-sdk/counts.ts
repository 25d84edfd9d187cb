// The counts of tokens in a stream, as they come: the packages give them at its end only, and a stream may break off.
// Sources: Anthropic API documentation, "Streaming messages"; Gemini API reference, "UsageMetadata".
import { tokenCounts } from "../../domain/usage.js";
import { type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { tokenCount, tokenCountIfAny, type Usage } from "../provider.js";

/** The fields of the counts in an event, under the vendor's names. */
export function countsIn(event: unknown): JsonObject {
  const { message, usage, usageMetadata } = objectOf(event as JsonValue | undefined);
  const counts = { ...objectOf(objectOf(message)["usage"]), ...objectOf(usage), ...objectOf(usageMetadata) };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number"));
}

/** The tokens of all counts of a stream, what came later in place of what came before; undefined without any. */
export function usageOfCounts(counts: JsonObject): Usage | undefined {
  const total = (...names: string[]): number => names.reduce((sum, name) => sum + tokenCount(counts[name]), 0);
  const input_tokens = total(
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "promptTokenCount",
  );
  const output_tokens = total("output_tokens", "candidatesTokenCount", "thoughtsTokenCount");
  if (input_tokens + output_tokens === 0) return undefined;
  return tokenCounts({
    input_tokens,
    output_tokens,
    cached_tokens: tokenCountIfAny(counts["cache_read_input_tokens"] || counts["cachedContentTokenCount"] || undefined),
    cache_write_tokens: tokenCountIfAny(counts["cache_creation_input_tokens"] || undefined),
    reasoning_tokens: tokenCountIfAny(counts["thoughtsTokenCount"] || undefined),
  });
}
