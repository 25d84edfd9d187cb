// A result on the screen: as a table, a chart, fields or JSON, here or as large as the screen.
import { useEffect, useRef, useState } from "preact/hooks";
import { isObject, type JsonValue, toJson } from "../../../src/lib/json.js";
import { errorText } from "../../state/api.js";
import { toolsByName } from "../../state/daemon.js";
import type { MarkedCell } from "../../state/marked-cell.js";
import { anyChart } from "../../values/chart.js";
import { statedCount } from "../../values/record-count.js";
import { NO_ROW } from "../../values/rows.js";
import { Copy } from "../copy.js";
import { counted } from "../format.js";
import { Icon, Spinner } from "../icons.js";
import { lazy } from "../lazy.js";
import { Revealed } from "../reveal.js";
import { FieldList } from "./fields.js";
import { JsonTree } from "./json-tree.js";
import { FileNote } from "./picture.js";
import { Sheet } from "./sheet.js";
import { ResultTable } from "./table.js";
import { TAB_NAMES, TABS, type Tab } from "./tabs.js";
import { FilterChips, TableTools } from "./toolbar.js";
import { type ResultProps, type ResultState, type RowsState, useResult } from "./use-result.js";
import { ViewTabs } from "./view-tabs.js";
import "../../style/result.css";

const Chart = lazy(async () => (await import("./chart.js")).Chart);

/** A table of more characters than this in a row takes the width of the screen where there is room. */
const WIDE = 95;

function Tabs({ state, takesFocus }: { state: ResultState; takesFocus: boolean }) {
  const { list, tabs, tab, setTab, own } = state;
  const offersChart = list !== undefined && list.chart === undefined && list.rows.rows.length > 1;
  if (tabs.length < 2 && !offersChart && own === undefined) return null;
  const choose = (one: Tab) => {
    if (one === "chart" && offersChart) list.setChart(anyChart(list.columns));
    setTab(one);
  };
  const shown = TABS.filter((one) => tabs.includes(one) || (one === "chart" && offersChart)).map((one) => ({
    name: TAB_NAMES[one],
    isChosen: one === tab,
    isQuiet: !tabs.includes(one),
    onChoose: () => choose(one),
  }));
  return <ViewTabs tabs={own ? [{ ...own, isChosen: false }, ...shown] : shown} takesFocus={takesFocus} />;
}

const isField = (marked: MarkedCell | undefined): boolean => marked?.index === NO_ROW && marked.aggregate === undefined;

/**
 * The fields beside the rows: a total, a next page. Those of a long list are loaded when they are opened, which a marked one does where
 * it has no other place.
 */
function Rest({ list, state }: { list: RowsState; state: ResultState }) {
  const { loadRest, tabs } = state;
  const marked = isField(state.marked) && !tabs.includes("fields") ? state.marked : undefined;
  const [rest, setRest] = useState<JsonValue>(list.rows.rest);
  const [error, setError] = useState("");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (marked !== undefined) setOpen(true);
  }, [marked]);
  useEffect(() => {
    if (!isOpen || rest !== null) return;
    loadRest?.().then(setRest, (failure: unknown) => setError(errorText(failure)));
  }, [isOpen]);
  if (rest === null && loadRest === undefined) return null;
  const from = state.tool === undefined ? undefined : toolsByName.value.get(state.tool);
  return (
    <details class="result-rest" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Other fields</summary>
      {error !== "" && <p class="error-text">{error}</p>}
      {isObject(rest) && <FieldList value={rest} from={from} marked={marked} />}
    </details>
  );
}

/** Says that a value has only the first rows. */
function FirstRows({ state }: { state: ResultState }) {
  const { list } = state;
  if (list === undefined || list.rows.rows.length >= list.total) return null;
  const [first, all] = [list.rows.rows.length, counted(list.total, "row")];
  return <p class="faint result-note">{`The first ${first.toLocaleString()} of ${all}. A file has all of them.`}</p>;
}

