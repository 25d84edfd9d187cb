// What can be done with a column: sort, filter by what it holds, group, move, make wider, hide.
import { useState } from "preact/hooks";
import { exactNumber, type JsonValue } from "../../../src/lib/json.js";
import { type Column, isNumeric } from "../../values/column.js";
import type { Granularity } from "../../values/group.js";
import type { Filter, FilterOp } from "../../values/query.js";
import { Revealed } from "../reveal.js";
import { filterOps, OP_NAMES } from "./filters.js";
import type { RowsState } from "./use-result.js";

/** Pixels a column becomes wider or narrower by. */
const WIDTH_STEP = 60;
const MIN_WIDTH = 48;
const GRANULARITIES: readonly Granularity[] = ["year", "month", "day"];

/** Changes something and closes the panel. */
function then(close: () => void, change: () => void): void {
  change();
  close();
}

/** The value that was typed, as the column's values are: a number for a column of numbers. */
function typedValue(text: string, column: Column): JsonValue {
  const trimmed = text.trim();
  if (column.kind === "time" && column.timeForm !== "day") return trimmed;
  return isNumeric(column) && /^-?\d/.test(trimmed) ? (exactNumber(trimmed) ?? trimmed) : trimmed;
}

function Options({
  column,
  filter,
  onChange,
}: {
  column: Column;
  filter: Filter | undefined;
  onChange: (filter: Filter | undefined) => void;
}) {
  const isBoolean = column.kind === "boolean";
  const options: JsonValue[] = isBoolean ? [true, false] : [...column.options];
  const chosen = Array.isArray(filter?.value) ? filter.value : options;
  const toggle = (option: JsonValue) => {
    const next = chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option];
    onChange(next.length === options.length ? undefined : { field: column.name, op: "in", value: next });
  };
  return (
    <fieldset class="menu-options">
      <legend class="label">Show</legend>
      {options.map((option) => (
        <label key={String(option)}>
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
          <Revealed text={isBoolean ? (option === true ? "yes" : "no") : String(option)} lines="mark" />
        </label>
      ))}
    </fieldset>
  );
}

function ValueInput({
  isDate,
  value,
  onChange,
}: {
  isDate: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  if (isDate)
    return (
      <input type="date" aria-label="Value" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    );
  return (
    <input type="text" aria-label="Value" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
  );
}

/** A condition with one value. */
function Condition({
  column,
  filter,
  onApply,
}: {
  column: Column;
  filter: Filter | undefined;
  onApply: (filter: Filter | undefined) => void;
}) {
  const ops = filterOps(column);
  const [op, setOp] = useState<FilterOp>(filter?.op ?? ops[0] ?? "contains");
  const [text, setText] = useState(filter?.value === undefined ? "" : String(filter.value));
  const takesValue = op !== "empty" && op !== "not_empty";
  const apply = (event: Event) => {
    event.preventDefault();
    if (!takesValue) onApply({ field: column.name, op });
    else onApply(text.trim() === "" ? undefined : { field: column.name, op, value: typedValue(text, column) });
  };
  return (
    <form class="menu-filter" onSubmit={apply}>
      <select aria-label="Condition" value={op} onChange={(event) => setOp(event.currentTarget.value as FilterOp)}>
        {ops.map((one) => (
          <option key={one} value={one}>
            {OP_NAMES[one]}
          </option>
        ))}
      </select>
      {takesValue && <ValueInput isDate={column.kind === "time"} value={text} onChange={setText} />}
      <div class="buttons">
        <button type="submit" class="primary">
          Filter
        </button>
        {filter !== undefined && (
          <button type="button" onClick={() => onApply(undefined)}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
}

function GroupButtons({ column, list, close }: { column: Column; list: RowsState; close: () => void }) {
  const { group, setGroup } = list;
  const choose = (granularity?: Granularity) => {
    setGroup({ field: column.name, granularity });
    close();
  };
  if (group?.field === column.name)
    return (
      <button type="button" class="menu-item" onClick={() => then(close, () => setGroup(undefined))}>
        No groups
      </button>
    );
  if (column.kind !== "time")
    return (
      <button type="button" class="menu-item" onClick={() => choose()}>
        Group by it
      </button>
    );
  return (
    <>
      {GRANULARITIES.map((one) => (
        <button type="button" class="menu-item" key={one} onClick={() => choose(one)}>
          {`Group by ${one}`}
        </button>
      ))}
    </>
  );
}

function LayoutButtons(props: { column: Column; list: RowsState; names: readonly string[]; width: number }) {
  const { column, list, names, width } = props;
  const { layout, setLayout } = list;
  const at = names.indexOf(column.name);
  const move = (by: -1 | 1) => {
    const order = names.filter((name) => name !== column.name);
    setLayout({ ...layout, order: order.toSpliced(at + by, 0, column.name) });
  };
  const resize = (by: number) =>
    setLayout({ ...layout, widths: { ...layout.widths, [column.name]: Math.max(MIN_WIDTH, width + by) } });
  return (
    <div class="menu-row">
      <button type="button" disabled={at === 0} onClick={() => move(-1)}>
        Move left
      </button>
      <button type="button" disabled={at === names.length - 1} onClick={() => move(1)}>
        Move right
      </button>
      <button type="button" onClick={() => resize(-WIDTH_STEP)}>
        Narrower
      </button>
      <button type="button" onClick={() => resize(WIDTH_STEP)}>
        Wider
      </button>
    </div>
  );
}

/** The panel of a column. */
export function ColumnMenu(props: {
  column: Column;
  list: RowsState;
  /** The visible columns, in their order. */
  names: readonly string[];
  /** In pixels. */
  width: number;
  close: () => void;
}) {
  const { column, list, close, names } = props;
  const { query, setQuery, layout, setLayout } = list;
  const filter = query.filters.find(({ field }) => field === column.name);
  const setFilter = (next: Filter | undefined) => {
    const others = query.filters.filter(({ field }) => field !== column.name);
    setQuery({ ...query, filters: next === undefined ? others : [...others, next] });
  };
  const sort = (descending: boolean) => {
    setQuery({ ...query, sort: [{ field: column.name, descending }] });
    close();
  };
  const hasOptions = column.kind === "boolean" || (column.kind === "enum" && column.options.length > 0);
  return (
    <div class="column-menu">
      <p class="menu-title">
        <Revealed text={column.name} />
      </p>
      <button type="button" class="menu-item" onClick={() => sort(false)}>
        Sort ascending
      </button>
      <button type="button" class="menu-item" onClick={() => sort(true)}>
        Sort descending
      </button>
      <GroupButtons column={column} list={list} close={close} />
      {names.length > 1 && (
        <button
          type="button"
          class="menu-item"
          onClick={() => then(close, () => setLayout({ ...layout, hidden: [...layout.hidden, column.name] }))}
        >
          Hide the column
        </button>
      )}
      {hasOptions ? (
        <Options column={column} filter={filter} onChange={setFilter} />
      ) : (
        <Condition column={column} filter={filter} onApply={(next) => then(close, () => setFilter(next))} />
      )}
      <LayoutButtons column={column} list={list} names={names} width={props.width} />
    </div>
  );
}
