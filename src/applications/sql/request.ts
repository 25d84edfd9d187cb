// What the history, a dry run and a confirmation show of a call on a database: the statement and its parameters, made of arguments
// without secrets. Pure.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { PreparedCall } from "../transport.js";
import type { SqlCall } from "./call.js";
import { changeStatement, quotedTable, type Statement, type Syntax, selectStatement } from "./statement.js";

/** The statement that a call stands for; undefined for rows that are put back, which are many. */
function statementOf(call: SqlCall, syntax: Syntax): { sql: string; parameters: readonly JsonValue[] } | undefined {
  const made = ({ sql, parameters }: Statement) => ({ sql, parameters: parameters.map(({ value }) => value) });
  switch (call.kind) {
    case "select":
      return made(selectStatement(call.selection, syntax));
    case "query":
      return { sql: call.sql, parameters: call.parameters };
    case "change":
      return call.change.operation === "restore" ? undefined : made(changeStatement(call.change, syntax));
    case "routine": {
      const places = call.arguments.map((argument, at) => syntax.parameter(at + 1, argument));
      return {
        sql: `SELECT * FROM ${quotedTable(call.routine, syntax)}(${places.join(", ")})`,
        parameters: call.arguments.map(({ value }) => value),
      };
    }
    default:
      return call satisfies never;
  }
}

/** What is put back, table by table. */
function restored(call: SqlCall): JsonObject {
  const images = call.kind === "change" && call.change.operation === "restore" ? call.change.images : [];
  const counts = new Map<string, number>();
  for (const { table } of images) counts.set(table.name, (counts.get(table.name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The request as it may be stored and displayed, short and whole. `database` is what it may be called. */
export function describeSqlCall(
  call: SqlCall,
  syntax: Syntax,
  database: string,
): Pick<PreparedCall, "request" | "preview"> {
  const statement = statementOf(call, syntax);
  if (!statement) {
    const request: JsonObject = { restore: restored(call), database };
    return { request, preview: request };
  }
  const request: JsonObject = { statement: statement.sql, database };
  return { request, preview: { ...request, parameters: [...statement.parameters] } };
}
