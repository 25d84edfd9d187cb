// What model calls took as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";

/** Tokens as the vendor counts them. */
export const TokenCountsSchema = z.object({
  /** All input, that of the vendor's cache included. */
  input_tokens: z.int(),
  /** All output, reasoning included. */
  output_tokens: z.int(),
  /** Of the input, what the vendor had in its cache; only where it says. */
  cached_tokens: z.int().optional(),
  /** Of the input, what the vendor put into its cache; only where it says. */
  cache_write_tokens: z.int().optional(),
  /** Of the output, what the model thought; only where the vendor says. */
  reasoning_tokens: z.int().optional(),
});

/** Tokens and money of one model call, or of several. */
export const ModelUsageSchema = z.object({
  ...TokenCountsSchema.shape,
  /** Only where the model has a price. */
  cost: z.number().optional(),
  /** The word for the money; with `cost` only. */
  currency: z.string().optional(),
  /** Of several calls, those of the last. */
  provider: z.string(),
  model: z.string(),
});
