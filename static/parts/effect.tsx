// What a call changes, table by table: each row with what was struck out and what is beside it, and whether it can be undone.
import type { Effect } from "../../src/domain/effect.js";
import type { UndoState } from "../../src/domain/undo-state.js";
import { type JsonValue, toJson } from "../../src/lib/json.js";
import { type CellDifference, type RowDifference, type TableDifference, tablesOf } from "../turn/effect.js";
import { counted } from "./format.js";
import { Revealed } from "./reveal.js";
import { Scroll } from "./scroll.js";

/** Characters of one side of a cell. */
const MAX_CELL_LENGTH = 200;

function textOf(value: JsonValue): string {
  const text = typeof value === "string" ? value : toJson(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH).toWellFormed()}…` : text;
}

function Cell({ cell: { before, after, isChanged }, kind }: { cell: CellDifference; kind: RowDifference["kind"] }) {
  if (!isChanged) return <td>{before !== undefined && <Revealed text={textOf(before)} />}</td>;
  return (
    <td class="changed">
      {before !== undefined && kind !== "inserted" && (
        <del>
          <Revealed text={textOf(before)} />
        </del>
      )}{" "}
      {after !== undefined && kind !== "deleted" && (
        <ins>
          <Revealed text={textOf(after)} />
        </ins>
      )}
    </td>
  );
}

const KINDS: Readonly<Record<RowDifference["kind"], string>> = {
  inserted: "added",
  updated: "changed",
  deleted: "deleted",
};

function DifferenceTable({ table: { name, counts, columns, rows, hidden } }: { table: TableDifference }) {
  return (
    <div class="difference">
      <p class="difference-head">
        <strong>
          <Revealed text={name} />
        </strong>{" "}
        <span class="faint">{counts}</span>
      </p>
      {rows.length > 0 && (
        <Scroll class="rows" label={`Rows of ${name} that change`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Change</th>
                {columns.map((column) => (
                  <th scope="col" key={column}>
                    <Revealed text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ kind, cells }, i) => (
                <tr key={i} class={`row-${kind}`}>
                  <td class="faint">{KINDS[kind]}</td>
                  {cells.map((cell, at) => (
                    <Cell key={columns[at]} cell={cell} kind={kind} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {hidden > 0 && <p class="faint">{`${counted(hidden, "further row")} not shown`}</p>}
    </div>
  );
}

const UNDO_TEXTS: Readonly<Record<UndoState, string>> = {
  possible: "It can be undone.",
  partial: "It cannot be undone exactly.",
  impossible: "It cannot be undone.",
  done: "It was undone.",
};

/** An effect under its heading, with what is known of undoing it. */
export function EffectView(props: { effect: Effect; undo?: UndoState | undefined; label: string }) {
  const { effect, undo, label } = props;
  const tables = tablesOf(effect);
  return (
    <div class="effect">
      <p class="label">{label}</p>
      {tables.length === 0 && <p>No row changes.</p>}
      {tables.map((table) => (
        <DifferenceTable key={table.name} table={table} />
      ))}
      {!effect.complete && <p class="notice">More may change than is shown here.</p>}
      {effect.note !== undefined && (
        <p class="notice">
          <Revealed text={effect.note} />
        </p>
      )}
      {undo !== undefined && <p class="faint">{UNDO_TEXTS[undo]}</p>}
    </div>
  );
}
