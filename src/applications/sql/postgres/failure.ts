// What PostgreSQL or the way to it refused, as DatabaseFailure. Never holds the password nor a row: the DETAIL of a message, which
// quotes rows, is left out; only the columns of a key in it are told.
import pg from "pg";
import { messageOf } from "../../../domain/error.js";
import type { JsonObject } from "../../../lib/json.js";
import { networkFailureOf } from "../../../lib/network-failure.js";
import { DatabaseFailure, type StatementOrigin } from "../database.js";

/** Codes by SQLSTATE; the first whose pattern fits counts. Source: the PostgreSQL manual, "PostgreSQL Error Codes". */
const CODES: readonly { state: RegExp; code: string; hint?: string }[] = [
  { state: /^23/, code: "constraint_violation" },
  { state: /^(22|428C9|42804)/, code: "invalid_value" },
  // No operator: the type has no order, or is never equal.
  { state: /^42883$/, code: "invalid_value" },
  { state: /^42501$/, code: "permission_denied" },
  { state: /^25006$/, code: "refused", hint: "only reading is allowed here" },
  { state: /^57014$/, code: "timeout", hint: "ask for less, or raise the application's timeout_ms" },
  { state: /^(55P03|40001|40P01)$/, code: "locked", hint: "another transaction holds the rows; try again" },
  { state: /^28/, code: "connection_failed", hint: "check the user and the password of the application's location" },
  { state: /^3D000$/, code: "connection_failed", hint: "check the name of the database in the application's location" },
  { state: /^53300$/, code: "connection_failed", hint: "the server takes no more connections; try again" },
  { state: /^(08|57P|25P03|25P04)/, code: "connection_failed", hint: "the server ended the connection; try again" },
];

/** Missing tables, columns, functions and types: what the schema document says is no longer so. */
const SCHEMA_STATES = /^(42P01|42703|42704|3F000)$/;

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  refused: "nothing listens at its address",
  unknown_host: "its host name is unknown",
  lookup_failed: "its host name could not be looked up",
  connect_timeout: "it did not answer in time",
  timeout: "it did not answer in time",
  tls: "TLS failed: check sslmode and sslrootcert of its location",
  closed: "it closed the connection",
};

/** The columns of a unique or foreign key that a DETAIL names, without their values. */
function keyColumns(detail: string | undefined): string | undefined {
  return /^Key \(([^()=]+)\)=\(/.exec(detail ?? "")?.[1];
}

function detailsOf(error: pg.DatabaseError): JsonObject {
  const details: JsonObject = {};
  if (error.code) details["sqlstate"] = error.code;
  if (error.constraint) details["constraint"] = error.constraint;
  const column = error.column ?? keyColumns(error.detail);
  if (column) details["column"] = column;
  if (error.table) details["table"] = error.table;
  return details;
}

/** What a cursor takes no body of: other statements than SELECT, and several of them. */
const NOT_ONE_SELECT =
  /^cannot insert multiple commands|at or near "(?:alter|analyze|begin|call|comment|commit|copy|create|delete|do|drop|execute|explain|grant|insert|lock|merge|prepare|reset|revoke|rollback|savepoint|set|show|truncate|update|vacuum)"$/i;

function serverFailure(error: pg.DatabaseError, origin: StatementOrigin): DatabaseFailure {
  const state = error.code ?? "";
  const details = detailsOf(error);
  if (origin === "own" && SCHEMA_STATES.test(state))
    return new DatabaseFailure(
      "schema_changed",
      `${error.message}: the database has changed; run agentd sync sql again`,
      { details },
    );
  if (origin === "free" && state === "42601" && NOT_ONE_SELECT.test(error.message))
    return new DatabaseFailure("refused", `only one SELECT can be asked; nothing was run: ${error.message}`, {
      details,
    });
  const row = CODES.find((one) => one.state.test(state));
  // Hints of class 42 name tables, columns and casts; others may be a function's own words.
  const hint = row?.hint ?? (state.startsWith("42") ? error.hint : undefined);
  const column = details["column"];
  const where = state.startsWith("23") && column !== undefined && !error.message.includes(`"${String(column)}"`);
  const message = `${error.message}${where ? ` (column ${String(column)})` : ""}${hint ? `: ${hint}` : ""}`;
  // Without its cause, whose DETAIL quotes rows.
  return new DatabaseFailure(row?.code ?? "database_error", message, { details });
}

/** Whether the failure says that the connection is of no use any more. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return error.code === "connection_failed";
  if (error instanceof pg.DatabaseError) return /^(08|57P|25P03|25P04)/.test(error.code ?? "");
  return true;
}

/** Any failure of the driver or the server as DatabaseFailure. */
export function postgresFailure(error: unknown, origin: StatementOrigin = "own"): DatabaseFailure {
  if (error instanceof DatabaseFailure) return error;
  if (error instanceof pg.DatabaseError) return serverFailure(error, origin);
  const message = messageOf(error);
  if (/timeout exceeded when trying to connect/.test(message))
    return new DatabaseFailure(
      "connection_failed",
      "the PostgreSQL server did not answer in time, or all connections are busy; try again",
      { cause: error },
    );
  if (/SSL|password|SASL|SCRAM/i.test(message))
    return new DatabaseFailure("connection_failed", `the PostgreSQL server could not be opened: ${message}`, {
      cause: error,
    });
  const { kind, code } = networkFailureOf(error);
  const words = NETWORK_WORDS[kind] ?? (code || "the connection ended");
  return new DatabaseFailure("connection_failed", `the PostgreSQL server cannot be reached: ${words}`, {
    cause: error,
  });
}
