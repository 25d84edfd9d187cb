// The rows that a change in MySQL or MariaDB touches: the one it names, and for a delete what foreign keys take with it. The server does
// not count what triggers do, so that a table with triggers leaves the rest unknown.
import type { Effect } from "../../../domain/effect.js";
import type { JsonObject } from "../../../lib/json.js";
import type { Evidence, Preview } from "../../transport.js";
import type { ChangeOptions, Restoration } from "../database.js";
import { createFingerprint } from "../fingerprint.js";
import { RowCounts } from "../row-counts.js";
import { keyTexts, type RowTexts } from "../row-texts.js";
import type { MysqlSession } from "./session.js";
import { MYSQL_SYNTAX } from "./syntax.js";
import { columnsHash, type MysqlReference, type MysqlTable } from "./tables.js";
import { fromMysqlText, type MysqlParameter, textToParameter } from "./values.js";

const MAX_ROWS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Keys of one statement. */
const BATCH = 200;

/** One row before and after. */
export interface TouchedRow {
  table: MysqlTable;
  key: RowTexts;
  before: RowTexts | null;
  after: RowTexts | null;
  /** Names of the columns that the call sets. */
  set: readonly string[];
}

/** All of them, in the order in which they were found; `gap` says what is missing. */
export interface Touched {
  rows: TouchedRow[];
  gap: string | undefined;
}

const identity = (table: MysqlTable, columns: readonly string[], row: RowTexts): string =>
  JSON.stringify([table.name.name, columns.map((name) => row[name] ?? null)]);

/** A condition on columns by their texts. */
export function textCondition(
  table: MysqlTable,
  columns: readonly string[],
  row: readonly (string | null)[],
): { sql: string; values: MysqlParameter[] } {
  const typed = columns.map((name) => table.columns.find((one) => one.name === name));
  return {
    sql: columns
      .map((name, at) => `${MYSQL_SYNTAX.quote(name)} = ${typed[at] ? MYSQL_SYNTAX.parameter(0, typed[at]) : "?"}`)
      .join(" AND "),
    values: typed.map((column, at) => (column ? textToParameter(row[at] ?? null, column) : null)),
  };
}

/** Rows whose columns have one of these groups of texts. */
export async function rowsWith(
  table: MysqlTable,
  { columns, rows, lock }: { columns: readonly string[]; rows: readonly (string | null)[][]; lock: boolean },
  session: MysqlSession,
): Promise<RowTexts[]> {
  const found: RowTexts[] = [];
  const list = table.columns.map((column) => MYSQL_SYNTAX.result(column)).join(", ");
  const named = rows.filter((row) => row.every((text) => text !== null));
  for (let from = 0; from < named.length; from += BATCH) {
    const conditions = named.slice(from, from + BATCH).map((row) => textCondition(table, columns, row));
    const sql =
      `SELECT ${list} FROM ${MYSQL_SYNTAX.quote(table.name.name)} WHERE ${conditions.map(({ sql: one }) => `(${one})`).join(" OR ")}` +
      ` LIMIT ${MAX_ROWS + 1}${lock ? " FOR UPDATE" : ""}`;
    const answer = await session.run(
      sql,
      conditions.flatMap(({ values }) => values),
    );
    for (const row of answer)
      found.push(Object.fromEntries(table.columns.map(({ name }, at) => [name, row[at] ?? null])));
  }
  return found;
}

/** Reads all touched rows again. */
export async function readTouchedAgain(touched: Touched, session: MysqlSession): Promise<void> {
  for (const table of new Set(touched.rows.map((row) => row.table))) {
    const ofTable = touched.rows.filter((row) => row.table === table);
    const keys = ofTable.map(({ key }) => table.key.map((name) => key[name] ?? null));
    const found = await rowsWith(table, { columns: table.key, rows: keys, lock: false }, session);
    const byKey = new Map(found.map((row) => [identity(table, table.key, row), row]));
    for (const row of ofTable) row.after = byKey.get(identity(table, table.key, row.key)) ?? null;
  }
}

interface Closure {
  references: readonly MysqlReference[];
  tableOf(name: string): Promise<MysqlTable>;
  session: MysqlSession;
}

