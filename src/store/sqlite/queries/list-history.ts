// The query of a history, newest first.
import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { type HistoryEntry, type HistoryQuery, MAX_SMALL_RESULT_BYTES } from "../../../domain/record.js";
import { historyTable } from "../tables.js";
import { toEntry } from "./entry.js";
import type { RowFiles } from "./kept-results.js";

/** The columns of a row without a large result or effect, which SQLite then does not even read from the disk. */
const WITHOUT_LARGE_RESULT = {
  ...getTableColumns(historyTable),
  result: sql<
    string | null
  >`CASE WHEN octet_length(result) <= ${sql.raw(String(MAX_SMALL_RESULT_BYTES))} THEN result END`,
  result_bytes: sql<number | null>`octet_length(result)`,
  effect: sql<
    string | null
  >`CASE WHEN octet_length(effect) <= ${sql.raw(String(MAX_SMALL_RESULT_BYTES))} THEN effect END`,
  effect_bytes: sql<number | null>`octet_length(effect)`,
};

/** Makes the reading of one row by its id; undefined for one that is gone. */
export function createRead(
  orm: BetterSQLite3Database,
  files: RowFiles,
): (id: number, results: HistoryQuery["results"]) => HistoryEntry | undefined {
  const isRow = eq(historyTable.id, sql.placeholder("id"));
  const whole = orm.select().from(historyTable).where(isRow).prepare();
  const small = orm.select(WITHOUT_LARGE_RESULT).from(historyTable).where(isRow).prepare();
  return (id, results) => {
    const row = (results === "small" ? small : whole).get({ id });
    return row && toEntry(row, files);
  };
}

/** With `after` alone the rows that come next are meant, so that a reader that goes on from its newest id misses none. */
const readsForward = ({ before, after }: HistoryQuery): boolean => after !== undefined && before === undefined;

/** Makes the query of a history, newest first: one prepared statement per combination of filters; at most 512. */
export function createList(orm: BetterSQLite3Database, files: RowFiles): (query: HistoryQuery) => HistoryEntry[] {
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
    const entries = statement.all({ ...query }).map((row) => toEntry(row, files));
    return readsForward(query) ? entries.reverse() : entries;
  };
}
