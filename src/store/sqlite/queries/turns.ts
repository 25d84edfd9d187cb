// Single turns, for replay: what a turn emitted, its messages, and where the rows of its calls are. Long ones are read in slices: other
// work goes on meanwhile.
import type { Database } from "better-sqlite3";
import type { Message } from "../../../domain/message.js";
import type { TurnStatus } from "../../../domain/record.js";
import { parseJson } from "../../../lib/json.js";
import { createSlices } from "../../../lib/slices.js";
import type { KeptEvents } from "../../kept-events.js";
import type { RecordedTurn, Store, TurnCall } from "../../store.js";

/** Reads of single turns, synchronously but for `read`. */
export interface TurnQueries {
  get(turn_id: string): Omit<RecordedTurn, "messages" | "events"> | undefined;
  read: Store["recordedTurn"];
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
  resumed: 0 | 1;
}

const TURN = `
  SELECT turns.id, turns.session, sessions.session_id, turns.status, turns.error, turns.provider,
    turns.started_at, turns.ended_at,
    EXISTS (SELECT 1 FROM turns AS earlier WHERE earlier.session = turns.session AND earlier.id < turns.id) AS resumed
  FROM turns JOIN sessions ON sessions.id = turns.session WHERE turns.turn_id = ? AND sessions.last_turn > 0`;

const EVENTS = "SELECT events FROM turns WHERE id = ?";
const MESSAGES = "SELECT id FROM messages WHERE session = ? AND turn = ? ORDER BY id";
const BODY = "SELECT body FROM messages WHERE id = ?";

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
  const eventsOf = db.prepare(EVENTS).pluck();
  const messagesOf = db.prepare(MESSAGES).pluck();
  const bodyOf = db.prepare(BODY).pluck();
  const calls = db.prepare(CALLS);
  const session = db
    .prepare("SELECT session_id FROM turns JOIN sessions ON sessions.id = session WHERE turn_id = ? AND last_turn > 0")
    .pluck();
  const later = db.prepare(LATER).pluck();
  const find = (turn_id: string): TurnColumns | undefined => turn.get(turn_id) as TurnColumns | undefined;
  const toTurn = ({ id: _, session: __, resumed: hasEarlier, ...row }: TurnColumns, turn_id: string) => ({
    ...row,
    turn_id,
    resumed: hasEarlier === 1,
  });
  return {
    get(turn_id) {
      const row = find(turn_id);
      return row && toTurn(row, turn_id);
    },
    async read(turn_id) {
      const slices = createSlices();
      await slices.pause();
      const row = find(turn_id);
      if (!row) return undefined;
      const kept = eventsOf.get(row.id) as string | null;
      const messages: Message[] = [];
      for (const id of messagesOf.all(row.session, row.id)) {
        const body = bodyOf.get(id) as string | undefined;
        // Its session was deleted meanwhile.
        if (body === undefined) return undefined;
        messages.push(parseJson(body) as unknown as Message);
        if (slices.isOver()) await slices.pause();
      }
      const events = kept === null ? null : (parseJson(kept) as unknown as KeptEvents);
      return { ...toTurn(row, turn_id), messages, events };
    },
    sessionOf: (turn_id) => session.get(turn_id) as string | undefined,
    calls: (turn_id) => calls.all({ turn_id }) as TurnCall[],
    after: (session_id, turn_id) =>
      find(turn_id)?.session_id === session_id ? (later.all(turn_id) as string[]) : undefined,
  };
}
