// Reading: rows of a table, and one free SELECT. Both run as a cursor in a transaction that cannot write and is always rolled back, so
// that rows arrive some at a time; what can be the body of a cursor is one SELECT and nothing else, by the server's own grammar.
import type { JsonObject, JsonValue } from "../../../lib/json.js";
import { columnNames } from "../column-names.js";
import { type CallLimits, DatabaseFailure, type RowStream, type Selection, type StatementOrigin } from "../database.js";
import { selectStatement } from "../statement.js";
import type { PostgresConnections } from "./connections.js";
import { toFreeParameter, toParameterText } from "./parameters.js";
import { powerRefusal, tooPowerful } from "./role.js";
import type { ServerAnswer } from "./session.js";
import { POSTGRES_SYNTAX } from "./syntax.js";
import type { GrowingTypeTable } from "./type-table.js";
import { qualifiedName } from "./usual-schema.js";
import { fromPostgresText } from "./values.js";

/** Rows that are asked for together: few at first, then as many as are about as large as this, in characters. */
const FIRST_ROWS = 4;
const MAX_ROWS = 500;
const FETCH_CHARS = 2 * 1024 * 1024;
/** Characters of one row; a longer one fits no result. Bytes take two characters each. */
const MAX_ROW = 16 * 1024 * 1024;

const sizeOf = (row: readonly (string | null)[]): number => row.reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** How many rows to ask for after these. Throws DatabaseFailure when one is longer than a result may be. */
function nextCount(rows: ServerAnswer["rows"]): number {
  const sizes = rows.map(sizeOf);
  const largest = Math.max(0, ...sizes);
  if (largest > MAX_ROW)
    throw new DatabaseFailure(
      "refused",
      "one row is longer than a result may be; ask for fewer columns, or for a part of the text",
    );
  return Math.min(MAX_ROWS, Math.max(1, Math.floor(FETCH_CHARS / Math.max(1, largest))));
}

/** End or stop other sessions of the same role, or run a text as a statement, which would hide those. */
const FORBIDDEN_NAME = /pg_(?:terminate|cancel)_backend|query_to_xml\w*|ts_stat|ts_rewrite|u&(?=")/i;

/** What reading works with. */
export interface ReadContext {
  connections: PostgresConnections;
  types: GrowingTypeTable;
}

interface CursorOptions {
  sql: string;
  values: readonly (string | null)[];
  limits: CallLimits;
  origin: StatementOrigin;
  /** Throws when the role may not. */
  check?(powers: ReturnType<PostgresConnections["powersOf"]>): void;
}

async function* cursorRows({ connections, types }: ReadContext, options: CursorOptions): AsyncGenerator<JsonObject[]> {
  const { sql, values, limits, origin, check } = options;
  const session = await connections.open("READ ONLY", limits);
  try {
    check?.(connections.powersOf(session));
    // The line end closes a comment that the text may end in.
    await session.run(`DECLARE agentd_rows NO SCROLL CURSOR FOR ${sql}\n`, values, origin);
    for (let count = FIRST_ROWS; ; ) {
      const answer = await session.run(`FETCH ${count} FROM agentd_rows`, [], origin);
      const next = nextCount(answer.rows);
      await types.learn(
        answer.fields.map(({ dataTypeID }) => dataTypeID),
        session,
      );
      const names = columnNames(answer.fields);
      yield answer.rows.map((row) => rowObject(row, names, { fields: answer.fields, types }));
      if (answer.rows.length < count) return;
      count = next;
    }
  } finally {
    await connections.release(session, origin === "free");
  }
}

/** A row by its columns' names. */
export function rowObject(
  row: readonly (string | null)[],
  names: readonly string[],
  { fields, types }: { fields: ServerAnswer["fields"]; types: GrowingTypeTable },
): JsonObject {
  const entries = names.map((name, at): [string, JsonValue] => [
    name,
    fromPostgresText(row[at] ?? null, fields[at]?.dataTypeID ?? 0, types),
  ]);
  return Object.fromEntries(entries);
}

/** See Database.select. */
export function selectRows(context: ReadContext, selection: Selection, limits: CallLimits): RowStream {
  const { sql, parameters } = selectStatement({ ...selection, table: qualifiedName(selection.table) }, POSTGRES_SYNTAX);
  const values = parameters.map(({ value, column }) => toParameterText(value, column));
  return Object.assign(cursorRows(context, { sql, values, limits, origin: "own" }), {
    columns: selection.columns.map(({ name }) => name),
  });
}

/** One free SELECT. */
interface FreeQuery {
  sql: string;
  parameters: readonly JsonValue[];
  limits: CallLimits;
  /** Whether a role that reaches beyond tables may have it; see role.ts. */
  allowsSuperuser: boolean;
}

/** See Database.query. */
export function queryRows(context: ReadContext, { sql, parameters, limits, allowsSuperuser }: FreeQuery): RowStream {
  const values = parameters.map((value, at) => toFreeParameter(value, at + 1));
  return cursorRows(context, {
    sql,
    values,
    limits,
    origin: "free",
    check: (powers) => {
      const name = FORBIDDEN_NAME.exec(sql)?.[0];
      if (name !== undefined) throw new DatabaseFailure("refused", `${name} cannot be used here; nothing was run`);
      const reason = allowsSuperuser ? undefined : tooPowerful(powers);
      if (reason) throw powerRefusal(reason);
    },
  });
}
