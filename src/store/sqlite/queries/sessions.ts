// Sessions, turns and their messages, complete and in order. The messages are the model's own history, so they are stored as
// they are given. Each method is one statement or runs inside the caller's transaction.

import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Message } from "../../../domain/message.js";
import type { ModelChoice } from "../../../domain/model-choice.js";
import type { SessionSummary } from "../../../domain/record.js";
import { addUsage, type ModelUsage } from "../../../domain/usage.js";
import { parseJson, toJson } from "../../../lib/json.js";
import { withFields } from "../../../lib/with-fields.js";
import { toTitle } from "../../rules.js";
import type { TurnEnd, TurnStart } from "../../store.js";
import { messagesTable, placeholders, sessionsTable, turnsTable } from "../tables.js";

/** The end of a turn as it is written; messages and events as JSON text. */
type TurnEndRow = Omit<TurnEnd, "messages" | "events"> & { messages: string[]; events: string | null };

/** A turn without what only its replay reads. */
const { events: _, ...TURN_COLUMNS } = getTableColumns(turnsTable);

/** Sessions, synchronously. `now` is the time of the event, ISO 8601. */
export interface SessionQueries {
  begin(turn: TurnStart, now: string): void;
  /** Does nothing for a turn that has ended; throws for one that is not known. */
  end(turn: TurnEndRow, now: string): void;
  /** Does nothing for an unknown session: it was deleted meanwhile. */
  append(session_id: string, list: readonly string[]): void;
  messages(session_id: string, limit: number): Message[];
  has(session_id: string): boolean;
  /** The names of the tokens that asked for its turns. */
  askersOf(session_id: string): string[];
  lastChoice(session_id: string): ModelChoice | undefined;
  list(query: { limit: number; before?: string | undefined }): SessionSummary[];
  /** Undefined for an unknown session. */
  summary(session_id: string): SessionSummary | undefined;
  /** Gives it a title, or takes it away. */
  rename(session_id: string, title: string | null): void;
}

/** What model calls took, from the record. */
export function toUsage(text: string | null): ModelUsage | undefined {
  return text === null ? undefined : (parseJson(text) as unknown as ModelUsage);
}

/** A message, from the record. */
export function toMessage(row: { body: string }): Message {
  // Plain JSON.parse would round large integers in the arguments of a call.
  return parseJson(row.body) as unknown as Message;
}

/** A session with its newest turn. */
function toSummary(
  { session_id, created_at, turns, title, given_title, usage }: typeof sessionsTable.$inferSelect,
  { status, ended_at, started_at, provider, model }: Omit<typeof turnsTable.$inferSelect, "events">,
  continues: SessionSummary["continues"],
): SessionSummary {
  return {
    session_id,
    created_at,
    updated_at: ended_at ?? started_at,
    turns,
    title: given_title ?? title,
    continues,
    status,
    provider,
    model,
    usage: toUsage(usage),
  };
}

function prepareWrites(orm: BetterSQLite3Database) {
  const { id, session, turn, body } = placeholders("id", "session", "turn", "body");
  const { session_id, title, now } = placeholders("session_id", "title", "now");
  const { turn_id, prompt, provider, model, client, asked_by } = placeholders(
    ...(["turn_id", "prompt", "provider", "model", "client", "asked_by"] as const),
  );
  const { status, error, events, usage } = placeholders("status", "error", "events", "usage");
  const newest = sql`(SELECT coalesce(max(id), 0) FROM history)`;
  // Literals, because the index on running turns holds for this condition as it is written.
  const running = sql`'running'`;
  return {
    addSession: orm
      .insert(sessionsTable)
      .values({ session_id, created_at: now, title, turns: 0, last_turn: 0 })
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
        asked_by,
        history_before: newest,
      })
      .prepare(),
    touch: orm
      .update(sessionsTable)
      .set({ turns: sql`turns + 1`, last_turn: turn })
      .where(eq(sessionsTable.id, id))
      .prepare(),
    choose: orm.update(sessionsTable).set({ provider, model }).where(eq(sessionsTable.id, id)).prepare(),
    spend: orm.update(sessionsTable).set({ usage }).where(eq(sessionsTable.id, id)).prepare(),
    rename: orm
      .update(sessionsTable)
      .set({ given_title: title })
      .where(eq(sessionsTable.session_id, session_id))
      .prepare(),
    findRunning: orm
      .select({ id: turnsTable.id, session: turnsTable.session, usage: sessionsTable.usage })
      .from(turnsTable)
      .innerJoin(sessionsTable, eq(sessionsTable.id, turnsTable.session))
      .where(sql`${turnsTable.status} = ${running} AND ${turnsTable.turn_id} = ${turn_id}`)
      .prepare(),
    findTurn: orm.select({ id: turnsTable.id }).from(turnsTable).where(eq(turnsTable.turn_id, turn_id)).prepare(),
    endTurn: orm
      .update(turnsTable)
      .set({ status, error, ended_at: now, events, usage })
      .where(eq(turnsTable.id, id))
      .prepare(),
    addMessage: orm.insert(messagesTable).values({ session, turn, body }).prepare(),
  };
}

