// What a displayed result is: its rows and where they come from, its columns, and what of it is asked. One state for the result in the
// page and for the same one in a sheet.
import { useEffect, useMemo, useState } from "preact/hooks";
import { shortenedIn } from "../../../src/domain/shortened-result.js";
import type { JsonValue } from "../../../src/lib/json.js";
import { isObject } from "../../../src/lib/json.js";
import { toPointer } from "../../../src/lib/json-pointer.js";
import type { MarkedCell } from "../../state/marked-cell.js";
import { createPageSource, type KeptResult, openKept, type RowSource } from "../../state/row-source.js";
import { layoutOf, rememberLayout, type TableLayout } from "../../state/table-layout.js";
import { anyChart, type ChartSpec, groupedChart, proposeChart } from "../../values/chart.js";
import { type Column, columnsOf } from "../../values/column.js";
import { isBarePlace } from "../../values/geo.js";
import type { GroupBy } from "../../values/group.js";
import { type Query, WHOLE } from "../../values/query.js";
import { asOnlyRow, isEmptyList, NO_ROW, type Rows, rowsIn, totalOf } from "../../values/rows.js";
import type { RecordedRows } from "./save.js";
import type { Tab } from "./tabs.js";

/** What the component that displays results is given. */
export interface ResultProps {
  value: JsonValue;
  /** Where all rows are, when the value has only the first of them. */
  source?: RowSource | undefined;
  /** Loads the fields around those rows. */
  loadRest?: (() => Promise<JsonValue>) | undefined;
  label: string;
  /** The history row of the call, where it is known: the daemon keeps the whole result under it. */
  history_id?: number | undefined;
  /** The tool that was called, where it is known. */
  tool?: string | undefined;
  /** The cell that is pointed at from elsewhere. */
  marked?: MarkedCell | undefined;
  /** How it is looked at first; by what it is when left out. */
  first?: Tab | undefined;
  /** Its direction, where it may be another one than that of the page. */
  dir?: "ltr" | "rtl" | undefined;
  /** Another way to look at it, which those have who display it. */
  own?: { name: string; onChoose(): void } | undefined;
}

/** A result of rows, and what of them is displayed. */
export interface RowsState {
  rows: Rows;
  source: RowSource;
  columns: readonly Column[];
  query: Query;
  setQuery: (query: Query) => void;
  /** How many rows match, once the table has found out. */
  matching: number | undefined;
  setMatching: (matching: number | undefined) => void;
  /** How many rows the answer had, of which only the first may be here. */
  total: number;
  group: GroupBy | undefined;
  setGroup: (group: GroupBy | undefined) => void;
  layout: TableLayout;
  setLayout: (layout: TableLayout) => void;
  proposal: ChartSpec | undefined;
  chart: ChartSpec | undefined;
  setChart: (chart: ChartSpec | undefined) => void;
  recorded: RecordedRows | undefined;
  /** The name of a file it is saved as, without its ending. */
  fileName: string;
}

/** A displayed result; its value in the shape the answer had, a long list in it with its first rows. */
export interface ResultState extends ResultProps {
  tabs: readonly Tab[];
  tab: Tab;
  setTab: (tab: Tab) => void;
  /** Undefined when the result has no rows. */
  list: RowsState | undefined;
  /** The rows that can be drawn: those of the list, or the result itself where it is a place. */
  drawn: RowsState | undefined;
  /** Whether it has rows that are not here yet. */
  isLoading: boolean;
}

/** Results of more rows are asked of the daemon where it keeps them. */
const MAX_PAGE_ROWS = 200;

/** An answer as the page has it. `total`: how many rows it had, where only the first are in it. */
interface ShortAnswer {
  value: JsonValue;
  total: number;
}

/**
 * What the daemon has of a result, where it has more of it than the page, or more than a page sorts well. Null while it is asked for;
 * undefined where it is not, or has nothing of it.
 */
function useKept(answer: ShortAnswer, { history_id, source }: ResultProps): KeptResult | null | undefined {
  const [kept, setKept] = useState<KeptResult | null | undefined>(null);
  const rows = useMemo(() => rowsIn(answer.value), [answer]);
  const here = rows?.rows.length ?? 0;
  const total = Math.max(answer.total, rows === null ? 0 : totalOf(rows));
  const asks = source === undefined && history_id !== undefined && (total > here || total > MAX_PAGE_ROWS);
  useEffect(() => {
    setKept(null);
    if (!asks) return;
    const aborted = new AbortController();
    openKept(history_id, aborted.signal).then(setKept, () => {
      // Its result is gone: the rows in the page remain.
      if (!aborted.signal.aborted) setKept(undefined);
    });
    return () => aborted.abort();
  }, [asks, history_id]);
  return asks ? kept : undefined;
}

