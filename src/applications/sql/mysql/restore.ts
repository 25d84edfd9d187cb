// Taking a change of a MySQL or MariaDB database back, in one transaction: rows are compared, put back and compared again; deleting
// never takes along what refers to a row.
import { type ChangeOptions, type ChangeOutcome, DatabaseFailure, type Restoration } from "../database.js";
import {
  inPossibleOrder,
  noRoom,
  type ReturningRow,
  restoreRows,
  schemaChanged,
  toReturningRow,
} from "../restoration.js";
import { currentTexts } from "./change.js";
import type { MysqlConnections, MysqlSession } from "./session.js";
import { MYSQL_SYNTAX } from "./syntax.js";
import { columnsHash, type MysqlReference, type MysqlTable, readReferences, tableNamed } from "./tables.js";
import { finishChange, mysqlEvidence, readTouchedAgain, type TouchedRow, textCondition } from "./touched-rows.js";
import { type MysqlParameter, textToParameter } from "./values.js";

/** A row on its way back. */
type Back = TouchedRow & ReturningRow;

async function rowsOf({ images, schemaHash }: Restoration, database: string, session: MysqlSession): Promise<Back[]> {
  const tables = new Map<string, MysqlTable>();
  const rows: Back[] = [];
  for (const image of images) {
    const { name } = image.table;
    const table = tables.get(name) ?? (await tableNamed(name, database, session));
    tables.set(name, table);
    rows.push({ ...toReturningRow(image), table, set: table.columns.map((one) => one.name) });
  }
  if (columnsHash([...tables.values()]) !== schemaHash) throw schemaChanged(tables.keys());
  for (const table of tables.values()) {
    const ofTable = rows.filter((row) => row.table === table);
    const now = await currentTexts(
      table,
      ofTable.map(({ key }) => key),
      session,
    );
    for (const [at, row] of ofTable.entries()) row.before = now[at] ?? null;
  }
  return rows;
}

function statementFor({ table, key, before, target }: Back): { sql: string; values: MysqlParameter[] } | undefined {
  const name = MYSQL_SYNTAX.quote(table.name.name);
  const where = textCondition(
    table,
    table.key,
    table.key.map((one) => key[one] ?? null),
  );
  if (!target) return { sql: `DELETE FROM ${name} WHERE ${where.sql}`, values: where.values };
  const columns = table.columns.filter((one) => !one.isGenerated && (!before || before[one.name] !== target[one.name]));
  const values = columns.map((one) => textToParameter(target[one.name] ?? null, one));
  if (!before)
    return {
      sql: `INSERT INTO ${name} (${columns.map((one) => MYSQL_SYNTAX.quote(one.name)).join(", ")}) VALUES (${columns.map((one) => MYSQL_SYNTAX.parameter(0, one)).join(", ")})`,
      values,
    };
  if (columns.length === 0) return undefined;
  const set = columns.map((one) => `${MYSQL_SYNTAX.quote(one.name)} = ${MYSQL_SYNTAX.parameter(0, one)}`).join(", ");
  return { sql: `UPDATE ${name} SET ${set} WHERE ${where.sql}`, values: [...values, ...where.values] };
}

/** Whether other rows would go, or lose their reference, with this one. */
async function hasFollowers(row: Back, references: readonly MysqlReference[], session: MysqlSession): Promise<boolean> {
  if (row.target || !row.before) return false;
  for (const { parent, child, childColumns, parentColumns } of references) {
    if (parent !== row.table.name.name) continue;
    const typed: MysqlTable = {
      ...row.table,
      columns: childColumns.map((name, at) => ({
        ...(row.table.columns.find((one) => one.name === parentColumns[at]) ?? {
          kind: "text",
          type: "",
          isNullable: true,
          hasDefault: false,
          isGenerated: false,
        }),
        name,
      })),
    };
    const { sql, values } = textCondition(
      typed,
      childColumns,
      parentColumns.map((name) => row.before?.[name] ?? null),
    );
    if ((await session.run(`SELECT '1' FROM ${MYSQL_SYNTAX.quote(child)} WHERE ${sql} LIMIT 1`, values)).length > 0)
      return true;
  }
  return false;
}

async function putBack(row: Back, references: readonly MysqlReference[], session: MysqlSession): Promise<boolean> {
  if (await hasFollowers(row, references, session)) return false;
  const statement = statementFor(row);
  try {
    // A statement that fails is undone by itself; the transaction goes on.
    if (statement) await session.change(statement.sql, statement.values);
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.code !== "constraint_violation") throw error;
    if (error.details["errno"] === 1452 || error.details["errno"] === 1451) return false;
    throw noRoom(error);
  }
}

async function putAllBack(rows: readonly Back[], database: string, session: MysqlSession): Promise<void> {
  const references = await readReferences(database, session);
  const { left } = await inPossibleOrder(rows, (row) => putBack(row, references, session));
  if (left.length > 0)
    throw new DatabaseFailure(
      "conflict",
      "other rows refer to these, or those that they refer to are gone; nothing was put back",
    );
}

/** See Database.change, for a restoration. */
export async function restoreMysql(
  connections: MysqlConnections,
  restoration: Restoration,
  options: ChangeOptions,
): Promise<ChangeOutcome> {
  const session = await connections.open("READ WRITE", options);
  try {
    const rows = await rowsOf(restoration, connections.database, session);
    const touched = { rows, gap: undefined };
    await restoreRows(rows, restoration, {
      tableOf: ({ table }) => table.name.name,
      putBack: () => putAllBack(rows, connections.database, session),
      readAgain: () => readTouchedAgain(touched, session),
    });
    const ending = mysqlEvidence(touched);
    return { kind: await finishChange(ending, options, session), row: null, preview: ending.preview };
  } finally {
    await session.release();
  }
}
