// What SQLite refuses, in words a model can act on. Nothing is quoted but names of the database: its messages repeat no values.
import { messageOf } from "../../../domain/error.js";
import type { JsonObject } from "../../../lib/json.js";
import { DatabaseFailure } from "../database.js";

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
};

/** "UNIQUE constraint failed: stock.sku, stock.shelf" gives the table and its columns. */
function placesIn(message: string): JsonObject {
  const places = message
    .slice(message.indexOf(": ") + 2)
    .split(", ")
    .map((one) => one.split("."));
  const columns = places.flatMap(([, column]) => (column === undefined ? [] : [column]));
  const [[table = ""] = []] = places;
  if (columns.length === 0) return {};
  return columns.length === 1 ? { table, column: columns[0] ?? "" } : { table, columns };
}

function constraintFailure(code: string, cause: unknown): DatabaseFailure {
  const message = messageOf(cause);
  const violation = (text: string, details: JsonObject): DatabaseFailure =>
    new DatabaseFailure("constraint_violation", text, { details, cause });
  switch (code) {
    case "SQLITE_CONSTRAINT_UNIQUE":
    case "SQLITE_CONSTRAINT_PRIMARYKEY":
    case "SQLITE_CONSTRAINT_ROWID":
      return violation(`another row has this value already: ${message}`, {
        constraint: "unique",
        ...placesIn(message),
      });
    case "SQLITE_CONSTRAINT_NOTNULL":
      return violation(`a value is missing: ${message}`, { constraint: "not null", ...placesIn(message) });
    case "SQLITE_CONSTRAINT_CHECK":
      return violation(message, { constraint: message.slice(message.indexOf(": ") + 2) });
    case "SQLITE_CONSTRAINT_FOREIGNKEY":
      return violation("a row that is referred to is not there, or rows refer to this one", {
        constraint: "foreign key",
      });
    case "SQLITE_CONSTRAINT_DATATYPE":
      return new DatabaseFailure("invalid_value", message, { cause });
    case "SQLITE_CONSTRAINT_TRIGGER":
      // ON DELETE RESTRICT comes as a trigger's failure.
      if (message.startsWith("FOREIGN KEY")) return constraintFailure("SQLITE_CONSTRAINT_FOREIGNKEY", cause);
      return violation(message, { constraint: "trigger" });
    default:
      return violation(message, { constraint: "" });
  }
}

/**
 * An error of the driver as a failure of the database; another error as it is. `file` is what the database may be called, `isFree`
 * says that the statement was not the daemon's own.
 */
export function toSqliteFailure(error: unknown, file: string, isFree: boolean): unknown {
  if (error instanceof DatabaseFailure) return error;
  const code = codeOf(error);
  const failure = (kind: string, message: string): DatabaseFailure =>
    new DatabaseFailure(kind, message, { cause: error });
  if (code.startsWith("SQLITE_CONSTRAINT")) return constraintFailure(code, error);
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return failure("locked", `another process is writing to ${file}; try again in a moment`);
  if (code.startsWith("SQLITE_CANTOPEN"))
    return failure("connection_failed", `${file} cannot be opened: it is not there, or may not be read`);
  if (code === "SQLITE_NOTADB") return failure("connection_failed", `${file} is no SQLite database, or is encrypted`);
  if (code.startsWith("SQLITE_READONLY")) return failure("permission_denied", `${file} may not be written`);
  if (code === "SQLITE_MISMATCH") return failure("invalid_value", messageOf(error));
  if (code === "SQLITE_NOMEM" || code === "SQLITE_TOOBIG")
    return failure("refused", "the statement takes too much memory; ask for less");
  if (code === "SQLITE_ERROR" && !isFree && /no such (table|column)|has no column/.test(messageOf(error)))
    return failure("schema_changed", `${messageOf(error)}: the table is not what it was; run agentd sync again`);
  if (code.startsWith("SQLITE")) return failure("database_error", messageOf(error));
  // What is bound to a statement is checked by the driver.
  if (error instanceof RangeError || error instanceof TypeError) return failure("invalid_value", messageOf(error));
  return error;
}
