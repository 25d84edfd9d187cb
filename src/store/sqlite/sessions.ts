// Sessions, turns and their messages, complete and in order. The messages are the model's own history, so they are stored as
// they are given. Each method is one statement or runs inside the caller's transaction.

import { asc, desc, eq, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Message } from "../../domain/message.js";
import type { SessionSummary, TranscriptTurn } from "../../domain/record.js";
import { parseJson, toJson } from "../../lib/json.js";
import { toTitle } from "../rules.js";
import type { TurnEnd, TurnStart } from "../store.js";
import { messagesTable, placeholders, sessionsTable, turnsTable } from "./tables.js";

/** The end of a turn as it is written; messages as JSON text. */
type TurnEndRow = Omit<TurnEnd, "messages"> & { messages: string[] };

/** Sessions, synchronously. `now` is the time of the event, ISO 8601. */
export interface SessionQueries {
  begin(turn: TurnStart, now: string): void;
  /** Does nothing for a turn that has ended; throws for one that is not known. */
  end(turn: TurnEndRow, now: string): void;
  /** Does nothing for an unknown session: it was deleted meanwhile. */
  append(session_id: string, list: readonly string[]): void;
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

function prepareWrites(orm: BetterSQLite3Database) {
  const { id, session, turn, body } = placeholders("id", "session", "turn", "body");
  const { session_id, title, now } = placeholders("session_id", "title", "now");
  const { turn_id, prompt, provider, model, client } = placeholders("turn_id", "prompt", "provider", "model", "client");
  const { status, error } = placeholders("status", "error");
  const newest = sql`(SELECT coalesce(max(id), 0) FROM history)`;
  // Literals, because the index on running turns holds for this condition as it is written.
  const running = sql`'running'`;
  return {
    addSession: orm
      .insert(sessionsTable)
      .values({ session_id, created_at: now, title, turns: 0, last_turn: 0 })
      .onConflictDoNothing()
      .prepare(),
    findSession: orm.select().from(sessionsTable).where(eq(sessionsTable.session_id, session_id)).prepare(),
    addTurn: orm
      .insert(turnsTable)
      .values({
        session,
        turn_id,
        prompt,
        status: running,
        error: "",
        started_at: now,
        provider,
        model,
        client,
        history_before: newest,
      })
      .prepare(),
    touch: orm
      .update(sessionsTable)
      .set({ turns: sql`turns + 1`, last_turn: turn })
      .where(eq(sessionsTable.id, id))
      .prepare(),
    findRunning: orm
      .select()
      .from(turnsTable)
      .where(sql`${turnsTable.status} = ${running} AND ${turnsTable.turn_id} = ${turn_id}`)
      .prepare(),
    findTurn: orm.select().from(turnsTable).where(eq(turnsTable.turn_id, turn_id)).prepare(),
    endTurn: orm.update(turnsTable).set({ status, error, ended_at: now }).where(eq(turnsTable.id, id)).prepare(),
    addMessage: orm.insert(messagesTable).values({ session, turn, body }).prepare(),
    remove: orm.delete(sessionsTable).where(eq(sessionsTable.session_id, session_id)).prepare(),
  };
}

function createWrites(orm: BetterSQLite3Database): Pick<SessionQueries, "begin" | "end" | "append" | "delete"> {
  const statements = prepareWrites(orm);
  const addMessages = (session: number, turn: number | bigint, list: readonly string[]): void => {
    for (const body of list) statements.addMessage.run({ session, turn, body });
  };

  return {
    begin(turn, now) {
      const { session_id, prompt } = turn;
      statements.addSession.run({ session_id, now, title: toTitle(prompt) });
      const session = statements.findSession.get({ session_id });
      if (!session) throw new Error(`session ${session_id} could not be written`);
      const row = statements.addTurn.run({ ...turn, session: session.id, now }).lastInsertRowid;
      statements.touch.run({ id: session.id, turn: row });
      addMessages(session.id, row, [toJson({ role: "user", text: prompt })]);
    },
    end({ turn_id, status, error, messages }, now) {
      const turn = statements.findRunning.get({ turn_id });
      if (!turn) {
        // An end that was written though its answer was lost is written again.
        if (statements.findTurn.get({ turn_id })) return;
        throw new Error(`turn ${turn_id} is not known`);
      }
      statements.endTurn.run({ id: turn.id, status, error, now });
      addMessages(turn.session, turn.id, messages);
    },
    append(session_id, list) {
      const session = statements.findSession.get({ session_id });
      if (session) addMessages(session.id, session.last_turn, list);
    },
    delete: (session_id) => statements.remove.run({ session_id }).changes === 1,
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
export function createSessionQueries(orm: BetterSQLite3Database): SessionQueries {
  return { ...createWrites(orm), ...createReads(orm) };
}
