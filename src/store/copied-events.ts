// The events of a turn as a copy of it keeps them, in a session that goes on from there: under the names of the copy, and with the rows
// of its calls, which stay with the turn that made them. Pure.
import type { Message } from "../domain/message.js";
import type { TurnStatus } from "../domain/record.js";
import { type JsonObject, jsonOrText } from "../lib/json.js";
import type { KeptEvent, KeptEvents } from "./kept-events.js";

/** A call of the original turn. */
export interface CopiedCall {
  /** Of its history row. */
  id: number;
  call_id: string;
  /** As its row has them. */
  arguments: JsonObject;
}

/** A turn that is copied. */
interface CopiedTurn {
  status: TurnStatus;
  error: string;
  /** Null for a turn that did not come to its end, and for one of an older version. */
  events: KeptEvents | null;
  /** The prompt first. */
  messages: readonly Message[];
  calls: readonly CopiedCall[];
}

/** What the messages of a turn say of its events. */
function eventsOf({ messages, calls, error }: CopiedTurn): KeptEvent[] {
  const events: KeptEvent[] = messages.flatMap((message, at): KeptEvent[] => {
    if (at === 0) return [{ kind: "user_prompt", at }];
    if (message.role === "tool") {
      const { call_id: id, text, is_error } = message;
      return [{ kind: "tool_result", id, result: jsonOrText(text), status: is_error ? "error" : "ok", duration_ms: 0 }];
    }
    if (message.role !== "assistant") return [];
    const said: KeptEvent[] =
      message.text === "" && message.calls.length > 0 ? [] : [{ kind: "assistant_message", at }];
    const made = message.calls.map(({ id, name }): KeptEvent => {
      // The model's own may hold what is hidden elsewhere.
      const row = calls.find(({ call_id }) => call_id === id);
      return { kind: "tool_call", id, name, arguments: row?.arguments ?? {} };
    });
    return [...said, ...made];
  });
  return error === "" ? events : [...events, { kind: "error", message: error }];
}

/** The events of a copy, whose names are given. */
export function copiedEvents(turn: CopiedTurn, names: { session_id: string; turn_id: string }): KeptEvents {
  const rowOf = (call_id: string): number | undefined => turn.calls.find((call) => call.call_id === call_id)?.id;
  const kept: KeptEvents = turn.events ?? eventsOf(turn).map((event, at) => [at === 0 ? 1 : at + 2, event]);
  const copied = kept.map(([seq, event]): KeptEvents[number] => {
    if (event.kind === "session") return [seq, { ...event, ...names }];
    if (event.kind === "tool_result" && "chars" in event) return [seq, { ...event, row: event.row ?? rowOf(event.id) }];
    return [seq, event];
  });
  const [first, ...others] = copied;
  if (turn.events || !first) return copied;
  return [first, [2, { kind: "session", ...names, resumed: true }], ...others];
}
