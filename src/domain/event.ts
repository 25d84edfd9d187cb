// What comes out of a prompt: the event vocabulary and its ordering contract.
// The objects here are the objects on the wire; there is no mapping layer. Every entry point consumes the same stream.
// The schemas give types and documents; events are never parsed at run time.
import { z } from "zod";
import { AnyJson, AnyObject, Timestamp } from "./json-schemas.js";
import { Safety } from "./schema-document.js";

/** Whether a tool call worked, as its event has it. The history keeps the finer status. */
export const ResultStatus = z.enum(["ok", "error"]);
export type ResultStatus = z.infer<typeof ResultStatus>;

/**
 * The events every client gets.
 * Order: exactly one `user_prompt` first; then deltas, messages and tool pairs; exactly one `done` last. Every `tool_call` is
 * followed by the `tool_result` of its id unless an `error` ends the loop first. The deltas of a message, joined, are its
 * `assistant_message`. Source: docs/reference.md, "Events".
 */
export const AgentEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user_prompt"), text: z.string() }),
  z.object({ kind: z.literal("assistant_delta"), text: z.string() }),
  z.object({ kind: z.literal("assistant_message"), text: z.string() }),
  z.object({ kind: z.literal("tool_call"), id: z.string(), name: z.string(), arguments: AnyObject }),
  z.object({
    kind: z.literal("tool_result"),
    id: z.string(),
    result: AnyJson,
    status: ResultStatus,
    duration_ms: z.number(),
  }),
  z.object({ kind: z.literal("error"), message: z.string() }),
  z.object({ kind: z.literal("done") }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;

/** A call that waits for a confirmation, as every client sees it. */
export const HeldCall = z.object({
  id: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  call_id: z.string(),
  tool: z.string(),
  safety: Safety,
  arguments: AnyObject,
  /** The request exactly as it would be sent, secrets redacted. */
  request: AnyObject,
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type HeldCall = z.infer<typeof HeldCall>;

/** What became of a confirmation. */
export const Resolution = z.enum(["approved", "denied", "expired"]);

/** Events for clients that asked for extended ones; never before `user_prompt`, never after `done`. */
export const ExtendedEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), session_id: z.string(), turn_id: z.string(), resumed: z.boolean() }),
  z.object({ kind: z.literal("confirmation_required"), ...HeldCall.shape }),
  z.object({
    kind: z.literal("confirmation_resolved"),
    id: z.string(),
    decision: Resolution,
    reason: z.string().optional(),
    /** Those it runs with, secrets redacted; only when an approval edited them. */
    arguments: AnyObject.optional(),
  }),
  z.object({ kind: z.literal("usage"), input_tokens: z.int(), output_tokens: z.int(), model: z.string() }),
  z.object({ kind: z.literal("notice"), message: z.string() }),
]);
export type ExtendedEvent = z.infer<typeof ExtendedEvent>;

/** Everything a turn can emit. */
export const TurnEvent = z.discriminatedUnion("kind", [...AgentEvent.options, ...ExtendedEvent.options]);
export type TurnEvent = z.infer<typeof TurnEvent>;

const EXTENDED: ReadonlySet<string> = new Set(ExtendedEvent.options.map(({ shape }) => shape.kind.value));

/** Whether a client that did not ask for extended events gets this one. */
export function isBasic(event: TurnEvent): event is AgentEvent {
  return !EXTENDED.has(event.kind);
}

/** The result of a turn: the text of its last `assistant_message`, or "". */
export function finalText(events: readonly TurnEvent[]): string {
  const last = events.findLast((event) => event.kind === "assistant_message");
  return last?.kind === "assistant_message" ? last.text : "";
}
