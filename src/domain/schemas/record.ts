// What is on record as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { CONFIRMATION_STATUSES } from "../confirmation-status.js";
import { HISTORY_STATUSES } from "../history-status.js";
import { AnyJson, AnyObject, Timestamp } from "../json-schemas.js";
import { Safety } from "../schema-document.js";
import { EffectSchema, UndoStateSchema } from "./effect.js";
import { HeldCallSchema } from "./event.js";
import { MessageSchema } from "./message.js";
import { PolicySchema } from "./policy.js";
import { ModelUsageSchema } from "./usage.js";

/** What is known of a call before it leaves the daemon. */
export const CallIntentSchema = z.object({
  session_id: z.string(),
  turn_id: z.string(),
  call_id: z.string(),
  /** Name of the application the tool belongs to, "" for the one without a name. */
  application: z.string(),
  tool: z.string(),
  arguments: AnyObject,
  safety: Safety,
  policy: PolicySchema,
  /** `{ method, url }` for HTTP; null when nothing could be prepared or the call never leaves the daemon. */
  request: AnyObject.nullable(),
  provider: z.string(),
  model: z.string(),
  client: z.string(),
  /** Name of the token that the prompt, or the call, came with; "" for none. */
  asked_by: z.string(),
});

/** One entry of GET /history. `result` and `duration_ms` are null while the call is held or in flight. */
export const HistoryEntrySchema = z.object({
  ...CallIntentSchema.shape,
  id: z.int(),
  /** When the row was written. Order is by id, clocks jump. */
  ts: Timestamp,
  status: z.enum(HISTORY_STATUSES),
  result: AnyJson,
  duration_ms: z.number().nullable(),
  /** Size of a result that was left out as asked for, by `results=small`; `result` is null then. */
  result_bytes: z.int().optional(),
  /** Set when more of its list is kept than `result` shows. */
  kept: z
    .object({
      /** Where the list stands in the answer, as a JSON Pointer. */
      path: z.string(),
      items: z.int(),
      bytes: z.int(),
      /** Whether the answer had more than is kept. */
      truncated: z.boolean(),
    })
    .optional(),
  /** What it did; while it is held, for a dry run and for one that was refused what it would do. Where that is known. */
  effect: EffectSchema.optional(),
  /** Size of an effect that was left out by `results=small`. */
  effect_bytes: z.int().optional(),
  /** Of a change that was made. */
  undo: UndoStateSchema.optional(),
});

/** The state of a turn. */
export const TurnStatusSchema = z.enum(["running", "done", "failed", "cancelled", "interrupted"]);

/** One entry of GET /-/sessions. */
export const SessionSummarySchema = z.object({
  session_id: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  turns: z.int(),
  /** What a person called it, else the first prompt, shortened. */
  title: z.string(),
  /** The turn of another session that it goes on from, with all before that one; without `session_id` when that is gone. */
  continues: z.object({ session_id: z.string().optional(), turn_id: z.string() }).optional(),
  /** Where its texts have the words of a search, if not its title. */
  match: z.object({ turn_id: z.string(), text: z.string() }).optional(),
  /** State of the newest turn. */
  status: TurnStatusSchema,
  /** Those of the newest turn. */
  provider: z.string(),
  model: z.string(),
  /** What its model calls took together, where vendors say so. */
  usage: ModelUsageSchema.optional(),
});

/** A turn as a transcript shows it. */
export const TranscriptTurnSchema = z.object({
  turn_id: z.string(),
  prompt: z.string(),
  status: TurnStatusSchema,
  /** Why it failed, "" otherwise. */
  error: z.string(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  provider: z.string(),
  model: z.string(),
  client: z.string(),
  /** Name of the token that the prompt came with; "" for none. */
  asked_by: z.string(),
  messages: z.array(MessageSchema),
  /** What its model calls took together, failed ones included, where vendors say so. */
  usage: ModelUsageSchema.optional(),
});

/** A confirmation as it is kept: the call with its full arguments, and what became of it. */
export const ConfirmationSchema = z.object({
  ...HeldCallSchema.shape,
  /** The history row that is held. */
  history_id: z.int(),
  policy: PolicySchema,
  provider: z.string(),
  model: z.string(),
  client: z.string(),
  /** Name of the token that the call was asked for with; "" for none. */
  asked_by: z.string(),
  status: z.enum(CONFIRMATION_STATUSES),
  decided_at: Timestamp.nullable(),
  /** Name of the token that it was approved or denied with; "" for none, and while nobody has decided. */
  decided_by: z.string(),
  reason: z.string(),
});
