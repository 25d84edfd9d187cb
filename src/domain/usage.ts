// What model calls take: tokens as vendors count them, and money where the operator has set a price.
// Source: docs/reference.md, "Usage and cost".
import type { z } from "zod";
import { withFields } from "../lib/with-fields.js";
import type * as schemas from "./schemas/usage.js";

/** Tokens as the vendor counts them. */
export type TokenCounts = z.infer<typeof schemas.TokenCountsSchema>;

/** Tokens and money of one model call, or of several. */
export type ModelUsage = z.infer<typeof schemas.ModelUsageSchema>;

/** What a million tokens cost. */
export interface Price {
  input: number;
  output: number;
  /** As `input` when missing. */
  cached?: number | undefined;
  /** As `input` when missing. */
  cache_write?: number | undefined;
  currency: string;
}

const PER = 1_000_000;
/** Decimals that are kept: a tenth of the cheapest token there is, and none of what binary fractions add. */
const DECIMALS = 10;

const rounded = (amount: number): number => Number(amount.toFixed(DECIMALS));

/** The sum of two counts that may be missing; missing when both are. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}

/** Counts without the ones that a vendor does not give. */
export function tokenCounts(counts: TokenCounts): TokenCounts {
  const { input_tokens, output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens } = counts;
  const known: TokenCounts = { input_tokens, output_tokens };
  if (cached_tokens !== undefined) known.cached_tokens = cached_tokens;
  if (cache_write_tokens !== undefined) known.cache_write_tokens = cache_write_tokens;
  if (reasoning_tokens !== undefined) known.reasoning_tokens = reasoning_tokens;
  return known;
}

/** The tokens of both. */
export function addTokens(a: TokenCounts | undefined, b: TokenCounts | undefined): TokenCounts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return tokenCounts({
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_tokens: sum(a.cached_tokens, b.cached_tokens),
    cache_write_tokens: sum(a.cache_write_tokens, b.cache_write_tokens),
    reasoning_tokens: sum(a.reasoning_tokens, b.reasoning_tokens),
  });
}

/** What tokens cost. */
function costOf(tokens: TokenCounts, price: Price): number {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = tokens;
  const plain = Math.max(0, tokens.input_tokens - cached - written);
  const input = plain * price.input + cached * (price.cached ?? price.input);
  const output = tokens.output_tokens * price.output;
  return rounded((input + written * (price.cache_write ?? price.input) + output) / PER);
}

/** One model call: its tokens, and what they cost where there is a price. */
export function usageOfCall(
  tokens: TokenCounts,
  by: { provider: string; model: string },
  price: Price | undefined,
): ModelUsage {
  const usage: ModelUsage = withFields(tokens, { provider: by.provider, model: by.model });
  return price === undefined ? usage : { ...usage, cost: costOf(tokens, price), currency: price.currency };
}

/**
 * The sum of two, under the names of the second. What has no price adds no cost; amounts in different currencies have no sum.
 */
export function addUsage(before: ModelUsage | undefined, next: ModelUsage): ModelUsage {
  const tokens = addTokens(before, next);
  if (before === undefined || tokens === undefined) return next;
  const usage: ModelUsage = withFields(tokens, { provider: next.provider, model: next.model });
  const currencies = new Set([before.currency, next.currency].filter((word) => word !== undefined));
  if (currencies.size !== 1) return usage;
  const [currency] = currencies;
  return { ...usage, cost: rounded((before.cost ?? 0) + (next.cost ?? 0)), currency };
}
