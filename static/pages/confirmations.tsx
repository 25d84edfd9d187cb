// Every held call of every session: those that wait, decided here one by one or several at once, and those that were decided, from the
// daemon's record, page by page.
import { useEffect, useState } from "preact/hooks";
import type { Confirmation } from "../../src/domain/record.js";
import { AlertSwitches } from "../parts/alert-switches.js";
import { WaitingCalls } from "../parts/confirmation-group.js";
import { Verdict } from "../parts/decided.js";
import { EffectView } from "../parts/effect.js";
import { fullTime } from "../parts/format.js";
import { Headline, headlineLine, Importance } from "../parts/headline.js";
import { Json } from "../parts/json.js";
import { PageHead } from "../parts/page-head.js";
import { RequestView } from "../parts/request.js";
import { Revealed } from "../parts/reveal.js";
import { errorText } from "../state/api.js";
import { confirmations, loadPage, PAGE_SIZE, pendingConfirmations } from "../state/confirmations.js";
import { navigate } from "../state/route.js";

const FILTERS = { all: "All", pending: "Waiting", approved: "Approved", denied: "Denied", expired: "Expired" } as const;
type Filter = keyof typeof FILTERS;

function SessionLink({ session_id }: { session_id: string }) {
  if (session_id === "") return null;
  return (
    <button type="button" class="link" onClick={() => navigate({ kind: "chat", session: session_id })}>
      Open its session
    </button>
  );
}

/** The waiting ones, those of a session together. */
function Waiting() {
  const pending = pendingConfirmations.value;
  const sessions = [...new Set(pending.map(({ session_id }) => session_id))];
  if (pending.length === 0) return <p class="faint">Nothing waits for you.</p>;
  return (
    <>
      {sessions.map((session_id) => (
        <div key={session_id}>
          <WaitingCalls confirmations={pending.filter((one) => one.session_id === session_id)} />
          <SessionLink session_id={session_id} />
        </div>
      ))}
    </>
  );
}

function DecidedRow({ one }: { one: Confirmation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="headline">{one.input ? headlineLine(one) : <Headline confirmation={one} />}</span>
          <Importance safety={one.safety} />
          <Verdict of={one} />
        </summary>
        {isOpen && (
          <div class="decided-body">
            <p class="faint">
              <Revealed text={one.tool} />, asked {fullTime(one.created_at)}
              {one.asked_by !== "" && (
                <>
                  {" "}
                  by <Revealed text={one.asked_by} />
                </>
              )}
            </p>
            {one.effect !== undefined && <EffectView effect={one.effect} undo={undefined} status={undefined} />}
            <p class="label">Arguments</p>
            <Json value={one.arguments} label="Arguments" />
            <RequestView request={one.request} />
            <SessionLink session_id={one.session_id} />
          </div>
        )}
      </details>
    </li>
  );
}

/** The decided ones of a filter, loaded page by page; `version` changes when one was decided. */
function Decided({ filter, version }: { filter: Exclude<Filter, "pending">; version: string }) {
  const [rows, setRows] = useState<readonly Confirmation[] | undefined>(undefined);
  const [hasMore, setMore] = useState(false);
  const [error, setError] = useState("");
  const load = (before: readonly Confirmation[]) =>
    loadPage(filter === "all" ? "decided" : filter, before.at(-1)?.id).then(
      (page) => {
        setRows([...before, ...page]);
        setMore(page.length === PAGE_SIZE);
        setError("");
      },
      (failure: unknown) => setError(errorText(failure)),
    );
  useEffect(() => {
    void load([]);
  }, [filter, version]);
  return (
    <>
      {error !== "" && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
      {rows?.length === 0 && <p class="faint">None yet.</p>}
      <ul class="decided-list">
        {rows?.map((one) => (
          <DecidedRow key={one.id} one={one} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={() => void load(rows ?? [])}>
          Show more
        </button>
      )}
    </>
  );
}

/** The confirmations page. */
export function ConfirmationsPage() {
  const [filter, setFilter] = useState<Filter>("all");
  const decided = confirmations.value.filter(({ status }) => status !== "pending").map(({ id }) => id);
  return (
    <div class="page">
      <PageHead title="Approvals" />
      <div class="page-body">
        <div class="column">
          <div class="approvals-tools">
            <fieldset>
              <legend class="visually-hidden">Which are listed</legend>
              {(Object.keys(FILTERS) as Filter[]).map((one) => (
                <button key={one} type="button" aria-pressed={filter === one} onClick={() => setFilter(one)}>
                  {FILTERS[one]}
                </button>
              ))}
            </fieldset>
            <span class="spacer" />
            <details class="alerts">
              <summary>Tell me in this browser</summary>
              <AlertSwitches />
            </details>
          </div>
          {(filter === "all" || filter === "pending") && <Waiting />}
          {filter !== "pending" && (
            <>
              <h2 class="label">Decided</h2>
              <Decided filter={filter} version={decided.join()} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}