function Content({ state }: { state: ResultState }) {
  const { value, label, tab, list, drawn, tool } = state;
  const from = tool === undefined ? undefined : toolsByName.value.get(tool);
  if (tab === "table" && list !== undefined)
    return (
      <>
        <FilterChips list={list} />
        <ResultTable state={state} list={list} marked={state.marked} />
        <Rest list={list} state={state} />
      </>
    );
  if (tab === "table" && state.isLoading)
    return (
      <p class="faint result-note" aria-busy={true}>
        <Spinner /> Loading its rows
      </p>
    );
  if (tab === "table") return <p class="faint result-note">No rows.</p>;
  if (tab === "chart" && drawn?.chart !== undefined)
    return (
      <>
        <FilterChips list={drawn} />
        <Chart list={drawn} spec={drawn.chart} />
      </>
    );
  if (tab === "fields" && isObject(value))
    return (
      <>
        <FirstRows state={state} />
        <FileNote value={value} history_id={state.history_id} />
        <FieldList value={value} from={from} marked={isField(state.marked) ? state.marked : undefined} />
      </>
    );
  return (
    <>
      <FirstRows state={state} />
      <JsonTree value={value} label={label} />
    </>
  );
}

/**
 * How many rows there are: "312 of 100,000 rows" where only some match. Those that match are of the rows that are here; the answer may
 * say that there are more.
 */
function Count({ list, marked }: { list: RowsState; marked: MarkedCell | undefined }) {
  const { rows, source } = list;
  const text = useRef<HTMLElement>(null);
  const isMarked = marked?.aggregate === "count";
  useEffect(() => {
    if (!isMarked) return;
    text.current?.scrollIntoView({ block: "center" });
    text.current?.focus({ preventScroll: true });
  }, [marked]);
  const all = Math.max(list.total, statedCount(rows) ?? 0);
  const shown = list.matching ?? source.total;
  const some = shown === source.total ? "" : `${shown.toLocaleString()} of `;
  const first = source.isIncomplete === true && all === source.total ? "first " : "";
  const more = all === source.total ? "" : ` here, ${all.toLocaleString()} in all`;
  return (
    <span
      ref={text}
      class={isMarked ? "faint result-count marked" : "faint result-count"}
      dir="auto"
      tabIndex={isMarked ? -1 : undefined}
    >
      {some + first + counted(source.total, "row") + more}
      {rows.isPart && (
        <>
          {" in "}
          <Revealed text={rows.path.join(" ")} />
        </>
      )}
    </span>
  );
}

function Head({ state, onExpand }: { state: ResultState; onExpand?: (() => void) | undefined }) {
  const { list, label, value, tab } = state;
  const hasCount = list !== undefined && (tab === "json" ? !list.rows.isPart : tab !== "fields");
  const isWhole = list === undefined || list.total <= list.rows.rows.length;
  return (
    <div class="result-head">
      {onExpand !== undefined && <p class="label">{label}</p>}
      {hasCount && <Count list={list} marked={state.marked} />}
      <Tabs state={state} takesFocus={state.own !== undefined && onExpand !== undefined} />
      <span class="spacer" />
      <div class="result-tools">
        {list !== undefined && tab !== "json" && tab !== "fields" && <TableTools list={list} />}
        {onExpand !== undefined && (
          <button type="button" class="icon-button" aria-label={`Expand ${label}`} title="Expand" onClick={onExpand}>
            <Icon name="expand" />
          </button>
        )}
        {isWhole && <Copy label={`Copy ${label}`} text={() => toJson(value, 2)} />}
      </div>
    </div>
  );
}

/** A result with all there is to look at it. */
export function ResultView(props: ResultProps) {
  const state = useResult(props);
  const [isExpanded, setExpanded] = useState(false);
  const width = state.list?.columns.reduce((sum, column) => sum + column.width + 3, 0) ?? 0;
  const isWide = width > WIDE && (state.tab === "table" || state.tab === "chart");
  return (
    <div class={isWide ? "value result result-wide" : "value result"} dir={props.dir}>
      <Head state={state} onExpand={() => setExpanded(true)} />
      {!isExpanded && <Content state={state} />}
      {isExpanded && (
        <Sheet title={props.tool ?? props.label} kind="whole" onClose={() => setExpanded(false)}>
          <div class="value result" dir={props.dir}>
            <Head state={state} />
            <Content state={state} />
          </div>
        </Sheet>
      )}
    </div>
  );
}
