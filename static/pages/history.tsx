// The record of every call, newest first: filters, paging backwards, and the whole row on a click.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { UNNAMED } from "../../src/domain/application-name.js";
import { HISTORY_STATUSES } from "../../src/domain/history-status.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { ApplicationFilter, ApplicationTag } from "../parts/applications.js";
import { EffectView } from "../parts/effect.js";
import { duration, fullTime, moment, words } from "../parts/format.js";
import { Icon, Spinner } from "../parts/icons.js";
import { Json } from "../parts/json.js";
import { Loaded, LoadedValue } from "../parts/loaded-value.js";
import { PageHead } from "../parts/page-head.js";
import { RequestView } from "../parts/request.js";
import { Revealed } from "../parts/reveal.js";
import { argumentsLine } from "../parts/summary.js";
import { SafetyTag, StatusTag } from "../parts/tags.js";
import { Undo } from "../parts/undo.js";
import { Value } from "../parts/value.js";
import { errorText, requestList } from "../state/api.js";
import { isAmbiguous, toolsByName } from "../state/daemon.js";
import { loadRow, loadRowResult } from "../state/results.js";
import { navigate } from "../state/route.js";

/** Rows a request. */
const PAGE_SIZE = 50;
/** New filters apply after a pause of this length in the typing. */
const TYPING_PAUSE_MS = 250;
/** Names offered in the filter for tools. */
const MAX_TOOL_NAMES = 500;

interface Filters {
  /** "" for any, UNNAMED for the one without a name. */
  application: string;
  tool: string;
  status: string;
  session_id: string;
}

/** Kept while another view is displayed, so that the way back leads to the same rows. */
const filters = signal<Filters>({ application: "", tool: "", status: "", session_id: "" });

function loadPage(filters: Filters, before: number | undefined, signal: AbortSignal): Promise<HistoryEntry[]> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), results: "small" });
  for (const [name, value] of Object.entries(filters)) if (value !== "") query.set(name, value);
  if (filters.application === UNNAMED) query.set("application", "");
  if (before !== undefined) query.set("before", String(before));
  return requestList(`/history?${query}`, "history", { signal });
}

function Details({ row }: { row: HistoryEntry }) {
  const modes = Object.entries(row.policy).filter(([, on]) => on);
  return (
    <div class="row-body">
      <dl class="facts">
        <dt>When</dt>
        <dd>{fullTime(row.ts)}</dd>
        {isAmbiguous(row.application) && row.application !== "" && (
          <>
            <dt>Application</dt>
            <dd>{row.application}</dd>
          </>
        )}
        <dt>Session</dt>
        <dd>
          <button type="button" class="link" onClick={() => navigate({ kind: "chat", session: row.session_id })}>
            {row.session_id}
          </button>
        </dd>
        <dt>Model</dt>
        <dd>{`${row.provider} · ${row.model}`}</dd>
        <dt>Asked by</dt>
        <dd>
          <Revealed text={row.asked_by === "" ? row.client : `${row.asked_by} · ${row.client}`} />
        </dd>
        <dt>Modes</dt>
        <dd>{modes.length === 0 ? "none" : modes.map(([name]) => words(name)).join(", ")}</dd>
        <dt>Call</dt>
        <dd class="mono">{row.call_id}</dd>
      </dl>
      <p class="label">Arguments</p>
      <Json value={row.arguments} label="Arguments" />
      {row.request !== null && <RequestView request={row.request} />}
      {row.effect !== undefined && (
        <EffectView
          effect={row.effect}
          undo={row.undo}
          label={row.status === "ok" ? "What changed" : "What would change"}
        />
      )}
      {row.effect_bytes !== undefined && (
        <Loaded
          load={() => loadRow(row.id)}
          length={row.effect_bytes}
          draw={({ effect }) => effect && <EffectView effect={effect} undo={row.undo} label="What changed" />}
        />
      )}
      <Undo history_id={row.id} undo={row.undo} asks={true} />
      {row.result_bytes !== undefined ? (
        <LoadedValue load={() => loadRowResult(row.id)} length={row.result_bytes} label="Result" />
      ) : (
        row.status !== "held" && row.status !== "pending" && <Value value={row.result} label="Result" />
      )}
    </div>
  );
}

