// One change in one transaction: what it touches is written down, compared with what a person saw, handed over, and only then made
// final; or all of it is rolled back. Waits for the daemon once, before COMMIT.
import type { Database } from "better-sqlite3";
import type { JsonObject } from "../../../lib/json.js";
import type { Evidence } from "../../transport.js";
import { type Change, type ChangeOutcome, DatabaseFailure, type Restoration } from "../database.js";
import { changeStatement, rowStatement, type Statement } from "../statement.js";
import { type ChangeEvidence, sqliteEvidence, toEvidence } from "./evidence.js";
import { putRowsBack, tryRestore } from "./restore.js";
import { sqliteSyntax } from "./syntax.js";
import { identityCondition, rowIdentity } from "./tables.js";
import { openTouchLog, type Reach, reachOf } from "./touched.js";
import { type SqliteValue, toBound, toShownRow } from "./values.js";

const { quote } = sqliteSyntax;

/** A change as a process is asked for it. */
interface ChangeJob {
  change: Change | Restoration;
  commit: boolean;
  expected?: string | undefined;
  isKept: boolean;
}

const boundOf = ({ parameters }: Statement): SqliteValue[] =>
  parameters.map(({ value, column }) => toBound(value, column));

/** The rows that a key names; more than two are not read. */
function rowsOf(db: Database, change: Change): JsonObject[] {
  const statement = rowStatement(change, sqliteSyntax);
  const found = db
    .prepare(`${statement.sql} LIMIT 2`)
    .safeIntegers(true)
    .raw(true)
    .all(...boundOf(statement)) as SqliteValue[][];
  return found.map((row) => toShownRow(row, change.columns));
}

/** The one row that a change is about. Throws DatabaseFailure when there is none, or more than one. */
function rowOf(db: Database, change: Change): JsonObject {
  const { name: table } = change.table;
  const [row, second] = rowsOf(db, change);
  if (!row)
    throw new DatabaseFailure("not_found", `${table} has no row with this key`, {
      details: { table, key: change.key },
    });
  if (second)
    throw new DatabaseFailure("refused", `more than one row of ${table} has this key; nothing was changed`, {
      details: { table },
    });
  return row;
}

/** Creates a row; the row as it is then, null when a trigger has taken it away. */
function create(db: Database, change: Change, { tables }: Reach): JsonObject | null {
  const table = tables.find(({ name }) => name === change.table.name);
  if (!table)
    throw new DatabaseFailure(
      "schema_changed",
      `there is no table ${change.table.name} any more; run agentd sync again`,
    );
  const returning = rowIdentity(table).map((name) => ({ name, kind: "other" as const, type: "" }));
  const statement = changeStatement(change, sqliteSyntax, { returning });
  const id = db
    .prepare(statement.sql)
    .safeIntegers(true)
    .raw(true)
    .get(...boundOf(statement)) as SqliteValue[] | undefined;
  if (!id) return null;
  const columns = change.columns.map(({ name }) => quote(name)).join(", ");
  const row = db
    .prepare(`SELECT ${columns} FROM main.${quote(table.name)} WHERE ${identityCondition(table)}`)
    .safeIntegers(true)
    .raw(true)
    .get(...id) as SqliteValue[] | undefined;
  return row ? toShownRow(row, change.columns) : null;
}

/** Makes the change; the row that is its result. */
function apply(db: Database, change: Change, reach: Reach): JsonObject | null {
  if (change.operation === "create") return create(db, change, reach);
  const before = rowOf(db, change);
  const statement = changeStatement(change, sqliteSyntax);
  const { changes } = db.prepare(statement.sql).run(...boundOf(statement));
  if (changes === 0)
    throw new DatabaseFailure(
      "refused",
      `a trigger of ${change.table.name} kept this row as it is; nothing was changed`,
    );
  return change.operation === "delete" ? before : (rowsOf(db, change)[0] ?? null);
}

const namesOf = (change: Change | Restoration): string[] =>
  change.operation === "restore" ? [...new Set(change.images.map(({ table }) => table.name))] : [change.table.name];

/** Whether a restoration leaves the rows as they were, found by trying it and rolling it back. */
function withTrial(db: Database, evidence: ChangeEvidence, reach: Reach): ChangeEvidence {
  const { preview, images } = evidence;
  if (!images || preview.undo !== "possible") return evidence;
  const fault = tryRestore(db, images, reach);
  if (fault === undefined) return evidence;
  const { effect } = preview;
  const note = [effect.note, fault].filter((text) => text !== undefined).join("; ");
  return { images, preview: { ...preview, effect: { ...effect, note }, undo: "partial" } };
}

async function inTransaction(
  db: Database,
  job: ChangeJob,
  keep: (evidence: Evidence) => Promise<boolean>,
): Promise<ChangeOutcome> {
  const { change, expected } = job;
  const reach = reachOf(db, namesOf(change));
  const log = openTouchLog(db, reach);
  const isRestoring = change.operation === "restore";
  const row = isRestoring ? putRowsBack(db, change, log) : apply(db, change, reach);
  const found = sqliteEvidence(log, change);
  // The undo of an undo is final.
  const evidence = isRestoring
    ? { ...found, preview: { ...found.preview, undo: "impossible" as const } }
    : withTrial(db, found, reach);
  const { preview } = evidence;
  if (expected !== undefined && expected !== preview.fingerprint) return { kind: "changed", preview };
  log.drop();
  if (job.commit) {
    if (job.isKept && !(await keep(toEvidence(evidence))))
      throw new DatabaseFailure("database_error", "the change could not be put on record; nothing was changed");
    db.exec("COMMIT");
  }
  return { kind: "done", row, preview };
}

/** Runs a change. Throws DatabaseFailure and what the driver throws; then, and without `commit`, nothing has changed. */
export async function runChange(
  db: Database,
  job: ChangeJob,
  keep: (evidence: Evidence) => Promise<boolean>,
): Promise<ChangeOutcome> {
  db.exec("BEGIN IMMEDIATE");
  try {
    return await inTransaction(db, job, keep);
  } catch (error) {
    const isReference = (error as { code?: unknown }).code === "SQLITE_CONSTRAINT_FOREIGNKEY";
    if (job.change.operation !== "restore" || !isReference) throw error;
    throw new DatabaseFailure("conflict", "what the rows refer to is not there any more; nothing was put back", {
      cause: error,
    });
  } finally {
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}
