// The head of a column: a click sorts, with shift by several columns; a menu beside it; its edge is dragged.
import { useRef } from "preact/hooks";
import { type Column, isNumeric } from "../../values/column.js";
import { toggleSort } from "../../values/query.js";
import { Icon } from "../icons.js";
import { Revealed } from "../reveal.js";
import { ColumnMenu } from "./column-menu.js";
import { Menu } from "./menu.js";
import type { RowsState } from "./use-result.js";

const MIN_WIDTH = 48;

/** The edge of a column, dragged by a pointer; the menu does the same from the keyboard. */
function Edge({ column, list, width }: { column: Column; list: RowsState; width: number }) {
  const start = useRef<{ x: number; width: number } | undefined>(undefined);
  const { layout, setLayout } = list;
  return (
    <span
      class="column-edge"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (start.current === undefined) return;
        const by = event.clientX - start.current.x;
        const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
        const next = Math.max(MIN_WIDTH, Math.round(start.current.width + (isRtl ? -by : by)));
        setLayout({ ...layout, widths: { ...layout.widths, [column.name]: next } });
      }}
      onPointerUp={() => {
        start.current = undefined;
      }}
    />
  );
}

/** The head of a column. In a grid, only the one with the focus is reached by the tab key. */
export function ColumnHead(props: {
  column: Column;
  list: RowsState;
  names: readonly string[];
  width: number;
  tabIndex: 0 | -1;
  cell: string;
  at: number;
}) {
  const { column, list, names, width } = props;
  const { query, setQuery } = list;
  const place = query.sort.findIndex(({ field }) => field === column.name);
  const key = query.sort[place];
  const isFiltered = query.filters.some(({ field }) => field === column.name);
  return (
    <th
      scope="col"
      class={isNumeric(column) ? "column-head number" : "column-head"}
      aria-sort={key === undefined ? "none" : key.descending ? "descending" : "ascending"}
      aria-colindex={props.at + 1}
    >
      <button
        type="button"
        class="column-sort"
        title={`Sort by ${column.name}`}
        tabIndex={props.tabIndex}
        data-cell={props.cell}
        onClick={(event) => setQuery({ ...query, sort: toggleSort(query.sort, column.name, event.shiftKey) })}
      >
        <span class="column-name">
          <Revealed text={column.name} />
        </span>
        {key !== undefined && <Icon name={key.descending ? "down" : "up"} />}
      </button>
      <Menu
        label={`Column ${column.name}`}
        class={isFiltered ? "icon-button column-more column-filtered" : "icon-button column-more"}
        content={<Icon name="more" />}
        tabIndex={props.tabIndex}
      >
        {(close) => <ColumnMenu column={column} list={list} names={names} width={width} close={close} />}
      </Menu>
      <Edge column={column} list={list} width={width} />
    </th>
  );
}
