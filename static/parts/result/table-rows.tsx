// The lines of a table's body: rows, groups, and the line of sums below them.
import { useMemo } from "preact/hooks";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../../src/lib/json.js";
import type { MarkedCell } from "../../state/marked-cell.js";
import { cellText } from "../../values/cell.js";
import { aggregatesOf, type Column, isNumeric } from "../../values/column.js";
import { type Aggregate, computedName, type Group } from "../../values/group.js";
import type { ThingTool } from "../../values/links.js";
import { fieldOf, plainText } from "../../values/rows.js";
import { Revealed } from "../reveal.js";
import { CellContent, Written } from "./cell.js";
import { Nested } from "./fields.js";
import type { PlacedRow } from "./row-window.js";

/** A cell of the body: the line's number and the column's. */
export interface ActiveCell {
  item: number;
  column: number;
}

/** What all lines of a table share. */
export interface TableContext {
  columns: readonly Column[];
  links: ReadonlyMap<string, ThingTool>;
  from: Tool | undefined;
  isGrid: boolean;
  active: ActiveCell | undefined;
  setActive: (cell: ActiveCell) => void;
  /** The line whose nested value is unfolded below it, and the column it is in, by the row's position in the list. */
  unfolded: ReadonlyMap<number, string>;
  toggle: (index: number, column: string) => void;
  /** The line whose cell is pointed at from elsewhere. */
  marked: Pick<MarkedCell, "index" | "column" | "aggregate"> | undefined;
  /** Which aggregate the line of sums displays, by column. */
  aggregateOf: (column: Column) => Aggregate | undefined;
}

const isNested = (value: JsonValue | undefined): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  (value as JsonObject)["binary"] !== true;

function cellClass(column: Column, isMarked: boolean): string {
  const names = [isNumeric(column) ? "number" : `cell-${column.kind}`, isMarked && "marked"];
  return names.filter(Boolean).join(" ");
}

function Cell(props: { context: TableContext; placed: PlacedRow; column: Column; at: ActiveCell }) {
  const { context, placed, column, at } = props;
  const { row, index } = placed;
  const value = fieldOf(row, column.name);
  const isActive = context.active?.item === at.item && context.active.column === at.column;
  const isOpen = context.unfolded.get(index) === column.name;
  const content = <CellContent value={value} column={column} row={row} link={context.links.get(column.name)} />;
  const { exact } = cellText(value, column, row);
  const isMarked = context.marked?.index === index && context.marked.column === column.name;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of all cells are those of the grid
    <td
      class={cellClass(column, isMarked)}
      title={exact || (typeof value === "string" && value.length > column.width ? value.slice(0, 2000) : undefined)}
      data-cell={`${at.item}:${at.column}`}
      aria-colindex={context.isGrid ? at.column + 1 : undefined}
      tabIndex={context.isGrid && isActive ? 0 : context.isGrid || isMarked ? -1 : undefined}
      onClick={() => context.setActive(at)}
    >
      {isNested(value) ? (
        <button
          type="button"
          class="unfold"
          aria-expanded={isOpen}
          tabIndex={context.isGrid ? -1 : undefined}
          onClick={() => context.toggle(index, column.name)}
        >
          <span class={isOpen ? "json-fold json-fold-open" : "json-fold"} aria-hidden="true" />
          {content}
        </button>
      ) : (
        content
      )}
    </td>
  );
}

interface BodyRowProps {
  context: TableContext;
  item: number;
  placed: PlacedRow | undefined;
  onSize: (node: Element | null) => void;
}

/** A row, with what is unfolded of it below. One that did not change is not drawn again while others scroll by. */
export function BodyRow(props: BodyRowProps) {
  const { context, item, placed } = props;
  return useMemo(() => <WholeRow {...props} />, [context, item, placed?.row, placed?.index]);
}

