// What stands below each other in a table: the rows that match, or groups that unfold to theirs.
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { type JsonValue, toJson } from "../../../src/lib/json.js";
import { errorText } from "../../state/api.js";
import { aggregatesOf, type Column, isNumeric } from "../../values/column.js";
import type { Computed, Group, GroupBy } from "../../values/group.js";
import type { Filter, Query } from "../../values/query.js";
import { type PlacedRow, RowWindow } from "./row-window.js";
import type { RowsState } from "./use-result.js";

/** One line of the table's body. */
type Item =
  | { kind: "row"; place: number; placed: PlacedRow | undefined }
  | { kind: "group"; group: Group; isOpen: boolean; toggle: () => void };

/** The lines of the table's body. */
export interface Items {
  count: number;
  at(index: number): Item;
  /** How many rows match; undefined until it is known. */
  matching: number | undefined;
  isLoading: boolean;
  error: string;
}

/** Columns that are computed over: the daemon takes a hundred aggregates at once. */
const MAX_COMPUTED = 24;

/** What is computed over each numeric column, of all rows or of groups by a column. */
function computedOf(columns: readonly Column[], groupedBy?: string): Computed[] {
  return columns
    .filter(isNumeric)
    .slice(0, MAX_COMPUTED)
    .flatMap((column) => aggregatesOf(column, groupedBy).map((aggregate) => ({ aggregate, field: column.name })));
}

/** The condition that a row is in a group. */
function memberFilter({ field, granularity }: GroupBy, key: JsonValue): Filter {
  if (key === null) return { field, op: "empty" };
  return granularity === undefined ? { field, op: "eq", value: key } : { field, op: "starts", value: key };
}

function useWindow(list: RowsState, query: Query | undefined, onChange: () => void): RowWindow | undefined {
  const { source } = list;
  const rows = useMemo(
    () => (query === undefined ? undefined : new RowWindow({ source, query, onChange })),
    [source, query],
  );
  useEffect(() => () => rows?.close(), [rows]);
  return rows;
}

/** The groups, and the rows of those that are open. */
function useGroups(list: RowsState, redraw: () => void) {
  const { source, query, group, columns } = list;
  const [groups, setGroups] = useState<Group[] | undefined>(undefined);
  const [error, setError] = useState("");
  const [open, setOpen] = useState<ReadonlyMap<string, RowWindow>>(new Map());
  useEffect(() => {
    setGroups(undefined);
    setError("");
    setOpen((before) => {
      for (const one of before.values()) one.close();
      return new Map();
    });
    if (group === undefined) return;
    const aborted = new AbortController();
    const order = group.granularity === undefined ? (a: Group, b: Group) => b.count - a.count : byKey;
    source.groups(query, { by: [group], computed: computedOf(columns, group.field), signal: aborted.signal }).then(
      (found) => setGroups(found.toSorted(order)),
      (failure: unknown) => aborted.signal.aborted || setError(errorText(failure)),
    );
    return () => aborted.abort();
  }, [source, query, group]);
  const toggle = (one: Group) => {
    if (group === undefined) return;
    const id = toJson(one.key);
    const next = new Map(open);
    const present = next.get(id);
    if (present !== undefined) {
      present.close();
      next.delete(id);
    } else {
      const filters = [...query.filters, memberFilter(group, one.key[0] ?? null)];
      next.set(id, new RowWindow({ source, query: { ...query, filters }, onChange: redraw }));
    }
    setOpen(next);
  };
  return { groups, error, open, toggle };
}

function byKey(a: Group, b: Group): number {
  return String(a.key[0]) < String(b.key[0]) ? -1 : 1;
}

/** Where each group's line is, and how many lines there are. */
function placesOf(groups: readonly Group[], open: ReadonlyMap<string, RowWindow>) {
  const starts: number[] = [];
  let count = 0;
  for (const group of groups) {
    starts.push(count);
    count += 1 + (open.size > 0 && open.has(toJson(group.key)) ? group.count : 0);
  }
  return { starts, count, matching: groups.reduce((sum, group) => sum + group.count, 0) };
}

/** The number of the last start that is not behind an index; the first where there is none. */
function lastStart(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** The lines of groups. There may be as many groups as rows: what takes a look at all of them is done once. */
function useGroupItems({ groups, open, toggle, error }: ReturnType<typeof useGroups>): Items {
  const { starts, count, matching } = useMemo(() => placesOf(groups ?? [], open), [groups, open]);
  const isLoading = groups === undefined && error === "";
  return {
    count,
    at(index) {
      const number = lastStart(starts, index);
      const group = groups?.[number] ?? { key: [null], count: 0, values: {} };
      const rows = open.get(toJson(group.key));
      const place = index - (starts[number] ?? 0) - 1;
      if (place < 0) return { kind: "group", group, isOpen: rows !== undefined, toggle: () => toggle(group) };
      return { kind: "row", place, placed: rows?.at(place) };
    },
    matching: groups === undefined ? undefined : matching,
    isLoading,
    error,
  };
}

/** The lines of a table's body; redraws when rows arrive. */
export function useItems(list: RowsState): Items {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const isGrouped = list.group !== undefined;
  const again = () => redraw(undefined);
  const rows = useWindow(list, isGrouped ? undefined : list.query, again);
  const groups = useGroupItems(useGroups(list, again));
  if (rows === undefined) return groups;
  return {
    count: rows.matching ?? 0,
    at: (place) => ({ kind: "row", place, placed: rows.at(place) }),
    matching: rows.matching,
    isLoading: rows.isLoading,
    error: rows.error,
  };
}

/** What is computed over all rows that match; empty until it is known. */
export function useTotals({ source, query, columns }: RowsState): Readonly<Record<string, JsonValue>> {
  const [totals, setTotals] = useState<Readonly<Record<string, JsonValue>>>({});
  useEffect(() => {
    const computed = computedOf(columns);
    if (computed.length === 0) return;
    const aborted = new AbortController();
    source.totals(query, computed, aborted.signal).then(setTotals, () => {
      // The table says what went wrong; the line of sums stays as it was.
    });
    return () => aborted.abort();
  }, [source, query, columns]);
  return totals;
}
