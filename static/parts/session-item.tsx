// One session in the sidebar: its title, its state, where it has the words of a search, and its menu.
import { useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/domain/record.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { pendingConfirmations } from "../state/confirmations.js";
import { currentId, runningIds } from "../state/conversations.js";
import { view } from "../state/route.js";
import { exportSession } from "../state/session-list.js";
import { versionNumber } from "../state/versions.js";
import { fullTime, shortTime } from "./format.js";
import { SessionMenu } from "./session-menu.js";
import { TitleField } from "./title-field.js";
import { ViewLink } from "./view-link.js";

function stateOf(session: SessionSummary): string {
  if (pendingConfirmations.value.some((one) => one.session_id === session.session_id)) return "waiting";
  if (runningIds.value.has(session.session_id) || session.status === "running") return "running";
  return session.status;
}

/** A text with the words of a search marked. */
function Marked({ text, words }: { text: string; words: string }) {
  const at = words === "" ? -1 : text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return <>{inItsOrder(text)}</>;
  const end = at + words.length;
  return (
    <>
      {inItsOrder(text.slice(0, at))}
      <mark>{inItsOrder(text.slice(at, end))}</mark>
      {inItsOrder(text.slice(end))}
    </>
  );
}

function ItemLink({ session, words, onRename }: { session: SessionSummary; words: string; onRename: () => void }) {
  const isCurrent = view.value.kind === "chat" && currentId.value === session.session_id;
  const state = stateOf(session);
  const version = versionNumber(session);
  const title = session.title.trim() === "" ? "Untitled" : session.title;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu does the same from the keyboard
    <div onDblClick={onRename}>
      <ViewLink
        view={{ kind: "chat", session: session.session_id }}
        current={isCurrent}
        title={`${inItsOrder(title)}\n${fullTime(session.updated_at)}`}
      >
        <span class="session-title" dir="auto">
          <Marked text={title} words={words} />
        </span>
        {version !== undefined && (
          <span class="session-version faint" title={`Version ${version} of the same prompt`}>
            v<span class="visually-hidden">ersion </span>
            {version}
          </span>
        )}
        {state === "waiting" && <span class="dot dot-waiting" role="img" aria-label="needs your decision" />}
        {state === "running" && <span class="dot dot-running" role="img" aria-label="running" />}
        <time class="faint" dateTime={session.updated_at}>
          {shortTime(session.updated_at)}
        </time>
        {session.match !== undefined && (
          <span class="session-match faint" dir="auto">
            <Marked text={session.match.text} words={words} />
          </span>
        )}
      </ViewLink>
    </div>
  );
}

/** An entry; `words` are those of the search, "" for none. */
export function SessionItem(props: { session: SessionSummary; words: string; onDelete: () => void }) {
  const { session, words, onDelete } = props;
  const more = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const title = inItsOrder(session.title);
  if (isRenaming)
    return (
      <li class="session">
        <TitleField session_id={session.session_id} title={session.title} onEnd={() => setRenaming(false)} />
      </li>
    );
  const rename = () => setRenaming(true);
  const items = [
    { label: "Rename", run: rename },
    { label: "Export as Markdown", run: () => void exportSession(session, "Markdown") },
    { label: "Export as JSON", run: () => void exportSession(session, "JSON") },
    { label: "Delete…", isDanger: true, run: onDelete },
  ];
  return (
    <li class={session.match === undefined ? "session" : "session session-found"}>
      <ItemLink session={session} words={words} onRename={rename} />
      <button
        ref={more}
        type="button"
        class="icon-button session-more"
        aria-label={`More: ${title}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && more.current !== null && (
        <SessionMenu at={more.current} label={`Session ${title}`} items={items} onClose={() => setOpen(false)} />
      )}
    </li>
  );
}
