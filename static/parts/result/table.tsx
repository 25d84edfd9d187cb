// The rows of a result as a table. A short one is a plain table; a longer one draws only the rows in view and is a grid whose cells are
// reached by the arrow keys.
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { tools, toolsByName } from "../../state/daemon.js";
import type { MarkedCell } from "../../state/marked-cell.js";
import { visibleColumns } from "../../state/table-layout.js";
import { aggregatesOf, type Column } from "../../values/column.js";
import type { Aggregate } from "../../values/group.js";
import { type ThingTool, thingTool } from "../../values/links.js";
import { Copy } from "../copy.js";
import { counted } from "../format.js";
import { Revealed } from "../reveal.js";
import { Scroll } from "../scroll.js";
import { ColumnHead } from "./column-head.js";
import { HEAD } from "./grid-keys.js";
import { columnWidth, lineHeights } from "./sizes.js";
import { BodyRow, GroupRow, SumRow, type TableContext } from "./table-rows.js";
import { useActiveCell } from "./use-active-cell.js";
import { type Items, useItems, useTotals } from "./use-items.js";
import { useMarked } from "./use-marked.js";
import type { ResultState, RowsState } from "./use-result.js";
import { useVirtual } from "./use-virtual.js";

/** Tables of more lines are grids, and draw only what is in view. */
const MAX_PLAIN = 30;
/** Characters of the chosen cell that are displayed below the table. */
const MAX_VALUE = 500;

function useLinks({ tool }: ResultState, columns: readonly Column[]): ReadonlyMap<string, ThingTool> {
  const from = tool === undefined ? undefined : toolsByName.value.get(tool);
  const all = tools.value;
  return useMemo(() => {
    if (from === undefined || all === undefined) return new Map();
    return new Map(
      columns.flatMap(({ name }) => {
        const link = thingTool(name, from, all);
        return link === undefined ? [] : [[name, link] as const];
      }),
    );
  }, [columns, from, all]);
}

/** The widths of columns in pixels: what was chosen, else what suits. */
function widthsOf(columns: readonly Column[], { layout }: RowsState): number[] {
  return columns.map((column) => layout.widths[column.name] ?? columnWidth(column));
}

/** What is unfolded: by the row's position, the column. */
function useUnfolded() {
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, string>>(new Map());
  const toggle = (index: number, column: string) => {
    const next = new Map(unfolded);
    if (next.get(index) === column) next.delete(index);
    else next.set(index, column);
    setUnfolded(next);
  };
  return { unfolded, toggle };
}

function useAggregates(marked: MarkedCell | undefined) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Aggregate>>>({});
  useEffect(() => {
    const { aggregate, column } = marked ?? {};
    if (aggregate !== undefined && column) setChosen((before) => ({ ...before, [column]: aggregate }));
  }, [marked]);
  const aggregateOf = useCallback(
    (column: Column): Aggregate | undefined => chosen[column.name] ?? aggregatesOf(column)[0],
    [chosen],
  );
  const next = (column: Column) => {
    const all = aggregatesOf(column);
    const present = aggregateOf(column);
    const aggregate = all[(present === undefined ? 0 : all.indexOf(present) + 1) % all.length];
    if (aggregate !== undefined) setChosen({ ...chosen, [column.name]: aggregate });
  };
  return { aggregateOf, next };
}

/** The lines that are drawn, between two empty ones as high as those that are not. */
function Body(props: {
  items: Items;
  range: { index: number; start: number; end: number }[];
  height: number;
  context: TableContext;
  group: Column | undefined;
  onSize: (item: number, node: Element) => void;
}) {
  const { items, range, height, context, group, onSize } = props;
  const [first, last] = [range[0], range.at(-1)];
  const before = first?.start ?? 0;
  const after = last === undefined ? 0 : height - last.end;
  const gap = (size: number, key: string) =>
    size > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
      <tr key={key} class="row-gap" aria-hidden="true">
        <td colSpan={context.columns.length} style={{ height: `${size}px` }} />
      </tr>
    );
  return (
    <tbody>
      {gap(before, "before")}
      {range.map(({ index }) => {
        const item = items.at(index);
        if (item.kind === "group")
          return (
            <GroupRow
              key={`g${index}`}
              context={context}
              item={index}
              group={item.group}
              column={group}
              isOpen={item.isOpen}
              toggle={item.toggle}
            />
          );
        return (
          <BodyRow
            key={index}
            context={context}
            item={index}
            placed={item.placed}
            onSize={(node) => node !== null && onSize(index, node)}
          />
        );
      })}
      {gap(after, "after")}
    </tbody>
  );
}

/** Draws the chosen cell's whole value, with what copies it and its row. */
function CellBar({ value, row, copied }: { value: string; row: string | undefined; copied: string }) {
  return (
    <div class="cell-bar">
      <span class="cell-value">
        <Revealed text={value === "" ? "empty" : value.slice(0, MAX_VALUE).toWellFormed()} lines="break" />
      </span>
      {copied !== "" && <span class="faint">{copied}</span>}
      <Copy label="Copy cell" caption="Copy cell" text={() => value} />
      {row !== undefined && <Copy label="Copy row" caption="Copy row" text={() => row} />}
    </div>
  );
}

