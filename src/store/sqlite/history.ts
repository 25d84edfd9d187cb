// The history table: the row of a call before it leaves, its completion, and the queries over it. Rows go in and come out
// in the wire's form; the hash chain is kept here, because every row becomes final in `finish`.

import type { Database } from "better-sqlite3";
import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { HistoryStatus } from "../../domain/history-status.js";
import { OPEN_POLICY, type Policy } from "../../domain/policy.js";
import type { CallIntent, HistoryEntry, HistoryQuery } from "../../domain/record.js";
import { isObject, type JsonObject, type JsonValue, parseJson, toJson } from "../../lib/json.js";
import { nextLink } from "../chain.js";
import type { CallCompletion } from "../store.js";
import { chainEnd } from "./chain-position.js";
import { type HistoryRow, historyTable } from "./tables.js";

/** The columns of a row that are written before the call. */
type Intent = Omit<HistoryRow, "seq" | "hash" | "status" | "result" | "duration_ms">;

/** The history, synchronously: each method is one statement or runs inside the caller's transaction. */
export interface HistoryQueries {
  /** Writes a row that is not final yet; returns its id. */
  begin(intent: CallIntent, status: "pending" | "held"): number;
  /** Writes a row that is final at once; two statements, for the caller's transaction. */
  record(intent: CallIntent, completion: CallCompletion): number;
  /** Makes a row in status `from` final and chains it. False, and nothing written, when the row is in another status. */
  finish(id: number, completion: CallCompletion, from: "pending" | "held"): boolean;
  /** Makes a held row pending, with the arguments and request it will really be called with. */
  release(id: number, edits: { arguments?: JsonObject; request?: JsonObject }): void;
  /** Newest first. */
  list(query: HistoryQuery): HistoryEntry[];
  /** Reads the end of the chain from the database again: after a rollback. */
  reload(): void;
}

/** A JSON column. A corrupted one reads as null, so that it does not hide the other rows; `verify` names it. */
export function fromColumn(text: string | null): JsonValue {
  try {
    return text === null ? null : parseJson(text);
  } catch {
    return null;
  }
}

/** A JSON column that holds an object; a corrupted one reads as an empty one. */
export function toObject(text: string): JsonObject {
  const value = fromColumn(text);
  return isObject(value) ? value : {};
}

/** A policy column. */
export function toPolicy(text: string): Policy {
  return { ...OPEN_POLICY, ...toObject(text) };
}

/** A row as it goes over the wire. */
export function toEntry(row: HistoryRow): HistoryEntry {
  return {
    id: row.id,
    ts: row.ts,
    session_id: row.session_id,
    turn_id: row.turn_id,
    call_id: row.call_id,
    tool: row.tool,
    arguments: toObject(row.arguments),
    result: fromColumn(row.result),
    status: row.status,
    duration_ms: row.duration_ms,
    safety: row.safety,
    policy: toPolicy(row.policy),
    request: row.request === null ? null : toObject(row.request),
    provider: row.provider,
    model: row.model,
    client: row.client,
  };
}

/** With `after` alone the rows that come next are meant, so that a reader that goes on from its newest id misses none. */
const readsForward = ({ before, after }: HistoryQuery): boolean => after !== undefined && before === undefined;

/** Makes the query of a history, newest first: one prepared statement per combination of filters; at most 64. */
export function createList(orm: BetterSQLite3Database): (query: HistoryQuery) => HistoryEntry[] {
  const prepare = (query: HistoryQuery) => {
    const filters: SQL[] = [];
    if (query.before !== undefined) filters.push(lt(historyTable.id, sql.placeholder("before")));
    if (query.after !== undefined) filters.push(gt(historyTable.id, sql.placeholder("after")));
    if (query.session_id !== undefined) filters.push(eq(historyTable.session_id, sql.placeholder("session_id")));
    if (query.tool !== undefined) filters.push(eq(historyTable.tool, sql.placeholder("tool")));
    if (query.status !== undefined) filters.push(eq(historyTable.status, sql.placeholder("status")));
    const rows = orm
      .select()
      .from(historyTable)
      .where(and(...filters));
    const order = readsForward(query) ? asc(historyTable.id) : desc(historyTable.id);
    return rows.orderBy(order).limit(sql.placeholder("limit")).prepare();
  };
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return (query) => {
    const key = Object.entries(query)
      .flatMap(([name, value]) => (value === undefined ? [] : [name]))
      .sort()
      .join();
    let statement = prepared.get(key);
    if (!statement) prepared.set(key, (statement = prepare(query)));
    const entries = statement.all({ ...query }).map(toEntry);
    return readsForward(query) ? entries.reverse() : entries;
  };
}

/** The history of a database that is open and migrated. The writes are plain prepared statements: they are the hot path. */
export function createHistoryQueries(db: Database, orm: BetterSQLite3Database, bootId: string): HistoryQueries {
  const insert = db.prepare(
    `INSERT INTO history (ts, session_id, turn_id, call_id, tool, arguments, safety, policy, request, provider, model, client, boot_id, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const complete = db.prepare(
    "UPDATE history SET status = ?, result = ?, duration_ms = ?, seq = ?, hash = ? WHERE id = ? AND status = ?",
  );
  const find = db.prepare("SELECT * FROM history WHERE id = ?");
  const setPending = db.prepare("UPDATE history SET status = 'pending', arguments = ?, request = ? WHERE id = ?");
  /** Rows in flight, so that completing one need not read it, and its hash covers what was written, not what the file holds now. */
  const inFlight = new Map<number, Intent>();
  let end = chainEnd(db);

  const table: HistoryQueries = {
    begin(intent, status) {
      const row = {
        ts: new Date().toISOString(),
        session_id: intent.session_id,
        turn_id: intent.turn_id,
        call_id: intent.call_id,
        tool: intent.tool,
        arguments: toJson(intent.arguments),
        safety: intent.safety,
        policy: toJson(intent.policy),
        request: intent.request === null ? null : toJson(intent.request),
        provider: intent.provider,
        model: intent.model,
        client: intent.client,
        boot_id: bootId,
      };
      // Object.values keeps the order above, which is the statement's.
      const id = Number(insert.run(...Object.values(row), status satisfies HistoryStatus).lastInsertRowid);
      if (status === "pending") inFlight.set(id, { id, ...row });
      return id;
    },
    record(intent, completion) {
      const id = table.begin(intent, "held");
      table.finish(id, completion, "held");
      return id;
    },
    finish(id, completion, from) {
      const intent = inFlight.get(id) ?? (find.get(id) as HistoryRow | undefined);
      if (!intent) return false;
      const result = toJson(completion.result);
      const duration_ms = Number.isFinite(completion.duration_ms) ? completion.duration_ms : null;
      const link = nextLink(end, { ...intent, status: completion.status, result, duration_ms });
      const { changes } = complete.run(completion.status, result, duration_ms, link.seq, link.hash, id, from);
      if (changes === 1) end = link;
      inFlight.delete(id);
      return changes === 1;
    },
    release(id, edits) {
      const row = find.get(id) as HistoryRow;
      const args = edits.arguments ? toJson(edits.arguments) : row.arguments;
      const request = edits.request ? toJson(edits.request) : row.request;
      setPending.run(args, request, id);
      inFlight.set(id, { ...row, arguments: args, request });
    },
    list: createList(orm),
    reload() {
      end = chainEnd(db);
      inFlight.clear();
    },
  };
  return table;
}
