// What a call changes, table by table: each row with what was struck out and what is beside it, and whether it can be undone.
import type { Effect } from "../../src/domain/effect.js";
import type { UndoState } from "../../src/domain/undo-state.js";
import type { CallStatus } from "../turn/call-status.js";
import {
  type CellDifference,
  CHANGE_NAMES,
  changedFields,
  differenceRows,
  effectLabel,
  type RowDifference,
  type TableDifference,
  tablesOf,
} from "../turn/effect.js";
import { cellText } from "../turn/said.js";
import { counted, fullTime } from "./format.js";
import type { Tab } from "./result/tabs.js";
import { WithViews } from "./result/with-views.js";
import { Revealed } from "./reveal.js";
import { Scroll } from "./scroll.js";

/** What was, struck out, and what is. */
function Sides({ cell: { before, after }, kind }: { cell: CellDifference; kind: RowDifference["kind"] }) {
  return (
    <>
      {before !== undefined && kind !== "inserted" && (
        <del>
          <Revealed text={cellText(before)} />
        </del>
      )}{" "}
      {after !== undefined && kind !== "deleted" && (
        <ins>
          <Revealed text={cellText(after)} />
        </ins>
      )}
    </>
  );
}

/** Fields in a line. */
const MAX_LINE_FIELDS = 3;

/** The changes that stand in one line. */
export const lineFields = (effect: Effect | undefined) =>
  effect ? changedFields(effect).slice(0, MAX_LINE_FIELDS) : [];

/** The change of a single row in one line: "price ~~3.5~~ 3.8"; nothing for any other. */
export function EffectLine({ effect }: { effect: Effect | undefined }) {
  const fields = effect ? changedFields(effect) : [];
  if (fields.length === 0) return null;
  const more = fields.length - MAX_LINE_FIELDS;
  return (
    <p class="effect effect-line">
      {lineFields(effect).map((field) => (
        <span key={field.name}>
          <Revealed text={field.name} /> <Sides cell={field} kind="updated" />
        </span>
      ))}
      {more > 0 && <span class="faint">and {more} more</span>}
    </p>
  );
}

function Cell({ cell, kind }: { cell: CellDifference; kind: RowDifference["kind"] }) {
  if (!cell.isChanged) return <td>{cell.before !== undefined && <Revealed text={cellText(cell.before)} />}</td>;
  return (
    <td class="changed">
      <Sides cell={cell} kind={kind} />
    </td>
  );
}

/** Columns up to which a single row is a row; more of them stand below each other. */
const MAX_ROW_COLUMNS = 3;

/** One record, a field a line: what is now, and what would be. */
function RecordDifference(props: { columns: readonly string[]; row: RowDifference; name: string }) {
  const { columns, row, name } = props;
  return (
    <Scroll class="rows" label={`Fields of ${name}`}>
      <table class={`fields row-${row.kind}`}>
        <thead class={row.kind === "updated" ? "" : "visually-hidden"}>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{row.kind === "updated" ? "Before → after" : "Value"}</th>
          </tr>
        </thead>
        <tbody>
          {row.cells.map((cell, at) => (
            <tr key={columns[at]}>
              <th scope="row">
                <Revealed text={columns[at] ?? ""} />
              </th>
              <Cell cell={cell} kind={row.kind} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The rows of a table below each other. */
function RowDifferences({ name, columns, rows }: TableDifference) {
  return (
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
              <td class="faint">{CHANGE_NAMES[kind]}</td>
              {cells.map((cell, at) => (
                <Cell key={columns[at]} cell={cell} kind={kind} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const VIEWS: readonly Tab[] = ["table", "json"];

function DifferenceTable({ table }: { table: TableDifference }) {
  const { name, counts, columns, rows, hidden } = table;
  const [first, ...others] = rows;
  const isRecord = first !== undefined && others.length === 0 && columns.length > MAX_ROW_COLUMNS;
  return (
    <div class="difference">
      <p class="difference-head">
        <strong>
          <Revealed text={name} />
        </strong>{" "}
        <span class="faint">{counts}</span>
      </p>
      {isRecord && <RecordDifference columns={columns} row={first} name={name} />}
      {rows.length === 1 && !isRecord && <RowDifferences {...table} />}
      {others.length > 0 && (
        <WithViews name="Difference" views={VIEWS} value={() => differenceRows(table)} label="Rows">
          <RowDifferences {...table} />
        </WithViews>
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

/** An effect under its heading, and of one that did or may still happen whether it can be undone. */
export function EffectView(props: { effect: Effect; undo?: UndoState | undefined; status: CallStatus | undefined }) {
  const { effect, undo, status } = props;
  const label = effectLabel(status);
  const isDropped = label === effectLabel(undefined);
  const tables = tablesOf(effect);
  return (
    <div class="effect">
      <p class="label">{label}</p>
      {tables.length === 0 && effect.complete && <p>No row changes.</p>}
      {tables.map((table) => (
        <DifferenceTable key={table.name} table={table} />
      ))}
      {!effect.complete && effect.read_at === undefined && <p class="notice">More may change than is shown here.</p>}
      {effect.note !== undefined && (
        <p class="notice">
          {effect.read_at !== undefined && `Read at ${fullTime(effect.read_at)}; `}
          <Revealed text={effect.note} />
        </p>
      )}
      {undo !== undefined && !isDropped && <p class={`undo-state undo-${undo}`}>{UNDO_TEXTS[undo]}</p>}
    </div>
  );
}
