// What readers of turns ask for and get: the state of a turn, where a reader goes on, and the events of a session's turns.
// Source: docs/reference.md, "Turns that outlive their client".
import type { NumberedEvent } from "./event.js";
import type { TurnStatus } from "./record.js";

/** A turn that can be replayed. */
export interface TurnState {
  turn_id: string;
  session_id: string;
  /** `waiting` for the session's earlier turns; then as in the record. */
  status: TurnStatus | "waiting";
  /** What is on record of it; missing while it waits. */
  begun?: { started_at: string; ended_at: string | null; provider: string } | undefined;
}

/** Where a reader of events goes on. */
export interface ReadOptions {
  /** The number of the last event it has; 0 for none. */
  after: number;
  /** Ends the reading, never the turn. */
  signal: AbortSignal;
  /** False: only what is there, without waiting for more. */
  follow?: boolean;
}

/** Where a reader of a session's events goes on. */
export interface SessionRead extends ReadOptions {
  /** The turn that `after` counts in; without it, the one that runs. */
  turn_id?: string | undefined;
  /** Waits for the first turn of a session that is unknown, instead of refusing it. */
  mayBeNew?: boolean;
}

/** An event of one of a session's turns. */
export interface SessionEvent extends NumberedEvent {
  turn_id: string;
}
