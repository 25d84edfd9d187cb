// A MySQL or MariaDB database as `Database`: what reads, what changes and what asks, over one pool of connections.
import type { JsonObject } from "../../../lib/json.js";
import type { DatabaseCatalogue } from "../catalogue.js";
import type { CallLimits, Database, RowStream, Selection } from "../database.js";
import { selectStatement } from "../statement.js";
import { changeMysql } from "./change.js";
import { freeRows } from "./query.js";
import { restoreMysql } from "./restore.js";
import { type MysqlConnections, openMysqlPool } from "./session.js";
import { MYSQL_SYNTAX } from "./syntax.js";
import { readMysqlTables } from "./tables.js";
import { fromMysqlText, toMysqlParameter } from "./values.js";

const CATALOGUE_LIMITS: CallLimits = { timeoutMs: 60_000, lockMs: 10_000 };
const BATCH_ROWS = 500;

async function introspect(connections: MysqlConnections): Promise<DatabaseCatalogue> {
  const session = await connections.open("READ ONLY", CATALOGUE_LIMITS);
  try {
    const [version] = await session.run("SELECT VERSION(), CURRENT_USER()");
    const tables = await readMysqlTables(connections.database, session);
    const routines = await session.run(
      "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_NAME",
      [connections.database],
    );
    const lost = tables.filter(({ kind, engine }) => kind === "table" && engine !== "InnoDB");
    return {
      dialect: "mysql",
      tables,
      routines: [],
      skipped: [
        ...lost.map(({ name, engine }) => ({
          name: name.name,
          reason: `its storage engine (${engine}) can roll nothing back: listed only`,
        })),
        ...routines.map(([name]) => ({ name: name ?? "", reason: "functions and procedures of MySQL are not called" })),
      ],
      warnings: [`${/mariadb/i.test(version?.[0] ?? "") ? "MariaDB" : "MySQL"} ${version?.[0]}, as ${version?.[1]}`],
    };
  } finally {
    await session.release();
  }
}

async function* rowsOf(
  connections: MysqlConnections,
  selection: Selection,
  limits: CallLimits,
): AsyncGenerator<JsonObject[]> {
  const { sql, parameters } = selectStatement(selection, MYSQL_SYNTAX);
  const values = parameters.map(({ value, column }) => toMysqlParameter(value, column));
  const session = await connections.open("READ ONLY", limits);
  let isDone = false;
  try {
    let batch: JsonObject[] = [];
    for await (const row of session.stream(sql, values)) {
      batch.push(
        Object.fromEntries(
          selection.columns.map((column, at) => [column.name, fromMysqlText(row[at] ?? null, column)]),
        ),
      );
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    isDone = true;
    yield batch;
  } finally {
    await session.release(!isDone);
  }
}

/** Opens a database by its address (`mysql://…`, secrets resolved). Connects at the first use. */
export function openMysql(location: string): Database {
  const connections = openMysqlPool(location);
  return {
    introspect: () => introspect(connections),
    select: (selection, limits): RowStream =>
      Object.assign(rowsOf(connections, selection, limits), { columns: selection.columns.map(({ name }) => name) }),
    query: (sql, parameters, limits) => freeRows(connections, { sql, parameters, limits }),
    change: (change, options) =>
      change.operation === "restore"
        ? restoreMysql(connections, change, options)
        : changeMysql(connections, change, options),
    close: () => connections.close(),
  };
}
