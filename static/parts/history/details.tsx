// All of one call: its facts, what was sent, what it changed, its result, and where it came from.
import { useEffect, useRef } from "preact/hooks";
import type { HistoryEntry } from "../../../src/domain/record.js";
import { isAmbiguous, sessions, toolsByName } from "../../state/daemon.js";
import { navigate } from "../../state/route.js";
import { CallReason, CallResultView } from "../call-reason.js";
import { EffectView } from "../effect.js";
import { duration, fullTime, words } from "../format.js";
import { Icon, Spinner } from "../icons.js";
import { Json } from "../json.js";
import { RequestView } from "../request.js";
import { Revealed } from "../reveal.js";
import { SafetyTag, StatusTag } from "../tags.js";
import { Undo } from "../undo.js";
import { useCallRow } from "../use-call-row.js";
import { ViewLink } from "../view-link.js";
import { rowView } from "./row.js";

/** The turn of a call in its conversation. */
function TurnLink({ row }: { row: HistoryEntry }) {
  const target = { kind: "chat", session: row.session_id } as const;
  if (row.session_id === "") return <>none: a call without a conversation</>;
  const name = sessions.value.find(({ session_id }) => session_id === row.session_id)?.title || row.session_id;
  if (row.turn_id === "")
    return (
      <ViewLink view={target} current={false} title={row.session_id}>
        <Revealed text={name} />
      </ViewLink>
    );
  return (
    <ViewLink view={{ ...target, turn: row.turn_id }} current={false} title={row.session_id}>
      its turn in <Revealed text={name} />
    </ViewLink>
  );
}

function Facts({ row }: { row: HistoryEntry }) {
  const modes = Object.entries(row.policy).filter(([, on]) => on);
  return (
    <dl class="facts">
      <dt>When</dt>
      <dd>
        {fullTime(row.ts)}
        {row.duration_ms !== null && `, for ${duration(row.duration_ms)}`}
      </dd>
      {isAmbiguous(row.application) && row.application !== "" && (
        <>
          <dt>Application</dt>
          <dd>{row.application}</dd>
        </>
      )}
      <dt>Conversation</dt>
      <dd>
        <TurnLink row={row} />
      </dd>
      {row.model !== "" && (
        <>
          <dt>Model</dt>
          <dd>{`${row.provider} · ${row.model}`}</dd>
        </>
      )}
      <dt>Asked by</dt>
      <dd>
        <Revealed text={row.asked_by === "" ? row.client : `${row.asked_by} · ${row.client}`} />
      </dd>
      <dt>Modes</dt>
      <dd>{modes.length === 0 ? "none" : modes.map(([name]) => words(name)).join(", ")}</dd>
      <dt>Call</dt>
      <dd class="mono">{row.call_id}</dd>
    </dl>
  );
}

/** A row of the history. `version` is another whenever it may have changed. */
export function HistoryDetails({ id, version }: { id: number; version: unknown }) {
  const { row, error } = useCallRow(id, version);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (matchMedia("(width < 72rem)").matches) heading.current?.focus();
  }, [id]);
  return (
    <section class="history-details" aria-label={`Call ${id}`} aria-busy={row === undefined && error === ""}>
      <div class="details-head">
        <h2 ref={heading} tabIndex={-1}>
          {row === undefined ? `Call ${id}` : <Revealed text={row.tool} />}
        </h2>
        {row !== undefined && (
          <>
            <SafetyTag safety={row.safety} />
            <StatusTag status={row.status} />
          </>
        )}
        <span class="spacer" />
        <button
          type="button"
          class="icon-button"
          aria-label="Close this call"
          title="Close"
          onClick={() => navigate(rowView(undefined))}
        >
          <Icon name="close" />
        </button>
      </div>
      {error !== "" && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
      {row === undefined && error === "" && <Spinner />}
      {row !== undefined && (
        <div class="row-body" key={row.id}>
          <CallReason {...row} isOwn={false} />
          <Facts row={row} />
          <p class="label">Arguments</p>
          <Json value={row.arguments} label="Arguments" />
          {toolsByName.value.has(row.tool) || toolsByName.value.size === 0 ? (
            <p class="row-again">
              <ViewLink view={{ kind: "tool", tool: row.tool, row: row.id }} current={false}>
                Call again…
              </ViewLink>
            </p>
          ) : (
            <p class="faint">There is no such tool now.</p>
          )}
          {row.request !== null && <RequestView request={row.request} />}
          {row.effect !== undefined && <EffectView effect={row.effect} undo={row.undo} status={row.status} />}
          <Undo history_id={row.id} undo={row.undo} asks={true} />
          <CallResultView {...row} />
        </div>
      )}
    </section>
  );
}
