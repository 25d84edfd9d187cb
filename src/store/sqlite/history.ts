// The history table: the row of a call before it leaves, its completion, and the queries over it. Rows go in and come out
// in the wire's form; the hash chain is kept here, because every row becomes final in `finish`.

import type { Database } from "better-sqlite3";
import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { OPEN_POLICY, type Policy } from "../../domain/policy.js";
import {
  type CallIntent,
  type FinalStatus,
  type HistoryEntry,
  type HistoryQuery,
  MAX_SMALL_RESULT_BYTES,
} from "../../domain/record.js";
import { type JsonObject, type JsonValue, objectOf, parseJson, toJson } from "../../lib/json.js";
import { type FinalRow, nextLink } from "../chain.js";
import type { CallCompletion } from "../store.js";
import { chainEnd, chainHead } from "./chain-position.js";
import { chainHeadTable, type HistoryRow, historyTable, placeholders } from "./tables.js";

/** The columns of a row that are written before the call; JSON as text. */
export type IntentRow = Omit<
  HistoryRow,
  "id" | "boot_id" | "status" | "result" | "duration_ms" | "seq" | "hash" | "confirmation"
>;

/** The columns that complete a row; JSON as text. */
type CompletionRow = Pick<FinalRow, "result" | "duration_ms"> & { status: FinalStatus };

/** The history, synchronously: each method is one statement or runs inside the caller's transaction. */
export interface HistoryQueries {
  /** Writes a row that is not final yet; returns its id. */
  begin(intent: IntentRow, status: "pending" | "held"): number;
  /** Writes a row that is final at once; two statements, for the caller's transaction. */
  record(intent: IntentRow, completion: CompletionRow): number;
  /** The same for a refused attempt of a pending row's call, without an event of its own; as `record`. */
  recordAttempt(id: number, completion: CompletionRow, now: string): void;
  /** Makes a row in status `from` final and chains it. False, and nothing written, when the row is in another status. */
  finish(id: number, completion: CompletionRow, from: "pending" | "held"): boolean;
  /** Makes a held row pending, with the arguments and request (JSON text) it will really be called with. */
  release(id: number, edits: { arguments: string | null; request: string | null }): void;
  /** Keeps the hash of a held row's confirmation with it; final once the row is. */
  setConfirmation(id: number, hash: string): void;
  /** That hash; null for a row without. */
  confirmationOf(id: number): string | null;
  /** Newest first. */
  list(query: HistoryQuery): HistoryEntry[];
  /** Saves the end of the chain, when it moved; once for each transaction that completes rows. */
  saveEnd(): void;
  /** Reads the end of the chain from the database again: after a rollback. */
  reload(): void;
}

/** The row of a call that is about to leave, or never will, as it is written now. */
export function toIntentRow(intent: CallIntent): IntentRow {
  return {
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
    application: intent.application,
    event: intent.event ?? null,
    asked_by: intent.asked_by,
  };
}

/** A completion as it is written; a duration that is not known is null. */
export function toCompletionRow({ status, result, duration_ms }: CallCompletion): CompletionRow {
  return { status, result: toJson(result), duration_ms: Number.isFinite(duration_ms) ? duration_ms : null };
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
  return objectOf(fromColumn(text));
}

/** A policy column. */
export function toPolicy(text: string): Policy {
  return { ...OPEN_POLICY, ...toObject(text) };
}

/** A row as it goes over the wire; `result_bytes` are those of a result that was not read. */
export function toEntry(row: HistoryRow & { result_bytes?: number | null }): HistoryEntry {
  const omitted = typeof row.result_bytes === "number" && row.result_bytes > MAX_SMALL_RESULT_BYTES;
  const entry: HistoryEntry = {
    id: row.id,
    ts: row.ts,
    session_id: row.session_id,
    turn_id: row.turn_id,
    call_id: row.call_id,
    application: row.application,
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
    asked_by: row.asked_by,
  };
  if (omitted) entry.result_bytes = row.result_bytes ?? 0;
  return entry;
}

/** The columns of a row without a large result, which SQLite then does not even read from the disk. */
const WITHOUT_LARGE_RESULT = {
  ...getTableColumns(historyTable),
  result: sql<
    string | null
  >`CASE WHEN octet_length(result) <= ${sql.raw(String(MAX_SMALL_RESULT_BYTES))} THEN result END`,
  result_bytes: sql<number | null>`octet_length(result)`,
};

/** With `after` alone the rows that come next are meant, so that a reader that goes on from its newest id misses none. */
const readsForward = ({ before, after }: HistoryQuery): boolean => after !== undefined && before === undefined;

