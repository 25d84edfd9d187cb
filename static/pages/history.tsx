// The record of every call, newest first: a list of any length, filters that stand in the address, and beside it the call that is open.
import "../style/history.css";
import { useEffect, useMemo } from "preact/hooks";
import { HistoryDetails } from "../parts/history/details.js";
import { FilterBar } from "../parts/history/filter-bar.js";
import { HistoryList } from "../parts/history/list.js";
import { Icon, Spinner } from "../parts/icons.js";
import { PageHead } from "../parts/page-head.js";
import { ViewLink } from "../parts/view-link.js";
import { onChange } from "../state/changes.js";
import { filtersIn, isFiltered, setFilters } from "../state/history-filters.js";
import { createHistoryRows, type HistoryRows } from "../state/history-rows.js";
import { view } from "../state/route.js";

/** The rows of the present filters; one list for each set of them. */
function useRows(search: string): HistoryRows {
  const rows = useMemo(() => createHistoryRows(filtersIn(search)), [search]);
  useEffect(() => {
    const stop = onChange((change) => {
      if (change.kind === "history") rows.note(change.id);
      else if (change.kind === "reconnected") void rows.refresh();
    });
    return () => {
      stop();
      rows.close();
    };
  }, [rows]);
  return rows;
}

function Empty({ isSearched }: { isSearched: boolean }) {
  if (isSearched)
    return (
      <div class="empty">
        <p>No calls fit these filters.</p>
        <button
          type="button"
          onClick={() =>
            setFilters({ q: "", tool: "", application: "", safety: "", status: "", when: "", session: "" })
          }
        >
          Show all calls
        </button>
      </div>
    );
  return (
    <div class="empty">
      <p>No calls yet. Every call of a tool is recorded here: what was sent, what came back, and what it changed.</p>
      <p class="empty-links">
        <ViewLink view={{ kind: "chat", session: null }} current={false}>
          Ask for something
        </ViewLink>
        <ViewLink view={{ kind: "tools" }} current={false}>
          Look at the tools
        </ViewLink>
      </p>
    </div>
  );
}

function State({ rows, isSearched }: { rows: HistoryRows; isSearched: boolean }) {
  rows.version.value;
  const isLoading = rows.loading.value;
  return (
    <>
      {rows.error.value !== "" && (
        <p class="failure" role="alert">
          {rows.error.value}{" "}
          <button type="button" class="link" onClick={() => void rows.start()}>
            Try again
          </button>
        </p>
      )}
      {isLoading && rows.length === 0 && <Spinner />}
      {!isLoading && rows.length === 0 && !rows.hasMore && rows.error.value === "" && <Empty isSearched={isSearched} />}
      <p class="visually-hidden" role="status">
        {isLoading ? "" : `${rows.length.toLocaleString()}${rows.hasMore ? " or more" : ""} calls`}
      </p>
    </>
  );
}

/** The history page. */
export function HistoryPage() {
  const now = view.value;
  const { row, search = "" } = now.kind === "history" ? now : {};
  const rows = useRows(search);
  return (
    <div class="page">
      <PageHead title="History">
        <button
          type="button"
          class="icon-button"
          aria-label="Refresh"
          title="Refresh"
          onClick={() => void rows.refresh()}
        >
          <Icon name="refresh" />
        </button>
      </PageHead>
      <div class={row === undefined ? "history-page" : "history-page has-details"}>
        <div class="history-side">
          <FilterBar />
          <State rows={rows} isSearched={isFiltered(filtersIn(search))} />
          <HistoryList key={search} rows={rows} />
        </div>
        {row !== undefined && <HistoryDetails id={row} version={rows.at(rows.indexOf(row))} />}
      </div>
    </div>
  );
}
