// What a call changes, table by table: each row with what was struck out and what is beside it, and whether it can be undone.

import { useEffect, useState } from "preact/hooks";
import type { Effect } from "../../src/domain/effect.js";
import type { UndoState } from "../../src/domain/undo-state.js";
import type { JsonValue } from "../../src/lib/json.js";
import type { CallStatus } from "../turn/call-status.js";
import {
  type CellDifference,
  CHANGE_NAMES,
  changedFields,
  differenceRows,
  effectLabel,
  listDifference,
  type RowDifference,
  type TableDifference,
  tablesOf,
} from "../turn/effect.js";
import { type SideProps, sideText } from "../turn/side-text.js";
import { counted, fullTime } from "./format.js";
import type { Tab } from "./result/tabs.js";
import { WithViews } from "./result/with-views.js";
import { Revealed } from "./reveal.js";
import { Scroll } from "./scroll.js";

let formatted: typeof import("./result/difference-value.js") | undefined;

/** A value in type; as it came until what sets it is loaded, and where that cannot be loaded. */
function Side(props: SideProps) {
  const [, setLoaded] = useState(formatted !== undefined);
  useEffect(() => {
    if (formatted !== undefined) return;
    import("./result/difference-value.js").then(
      (loaded) => {
        formatted = loaded;
        setLoaded(true);
      },
      () => {},
    );
  }, []);
  return formatted === undefined ? <Revealed text={sideText(props.value)} /> : <formatted.FormattedSide {...props} />;
}

/** What came into a list of plain values, and what left it. */
function ListSides({ added, removed }: { added: readonly JsonValue[]; removed: readonly JsonValue[] }) {
  return (
    <span class="list-sides">
      {added.map((item, i) => (
        <ins key={`+${i}`}>
          + <Revealed text={sideText(item)} />
        </ins>
      ))}{" "}
      {removed.map((item, i) => (
        <del key={`-${i}`}>
          − <Revealed text={sideText(item)} />
        </del>
      ))}
    </span>
  );
}

/** What was, struck out, and what is. */
function Sides(props: { cell: CellDifference; kind: RowDifference["kind"]; path: string }) {
  const { kind, path } = props;
  const { before, after } = props.cell;
  const list = kind === "updated" ? listDifference(before, after) : undefined;
  if (list !== undefined) return <ListSides {...list} />;
  return (
    <>
      {before !== undefined && kind !== "inserted" && (
        <del>
          <Side path={path} value={before} other={kind === "updated" ? after : undefined} />
        </del>
      )}{" "}
      {after !== undefined && kind !== "deleted" && (
        <ins>
          <Side path={path} value={after} other={kind === "updated" ? before : undefined} />
        </ins>
      )}
    </>
  );
}

/** Fields in a line. */
const MAX_LINE_FIELDS = 5;

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
      {fields.slice(0, MAX_LINE_FIELDS).map((field) => (
        <span key={field.name}>
          <Revealed text={field.name} /> <Sides cell={field} kind="updated" path={field.name} />
        </span>
      ))}
      {more > 0 && <span class="faint">and {more} more</span>}
    </p>
  );
}

function Cell({ cell, kind, path }: { cell: CellDifference; kind: RowDifference["kind"]; path: string }) {
  const { before, isChanged } = cell;
  if (!isChanged) return <td>{before !== undefined && <Side path={path} value={before} other={undefined} />}</td>;
  return (
    <td class="changed">
      <Sides cell={cell} kind={kind} path={path} />
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
              <Cell cell={cell} kind={row.kind} path={columns[at] ?? ""} />
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
                <Cell key={columns[at]} cell={cell} kind={kind} path={columns[at] ?? ""} />
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

/** That it was undone stands in place of the button. */
const UNDO_TEXTS: Readonly<Record<Exclude<UndoState, "done">, string>> = {
  possible: "It can be undone.",
  partial: "It cannot be undone exactly.",
  impossible: "It cannot be undone.",
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
      {undo !== undefined && undo !== "done" && !isDropped && (
        <p class={`undo-state undo-${undo}`}>{UNDO_TEXTS[undo]}</p>
      )}
    </div>
  );
}
