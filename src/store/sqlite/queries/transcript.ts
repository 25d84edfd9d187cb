// A transcript, read message by message in slices: those of a long session are megabytes, and other work goes on meanwhile.
import { asc, eq, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { AppError } from "../../../domain/error.js";
import type { Message } from "../../../domain/message.js";
import { createSlices } from "../../../lib/slices.js";
import type { Store } from "../../store.js";
import { messagesTable, sessionsTable, turnsTable } from "../tables.js";
import { toMessage, toUsage } from "./sessions.js";

/** Reads a transcript: `Store.transcript`. */
export type ReadTranscript = Store["transcript"];

function prepare(orm: BetterSQLite3Database) {
  const { id, turn_id, status, error, started_at, ended_at, provider, model, client, asked_by, usage } = turnsTable;
  const inSession = eq(sessionsTable.session_id, sql.placeholder("session_id"));
  const isTurn = eq(turnsTable.id, sql.placeholder("id"));
  const isMessage = eq(messagesTable.id, sql.placeholder("id"));
  return {
    /** Without the prompts, which may be long. */
    turns: orm
      .select({ id, turn_id, status, error, started_at, ended_at, provider, model, client, asked_by, usage })
      .from(turnsTable)
      .innerJoin(sessionsTable, eq(sessionsTable.id, turnsTable.session))
      .where(inSession)
      .orderBy(asc(turnsTable.id))
      .prepare(),
    messages: orm
      .select({ id: messagesTable.id, turn: messagesTable.turn })
      .from(messagesTable)
      .innerJoin(sessionsTable, eq(sessionsTable.id, messagesTable.session))
      .where(inSession)
      .orderBy(asc(messagesTable.id))
      .prepare(),
    prompt: orm.select({ prompt: turnsTable.prompt }).from(turnsTable).where(isTurn).prepare(),
    body: orm.select({ body: messagesTable.body }).from(messagesTable).where(isMessage).prepare(),
  };
}

/** The transcripts of a database that is open and migrated. */
export function createReadTranscript(orm: BetterSQLite3Database): ReadTranscript {
  const statements = prepare(orm);
  return async function* transcript(session_id) {
    const slices = createSlices();
    const orDeleted = <T>(row: T | undefined): T => {
      if (row === undefined) throw new AppError("not_found", "This session was deleted.");
      return row;
    };
    await slices.pause();
    const turns = statements.turns.all({ session_id });
    const byTurn = new Map<number, number[]>(turns.map(({ id }) => [id, []]));
    for (const { id, turn } of statements.messages.all({ session_id })) byTurn.get(turn)?.push(id);
    for (const { id, turn_id, usage, ...turn } of turns) {
      const { prompt } = orDeleted(statements.prompt.get({ id }));
      const messages: Message[] = [];
      for (const message of byTurn.get(id) ?? []) {
        messages.push(toMessage(orDeleted(statements.body.get({ id: message }))));
        if (slices.isOver()) await slices.pause();
      }
      yield { turn_id, prompt, ...turn, messages, usage: toUsage(usage) };
    }
  };
}
