// Puts rows back as they were before a change. Every row must be as the change left it; no row but those may be touched, and all of
// them must be as they were in the end, whatever triggers do. Otherwise nothing is done, and the reason is said.
import type { Database } from "better-sqlite3";
import type { JsonObject, JsonValue } from "../../../lib/json.js";
import { DatabaseFailure, type Restoration } from "../database.js";
import { shownKey, sqliteSchemaHash } from "./evidence.js";
import { sqliteSyntax } from "./syntax.js";
import { identityCondition, readTables, rowIdentity, type SqliteTable } from "./tables.js";
import { openTouchLog, type Reach, type TouchLog } from "./touched.js";
import { fromExact, fromSqlite, isSameValue, type SqliteValue } from "./values.js";

const { quote } = sqliteSyntax;

/** Triggers that change what was just put back get so many goes; foreign keys within a table as many. */
const MAX_PASSES = 4;

/** One row to be put back. */
interface Row {
  table: SqliteTable;
  id: SqliteValue[];
  before: SqliteValue[] | null;
  after: SqliteValue[] | null;
}

const valuesOf = (row: JsonObject | null, names: readonly string[]): SqliteValue[] | null =>
  row && names.map((name) => fromExact(row[name]));

const isSameRow = (a: readonly SqliteValue[] | null, b: readonly SqliteValue[] | null): boolean =>
  a === null || b === null ? a === b : a.every((value, at) => isSameValue(value, b[at] ?? null));

function readRow(db: Database, { table, id }: Pick<Row, "table" | "id">): SqliteValue[] | null {
  const columns = table.columns.map(({ name }) => quote(name)).join(", ");
  const text = `SELECT ${columns} FROM main.${quote(table.name)} WHERE ${identityCondition(table)}`;
  return (
    (db
      .prepare(text)
      .safeIntegers(true)
      .raw(true)
      .get(...id) as SqliteValue[] | undefined) ?? null
  );
}

/** What is not as the change left it: a row that is gone or came back, or the columns that have other values. */
function differenceOf(row: Row, now: readonly SqliteValue[] | null): JsonObject {
  const place = { table: row.table.name, key: shownKey(row) };
  if (now === null) return { ...place, row: "gone" };
  if (row.after === null) return { ...place, row: "there again" };
  const columns = row.table.columns.filter((_, at) => !isSameValue(now[at] ?? null, row.after?.[at] ?? null));
  const values = columns.map(({ name, kind }): [string, JsonValue] => [
    name,
    fromSqlite(now[row.table.columns.findIndex((one) => one.name === name)] ?? null, kind),
  ]);
  return { ...place, columns: columns.map(({ name }) => name), now: Object.fromEntries(values) };
}

/** The rows with their tables. Throws DatabaseFailure when a table is not what it was. */
function rowsOf(db: Database, { images, schemaHash }: Restoration): Row[] {
  const names = new Set(images.map(({ table }) => table.name));
  const tables = readTables(db).filter(({ name }) => names.has(name));
  if (tables.length < names.size || sqliteSchemaHash(tables) !== schemaHash)
    throw new DatabaseFailure("schema_changed", "the columns of a table have changed since; nothing was put back");
  return images.flatMap((image) => {
    const table = tables.find(({ name }) => name === image.table.name);
    if (!table) return [];
    const columns = table.columns.map(({ name }) => name);
    const id = rowIdentity(table).map((name) => fromExact(image.key[name]));
    return [{ table, id, before: valuesOf(image.before, columns), after: valuesOf(image.after, columns) }];
  });
}

/** The columns that can be written, and their values in a row. */
function writable({ columns }: SqliteTable, row: readonly SqliteValue[]): { name: string; value: SqliteValue }[] {
  return columns.flatMap(({ name, isGenerated }, at) => (isGenerated ? [] : [{ name, value: row[at] ?? null }]));
}

