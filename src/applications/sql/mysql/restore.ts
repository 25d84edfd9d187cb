// Taking a change of a MySQL or MariaDB database back, in one transaction: rows are compared, put back and compared again; deleting
// never takes along what refers to a row.
import { type ChangeOptions, type ChangeOutcome, DatabaseFailure, type Restoration } from "../database.js";
import { CONFLICT, OTHERWISE, type RowTexts, refuseDifferences, toRowTexts } from "../row-texts.js";
import { currentTexts } from "./change.js";
import type { MysqlConnections, MysqlSession } from "./session.js";
import { MYSQL_SYNTAX } from "./syntax.js";
import { columnsHash, type MysqlReference, type MysqlTable, readReferences, tableNamed } from "./tables.js";
import { finishChange, mysqlEvidence, readTouchedAgain, type TouchedRow, textCondition } from "./touched-rows.js";
import { type MysqlParameter, textToParameter } from "./values.js";

/** A row on its way back. */
interface Back extends TouchedRow {
  expected: RowTexts | null;
  target: RowTexts | null;
}

async function rowsOf({ images, schemaHash }: Restoration, database: string, session: MysqlSession): Promise<Back[]> {
  const tables = new Map<string, MysqlTable>();
  const rows: Back[] = [];
  for (const {
    table: { name },
    key,
    before,
    after,
  } of images) {
    const table = tables.get(name) ?? (await tableNamed(name, database, session));
    tables.set(name, table);
    rows.push({
      table,
      key: toRowTexts(key),
      before: null,
      after: null,
      set: table.columns.map((one) => one.name),
      expected: after && toRowTexts(after),
      target: before && toRowTexts(before),
    });
  }
  if (columnsHash([...tables.values()]) !== schemaHash)
    throw new DatabaseFailure(
      "schema_changed",
      `the columns of ${[...tables.keys()].join(", ")} are no longer what they were at the call: nothing was put back`,
    );
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

const named = ({ table, key }: Back): { table: string; key: RowTexts } => ({ table: table.name.name, key });

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
    throw new DatabaseFailure(
      "conflict",
      `what is there now leaves no room for what was there: ${error.message}; nothing was put back`,
      { details: error.details },
    );
  }
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
    refuseDifferences(
      rows.map((row) => ({ ...named(row), is: row.before, should: row.expected })),
      CONFLICT,
    );
    if (restoration.inexact !== undefined)
      throw new DatabaseFailure("partial", `${restoration.inexact}; nothing was put back`);
    const references = await readReferences(connections.database, session);
    for (let waiting = [...rows]; waiting.length > 0; ) {
      const left: Back[] = [];
      for (const row of waiting) if (!(await putBack(row, references, session))) left.push(row);
      if (left.length === waiting.length)
        throw new DatabaseFailure(
          "conflict",
          "other rows refer to these, or those that they refer to are gone; nothing was put back",
        );
      waiting = left;
    }
    await readTouchedAgain({ rows, gap: undefined }, session);
    refuseDifferences(
      rows.map((row) => ({ ...named(row), is: row.after, should: row.target })),
      OTHERWISE,
    );
    const ending = mysqlEvidence({ rows, gap: undefined });
    return { kind: await finishChange(ending, options, session), row: null, preview: ending.preview };
  } finally {
    await session.release();
  }
}