function WholeRow(props: BodyRowProps) {
  const { context, item, placed, onSize } = props;
  const { columns } = context;
  const rowIndex = context.isGrid ? item + 2 : undefined;
  if (placed === undefined)
    return (
      <tr class="row-loading" aria-rowindex={rowIndex} aria-busy="true">
        {columns.map((column) => (
          <td key={column.name}>
            <span class="placeholder" />
          </td>
        ))}
      </tr>
    );
  const open = context.unfolded.get(placed.index);
  const value = open === undefined ? undefined : fieldOf(placed.row, open);
  return (
    <>
      <tr aria-rowindex={rowIndex}>
        {columns.map((column, i) => (
          <Cell key={column.name} context={context} placed={placed} column={column} at={{ item, column: i }} />
        ))}
      </tr>
      {value !== undefined && (
        <tr class="row-unfolded" ref={onSize}>
          <td colSpan={columns.length}>
            <div class="unfolded">
              <Nested value={value} from={context.from} depth={1} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function aggregateText(
  values: Readonly<Record<string, JsonValue>>,
  column: Column,
  { aggregate, row = {} }: { aggregate: Aggregate | undefined; row?: JsonObject },
): string {
  if (aggregate === undefined) return "";
  const value = values[computedName({ aggregate, field: column.name })];
  const decimals = aggregate === "avg" ? Math.max(column.decimals, 2) : column.decimals;
  return value === undefined || value === null ? "" : cellText(value, { ...column, decimals }, row).text;
}

function GroupName({ value, column }: { value: JsonValue; column: Column | undefined }) {
  if (value === null) return <>empty</>;
  return column === undefined ? (
    <Revealed text={plainText(value)} lines="mark" />
  ) : (
    <Written value={value} column={column} row={{}} />
  );
}

/** A group: its value, how many rows, and what is computed over their numbers. */
export function GroupRow(props: {
  context: TableContext;
  item: number;
  group: Group;
  column: Column | undefined;
  isOpen: boolean;
  toggle: () => void;
}) {
  const { context, item, group, isOpen, toggle } = props;
  const { columns } = context;
  // The value takes the cells up to the first number, so that it has room.
  const span = Math.max(1, columns.findIndex(isNumeric) < 0 ? columns.length : columns.findIndex(isNumeric));
  const key = group.key[0] ?? null;
  const by = props.column?.name;
  const row: JsonObject = by === undefined ? {} : { [by]: key };
  const aggregateOf = (column: Column): Aggregate | undefined =>
    context.aggregateOf(column) ?? aggregatesOf(column, by)[0];
  return (
    <tr class="row-group" aria-rowindex={context.isGrid ? item + 2 : undefined}>
      <td
        colSpan={span}
        data-cell={`${item}:0`}
        tabIndex={context.isGrid ? (context.active?.item === item ? 0 : -1) : undefined}
      >
        <button type="button" class="unfold" aria-expanded={isOpen} onClick={toggle}>
          <span class={isOpen ? "json-fold json-fold-open" : "json-fold"} aria-hidden="true" />
          <strong>
            <GroupName value={key} column={props.column} />
          </strong>
          <span class="faint">{group.count.toLocaleString()}</span>
        </button>
      </td>
      {columns.slice(span).map((column) => (
        <td key={column.name} class={isNumeric(column) ? "number" : undefined}>
          {isNumeric(column) && aggregateText(group.values, column, { aggregate: aggregateOf(column), row })}
        </td>
      ))}
    </tr>
  );
}

const AGGREGATE_NAMES: Partial<Record<Aggregate, string>> = {
  sum: "Sum",
  avg: "Average",
  min: "Least",
  max: "Greatest",
};

/** The line of sums; a click shows the average, the least, the greatest. */
export function SumRow(props: {
  context: TableContext;
  totals: Readonly<Record<string, JsonValue>>;
  onNext: (column: Column) => void;
}) {
  const { context, totals, onNext } = props;
  const { marked } = context;
  const isMarked = ({ name }: Column): boolean =>
    (marked?.aggregate === "sum" || marked?.aggregate === "avg") && marked.column === name;
  return (
    <tr class="row-sums">
      {context.columns.map((column) => {
        const aggregate = context.aggregateOf(column);
        const text = isNumeric(column) ? aggregateText(totals, column, { aggregate }) : "";
        const name = AGGREGATE_NAMES[aggregate ?? "sum"] ?? "";
        return (
          <td
            key={column.name}
            class={isNumeric(column) ? (isMarked(column) ? "number marked" : "number") : undefined}
            tabIndex={isMarked(column) ? -1 : undefined}
          >
            {text !== "" && (
              <button
                type="button"
                class="sum"
                title={`${name} of ${column.name}; click for another`}
                onClick={() => onNext(column)}
              >
                <span class="sum-name">{aggregate === "sum" ? "Σ" : name}</span> {text}
              </button>
            )}
            {column.currencyField !== undefined && (
              <span class="sum-name" title={`No sum: grouped by ${column.currencyField} there is one of each currency`}>
                several currencies
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