/** Makes one row what it was, given what it is now. */
function putBack(db: Database, row: Row, now: readonly SqliteValue[] | null): void {
  const { table, id, before } = row;
  const name = `main.${quote(table.name)}`;
  if (before === null) {
    db.prepare(`DELETE FROM ${name} WHERE ${identityCondition(table)}`).run(...id);
    return;
  }
  const values = writable(table, before);
  if (now === null) {
    const isNamed = values.some((one) => rowIdentity(table).includes(one.name)) || table.hasIntegerKey;
    const all =
      isNamed || table.rowid === undefined ? values : [{ name: table.rowid, value: id[0] ?? null }, ...values];
    const names = all.map((one) => quote(one.name)).join(", ");
    db.prepare(`INSERT INTO ${name} (${names}) VALUES (${all.map(() => "?").join(", ")})`).run(
      ...all.map(({ value }) => value),
    );
    return;
  }
  const others = values.filter(
    (one) => !isSameValue(one.value, now[table.columns.findIndex((c) => c.name === one.name)] ?? null),
  );
  if (others.length === 0) return;
  const set = others.map((one) => `${quote(one.name)} = ?`).join(", ");
  db.prepare(`UPDATE ${name} SET ${set} WHERE ${identityCondition(table)}`).run(
    ...others.map(({ value }) => value),
    ...id,
  );
}

/** Created again, changed back, deleted: what is referred to comes before what refers to it, and goes after it. */
const stepOf = ({ before, after }: Row): number => (after === null ? 0 : before === null ? 2 : 1);

/** One go over all rows; whether all are as they were. What a constraint refuses now may go through in the next. */
function pass(db: Database, rows: readonly Row[], refusals: unknown[]): boolean {
  let isDone = true;
  for (const row of rows) {
    const now = readRow(db, row);
    if (isSameRow(now, row.before)) continue;
    isDone = false;
    try {
      putBack(db, row, now);
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith("SQLITE_CONSTRAINT")) throw error;
      refusals.push(error);
    }
  }
  return isDone;
}

const partial = (message: string): DatabaseFailure =>
  new DatabaseFailure("partial", `${message}; nothing was put back`);

/** Puts the rows back; all that is touched is in the log. Throws DatabaseFailure when that does not leave them as they were. */
function settle(db: Database, rows: readonly Row[], log: TouchLog): void {
  const ordered = [...rows].sort((a, b) => stepOf(a) - stepOf(b));
  db.pragma("defer_foreign_keys = ON");
  let refusals: unknown[] = [];
  for (let round = 0; ; round++) {
    refusals = [];
    if (pass(db, ordered, refusals)) break;
    if (round === MAX_PASSES) {
      if (refusals.length > 0) throw refusals[0];
      throw partial("triggers change what is put back");
    }
  }
  const known = new Set(rows.map(({ table, id }) => `${table.name}\0${id.join("\0")}`));
  for (const { table, id, before, after } of log.rows()) {
    if (known.has(`${table.name}\0${id.join("\0")}`) || isSameRow(before, after)) continue;
    if (before !== null && !log.reach.hasTriggers)
      throw new DatabaseFailure(
        "conflict",
        `rows of ${table.name} refer to what would be taken away; nothing was put back`,
        {
          details: { table: table.name },
        },
      );
    throw partial(`more than the rows of the change would be touched, in ${table.name}`);
  }
}

/** Puts the rows of a change back, inside its transaction. Throws DatabaseFailure `conflict`, `schema_changed` or `partial`. */
export function putRowsBack(db: Database, restoration: Restoration, log: TouchLog): null {
  const rows = rowsOf(db, restoration);
  const differences = rows.flatMap((row) => {
    const now = readRow(db, row);
    return isSameRow(now, row.after) ? [] : [differenceOf(row, now)];
  });
  if (differences.length > 0)
    throw new DatabaseFailure("conflict", "what is there now is not what the call left; nothing was put back", {
      details: { differences: differences.slice(0, 20) },
    });
  settle(db, rows, log);
  return null;
}

/** Why rows could not be put back exactly, found by doing it and rolling it back; undefined when they could. */
export function tryRestore(db: Database, restoration: Restoration, reach: Reach): string | undefined {
  db.exec("SAVEPOINT agentd_trial");
  try {
    // The log of the change itself goes on beside, and is rolled back with the rest.
    const log = openTouchLog(db, reach, "agentd_trial");
    settle(db, rowsOf(db, restoration), log);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseFailure)
      return `taking it back would not leave everything as it was: ${error.message}`;
    return "taking it back may be refused by the database";
  } finally {
    db.exec("ROLLBACK TO agentd_trial");
    db.exec("RELEASE agentd_trial");
  }
}
