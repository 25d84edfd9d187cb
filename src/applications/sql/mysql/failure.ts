// What MySQL, MariaDB or the way to them refused, as DatabaseFailure. Holds neither the password nor a row: where the server's words
// quote a value that is in the way, others stand in their place.
import type { JsonObject } from "../../../lib/json.js";
import { networkFailureOf } from "../../../lib/network-failure.js";
import { DatabaseFailure, type StatementOrigin } from "../database.js";

/** Codes by the server's number. Source: the MySQL and MariaDB manuals, "Server Error Message Reference". */
const CODES: readonly { numbers: readonly number[]; code: string; hint?: string }[] = [
  { numbers: [1022, 1048, 1062, 1169, 1216, 1217, 1364, 1451, 1452, 1586, 3819, 4025], code: "constraint_violation" },
  { numbers: [1264, 1265, 1292, 1366, 1406, 1411, 1367, 1416, 3140, 4078, 3105, 1906, 1525], code: "invalid_value" },
  { numbers: [1205, 1213, 3572], code: "locked", hint: "another transaction holds the rows; try again" },
  { numbers: [1317, 1969, 3024], code: "timeout", hint: "ask for less, or raise the application's timeout_ms" },
  { numbers: [1142, 1143, 1227, 1370], code: "permission_denied" },
  { numbers: [1792, 1290], code: "refused" },
  { numbers: [1054, 1146, 1305], code: "schema_changed", hint: "the database has changed; run agentd sync sql again" },
  {
    numbers: [1044, 1045, 1049, 1698],
    code: "connection_failed",
    hint: "check user, password and database in the application's location",
  },
  { numbers: [1040, 1203, 1053, 1080, 1129, 1130], code: "connection_failed", hint: "try again" },
];

interface ServerError extends Error {
  errno: number;
  sqlMessage: string;
}

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && "sqlMessage" in error && typeof error.sqlMessage === "string" && "errno" in error;

/** Words without values, and the names in them. */
function described({ errno, sqlMessage }: ServerError): { message: string; details: JsonObject } {
  const details: JsonObject = { errno };
  const key = /for key '(?:[^'.]*\.)?([^']+)'/.exec(sqlMessage)?.[1];
  const constraint =
    key ??
    /CONSTRAINT [`'"]([^`'"]+)/i.exec(sqlMessage)?.[1] ??
    /constraint '([^']+)' is violated/i.exec(sqlMessage)?.[1];
  // MariaDB says "for column `database`.`table`.`column`".
  const column = /(?:column|field) (?:`[^`]+`\.){0,2}[`']([^`']+)/i.exec(sqlMessage)?.[1];
  if (constraint) details["constraint"] = constraint;
  if (column) details["column"] = column;
  const message = key ? `another row has the same value in the unique key ${key}` : sqlMessage;
  return { message, details };
}

/** Any failure of the driver or the server. What a free query names and the database has not is no sign of another schema. */
export function mysqlFailure(error: unknown, origin: StatementOrigin = "own"): DatabaseFailure {
  if (error instanceof DatabaseFailure) return error;
  if (isServerError(error)) {
    const known = CODES.find(({ numbers }) => numbers.includes(error.errno));
    const row = origin === "free" && known?.code === "schema_changed" ? undefined : known;
    const { message, details } = described(error);
    return new DatabaseFailure(row?.code ?? "database_error", row?.hint ? `${message}: ${row.hint}` : message, {
      details,
    });
  }
  const { kind, code } = networkFailureOf(error);
  const words = kind === "refused" ? "nothing listens at its address" : code || "the connection ended";
  return new DatabaseFailure("connection_failed", `the database server cannot be reached: ${words}`, { cause: error });
}
