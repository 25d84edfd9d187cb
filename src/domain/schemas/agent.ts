// The public configuration and a decided confirmation as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { AnyJson } from "../json-schemas.js";
import { ResultStatusSchema } from "./event.js";
import { ConfirmationSchema } from "./record.js";

/** GET /config/public. */
export const PublicConfigSchema = z.object({
  default_provider: z.string(),
  sync_source: z.string(),
  base_url: z.string(),
  read_only: z.boolean(),
  dry_run: z.boolean(),
  strict: z.boolean(),
  confirm_default: z.boolean(),
  /** Whether the provider's changes are held for a person's yes whatever the modes. */
  provider_confirm: z.boolean(),
  version: z.string(),
  model: z.string(),
  max_iterations: z.int(),
  history_limit: z.int(),
});

/** The answer to a decision. */
export const DecidedSchema = z.object({
  ...ConfirmationSchema.shape,
  outcome: z.object({ status: ResultStatusSchema, result: AnyJson }).optional(),
});
