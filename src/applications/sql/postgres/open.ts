// A PostgreSQL database as `Database`: what reads, what changes and what asks, over one pool of connections.
import type { CallLimits, Database } from "../database.js";
import { changeRows } from "./change.js";
import { openPool } from "./connections.js";
import { introspectPostgres } from "./introspect.js";
import { queryRows, selectRows } from "./read.js";
import { restorePostgres } from "./restore.js";
import { callPostgresRoutine } from "./routine-call.js";
import { transactionStatusOf } from "./transaction-status.js";
import { GrowingTypeTable } from "./type-table.js";

/** Reading the catalogue takes milliseconds; thousands of tables take seconds. */
const CATALOGUE_LIMITS: CallLimits = { timeoutMs: 60_000, lockMs: 10_000 };

/** What an operator decides about a database. */
interface PostgresOptions {
  /** Whether a role that reaches beyond tables, such as a superuser, may have the free query; off by default. */
  allowSuperuserQuery?: boolean;
}

/** Opens a database by its address (`postgres://…`, secrets resolved). Connects at the first use; never throws. */
export function openPostgres(
  location: string,
  { allowSuperuserQuery: allowsSuperuser = false }: PostgresOptions = {},
): Database {
  const connections = openPool(location);
  const context = { connections, types: new GrowingTypeTable() };
  return {
    introspect: () => introspectPostgres(connections, { limits: CATALOGUE_LIMITS, allowsSuperuser }),
    select: (selection, limits) => selectRows(context, selection, limits),
    query: (sql, parameters, limits) => queryRows(context, { sql, parameters, limits, allowsSuperuser }),
    callRoutine: (call, options) => callPostgresRoutine(context, call, options),
    change: (change, options) =>
      change.operation === "restore" ? restorePostgres(context, change, options) : changeRows(context, change, options),
    transactionStatus: (transaction) => transactionStatusOf(connections, transaction),
    close: () => connections.close(),
  };
}