function Row({ row }: { row: HistoryEntry }) {
  const [open, setOpen] = useState(false);
  return (
    <li class="row">
      <button type="button" class="row-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="row-id faint">{row.id}</span>
        <time class="row-time" dateTime={row.ts} title={fullTime(row.ts)}>
          {moment(row.ts)}
        </time>
        <code class="row-tool">
          <ApplicationTag name={row.application} /> <Revealed text={row.tool} />
        </code>
        <span class="row-arguments">
          <Revealed text={argumentsLine(typeof row.request?.["asks"] === "string" ? row.request : row.arguments)} />
        </span>
        <span class="row-safety">
          <SafetyTag safety={row.safety} />
        </span>
        <span class="row-duration faint">{row.duration_ms === null ? "" : duration(row.duration_ms)}</span>
        <StatusTag status={row.status} />
      </button>
      {open && <Details row={row} />}
    </li>
  );
}

/** The rows that match the filters, with a function that loads older ones. `refresh` loads them again when it changes. */
function useRows(filters: Filters, refresh: number) {
  const [rows, setRows] = useState<HistoryEntry[]>([]);
  const [hasMore, setHasMore] = useState(false);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState("");
  const load = async (before: number | undefined, signal: AbortSignal) => {
    setLoading(true);
    try {
      const next = await loadPage(filters, before, signal);
      if (signal.aborted) return;
      setRows((rows) => (before === undefined ? next : [...rows, ...next]));
      setHasMore(next.length === PAGE_SIZE);
      setError("");
    } catch (failure) {
      if (signal.aborted) return;
      setError(errorText(failure));
    }
    setLoading(false);
  };
  const { application, tool, status, session_id } = filters;
  // A request for older rows belongs to the filters it was sent under, and is aborted with them.
  const present = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    present.current = controller;
    const timer = setTimeout(() => void load(undefined, controller.signal), rows.length === 0 ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [application, tool, status, session_id, refresh]);
  const loadOlder = () => void load(rows.at(-1)?.id, present.current.signal);
  return { rows, hasMore, loadOlder, loading, error };
}

function FilterBar() {
  const { application, tool, status, session_id } = filters.value;
  const set = (name: keyof Filters, value: string) => (filters.value = { ...filters.peek(), [name]: value.trim() });
  return (
    <search class="filters">
      <ApplicationFilter value={application} onChange={(value) => set("application", value)} />
      <label>
        <span>Tool</span>
        <input
          type="search"
          list="tool-names"
          placeholder="whole name"
          value={tool}
          onInput={(event) => set("tool", event.currentTarget.value)}
        />
      </label>
      <datalist id="tool-names">
        {[...toolsByName.value.keys()].slice(0, MAX_TOOL_NAMES).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label>
        <span>Status</span>
        <select value={status} onChange={(event) => set("status", event.currentTarget.value)}>
          <option value="">any</option>
          {HISTORY_STATUSES.map((status) => (
            <option key={status} value={status}>
              {words(status)}
            </option>
          ))}
        </select>
      </label>
      <label class="filter-session">
        <span>Session</span>
        <input
          type="search"
          placeholder="whole id"
          value={session_id}
          onInput={(event) => set("session_id", event.currentTarget.value)}
        />
      </label>
    </search>
  );
}

/** The history page. */
export function HistoryPage() {
  const [refresh, setRefresh] = useState(0);
  const { rows, hasMore, loadOlder, loading, error } = useRows(filters.value, refresh);
  const isFiltered = Object.values(filters.value).some(Boolean);
  return (
    <div class="page">
      <PageHead title="History">
        <button
          type="button"
          class="icon-button"
          aria-label="Refresh"
          title="Refresh"
          onClick={() => setRefresh(refresh + 1)}
        >
          <Icon name="refresh" />
        </button>
      </PageHead>
      <div class="page-body">
        <div class="column wide">
          <FilterBar />
          <p class="error-text" role="alert">
            {error}
          </p>
          <ul class="history" aria-label="Calls, newest first" aria-busy={loading}>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          {loading && <Spinner />}
          {!loading && rows.length === 0 && <p class="faint">No calls{isFiltered ? " fit these filters" : " yet"}.</p>}
          {hasMore && (
            <button type="button" onClick={loadOlder} disabled={loading}>
              Load older
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
