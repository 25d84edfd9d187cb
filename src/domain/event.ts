// What comes out of a prompt: the event vocabulary and its ordering contract.
// The objects here are the objects on the wire; there is no mapping layer. Every door consumes the same stream.
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { Safety } from "./schema-document.js";

/** Why a tool call did or did not work, as its event tells it. The history keeps the finer status. */
export type ResultStatus = "ok" | "error";

/**
 * The events every client gets.
 * Order: exactly one `user_prompt` first; then deltas, messages and tool pairs; exactly one `done` last. Every `tool_call` is
 * followed by the `tool_result` of its id unless an `error` ends the loop first. The deltas of a message, joined, are its
 * `assistant_message`.
 */
export type AgentEvent =
  | { kind: "user_prompt"; text: string }
  | { kind: "assistant_delta"; text: string }
  | { kind: "assistant_message"; text: string }
  | { kind: "tool_call"; id: string; name: string; arguments: JsonObject }
  | { kind: "tool_result"; id: string; result: JsonValue; status: ResultStatus; duration_ms: number }
  | { kind: "error"; message: string }
  | { kind: "done" };

/** A call waiting for a person's yes, as every client sees it. Times are ISO 8601 in UTC. */
export interface HeldCall {
  id: string;
  session_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  safety: Safety;
  arguments: JsonObject;
  /** The request exactly as it would be sent, secrets redacted. */
  request: JsonObject;
  created_at: string;
  expires_at: string;
}

/** Events for clients that asked for extended ones; never before `user_prompt`, never after `done`. */
export type ExtendedEvent =
  | { kind: "session"; session_id: string; turn_id: string; resumed: boolean }
  | ({ kind: "confirmation_required" } & HeldCall)
  | {
      kind: "confirmation_resolved";
      id: string;
      decision: "approved" | "denied" | "expired";
      reason?: string;
      /** Those it runs with, secrets redacted; only when an approval edited them. */
      arguments?: JsonObject;
    }
  | { kind: "usage"; input_tokens: number; output_tokens: number; model: string }
  | { kind: "notice"; message: string };

/** Everything a turn can say. */
export type TurnEvent = AgentEvent | ExtendedEvent;

const EXTENDED: ReadonlySet<string> = new Set<ExtendedEvent["kind"]>([
  "session",
  "confirmation_required",
  "confirmation_resolved",
  "usage",
  "notice",
]);

/** Whether a client that did not ask for extended events gets this one. */
export function isBasic(event: TurnEvent): event is AgentEvent {
  return !EXTENDED.has(event.kind);
}

/** The text a turn comes to: its last `assistant_message`, or "". */
export function finalText(events: readonly TurnEvent[]): string {
  const last = events.findLast((event) => event.kind === "assistant_message");
  return last?.kind === "assistant_message" ? last.text : "";
}