/** Adds what deleting a row takes along. */
export async function touchReferences(root: TouchedRow, touched: Touched, closure: Closure): Promise<void> {
  const known = new Set(touched.rows.map(({ table, key }) => identity(table, table.key, key)));
  let bytes = 0;
  for (let parents = [root]; parents.length > 0; ) {
    const next: TouchedRow[] = [];
    for (const reference of closure.references) {
      const ofTable = parents.filter(({ table }) => table.name.name === reference.parent);
      if (ofTable.length === 0 || (reference.onDelete !== "cascade" && reference.onDelete !== "set null")) continue;
      const table = await closure.tableOf(reference.child);
      if (table.key.length === 0) {
        touched.gap ??= `rows of ${reference.child} cannot be told apart`;
        continue;
      }
      const rows = ofTable.map(({ before }) => reference.parentColumns.map((name) => before?.[name] ?? null));
      for (const before of await rowsWith(
        table,
        { columns: reference.childColumns, rows, lock: true },
        closure.session,
      )) {
        const key = keyTexts(table.key, before);
        const id = identity(table, table.key, key);
        if (known.has(id)) continue;
        known.add(id);
        for (const text of Object.values(before)) bytes += text?.length ?? 0;
        const row: TouchedRow = { table, key, before, after: null, set: [] };
        touched.rows.push(row);
        if (touched.rows.length > MAX_ROWS || bytes > MAX_BYTES) {
          touched.gap = `it touches more than ${MAX_ROWS} rows, or more than ${MAX_BYTES / 1024 / 1024} MiB`;
          return;
        }
        if (reference.onDelete === "cascade") next.push(row);
      }
    }
    parents = next;
  }
}

/** A row as people see it. */
export function shownTexts({ columns }: MysqlTable, row: RowTexts | null): JsonObject | null {
  return (
    row && Object.fromEntries(columns.map((column) => [column.name, fromMysqlText(row[column.name] ?? null, column)]))
  );
}

/** Everything that is kept of a change, before it is final. */
export function mysqlEvidence({ rows, gap }: Touched): { evidence: Evidence; preview: Preview } {
  const triggered = [...new Set(rows.filter(({ table }) => table.hasTriggers).map(({ table }) => table.name.name))];
  const notes = [
    ...(gap ? [gap] : []),
    ...(triggered.length > 0 ? [`what triggers of ${triggered.join(", ")} change elsewhere is not shown`] : []),
  ];
  const counts = new RowCounts();
  for (const row of rows) counts.add(row.table.name.name, row);
  const tables = counts.all;
  const effect: Effect = {
    tables,
    changes: rows.map(({ table, key, before, after }) => {
      const shown = shownTexts(table, before ?? after);
      return {
        resource: table.name.name,
        key: Object.fromEntries(Object.keys(key).map((name) => [name, shown?.[name] ?? null])),
        before: shownTexts(table, before),
        after: shownTexts(table, after),
      };
    }),
    complete: notes.length === 0,
  };
  if (notes.length > 0) effect.note = notes.join("; ");
  const fingerprint = createFingerprint();
  for (const { table, key, before, after, set } of rows)
    fingerprint.add({ table: table.name.name, key, before, after, columns: table.columns, set });
  const evidence: Evidence = { effect, undo: "impossible" };
  if (rows.length > 0 && !gap && rows.every(({ table }) => table.isWhole)) {
    evidence.undo = effect.complete ? "possible" : "partial";
    const restoration: Restoration = {
      operation: "restore",
      images: rows.map(({ table, key, before, after }) => ({ table: table.name, key, before, after })),
      schemaHash: columnsHash(rows.map(({ table }) => table)),
    };
    if (!effect.complete && effect.note) restoration.inexact = effect.note;
    evidence.images = restoration as unknown as JsonObject;
  }
  return { evidence, preview: { effect, fingerprint: fingerprint.digest(tables), undo: evidence.undo } };
}

/** Makes a change final, unless it is another than the one that is expected; then, and without `commit`, nothing is done. */
export async function finishChange(
  { evidence, preview }: { evidence: Evidence; preview: Preview },
  { expected, commit, keep }: ChangeOptions,
  session: MysqlSession,
): Promise<"done" | "changed"> {
  if (expected !== undefined && expected !== preview.fingerprint) return "changed";
  if (!commit) return "done";
  await keep?.(evidence);
  await session.commit();
  return "done";
}
