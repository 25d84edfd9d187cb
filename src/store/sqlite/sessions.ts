// Sessions, turns and their messages, complete and in order. The messages are the model's own history, so they are stored as
// they are given. Each method is one statement or runs inside the caller's transaction.

import type { Database } from "better-sqlite3";
import { asc, desc, eq, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Message } from "../../domain/message.js";
import type { SessionSummary, TranscriptTurn } from "../../domain/record.js";
import { parseJson, toJson } from "../../lib/json.js";
import { toTitle } from "../rules.js";
import type { TurnEnd, TurnStart } from "../store.js";
import { messagesTable, sessionsTable, turnsTable } from "./tables.js";

/** Sessions, synchronously. */
export interface SessionQueries {
  begin(turn: TurnStart): void;
  /** Throws when no such turn is running. */
  end(turn: TurnEnd): void;
  /** Does nothing for an unknown session: it was deleted meanwhile. */
  append(session_id: string, list: readonly Message[]): void;
  messages(session_id: string, limit: number): Message[];
  has(session_id: string): boolean;
  list(query: { limit: number; before?: string }): SessionSummary[];
  transcript(session_id: string): TranscriptTurn[];
  /** Takes the messages and turns with it. */
  delete(session_id: string): boolean;
}

function toMessage(row: { body: string }): Message {
  // Plain JSON.parse would round large integers in the arguments of a call.
  return parseJson(row.body) as unknown as Message;
}

function createWrites(db: Database): Pick<SessionQueries, "begin" | "end" | "append" | "delete"> {
  const addSession = db.prepare(
    `INSERT INTO sessions (session_id, created_at, title, turns, last_turn) VALUES (?, ?, ?, 0, 0)
     ON CONFLICT (session_id) DO NOTHING`,
  );
  const findSession = db.prepare("SELECT id, last_turn FROM sessions WHERE session_id = ?");
  const addTurn = db.prepare(
    `INSERT INTO turns (session, turn_id, prompt, status, error, started_at, provider, model, client, history_before)
     VALUES (?, ?, ?, 'running', '', ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM history))`,
  );
  const touch = db.prepare("UPDATE sessions SET turns = turns + 1, last_turn = ? WHERE id = ?");
  const findTurn = db.prepare("SELECT id, session FROM turns WHERE status = 'running' AND turn_id = ?");
  const endTurn = db.prepare("UPDATE turns SET status = ?, error = ?, ended_at = ? WHERE id = ?");
  const addMessage = db.prepare("INSERT INTO messages (session, turn, body) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM sessions WHERE session_id = ?");
  const sessionOf = (session_id: string) =>
    findSession.get(session_id) as { id: number; last_turn: number } | undefined;
  const addMessages = (session: number, turn: number | bigint, list: readonly Message[]): void => {
    for (const message of list) addMessage.run(session, turn, toJson(message));
  };

  return {
    begin(turn) {
      const now = new Date().toISOString();
      addSession.run(turn.session_id, now, toTitle(turn.prompt));
      const session = sessionOf(turn.session_id);
      if (!session) throw new Error(`session ${turn.session_id} could not be written`);
      const { prompt, provider, model, client } = turn;
      const row = addTurn.run(session.id, turn.turn_id, prompt, now, provider, model, client).lastInsertRowid;
      touch.run(row, session.id);
      addMessages(session.id, row, [{ role: "user", text: prompt }]);
    },
    end(turn) {
      const found = findTurn.get(turn.turn_id) as { id: number; session: number } | undefined;
      if (!found) throw new Error(`turn ${turn.turn_id} is not running`);
      endTurn.run(turn.status, turn.error, new Date().toISOString(), found.id);
      addMessages(found.session, found.id, turn.messages);
    },
    append(session_id, list) {
      const session = sessionOf(session_id);
      if (session) addMessages(session.id, session.last_turn, list);
    },
    delete: (session_id) => remove.run(session_id).changes === 1,
  };
}

function createReads(orm: BetterSQLite3Database): Pick<SessionQueries, "messages" | "has" | "list" | "transcript"> {
  const idOf = orm
    .select({ id: sessionsTable.id, last_turn: sessionsTable.last_turn })
    .from(sessionsTable)
    .where(eq(sessionsTable.session_id, sql.placeholder("session_id")))
    .prepare();
  const inSession = eq(messagesTable.session, sql.placeholder("id"));
  const newest = orm
    .select({ body: messagesTable.body })
    .from(messagesTable)
    .where(inSession)
    .orderBy(desc(messagesTable.id))
    .limit(sql.placeholder("limit"))
    .prepare();
  const all = orm.select().from(messagesTable).where(inSession).orderBy(asc(messagesTable.id)).prepare();
  const turnsOf = orm
    .select()
    .from(turnsTable)
    .where(eq(turnsTable.session, sql.placeholder("id")))
    .orderBy(asc(turnsTable.id))
    .prepare();
  const summaries = orm
    .select()
    .from(sessionsTable)
    .innerJoin(turnsTable, eq(turnsTable.id, sessionsTable.last_turn))
    .where(sql`${sessionsTable.last_turn} < ${sql.placeholder("before")}`)
    .orderBy(desc(sessionsTable.last_turn))
    .limit(sql.placeholder("limit"))
    .prepare();

  return {
    messages(session_id, limit) {
      const session = idOf.get({ session_id });
      return session ? newest.all({ id: session.id, limit }).map(toMessage).reverse() : [];
    },
    has: (session_id) => idOf.get({ session_id }) !== undefined,
    list(query) {
      const before = query.before === undefined ? undefined : idOf.get({ session_id: query.before });
      if (query.before !== undefined && !before) return [];
      const rows = summaries.all({ before: before?.last_turn ?? Number.MAX_SAFE_INTEGER, limit: query.limit });
      return rows.map(({ sessions: session, turns: turn }) => ({
        session_id: session.session_id,
        created_at: session.created_at,
        updated_at: turn.ended_at ?? turn.started_at,
        turns: session.turns,
        title: session.title,
        status: turn.status,
      }));
    },
    transcript(session_id) {
      const session = idOf.get({ session_id });
      if (!session) return [];
      const byTurn = new Map<number, Message[]>();
      for (const row of all.all({ id: session.id }))
        byTurn.set(row.turn, [...(byTurn.get(row.turn) ?? []), toMessage(row)]);
      return turnsOf.all({ id: session.id }).map((turn) => ({
        turn_id: turn.turn_id,
        prompt: turn.prompt,
        status: turn.status,
        error: turn.error,
        started_at: turn.started_at,
        ended_at: turn.ended_at,
        provider: turn.provider,
        model: turn.model,
        client: turn.client,
        messages: byTurn.get(turn.id) ?? [],
      }));
    },
  };
}

/** The session tables of a database that is open and migrated. */
export function createSessionQueries(db: Database, orm: BetterSQLite3Database): SessionQueries {
  return { ...createWrites(db), ...createReads(orm) };
}
