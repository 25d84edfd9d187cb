// The sessions in the sidebar: searched by words, grouped by day, more of them as one scrolls.
import { useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/domain/record.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { errorText, requestJson } from "../state/api.js";
import { closeDeleted } from "../state/conversations.js";
import { loadMoreSessions, loadSessions, sessions } from "../state/daemon.js";
import { isFocusLost } from "../state/keep-focus.js";
import { foundSessions, searchAgain, searchError, searchSessions, sessionWords } from "../state/session-list.js";
import { Dialog } from "./dialog.js";
import { dayGroup } from "./format.js";
import { Icon } from "./icons.js";
import { SessionItem } from "./session-item.js";

/** More sessions are loaded when so many pixels are left below. */
const NEAR_END = 400;
/** Fewer sessions are seen at a glance. */
const MIN_SEARCHED = 4;

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
    searchAgain();
    onDeleted();
  };
  return { candidate, setCandidate, error, remove };
}

function Search() {
  if (sessions.value.length < MIN_SEARCHED && sessionWords.value === "") return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || sessionWords.peek() === "") return;
    event.preventDefault();
    // It is not meant for the drawer.
    event.stopPropagation();
    searchSessions("");
  };
  return (
    <div class="session-search">
      <Icon name="search" />
      <input
        id="session-search"
        type="search"
        aria-label="Search sessions"
        placeholder="Search sessions"
        dir="auto"
        maxLength={200}
        value={sessionWords.value}
        onInput={(event) => searchSessions(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** What is listed: what was found, in its order, or all by day. */
function groupsOf(list: readonly SessionSummary[], isSearch: boolean): [string, readonly SessionSummary[]][] {
  if (isSearch) return [[list.length === 0 ? "Nothing found" : "Found", list]];
  return Object.entries(Object.groupBy(list, (session) => dayGroup(session.updated_at))) as [
    string,
    SessionSummary[],
  ][];
}

/** The sessions, the newest first. */
export function SessionList() {
  const box = useRef<HTMLElement>(null);
  const { candidate, setCandidate, error, remove } = useDeletion(() => {
    // The button that had the focus is gone with its session.
    if (isFocusLost()) box.current?.focus();
  });
  const onScroll = () => {
    const { current } = box;
    if (current !== null && current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_END)
      void loadMoreSessions();
  };
  const found = foundSessions.value;
  const failure = error || searchError.value;
  return (
    <>
      <Search />
      <nav ref={box} class="sessions" aria-label="Sessions" tabIndex={-1} onScroll={onScroll}>
        {failure !== "" && (
          <p class="error-text" role="alert">
            {failure}
          </p>
        )}
        {groupsOf(found ?? sessions.value, found !== undefined).map(([name, list]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {list.map((session) => (
                <SessionItem
                  key={session.session_id}
                  session={session}
                  words={found === undefined ? "" : sessionWords.value.trim()}
                  onDelete={() => setCandidate(session)}
                />
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
