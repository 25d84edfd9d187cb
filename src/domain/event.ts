// What comes out of a prompt: the event vocabulary and its ordering contract. schemas/event.ts has the fields.
// The objects here are the objects on the wire; there is no mapping layer. Every entry point consumes the same stream.
import type { z } from "zod";
import type * as schemas from "./schemas/event.js";

/** Whether a tool call worked, as its event has it. The history keeps the finer status. */
export type ResultStatus = z.infer<typeof schemas.ResultStatusSchema>;

/**
 * The events every client gets.
 * Order: exactly one `user_prompt` first; then deltas, messages and tool pairs; exactly one `done` last. Every `tool_call` is
 * followed by the `tool_result` of its id unless an `error` ends the loop first. The deltas of a message, joined, are its
 * `assistant_message`. Source: docs/reference.md, "Events".
 */
export type AgentEvent = z.infer<typeof schemas.AgentEventSchema>;

/** A call that waits for a confirmation, as every client sees it. */
export type HeldCall = z.infer<typeof schemas.HeldCallSchema>;

/** Events for clients that asked for extended ones; never before `user_prompt`, never after `done`. */
export type ExtendedEvent = z.infer<typeof schemas.ExtendedEventSchema>;

/** Everything a turn can emit. */
export type TurnEvent = z.infer<typeof schemas.TurnEventSchema>;

/** An event with its number: its position among all events of its turn, extended ones included, from 1. */
export interface NumberedEvent {
  seq: number;
  event: TurnEvent;
}

/** The number of the `error` that a restart ends an interrupted turn with; its `done` has the next. Above any that was sent live. */
export const RECOVERED_SEQ = 2 ** 31;

/** The notice of an answer that the model's output limit cut. */
export const OUTPUT_LIMIT_NOTICE = "The model stopped at its output limit; the answer may be cut.";
/** The notice of an answer that the vendor's content filter cut. */
export const CONTENT_FILTER_NOTICE = "The model's vendor cut the answer with its content filter.";
/** The notice of an answer that ends with calls, by its vendor's word, and holds none. */
export const LOST_CALL_NOTICE =
  "The model's vendor said that the model calls a tool, and sent no call: what the model meant to do was not done.";

/** The notice of an answer that ended for another reason, with the vendor's word for it. */
export const oddEndNotice = (reason = ""): string =>
  `The model stopped${reason === "" ? "" : ` with the reason "${reason.slice(0, 100)}"`} before its answer was complete.`;

const EXTENDED: Readonly<Record<ExtendedEvent["kind"], true>> = {
  session: true,
  confirmation_required: true,
  confirmation_resolved: true,
  usage: true,
  reasoning_delta: true,
  reasoning: true,
  notice: true,
  calls: true,
};

/** Whether a client that did not ask for extended events gets this one. */
export function isBasic(event: TurnEvent): event is AgentEvent {
  return !Object.hasOwn(EXTENDED, event.kind);
}
