// The events of a turn as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { RESOLUTIONS } from "../confirmation-status.js";
import { AnyJson, AnyObject, Timestamp } from "../json-schemas.js";
import { Safety } from "../schema-document.js";
import { EffectSchema, ForeseenUndoSchema } from "./effect.js";
import { ModelUsageSchema } from "./usage.js";

/** Whether a tool call worked, as its event has it. The history keeps the finer status. */
export const ResultStatusSchema = z.enum(["ok", "error"]);

/** The events every client gets. Source: docs/reference.md, "Events". */
export const AgentEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user_prompt"), text: z.string() }),
  z.object({ kind: z.literal("assistant_delta"), text: z.string() }),
  z.object({ kind: z.literal("assistant_message"), text: z.string() }),
  z.object({ kind: z.literal("tool_call"), id: z.string(), name: z.string(), arguments: AnyObject }),
  z.object({
    kind: z.literal("tool_result"),
    id: z.string(),
    result: AnyJson,
    status: ResultStatusSchema,
    duration_ms: z.number(),
  }),
  z.object({ kind: z.literal("error"), message: z.string() }),
  z.object({ kind: z.literal("done") }),
]);

/** What an application asks a person for in the middle of a call: a form, or a page to visit. */
export const InputRequestSchema = z.object({
  /** The application's own words. */
  message: z.string(),
  /** JSON Schema of a flat object: its properties are the fields of the form. Missing with `url`. */
  fields: AnyObject.optional(),
  /** Where a person is to go; nothing opens it by itself. */
  url: z.string().optional(),
});

/** A call that waits for a confirmation, as every client sees it. */
export const HeldCallSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  call_id: z.string(),
  /** Name of the application the tool belongs to, "" for the one without a name. */
  application: z.string(),
  tool: z.string(),
  safety: Safety,
  arguments: AnyObject,
  /** The request exactly as it would be sent, secrets redacted. */
  request: AnyObject,
  created_at: Timestamp,
  expires_at: Timestamp,
  /** What it would do, where the application could tell. */
  effect: EffectSchema.optional(),
  /** Whether it could be undone; there with an effect. */
  undo: ForeseenUndoSchema.optional(),
  /** Set when the call has been sent and the application asks for more; approving it with `arguments` answers. */
  input: InputRequestSchema.optional(),
});

/** What became of a confirmation. */
export const ResolutionSchema = z.enum(RESOLUTIONS);

/** Events for clients that asked for extended ones; never before `user_prompt`, never after `done`. */
export const ExtendedEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), session_id: z.string(), turn_id: z.string(), resumed: z.boolean() }),
  z.object({ kind: z.literal("confirmation_required"), ...HeldCallSchema.shape }),
  z.object({
    kind: z.literal("confirmation_resolved"),
    id: z.string(),
    decision: ResolutionSchema,
    reason: z.string().optional(),
    /** Those it runs with, secrets redacted; only when an approval edited them. */
    arguments: AnyObject.optional(),
  }),
  /** What one model call took, as far as its vendor says. */
  z.object({ kind: z.literal("usage"), ...ModelUsageSchema.shape }),
  /** A piece of what the model thinks aloud, live only: its `reasoning` stands for it in a replay. */
  z.object({ kind: z.literal("reasoning_delta"), text: z.string() }),
  /** What the model thought aloud in one call, whole, after the deltas of that call and before its `usage`. */
  z.object({ kind: z.literal("reasoning"), text: z.string() }),
  z.object({ kind: z.literal("notice"), message: z.string() }),
  /** The calls that follow belong to one reply, in this order; only where there are several. */
  z.object({ kind: z.literal("calls"), ids: z.array(z.string()) }),
]);

/** Everything a turn can emit. */
export const TurnEventSchema = z.discriminatedUnion("kind", [
  ...AgentEventSchema.options,
  ...ExtendedEventSchema.options,
]);
