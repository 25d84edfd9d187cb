// A JSON value on the screen: rows as a table, everything else as indented JSON. A huge one is shown in part, with the rest
// a click away, so that the page stays usable.
import { useState } from "preact/hooks";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import { Copy } from "./copy.js";
import { counted, size } from "./format.js";
import { plainJson } from "./reveal.js";
import { type Rows, rowCount, rowsIn } from "./rows.js";
import { Scroll } from "./scroll.js";

const ROWS_FIRST = 50;
const ROWS_MORE = 200;
/** Characters of JSON shown before "Show all". */
const TEXT_FIRST = 12_000;
const CELL_LENGTH = 200;
/** A cell up to this length is not broken into lines. */
const SHORT_CELL = 32;
/** Characters of a result's gist. */
const GIST_LENGTH = 48;
/** Characters of arguments on one line. */
const ARGUMENTS_LENGTH = 120;
/** JSON up to this length needs no lines of its own. */
const ONE_LINE = 60;

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON text with its keys, strings and literals told apart. */
function Coloured({ text }: { text: string }) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon, literal] = match;
    parts.push(text.slice(from, match.index));
    const kind =
      string === undefined ? (literal === undefined ? "number" : "literal") : colon === undefined ? "string" : "key";
    parts.push(<span class={`json-${kind}`}>{string ?? all}</span>, colon ?? "");
    from = match.index + all.length;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}

/** A value as indented JSON; with `whole`, never in part. */
export function Json({ value, whole, label }: { value: JsonValue; whole?: boolean; label: string }) {
  const [all, setAll] = useState(whole ?? false);
  const text = typeof value === "string" && !whole ? value : plainJson(value, ONE_LINE);
  const cut = !all && text.length > TEXT_FIRST;
  const shown = cut ? text.slice(0, TEXT_FIRST) : text;
  return (
    <>
      <Scroll class="json" label={label}>
        <pre>
          {shown.length > TEXT_FIRST || typeof value === "string" ? shown : <Coloured text={shown} />}
          {cut && "…"}
        </pre>
      </Scroll>
      {cut && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          Show all {size(text.length)}
        </button>
      )}
    </>
  );
}

function Cell({ value }: { value: JsonValue | undefined }) {
  if (value === undefined) return <td />;
  if (value === null) return <td class="faint">null</td>;
  if (typeof value === "number" || typeof value === "bigint") return <td class="number">{String(value)}</td>;
  const text = typeof value === "string" ? value : toJson(value);
  const cut = text.length > CELL_LENGTH;
  const look = [typeof value === "object" && "mono", text.length <= SHORT_CELL && "short"].filter(Boolean).join(" ");
  return (
    <td class={look} title={cut ? text.slice(0, 2000) : undefined}>
      {cut ? `${text.slice(0, CELL_LENGTH)}…` : text}
    </td>
  );
}

/** A field of the row itself: a column may be called what every object has. */
function fieldOf(row: JsonObject, column: string): JsonValue | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Whether a column holds numbers and gaps, as far as is looked. */
function isNumeric(rows: readonly JsonObject[], column: string): boolean {
  const values = rows.slice(0, ROWS_FIRST).map((row) => fieldOf(row, column) ?? null);
  const isNumber = (value: JsonValue): boolean => typeof value === "number" || typeof value === "bigint";
  return values.some(isNumber) && values.every((value) => value === null || isNumber(value));
}

function Table({ columns, rows, rest }: Rows) {
  const [count, setCount] = useState(ROWS_FIRST);
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
        <button type="button" class="link" onClick={() => setCount(count + ROWS_MORE)}>
          Show {Math.min(ROWS_MORE, rows.length - count)} more of {counted(rows.length, "row")}
        </button>
      )}
      {rest !== null && <Json value={rest} label="Other fields" />}
    </>
  );
}

/** A result: a table where it has rows, with the JSON one click away. */
export function Value({ value, label }: { value: JsonValue; label: string }) {
  const rows = rowsIn(value);
  const [raw, setRaw] = useState(false);
  return (
    <div class="value">
      <div class="value-head">
        <p class="label">{label}</p>
        {rows !== null && <span class="faint">{rowCount(rows)}</span>}
        <span class="spring" />
        {rows !== null && (
          <button type="button" class="link" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {raw ? "Table" : "JSON"}
          </button>
        )}
        <Copy label={`Copy ${label}`} text={() => toJson(value, 2)} />
      </div>
      {rows !== null && !raw ? <Table {...rows} /> : <Json value={value} label={label} />}
    </div>
  );
}

/** Arguments on one line, cut where a line must end. */
export function argumentsLine(args: JsonObject): string {
  const text = Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : toJson(value)}`)
    .join(", ");
  return text.length > ARGUMENTS_LENGTH ? `${text.slice(0, ARGUMENTS_LENGTH)}…` : text;
}

/** What a result comes to, in a few words; "" when there is nothing short to say. */
export function gist(value: JsonValue): string {
  const rows = rowsIn(value);
  if (rows !== null) return rowCount(rows);
  // A file: its bytes are not in the result.
  if (isObject(value) && value["binary"] === true)
    return `${value["type"]}, ${Number(value["bytes"]).toLocaleString()} bytes`;
  if (Array.isArray(value)) return counted(value.length, "item");
  const said = isObject(value) ? [value["message"], value["error"]].find((one) => typeof one === "string") : value;
  const text = said === undefined ? "" : String(said);
  return text.length > GIST_LENGTH ? `${text.slice(0, GIST_LENGTH)}…` : text;
}