/** Makes the query of a history, newest first: one prepared statement per combination of filters; at most 512. */
export function createList(orm: BetterSQLite3Database): (query: HistoryQuery) => HistoryEntry[] {
  const prepare = (query: HistoryQuery) => {
    const filters: SQL[] = [];
    if (query.before !== undefined) filters.push(lt(historyTable.id, sql.placeholder("before")));
    if (query.after !== undefined) filters.push(gt(historyTable.id, sql.placeholder("after")));
    if (query.session_id !== undefined) filters.push(eq(historyTable.session_id, sql.placeholder("session_id")));
    if (query.asked_by !== undefined) filters.push(eq(historyTable.asked_by, sql.placeholder("asked_by")));
    if (query.application !== undefined) filters.push(eq(historyTable.application, sql.placeholder("application")));
    if (query.tool !== undefined) filters.push(eq(historyTable.tool, sql.placeholder("tool")));
    if (query.status !== undefined) filters.push(eq(historyTable.status, sql.placeholder("status")));
    const select = query.results === "small" ? orm.select(WITHOUT_LARGE_RESULT) : orm.select();
    const rows = select.from(historyTable).where(and(...filters));
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

/** The statements that write, prepared. */
function prepareWrites(orm: BetterSQLite3Database) {
  const { id, from, status } = placeholders("id", "from", "status");
  const {
    arguments: args,
    request,
    ...intent
  } = placeholders(
    ...(["ts", "session_id", "turn_id", "call_id", "tool", "arguments", "safety", "policy", "request"] as const),
    ...(["provider", "model", "client", "boot_id", "application", "event", "asked_by"] as const),
  );
  const final = { status, ...placeholders("result", "duration_ms", "seq", "hash") };
  const isRow = eq(historyTable.id, id);
  const update = (columns: Partial<Record<keyof HistoryRow, SQL>>) => orm.update(historyTable).set(columns);
  return {
    insert: orm
      .insert(historyTable)
      .values({ ...intent, arguments: args, request, status })
      .prepare(),
    complete: update(final)
      .where(and(isRow, eq(historyTable.status, from)))
      .prepare(),
    release: update({ status: sql`'pending'`, arguments: args, request }).where(isRow).prepare(),
    find: orm.select().from(historyTable).where(isRow).prepare(),
    setConfirmation: update(placeholders("confirmation")).where(isRow).prepare(),
    saveEnd: orm
      .update(chainHeadTable)
      .set({ seq: final.seq, hash: final.hash })
      .where(eq(chainHeadTable.id, 1))
      .prepare(),
  };
}

/** The history of a database that is open and migrated. */
export function createHistoryQueries(db: Database, orm: BetterSQLite3Database, bootId: string): HistoryQueries {
  const { insert, complete, find, release, setConfirmation, saveEnd } = prepareWrites(orm);
  /** Rows in flight, so that completing one need not read it, and its hash covers what was written, not what the file holds now. */
  const inFlight = new Map<number, Omit<FinalRow, keyof CompletionRow>>();
  let end = chainEnd(db);
  let saved = chainHead(db)?.seq;

  const table: HistoryQueries = {
    begin(intent, status) {
      const row = { ...intent, boot_id: bootId };
      const id = Number(insert.run({ ...row, status }).lastInsertRowid);
      if (status === "pending") inFlight.set(id, { id, ...row, confirmation: null });
      return id;
    },
    record(intent, completion) {
      const id = table.begin(intent, "held");
      table.finish(id, completion, "held");
      return id;
    },
    recordAttempt(id, completion, now) {
      const row = find.get({ id });
      if (!row) throw new Error(`row ${id} is missing`);
      table.record({ ...row, ts: now, event: null }, completion);
    },
    finish(id, completion, from) {
      // What is kept of a held row is that of an approval that was rolled back.
      const intent = (from === "pending" && inFlight.get(id)) || find.get({ id });
      if (!intent) return false;
      const link = nextLink(end, { ...intent, ...completion });
      const { changes } = complete.run({ ...completion, ...link, id, from });
      if (changes === 1) end = link;
      inFlight.delete(id);
      return changes === 1;
    },
    release(id, edits) {
      const row = find.get({ id });
      if (!row) throw new Error(`row ${id} is missing`);
      const changes = { arguments: edits.arguments ?? row.arguments, request: edits.request ?? row.request };
      release.run({ id, ...changes });
      inFlight.set(id, { ...row, ...changes });
    },
    setConfirmation: (id, hash) => void setConfirmation.run({ id, confirmation: hash }),
    confirmationOf: (id) => find.get({ id })?.confirmation ?? null,
    list: createList(orm),
    saveEnd() {
      if (end.seq === saved) return;
      saveEnd.run({ ...end });
      saved = end.seq;
    },
    reload() {
      end = chainEnd(db);
      saved = chainHead(db)?.seq;
    },
  };
  return table;
}
