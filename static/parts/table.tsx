// The rows of a result as a table: the first of them, more on a click, and the other fields of the result.
import { useState } from "preact/hooks";
import { type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { counted } from "./format.js";
import { Json } from "./json.js";
import type { Rows } from "./rows.js";
import { Scroll } from "./scroll.js";

const FIRST_ROWS = 50;
const MORE_ROWS = 200;
const MAX_CELL_LENGTH = 200;
/** Characters of a cut cell in its tooltip. */
const MAX_TITLE_LENGTH = 2000;
/** A cell up to this length is not broken into lines. */
const MAX_SHORT_CELL = 32;

function Cell({ value }: { value: JsonValue | undefined }) {
  if (value === undefined) return <td />;
  if (value === null) return <td class="faint">null</td>;
  if (typeof value === "number" || typeof value === "bigint") return <td class="number">{String(value)}</td>;
  const text = typeof value === "string" ? value : toJson(value);
  const cut = text.length > MAX_CELL_LENGTH;
  const look = [typeof value === "object" && "mono", text.length <= MAX_SHORT_CELL && "short"]
    .filter(Boolean)
    .join(" ");
  return (
    <td class={look} title={cut ? text.slice(0, MAX_TITLE_LENGTH) : undefined}>
      {cut ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text}
    </td>
  );
}

/** A field of the row itself: a column may have the name of a field that every object inherits. */
function fieldOf(row: JsonObject, column: string): JsonValue | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Whether a column holds only numbers and gaps, in the first rows. */
function isNumeric(rows: readonly JsonObject[], column: string): boolean {
  const values = rows.slice(0, FIRST_ROWS).map((row) => fieldOf(row, column) ?? null);
  const isNumber = (value: JsonValue): boolean => typeof value === "number" || typeof value === "bigint";
  return values.some(isNumber) && values.every((value) => value === null || isNumber(value));
}

/** The table of some rows. */
export function Table({ columns, rows, rest }: Rows) {
  const [count, setCount] = useState(FIRST_ROWS);
  return (
    <>
      <Scroll class="rows" label={`Table of ${counted(rows.length, "row")}`}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" key={column} class={isNumeric(rows, column) ? "number" : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, i) => (
              <tr key={i}>
                {columns.map((column) => (
                  <Cell key={column} value={fieldOf(row, column)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length > count && (
        <button type="button" class="link" onClick={() => setCount(count + MORE_ROWS)}>
          Show {Math.min(MORE_ROWS, rows.length - count)} more of {counted(rows.length, "row")}
        </button>
      )}
      {rest !== null && <Json value={rest} label="Other fields" />}
    </>
  );
}
