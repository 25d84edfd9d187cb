// A result on the screen: rows as a table, everything else as JSON.
import { useState } from "preact/hooks";
import { type JsonValue, toJson } from "../../src/lib/json.js";
import { Copy } from "./copy.js";
import { Json } from "./json.js";
import { rowCount, rowsIn } from "./rows.js";
import { Table } from "./table.js";

/** A result: a table where it has rows, with the JSON one click away. */
export function Value({ value, label }: { value: JsonValue; label: string }) {
  const rows = rowsIn(value);
  const [raw, setRaw] = useState(false);
  return (
    <div class="value">
      <div class="value-head">
        <p class="label">{label}</p>
        {rows !== null && <span class="faint">{rowCount(rows)}</span>}
        <span class="spacer" />
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
