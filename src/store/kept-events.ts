// The events of a turn as the record keeps them: what is in the transcript or the history stands there, and is referred to.
// Types only; src/agent/state/turn-log.ts makes them, src/agent/replay.ts turns them back.
import type { ResultStatus, TurnEvent } from "../domain/event.js";

/** A text or the arguments of a call that a message of the turn has. */
interface InMessage {
  /** Position of that message in the turn; the prompt is 0. */
  at: number;
}

/** A result that the call's history row has. */
interface InHistory {
  kind: "tool_result";
  id: string;
  status: ResultStatus;
  duration_ms: number;
  /** Length of the result as JSON, as its event had it; the row may have more of it. */
  chars: number;
  /** Its history row, in a copy of the turn that made the call; otherwise that is looked up. */
  row?: number | undefined;
}

/** An event, or where its content is. */
export type KeptEvent =
  | TurnEvent
  | ({ kind: "user_prompt" } & InMessage)
  | ({ kind: "assistant_message" | "reasoning" } & InMessage)
  | ({ kind: "tool_call"; id: string; name: string } & InMessage)
  | InHistory;

/** The events of a turn by number, ascending; deltas are left out, for the message that they make. */
export type KeptEvents = [seq: number, event: KeptEvent][];
