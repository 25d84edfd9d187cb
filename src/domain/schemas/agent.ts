// The public configuration, the status of a daemon and a decided confirmation as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { HISTORY_STATUSES } from "../history-status.js";
import { AnyJson, Timestamp } from "../json-schemas.js";
import { LIMIT_KINDS, LIMIT_SCOPES } from "../limits.js";
import { HeldCallSchema, ResultStatusSchema } from "./event.js";
import { ConfirmationSchema } from "./record.js";

/** GET /config/public. */
export const PublicConfigSchema = z.object({
  default_provider: z.string(),
  sync_source: z.string(),
  base_url: z.string(),
  /** The one without a name first; "" is its name. */
  applications: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      base_url: z.string(),
      /** What its description calls it, and the first line of what it says; each only where there is one. */
      title: z.string().optional(),
      description: z.string().optional(),
      /** Why its document as it is now cannot be used; only then. */
      error: z.string().optional(),
    }),
  ),
  /** The ways to a first application, a sentence each; empty once there is one. */
  first_steps: z.array(z.string()),
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

/** A limit, and what of it is taken. */
export const LimitStateSchema = z.object({
  scope: z.enum(LIMIT_SCOPES),
  kind: z.enum(LIMIT_KINDS),
  limit: z.int(),
  /** Tokens may be more than the limit: by the last reply. */
  used: z.int(),
  resets_at: Timestamp,
});

/** GET /-/status. */
export const StatusSchema = z.object({
  pid: z.int(),
  version: z.string(),
  started_at: Timestamp,
  uptime_s: z.int(),
  default_provider: z.string(),
  model: z.string(),
  applications: PublicConfigSchema.shape.applications,
  /** Each is of another session; those that wait are the next ones of a session or wait for a place. */
  turns: z.object({ running: z.int(), waiting: z.int() }),
  confirmations_waiting: z.int(),
  /** Those of the day; empty without any. */
  limits: z.array(LimitStateSchema),
  /** Whether calls can be made: none is without its row. */
  record_writable: z.boolean(),
  /** The newest error since the start, a failed turn too. */
  last_error: z.object({ ts: Timestamp, message: z.string() }).nullable(),
});

/** One entry of GET /-/providers. */
export const OfferedProviderSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** The one that is used when a prompt names the provider alone. */
  model: z.string(),
  /** All that a prompt may choose, `model` first. */
  models: z.array(z.string()),
  /** Whether it is used when neither prompt nor session has a choice. */
  default: z.boolean(),
  /** Why it cannot be used; only then. */
  error: z.string().optional(),
});

/** The answer to a decision. */
export const DecidedSchema = z.object({
  ...ConfirmationSchema.shape,
  outcome: z
    .object({
      status: ResultStatusSchema,
      result: AnyJson,
      /** What its application asked meanwhile and nobody could answer, a sentence each. */
      notices: z.array(z.string()).optional(),
    })
    .optional(),
});

/** The answer to an undo: what became of a call of its own. */
export const UndoAnswerSchema = z.object({
  /** The row of the undo. */
  history_id: z.int(),
  status: z.enum(HISTORY_STATUSES),
  result: AnyJson,
  /** While it waits for a person's yes. */
  confirmation: HeldCallSchema.optional(),
});
