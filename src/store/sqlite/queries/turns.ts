// Single turns, for replay: what a turn emitted, its messages, and where the rows of its calls are.
import type { Database } from "better-sqlite3";
import type { Message } from "../../../domain/message.js";
import type { TurnStatus } from "../../../domain/record.js";
import { parseJson } from "../../../lib/json.js";
import type { KeptEvents } from "../../kept-events.js";
import type { RecordedTurn, TurnCall } from "../../store.js";

/** Reads of single turns, synchronously. */
export interface TurnQueries {
  get(turn_id: string): RecordedTurn | undefined;
  /** The session of a turn that was begun. */
  sessionOf(turn_id: string): string | undefined;
  calls(turn_id: string): TurnCall[];
  /** Undefined when the session has no such turn. */
  after(session_id: string, turn_id: string): string[] | undefined;
}

interface TurnColumns {
  id: number;
  session: number;
  session_id: string;
  status: TurnStatus;
  error: string;
  provider: string;
  started_at: string;
  ended_at: string | null;
  events: string | null;
  resumed: 0 | 1;
}

const TURN = `
  SELECT turns.id, turns.session, sessions.session_id, turns.status, turns.error, turns.provider,
    turns.started_at, turns.ended_at, turns.events,
    EXISTS (SELECT 1 FROM turns AS earlier WHERE earlier.session = turns.session AND earlier.id < turns.id) AS resumed
  FROM turns JOIN sessions ON sessions.id = turns.session WHERE turns.turn_id = ? AND sessions.last_turn > 0`;

const MESSAGES = "SELECT body FROM messages WHERE session = ? AND turn = ? ORDER BY id";

/** Leaves out the rows of attempts that were refused: a call that was sent again has a row with its event before them. */
export const CALLS_ONLY = `NOT (history.event IS NULL AND EXISTS (
    SELECT 1 FROM history AS own WHERE own.session_id = history.session_id AND own.turn_id = history.turn_id
    AND own.call_id = history.call_id AND own.id < history.id AND own.event IS NOT NULL))`;

const CALLS = `
  SELECT history.id, history.call_id, history.event, confirmations.id AS confirmation_id
  FROM turns JOIN sessions ON sessions.id = turns.session
  JOIN history ON history.session_id = sessions.session_id AND history.id > turns.history_before
  LEFT JOIN confirmations ON confirmations.history_id = history.id
  WHERE turns.turn_id = @turn_id AND history.turn_id = @turn_id
  AND ${CALLS_ONLY} ORDER BY history.id`;

const LATER = `
  SELECT later.turn_id FROM turns JOIN turns AS later ON later.session = turns.session AND later.id > turns.id
  WHERE turns.turn_id = ? ORDER BY later.id`;

/** The turns of a database that is open and migrated. */
export function createTurnQueries(db: Database): TurnQueries {
  const turn = db.prepare(TURN);
  const messages = db.prepare(MESSAGES).pluck();
  const calls = db.prepare(CALLS);
  const session = db
    .prepare("SELECT session_id FROM turns JOIN sessions ON sessions.id = session WHERE turn_id = ? AND last_turn > 0")
    .pluck();
  const later = db.prepare(LATER).pluck();
  const find = (turn_id: string): TurnColumns | undefined => turn.get(turn_id) as TurnColumns | undefined;
  return {
    get(turn_id) {
      const row = find(turn_id);
      if (!row) return undefined;
      const { id, session, events, resumed: hasEarlier, ...turn } = row;
      return {
        ...turn,
        turn_id,
        resumed: hasEarlier === 1,
        messages: (messages.all(session, id) as string[]).map((body) => parseJson(body) as unknown as Message),
        events: events === null ? null : (parseJson(events) as unknown as KeptEvents),
      };
    },
    sessionOf: (turn_id) => session.get(turn_id) as string | undefined,
    calls: (turn_id) => calls.all({ turn_id }) as TurnCall[],
    after: (session_id, turn_id) =>
      find(turn_id)?.session_id === session_id ? (later.all(turn_id) as string[]) : undefined,
  };
}