/** The answer with the first rows that the daemon keeps, where the record had room for fewer. */
function withKeptRows(value: JsonValue, kept: KeptResult | null | undefined): ShortAnswer {
  const own = shortenedIn(value);
  if (own === undefined) return { value, total: 0 };
  const isMore = kept?.source !== undefined && Array.isArray(kept.value) && kept.value.length > own.items.length;
  return (isMore && isObject(value) && shortenedIn({ ...value, items: kept.value })) || own;
}

function useLayout(tool: string): [TableLayout, (layout: TableLayout) => void] {
  const [layout, setLayout] = useState(() => layoutOf(tool));
  const change = (next: TableLayout) => {
    setLayout(next);
    rememberLayout(tool, next);
  };
  return [layout, change];
}

/** The rows of an answer, and those that the daemon keeps of it. Of an answer without any, itself as the only one. */
function useRowsState(props: ResultProps, answer: ShortAnswer, kept: RowSource | undefined): RowsState | undefined {
  const { history_id, tool, label } = props;
  const rows = useMemo(() => rowsIn(answer.value) ?? asOnlyRow(answer.value), [answer]);
  const page = useMemo(() => (rows === null ? undefined : createPageSource(rows.rows)), [rows]);
  const source = props.source ?? kept ?? page;
  const total = Math.max(answer.total, rows === null ? 0 : totalOf(rows));
  const columns = useMemo(
    () => (rows === null ? [] : columnsOf(rows.columns, rows.rows, { facts: source?.facts ?? [] })),
    [rows, source],
  );
  const proposal = useMemo(() => {
    if (rows === null) return undefined;
    return proposeChart(columns, rows.rows, source?.facts) ?? (props.first === "chart" ? anyChart(columns) : undefined);
  }, [rows, columns]);
  const [query, setQuery] = useState(WHOLE);
  const [matching, setMatching] = useState<number | undefined>(undefined);
  const [group, setGroup] = useState<GroupBy | undefined>(undefined);
  const [layout, setLayout] = useLayout(tool ?? "");
  const [chart, setChart] = useState<ChartSpec | undefined>(undefined);
  const ofGroups = useMemo(() => group && groupedChart(columns, group), [columns, group]);
  if (rows === null || source === undefined) return undefined;
  const fileName = [tool ?? label.toLowerCase(), history_id].filter((part) => part !== undefined).join("-");
  const recorded = history_id === undefined ? undefined : { history_id, path: toPointer(rows.path) };
  const asked = { query, setQuery, matching, setMatching, group, setGroup, layout, setLayout };
  const drawn = { proposal, chart: chart ?? ofGroups ?? proposal, setChart };
  return { rows, source, columns, total: Math.max(total, source.total), ...asked, ...drawn, recorded, fileName };
}

function tabsOf(value: JsonValue, list: RowsState | undefined, drawn: RowsState | undefined): Tab[] {
  const tabs: Tab[] = [];
  // A list without rows has no columns, and yet is displayed as a table.
  if (list !== undefined || isEmptyList(value)) tabs.push("table");
  if (drawn !== undefined) tabs.push("chart");
  if (isObject(value)) tabs.push("fields");
  return [...tabs, "json"];
}

/** Displays all rows in their own order, with a column among them. */
function showWhole({ setQuery, setGroup, layout, setLayout }: RowsState, column: string): void {
  setQuery(WHOLE);
  setGroup(undefined);
  if (layout.hidden.includes(column)) setLayout({ ...layout, hidden: layout.hidden.filter((name) => name !== column) });
}

/** The state of a displayed result. */
export function useResult(props: ResultProps): ResultState {
  const short = useMemo(() => withKeptRows(props.value, undefined), [props.value]);
  const kept = useKept(short, props);
  const answer = useMemo(() => (kept ? withKeptRows(props.value, kept) : short), [short, kept]);
  const { value } = answer;
  const rows = useRowsState(props, answer, kept?.source);
  const list = rows?.rows.rows[0] === value ? undefined : rows;
  const drawn = rows?.chart === undefined ? undefined : rows;
  const [chosen, setTab] = useState<Tab | undefined>(props.first);
  const tabs = tabsOf(value, list, drawn);
  const isTable = list === undefined ? isEmptyList(value) : !list.rows.isPart;
  const ofThing = tabs.includes("fields") ? "fields" : "json";
  const first = isTable ? "table" : list === undefined && drawn && isBarePlace(value) ? "chart" : ofThing;
  const tab = chosen !== undefined && tabs.includes(chosen) ? chosen : first;
  useEffect(() => {
    const isField = props.marked?.index === NO_ROW && props.marked.aggregate === undefined;
    if (isField) setTab("fields");
    if (props.marked === undefined || isField || list === undefined) return;
    setTab("table");
    showWhole(list, props.marked.column);
  }, [props.marked]);
  return { ...props, value, tabs, tab, setTab, list, drawn, isLoading: kept === null && list === undefined };
}
