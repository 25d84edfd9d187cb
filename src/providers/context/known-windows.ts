// What the usual models take in, in tokens, by the beginning of their names: for vendors whose API does not say. A prefix stands
// for a family, with the least that any of it takes in. Source: the limits that the vendors publish with their models, as of
// November 2026.

/** The longest prefix that fits counts. Where a vendor counts the reply in, the table has what is left for the input. */
const WINDOWS: Readonly<Record<string, number>> = {
  "gpt-3.5-turbo": 16_385,
  "gpt-4": 8_192,
  "gpt-4-turbo": 128_000,
  "gpt-4o": 128_000,
  "gpt-4.1": 1_047_576,
  // 400,000 together, of which 128,000 are for the reply.
  "gpt-5": 272_000,
  "gpt-5-chat": 128_000,
  "gpt-oss": 131_072,
  o1: 200_000,
  "o1-mini": 128_000,
  "o1-preview": 128_000,
  o3: 200_000,
  "o4-mini": 200_000,
  "claude-": 200_000,
  "gemini-": 1_048_576,
  "mistral-": 128_000,
  "ministral-": 128_000,
  "codestral-": 128_000,
  "devstral-": 128_000,
  "deepseek-": 128_000,
  "grok-3": 131_072,
  "grok-4": 256_000,
  "grok-code": 256_000,
};

const PREFIXES = Object.keys(WINDOWS).sort((a, b) => b.length - a.length);

/** A name as its vendor has it: gateways put their own words before it (`anthropic/`, `us.anthropic.`, `models/`). */
function ownName(model: string): string {
  const last = model.toLowerCase().split("/").at(-1) ?? "";
  return last.replace(/^([a-z]{2,6}\.)?(anthropic|openai|mistral|deepseek|google|xai)\./, "");
}

/** Tokens that a model takes in, where that is known of its name. */
export function knownWindow(model: string): number | undefined {
  const name = ownName(model);
  const prefix = PREFIXES.find((one) => name.startsWith(one));
  return prefix === undefined ? undefined : WINDOWS[prefix];
}
