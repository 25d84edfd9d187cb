// The sessions in the sidebar, grouped by day, each with a button that deletes it after a question.
import { useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/domain/record.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { errorText, requestJson } from "../state/api.js";
import { pendingConfirmations } from "../state/confirmations.js";
import { closeDeleted, currentId, runningIds } from "../state/conversations.js";
import { loadSessions, sessions } from "../state/daemon.js";
import { view } from "../state/route.js";
import { Dialog } from "./dialog.js";
import { dayGroup, fullTime, shortTime } from "./format.js";
import { Icon } from "./icons.js";
import { ViewLink } from "./view-link.js";

function stateOf(session: SessionSummary): string {
  if (pendingConfirmations.value.some((one) => one.session_id === session.session_id)) return "waiting";
  if (runningIds.value.has(session.session_id) || session.status === "running") return "running";
  return session.status;
}

function SessionItem({ session, onDelete }: { session: SessionSummary; onDelete: () => void }) {
  const isCurrent = view.value.kind === "chat" && currentId.value === session.session_id;
  const state = stateOf(session);
  const title = session.title.trim() === "" ? "Untitled" : inItsOrder(session.title);
  return (
    <li class="session">
      <ViewLink
        view={{ kind: "chat", session: session.session_id }}
        current={isCurrent}
        title={`${title}\n${fullTime(session.updated_at)}`}
      >
        <span class="session-title" dir="auto">
          {title}
        </span>
        {state === "waiting" && <span class="dot dot-waiting" role="img" aria-label="needs your decision" />}
        {state === "running" && <span class="dot dot-running" role="img" aria-label="running" />}
        <time class="faint" dateTime={session.updated_at}>
          {shortTime(session.updated_at)}
        </time>
      </ViewLink>
      <button
        type="button"
        class="icon-button session-delete"
        aria-label={`Delete session: ${title}`}
        onClick={onDelete}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

/** The session to delete once the question is answered, and the deletion. */
function useDeletion(onDeleted: () => void) {
  const [candidate, setCandidate] = useState<SessionSummary | null>(null);
  const [error, setError] = useState("");
  const remove = async (session: SessionSummary) => {
    setCandidate(null);
    try {
      await requestJson(`/-/sessions/${encodeURIComponent(session.session_id)}`, { method: "DELETE" });
      closeDeleted(session.session_id);
      setError("");
    } catch (failure) {
      setError(errorText(failure));
    }
    await loadSessions().catch(() => {});
    onDeleted();
  };
  return { candidate, setCandidate, error, remove };
}

/** The sessions, the newest first. */
export function SessionList() {
  const box = useRef<HTMLElement>(null);
  const { candidate, setCandidate, error, remove } = useDeletion(() => {
    // The button that had the focus is gone with its session.
    if (document.activeElement === document.body) box.current?.focus();
  });
  const groups = Object.entries(Object.groupBy(sessions.value, (session) => dayGroup(session.updated_at)));
  return (
    <>
      <nav ref={box} class="sessions" aria-label="Sessions" tabIndex={-1}>
        {error !== "" && (
          <p class="error-text" role="alert">
            {error}
          </p>
        )}
        {groups.map(([name, list]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {list?.map((session) => (
                <SessionItem key={session.session_id} session={session} onDelete={() => setCandidate(session)} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {candidate !== null && (
        <Dialog
          title="Delete this session?"
          text={`“${inItsOrder(candidate.title)}” and its messages are deleted. The calls it made stay in the history.`}
          action="Delete"
          onConfirm={() => void remove(candidate)}
          onCancel={() => setCandidate(null)}
        />
      )}
    </>
  );
}