function createWrites(orm: BetterSQLite3Database): Pick<SessionQueries, "begin" | "end" | "append" | "rename"> {
  const statements = prepareWrites(orm);
  const addMessages = (session: number, turn: number | bigint, list: readonly string[]): void => {
    for (const body of list) statements.addMessage.run({ session, turn, body });
  };

  return {
    begin({ choice, context, continues: __, ...turn }, now) {
      const { session_id, prompt } = turn;
      const id =
        statements.findSession.get({ session_id })?.id ??
        Number(statements.addSession.run({ session_id, now, title: toTitle(prompt) }).lastInsertRowid);
      const row = statements.addTurn.run(withFields(turn, { session: id, now })).lastInsertRowid;
      statements.touch.run({ id, turn: row });
      if (choice) statements.choose.run({ id, ...choice });
      addMessages(id, row, [toJson({ role: "user", text: prompt, context })]);
    },
    end({ turn_id, status, error, messages, events, usage }, now) {
      const turn = statements.findRunning.get({ turn_id });
      if (!turn) {
        // An end that was written though its answer was lost is written again.
        if (statements.findTurn.get({ turn_id })) return;
        throw new Error(`turn ${turn_id} is not known`);
      }
      statements.endTurn.run({ id: turn.id, status, error, events, usage: usage ? toJson(usage) : null, now });
      if (usage) statements.spend.run({ id: turn.session, usage: toJson(addUsage(toUsage(turn.usage), usage)) });
      addMessages(turn.session, turn.id, messages);
    },
    rename: (session_id, title) => void statements.rename.run({ session_id, title }),
    append(session_id, list) {
      const session = statements.findSession.get({ session_id });
      if (session) addMessages(session.id, session.last_turn, list);
    },
  };
}

/** Reads of the entries of a list. */
function createSummaries(orm: BetterSQLite3Database) {
  const { id, last_turn } = sessionsTable;
  const listed = () =>
    orm
      .select({ sessions: sessionsTable, turns: TURN_COLUMNS })
      .from(sessionsTable)
      .innerJoin(turnsTable, eq(turnsTable.id, sessionsTable.last_turn));
  const one = listed()
    .where(eq(sessionsTable.session_id, sql.placeholder("session_id")))
    .prepare();
  const page = listed()
    .where(sql`${last_turn} < ${sql.placeholder("before")}`)
    .orderBy(desc(last_turn))
    .limit(sql.placeholder("limit"))
    .prepare();
  const continued = orm
    .select({ session_id: sessionsTable.session_id })
    .from(turnsTable)
    .innerJoin(sessionsTable, eq(id, turnsTable.session))
    .where(sql`${turnsTable.turn_id} = ${sql.placeholder("turn_id")} AND ${last_turn} > 0`)
    .prepare();
  const summaryOf = ({ sessions: session, turns: turn }: NonNullable<ReturnType<typeof one.get>>): SessionSummary => {
    const { continues: turn_id } = session;
    return toSummary(session, turn, turn_id === null ? undefined : { ...continued.get({ turn_id }), turn_id });
  };
  return {
    summary(session_id: string): SessionSummary | undefined {
      const row = one.get({ session_id });
      return row && summaryOf(row);
    },
    /** Those whose last turn is before this one. */
    before: (last_turn: number, limit: number): SessionSummary[] =>
      page.all({ before: last_turn, limit }).map(summaryOf),
  };
}

function createReads(orm: BetterSQLite3Database): Omit<SessionQueries, "begin" | "end" | "append" | "rename"> {
  const { id, last_turn, provider, model } = sessionsTable;
  const idOf = orm
    .select({ id, last_turn, provider, model })
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
  const askers = orm
    .selectDistinct({ asked_by: turnsTable.asked_by })
    .from(turnsTable)
    .innerJoin(sessionsTable, eq(id, turnsTable.session))
    .where(eq(sessionsTable.session_id, sql.placeholder("session_id")))
    .prepare();
  const summaries = createSummaries(orm);

  return {
    messages(session_id, limit) {
      const session = idOf.get({ session_id });
      return session ? newest.all({ id: session.id, limit }).map(toMessage).reverse() : [];
    },
    has: (session_id) => idOf.get({ session_id }) !== undefined,
    askersOf: (session_id) => askers.all({ session_id }).map(({ asked_by }) => asked_by),
    lastChoice(session_id) {
      const session = idOf.get({ session_id });
      if (!session || session.provider === null || session.model === null) return undefined;
      return { provider: session.provider, model: session.model };
    },
    list(query) {
      const before = query.before === undefined ? undefined : idOf.get({ session_id: query.before });
      if (query.before !== undefined && !before) return [];
      return summaries.before(before?.last_turn ?? Number.MAX_SAFE_INTEGER, query.limit);
    },
    summary: summaries.summary,
  };
}

/** The session tables of a database that is open and migrated. */
export function createSessionQueries(orm: BetterSQLite3Database): SessionQueries {
  return { ...createWrites(orm), ...createReads(orm) };
}
