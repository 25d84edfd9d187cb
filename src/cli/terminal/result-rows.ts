// Rows of a result as a table on stdout: fitted to a terminal, whole in a pipe or a file.
import { isObject, type JsonValue, toJson } from "../../lib/json.js";
import { printPainted, say } from "./output.js";
import { cellFor, fittedTable } from "./table.js";

/** Of a cell on a terminal. */
const MAX_CELL = 200;
/** Of a table on a terminal; of more a person chooses. */
const MAX_COLUMNS = 50;

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return cellFor(process.stdout)(typeof value === "string" ? value : toJson(value), MAX_CELL);
}

/** Rows under the names of their columns. */
export function printRows(rows: readonly JsonValue[]): void {
  const objects = rows.map((row) => (isObject(row) ? row : { value: row }));
  const names = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  const shown = process.stdout.isTTY ? names.slice(0, MAX_COLUMNS) : names;
  printPainted(
    fittedTable(
      shown.map(cell),
      objects.map((row) => shown.map((name) => (Object.hasOwn(row, name) ? cell(row[name]) : ""))),
    ),
  );
  if (names.length > shown.length) say(`${names.length - shown.length} more columns: choose with --fields.`);
}