/** The heads of the columns. In a grid one of them at most is reached by the tab key. */
function Heads(props: { list: RowsState; context: TableContext; widths: readonly number[] }) {
  const { list, context, widths } = props;
  const { columns, isGrid, active } = context;
  const names = columns.map(({ name }) => name);
  const isReached = (i: number): boolean => !isGrid || ((active?.item ?? HEAD) === HEAD && (active?.column ?? 0) === i);
  return (
    <thead>
      <tr aria-rowindex={isGrid ? 1 : undefined}>
        {columns.map((column, i) => (
          <ColumnHead
            key={column.name}
            column={column}
            list={list}
            names={names}
            width={widths[i] ?? 0}
            at={i}
            cell={`${HEAD}:${i}`}
            tabIndex={isReached(i) ? 0 : -1}
          />
        ))}
      </tr>
    </thead>
  );
}

/** What goes wrong with the rows, or that there are none; and the chosen cell. */
function Foot({ items, cell }: { items: Items; cell: ReturnType<typeof useActiveCell> }) {
  const { active } = cell;
  const value = active === undefined || active.item === HEAD ? undefined : cell.cellValue(active);
  const isEmpty = !items.isLoading && items.count === 0 && items.error === "";
  return (
    <>
      {items.error !== "" && (
        <p class="error-text" role="alert">
          {items.error}
        </p>
      )}
      {isEmpty && <p class="faint">No row matches.</p>}
      {value !== undefined && <CellBar value={value} row={active && cell.rowText(active)} copied={cell.copied} />}
    </>
  );
}

/** How many lines are drawn: while other rows are on their way, the table keeps its height. */
function useSteadyCount(items: Items): number {
  const [before, setBefore] = useState(0);
  useEffect(() => {
    if (!items.isLoading) setBefore(Math.min(items.count, 15));
  }, [items.isLoading, items.count]);
  return items.isLoading ? Math.max(1, before) : items.count;
}

/** Other rows, or the same in another order, are looked at from their first. */
function useTopOf({ query, group }: RowsState, box: RefObject<HTMLElement | null>): void {
  const before = useRef({ query, group });
  useLayoutEffect(() => {
    const isSame = before.current.query === query && before.current.group === group;
    before.current = { query, group };
    if (!isSame && box.current !== null) box.current.scrollTop = 0;
  }, [query, group]);
}

/** The table of a result's rows. */
export function ResultTable({
  state,
  list,
  marked,
}: {
  state: ResultState;
  list: RowsState;
  marked?: MarkedCell | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const items = useItems(list);
  const totals = useTotals(list);
  useEffect(() => {
    if (!items.isLoading) list.setMatching(items.matching);
  }, [items.isLoading, items.matching]);
  useTopOf(list, box);
  const columns = useMemo(() => visibleColumns(list.columns, list.layout), [list.columns, list.layout]);
  const widths = widthsOf(columns, list);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const count = useSteadyCount(items);
  const isGrid = list.source.total > MAX_PLAIN;
  const heights = lineHeights();
  const virtual = useVirtual({ count, height: heights.row, scroll: box, head: heights.head });
  const cell = useActiveCell({ items, columns, box, scrollTo: (item) => virtual.scrollToIndex(item) });
  const { unfolded, toggle } = useUnfolded();
  const { aggregateOf, next } = useAggregates(marked);
  const from = state.tool === undefined ? undefined : toolsByName.value.get(state.tool);
  const links = useLinks(state, columns);
  const { active, setActive } = cell;
  const context = useMemo<TableContext>(
    () => ({ columns, links, from, isGrid, active, setActive, unfolded, toggle, marked, aggregateOf }),
    [columns, links, from, isGrid, active, unfolded, marked, aggregateOf],
  );
  const scrollTo = (index: number) => virtual.scrollToIndex(index, { align: "center" });
  useMarked(marked, { list, items, box, scrollTo, setActive });
  const all = Array.from({ length: isGrid ? 0 : count }, (_, index) => ({ index, start: 0, end: 0 }));
  return (
    <>
      <Scroll class="result-scroll" label={`Table of ${counted(list.source.total, "row")}`} box={box}>
        <table
          class="result-table"
          role={isGrid ? "grid" : undefined}
          aria-label={isGrid ? state.label : undefined}
          aria-rowcount={isGrid ? count + 1 : undefined}
          aria-colcount={isGrid ? columns.length : undefined}
          aria-busy={items.isLoading}
          style={{ width: `max(100%, ${total}px)` }}
          onKeyDown={isGrid ? cell.onKeyDown : undefined}
        >
          <colgroup>
            {columns.map(({ name }, i) => (
              <col key={name} style={{ width: `${widths[i]}px` }} />
            ))}
          </colgroup>
          <Heads list={list} context={context} widths={widths} />
          <Body
            items={items}
            range={isGrid ? virtual.getVirtualItems() : all}
            height={isGrid ? virtual.getTotalSize() : 0}
            context={context}
            group={list.columns.find(({ name }) => name === list.group?.field)}
            onSize={(item, node) => virtual.resizeItem(item, heights.row + node.getBoundingClientRect().height)}
          />
          {items.count > 1 &&
            columns.some((column) => aggregatesOf(column).length > 0 || column.currencyField !== undefined) && (
              <tfoot>
                <SumRow context={context} totals={totals} onNext={next} />
              </tfoot>
            )}
        </table>
      </Scroll>
      <Foot items={items} cell={cell} />
    </>
  );
}
