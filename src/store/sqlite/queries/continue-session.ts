// A session that goes on from a turn of another one: the turns before it are copied with their messages, so that neither session needs
// the other from then on. History rows are not: they stay with the calls that were made. Runs inside the caller's transaction.
import { randomUUID } from "node:crypto";
import type { Database } from "better-sqlite3";
import type { Message } from "../../../domain/message.js";
import type { JsonObject } from "../../../lib/json.js";
import { parseJson, toJson } from "../../../lib/json.js";
import { type CopiedCall, copiedEvents } from "../../copied-events.js";
import type { KeptEvents } from "../../kept-events.js";
import { TURN_INTERRUPTED, toTitle } from "../../rules.js";
import type { turnsTable } from "../tables.js";
import { CALLS_ONLY } from "./turns.js";

/** Of the turns that are copied, with their messages: one commit, during which nothing else runs. */
export const MAX_COPIED_BYTES = 16 * 1024 * 1024;

const ORIGIN = `
  SELECT turns.id, turns.session, sessions.title, sessions.given_title, sessions.provider, sessions.model
  FROM turns JOIN sessions ON sessions.id = turns.session WHERE turns.turn_id = ? AND sessions.last_turn > 0`;
const SIZE = `
  SELECT (SELECT coalesce(sum(octet_length(body)), 0) FROM messages WHERE session = @session AND turn < @id)
    + (SELECT coalesce(sum(octet_length(prompt) + coalesce(octet_length(events), 0)), 0) FROM turns
       WHERE session = @session AND id < @id)`;
const TURNS = "SELECT * FROM turns WHERE session = @session AND id < @id ORDER BY id";
const MESSAGES = "SELECT turn, body FROM messages WHERE session = @session AND turn < @id ORDER BY id";
const CALLS = `
  SELECT history.id, history.call_id, history.arguments FROM history
  WHERE history.session_id = @session_id AND history.turn_id = @turn_id AND history.id > @history_before
  AND ${CALLS_ONLY} ORDER BY history.id`;
const ADD_SESSION = `
  INSERT INTO sessions (session_id, created_at, title, turns, last_turn, provider, model, continues)
  VALUES (@session_id, @now, @title, @turns, 0, @provider, @model, @continues)`;
const ADD_TURN = `
  INSERT INTO turns (session, turn_id, prompt, status, error, started_at, ended_at, provider, model, client, asked_by,
    history_before, events)
  VALUES (@session, @turn_id, @prompt, @status, @error, @started_at, @ended_at, @provider, @model, @client, @asked_by,
    @history_before, @events)`;
const ADD_MESSAGE = "INSERT INTO messages (session, turn, body) VALUES (?, ?, ?)";

type TurnRow = typeof turnsTable.$inferSelect;

interface Origin {
  id: number;
  session: number;
  title: string;
  given_title: string | null;
  provider: string | null;
  model: string | null;
}

/** A session that goes on from another. */
interface Continuation {
  /** A new one. */
  session_id: string;
  /** The turn that it has in place of. */
  continues: string;
  prompt: string;
}

/** What begins sessions that go on from others, synchronously. */
export interface ContinuedSessions {
  /** Bytes of what stands before a turn. */
  sizeBefore(turn_id: string): number;
  /** Adds the session with the turns before the one it continues, and returns their messages. Throws when that turn is gone. */
  begin(continuation: Continuation, now: string): Message[];
}

/** The continued sessions of a database that is open and migrated. */
export function createContinuedSessions(db: Database): ContinuedSessions {
  const [origin, turns, messages, calls] = [ORIGIN, TURNS, MESSAGES, CALLS].map((sql) => db.prepare(sql)) as [
    ReturnType<Database["prepare"]>,
    ReturnType<Database["prepare"]>,
    ReturnType<Database["prepare"]>,
    ReturnType<Database["prepare"]>,
  ];
  const size = db.prepare(SIZE).pluck();
  const sessionName = db.prepare("SELECT session_id FROM sessions WHERE id = ?").pluck();
  const addSession = db.prepare(ADD_SESSION);
  const addTurn = db.prepare(ADD_TURN);
  const addMessage = db.prepare(ADD_MESSAGE);
  const find = (turn_id: string): Origin | undefined => origin.get(turn_id) as Origin | undefined;

  const callsOf = (session_id: string, { turn_id, history_before }: TurnRow): CopiedCall[] =>
    (calls.all({ session_id, turn_id, history_before }) as { id: number; call_id: string; arguments: string }[]).map(
      (row) => ({ ...row, arguments: parseJson(row.arguments) as JsonObject }),
    );

  return {
    sizeBefore(turn_id) {
      const found = find(turn_id);
      return found ? (size.get({ session: found.session, id: found.id }) as number) : 0;
    },
    begin({ session_id, continues, prompt }, now) {
      const found = find(continues);
      if (!found) throw new Error(`turn ${continues} is gone`);
      const { id, session, provider, model } = found;
      const rows = turns.all({ session, id }) as TurnRow[];
      const bodies = messages.all({ session, id }) as { turn: number; body: string }[];
      const byTurn = new Map<number, Message[]>(rows.map((row) => [row.id, []]));
      const parsed = bodies.map(({ turn, body }) => ({ turn, body, message: parseJson(body) as unknown as Message }));
      for (const { turn, message } of parsed) byTurn.get(turn)?.push(message);
      const title = rows.length === 0 ? toTitle(prompt) : (found.given_title ?? found.title);
      const values = { session_id, now, title, turns: rows.length, provider, model, continues };
      const copy = addSession.run(values).lastInsertRowid;
      const from = sessionName.get(session) as string;
      const copies = new Map<number, number | bigint>();
      for (const row of rows) {
        const isOver = row.status !== "running";
        const status = isOver ? row.status : "interrupted";
        const error = isOver ? row.error : TURN_INTERRUPTED;
        const kept = row.events === null ? null : (parseJson(row.events) as unknown as KeptEvents);
        const turn_id = randomUUID();
        const list = byTurn.get(row.id) ?? [];
        const original = { status, error, events: kept, messages: list, calls: callsOf(from, row) };
        const events = toJson(copiedEvents(original, { session_id, turn_id }));
        const ended_at = row.ended_at ?? now;
        const added = addTurn.run({ ...row, session: copy, turn_id, status, error, ended_at, events });
        copies.set(row.id, added.lastInsertRowid);
      }
      for (const { turn, body } of parsed) {
        const added = copies.get(turn);
        if (added !== undefined) addMessage.run(copy, added, body);
      }
      return parsed.map(({ message }) => message);
    },
  };
}
