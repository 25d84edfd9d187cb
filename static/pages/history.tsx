// The record of every call, newest first: filters, paging backwards, and the whole row on a click.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { HISTORY_STATUSES } from "../../src/domain/history-status.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { duration, fullTime, moment, words } from "../parts/format.js";
import { Icon, Spinner } from "../parts/icons.js";
import { RequestView } from "../parts/request.js";
import { Revealed } from "../parts/reveal.js";
import { PageHead } from "../parts/sidebar.js";
import { SafetyTag, StatusTag } from "../parts/tags.js";
import { argumentsLine, Json, Value } from "../parts/value.js";
import { ask, sayError } from "../state/api.js";
import { listIn, toolNamed } from "../state/daemon.js";
import { go } from "../state/route.js";

const PAGE = 50;
const TYPING_MS = 250;

interface Filters {
  tool: string;
  status: string;
  session_id: string;
}

/** Kept while another view is shown, so that the way back leads to the same rows. */
const kept = signal<Filters>({ tool: "", status: "", session_id: "" });

async function page(filters: Filters, before: number | undefined, signal: AbortSignal): Promise<HistoryEntry[]> {
  const query = new URLSearchParams({ limit: String(PAGE) });
  for (const [name, value] of Object.entries(filters)) if (value !== "") query.set(name, value);
  if (before !== undefined) query.set("before", String(before));
  return listIn(await ask(`/history?${query}`, { signal }), "history");
}

function Details({ row }: { row: HistoryEntry }) {
  const modes = Object.entries(row.policy).filter(([, on]) => on);
  return (
    <div class="row-body">
      <dl class="facts">
        <dt>When</dt>
        <dd>{fullTime(row.ts)}</dd>
        <dt>Session</dt>
        <dd>
          <button type="button" class="link" onClick={() => go({ kind: "chat", session: row.session_id })}>
            {row.session_id}
          </button>
        </dd>
        <dt>Model</dt>
        <dd>{`${row.provider} · ${row.model}`}</dd>
        <dt>Asked by</dt>
        <dd>
          <Revealed text={row.client} />
        </dd>
        <dt>Modes</dt>
        <dd>{modes.length === 0 ? "none" : modes.map(([name]) => words(name)).join(", ")}</dd>
        <dt>Call</dt>
        <dd class="mono">{row.call_id}</dd>
      </dl>
      <p class="label">Arguments</p>
      <Json value={row.arguments} label="Arguments" />
      {row.request !== null && <RequestView request={row.request} />}
      {row.status !== "held" && row.status !== "pending" && <Value value={row.result} label="Result" />}
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
          <Revealed text={row.tool} />
        </code>
        <span class="row-arguments">
          <Revealed text={argumentsLine(row.arguments)} />
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

/** Rows under the filters, with a way to read on backwards. */
function useRows(filters: Filters, turn: number) {
  const [rows, setRows] = useState<HistoryEntry[]>([]);
  const [more, setMore] = useState(false);
  const [state, setState] = useState<"loading" | "ready">("loading");
  const [trouble, setTrouble] = useState("");
  const load = async (before: number | undefined, signal: AbortSignal) => {
    setState("loading");
    try {
      const next = await page(filters, before, signal);
      if (signal.aborted) return;
      setRows((rows) => (before === undefined ? next : [...rows, ...next]));
      setMore(next.length === PAGE);
      setTrouble("");
    } catch (error) {
      if (signal.aborted) return;
      setTrouble(sayError(error));
    }
    setState("ready");
  };
  const { tool, status, session_id } = filters;
  // Older rows belong to the filters they were asked under: what ends those ends that request too.
  const present = useRef(new AbortController());
  useEffect(() => {
    const stop = new AbortController();
    present.current = stop;
    const timer = setTimeout(() => void load(undefined, stop.signal), rows.length === 0 ? 0 : TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [tool, status, session_id, turn]);
  const older = () => void load(rows.at(-1)?.id, present.current.signal);
  return { rows, more, older, state, trouble };
}

/** The history page. */
export function HistoryPage() {
  const filters = kept.value;
  const [turn, setTurn] = useState(0);
  const { rows, more, older, state, trouble } = useRows(filters, turn);
  const set = (name: keyof Filters, value: string) => (kept.value = { ...filters, [name]: value.trim() });
  return (
    <div class="page">
      <PageHead title="History">
        <button
          type="button"
          class="icon-button"
          aria-label="Refresh"
          title="Refresh"
          onClick={() => setTurn(turn + 1)}
        >
          <Icon name="refresh" />
        </button>
      </PageHead>
      <div class="page-body">
        <div class="column wide">
          <search class="filters">
            <label>
              <span>Tool</span>
              <input
                type="search"
                list="tool-names"
                placeholder="whole name"
                value={filters.tool}
                onInput={(event) => set("tool", event.currentTarget.value)}
              />
            </label>
            <datalist id="tool-names">
              {[...toolNamed.value.keys()].slice(0, 500).map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <label>
              <span>Status</span>
              <select value={filters.status} onChange={(event) => set("status", event.currentTarget.value)}>
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
                value={filters.session_id}
                onInput={(event) => set("session_id", event.currentTarget.value)}
              />
            </label>
          </search>
          <p class="trouble" role="alert">
            {trouble}
          </p>
          <ul class="history" aria-label="Calls, newest first" aria-busy={state === "loading"}>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          {state === "loading" && <Spinner />}
          {state === "ready" && rows.length === 0 && (
            <p class="faint">No calls{Object.values(filters).some(Boolean) ? " fit these filters" : " yet"}.</p>
          )}
          {more && (
            <button type="button" onClick={older} disabled={state === "loading"}>
              Load older
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
