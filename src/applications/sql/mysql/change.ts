// One change of a MySQL or MariaDB database in one transaction, as in PostgreSQL's change.ts; the row is read again by its key, as
// there is no RETURNING in MySQL.
import { type Change, type ChangeOptions, type ChangeOutcome, DatabaseFailure } from "../database.js";
import { keyTexts, type RowTexts } from "../row-texts.js";
import { changeStatement, rowStatement } from "../statement.js";
import type { MysqlConnections, MysqlSession } from "./session.js";
import { MYSQL_SYNTAX } from "./syntax.js";
import { type MysqlTable, readReferences, tableNamed } from "./tables.js";
import {
  finishChange,
  mysqlEvidence,
  readTouchedAgain,
  rowsWith,
  shownTexts,
  type Touched,
  touchReferences,
} from "./touched-rows.js";
import { toMysqlParameter } from "./values.js";

interface Changing {
  table: MysqlTable;
  database: string;
  session: MysqlSession;
}

/** The row with this key, locked. */
async function rowOf(change: Change, { table, session }: Changing): Promise<RowTexts | undefined> {
  const whole = { ...change, columns: table.columns };
  const { sql, parameters } = rowStatement(whole, MYSQL_SYNTAX);
  const [row] = await session.run(
    `${sql} FOR UPDATE`,
    parameters.map(({ value, column }) => toMysqlParameter(value, column)),
  );
  return row && Object.fromEntries(table.columns.map(({ name }, at) => [name, row[at] ?? null]));
}

async function touchTarget(change: Change, changing: Changing): Promise<Touched> {
  const { table, database, session } = changing;
  const before = await rowOf(change, changing);
  if (!before)
    throw new DatabaseFailure("not_found", `${table.name.name} has no row with this key`, {
      details: { table: table.name.name, key: change.key },
    });
  const root = { table, key: keyTexts(table.key, before), before, after: null, set: Object.keys(change.values) };
  const touched: Touched = { rows: [root], gap: undefined };
  if (change.operation !== "delete") return touched;
  const tables = new Map([[table.name.name, table]]);
  const tableOf = async (name: string): Promise<MysqlTable> => {
    const known = tables.get(name) ?? (await tableNamed(name, database, session));
    tables.set(name, known);
    return known;
  };
  await touchReferences(root, touched, { references: await readReferences(database, session), tableOf, session });
  return touched;
}

/** The key of the row that an INSERT made; undefined when the server alone knows it. */
async function createdRow(change: Change, insertId: string, changing: Changing): Promise<RowTexts | undefined> {
  const { table } = changing;
  const key = Object.fromEntries(
    table.key.map((name) => [name, change.values[name] ?? (name === table.counted ? insertId : null)]),
  );
  if (table.key.length === 0 || Object.values(key).includes(null)) return undefined;
  return rowOf({ ...change, key, keyColumns: table.key }, changing);
}

/** See Database.change. */
export async function changeMysql(
  connections: MysqlConnections,
  change: Change,
  options: ChangeOptions,
): Promise<ChangeOutcome> {
  const session = await connections.open("READ WRITE", options);
  try {
    const table = await tableNamed(change.table.name, connections.database, session);
    if (table.engine !== "InnoDB")
      throw new DatabaseFailure(
        "refused",
        `the storage engine of ${table.name.name} (${table.engine}) can roll nothing back`,
      );
    const changing = { table, database: connections.database, session };
    const touched: Touched =
      change.operation === "create" ? { rows: [], gap: undefined } : await touchTarget(change, changing);
    const { sql, parameters } = changeStatement(change, MYSQL_SYNTAX);
    const { insertId } = await session.change(
      sql,
      parameters.map(({ value, column }) => toMysqlParameter(value, column)),
    );
    if (change.operation === "create") {
      const after = await createdRow(change, insertId, changing);
      if (after)
        touched.rows.push({
          table,
          key: keyTexts(table.key, after),
          before: null,
          after,
          set: Object.keys(change.values),
        });
      else touched.gap = `the new row of ${table.name.name} has no key that is known`;
    }
    await readTouchedAgain(touched, session);
    const ending = mysqlEvidence(touched);
    const { preview } = ending;
    if ((await finishChange(ending, options, session)) === "changed") return { kind: "changed", preview };
    const [target] = touched.rows;
    const shown = target ? (change.operation === "delete" ? target.before : target.after) : null;
    return { kind: "done", row: shownTexts(table, shown) ?? (target ? null : change.values), preview };
  } finally {
    await session.release();
  }
}

/** Rows by their keys as they are now, locked; null for those that are not there. */
export async function currentTexts(
  table: MysqlTable,
  keys: readonly RowTexts[],
  session: MysqlSession,
): Promise<(RowTexts | null)[]> {
  const rows = keys.map((key) => table.key.map((name) => key[name] ?? null));
  const found = await rowsWith(table, { columns: table.key, rows, lock: true }, session);
  return keys.map((key) => found.find((row) => table.key.every((name) => row[name] === key[name])) ?? null);
}
