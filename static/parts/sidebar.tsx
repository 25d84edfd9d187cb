// Navigation: a new chat, the sessions, the pages, and which daemon this is.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/domain/record.js";
import { ask, sayError } from "../state/api.js";
import { approvals, waiting } from "../state/confirmations.js";
import { currentId, forget, newChat, runningIds } from "../state/conversations.js";
import { config, loadSessions, sessions, tools } from "../state/daemon.js";
import { drawerOpen, go, type View, view } from "../state/route.js";
import { nextTheme, theme } from "../state/theme.js";
import { forgetToken, keptToken } from "../state/token.js";
import { Confirm } from "./dialog.js";
import { dayGroup, fullTime, shortTime } from "./format.js";
import { Icon, Mark } from "./icons.js";

const DRAWER = "navigation";
const CLOSER = "close-navigation";
const OPENER = "open-navigation";

/** Moves the keyboard into the drawer when it opens, and back when it closes. A screen that has grown wide has no drawer. */
export function useDrawer(): void {
  const open = drawerOpen.value;
  const wasOpen = useRef(false);
  useEffect(() => {
    // Whoever went to another view from here may already have put the focus where it belongs.
    const nowhere = document.activeElement === document.body || document.activeElement?.closest(`#${DRAWER}`) !== null;
    if (open) document.getElementById(CLOSER)?.focus();
    else if (wasOpen.current && nowhere) document.getElementById(OPENER)?.focus();
    wasOpen.current = open;
  }, [open]);
  useEffect(() => {
    const wide = matchMedia("(width >= 52rem)");
    const onWide = (): void => {
      if (wide.matches) drawerOpen.value = false;
    };
    wide.addEventListener("change", onWide);
    return () => wide.removeEventListener("change", onWide);
  }, []);
}

function follow(event: MouseEvent, next: View): void {
  // A click with a modifier opens a new tab, as on any link.
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(next);
}

function stateOf(session: SessionSummary): string {
  if (waiting.value.some((one) => one.session_id === session.session_id)) return "waiting";
  if (runningIds.value.has(session.session_id) || session.status === "running") return "running";
  return session.status;
}

function SessionLink({ session, onDelete }: { session: SessionSummary; onDelete: () => void }) {
  const here = view.value.kind === "chat" && currentId.value === session.session_id;
  const state = stateOf(session);
  const title = session.title.trim() === "" ? "Untitled" : session.title;
  return (
    <li class="session">
      <a
        href={`/s/${encodeURIComponent(session.session_id)}`}
        aria-current={here ? "page" : undefined}
        title={`${title}\n${fullTime(session.updated_at)}`}
        onClick={(event) => follow(event, { kind: "chat", session: session.session_id })}
      >
        <span class="session-title" dir="auto">
          {title}
        </span>
        {state === "waiting" && <span class="dot dot-waiting" role="img" aria-label="needs your decision" />}
        {state === "running" && <span class="dot dot-running" role="img" aria-label="running" />}
        <time class="faint" dateTime={session.updated_at}>
          {shortTime(session.updated_at)}
        </time>
      </a>
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

function Sessions() {
  const [doomed, setDoomed] = useState<SessionSummary | null>(null);
  const [trouble, setTrouble] = useState("");
  const box = useRef<HTMLElement>(null);
  const groups = Object.entries(Object.groupBy(sessions.value, (session) => dayGroup(session.updated_at)));
  const remove = async (session: SessionSummary) => {
    setDoomed(null);
    try {
      await ask(`/-/sessions/${encodeURIComponent(session.session_id)}`, { method: "DELETE" });
      forget(session.session_id);
      setTrouble("");
    } catch (error) {
      setTrouble(sayError(error));
    }
    await loadSessions().catch(() => {});
    // The button that had the focus is gone with its session.
    if (document.activeElement === document.body) box.current?.focus();
  };
  return (
    <>
      <nav ref={box} class="sessions" aria-label="Sessions" tabIndex={-1}>
        {trouble !== "" && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {groups.map(([name, list]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {list?.map((session) => (
                <SessionLink key={session.session_id} session={session} onDelete={() => setDoomed(session)} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {doomed !== null && (
        <Confirm
          title="Delete this session?"
          text={`“${doomed.title}” and its messages are deleted. The calls it made stay in the history.`}
          action="Delete"
          onYes={() => void remove(doomed)}
          onNo={() => setDoomed(null)}
        />
      )}
    </>
  );
}

function PageLink({
  kind,
  icon,
  count,
}: {
  kind: "tools" | "history" | "approvals";
  icon: "sliders" | "clock" | "shield";
  count?: number;
}) {
  const label = { tools: "Tools", history: "History", approvals: "Approvals" }[kind];
  return (
    <li>
      <a
        href={`/browse/${kind}`}
        aria-current={view.value.kind === kind ? "page" : undefined}
        onClick={(event) => follow(event, { kind })}
      >
        <Icon name={icon} />
        {label}
        {count !== undefined && <span class="count">{count.toLocaleString()}</span>}
      </a>
    </li>
  );
}

function Foot() {
  const { default_provider: provider, model, base_url, version } = config.value ?? {};
  const icon = { system: "system", light: "sun", dark: "moon" } as const;
  return (
    <footer class="foot">
      <dl>
        <dt>Model</dt>
        <dd title={model}>{model ? `${provider} · ${model}` : provider}</dd>
        <dt>Target</dt>
        <dd title={base_url}>{base_url || "none"}</dd>
      </dl>
      <div class="foot-row">
        <span class="faint">{version ? `agentd ${version}` : "agentd"}</span>
        <span class="spring" />
        <button
          type="button"
          class="icon-button"
          aria-label={`Colours: ${theme.value}`}
          title={`Colours: ${theme.value}`}
          onClick={nextTheme}
        >
          <Icon name={icon[theme.value]} />
        </button>
        {keptToken() !== "" && (
          <button type="button" class="icon-button" aria-label="Sign out" title="Sign out" onClick={forgetToken}>
            <Icon name="leave" />
          </button>
        )}
      </div>
    </footer>
  );
}

/** The sidebar; a drawer on a narrow screen. */
export function Sidebar() {
  return (
    <aside id={DRAWER} class="sidebar" aria-label="Navigation">
      <div class="brand">
        <Mark />
        <strong>agentd</strong>
        <span class="spring" />
        <button
          type="button"
          id={CLOSER}
          class="icon-button only-narrow"
          aria-label="Close navigation"
          onClick={() => (drawerOpen.value = false)}
        >
          <Icon name="close" />
        </button>
      </div>
      <button type="button" class="new-chat" onClick={newChat}>
        <Icon name="plus" />
        New chat
      </button>
      <ul class="pages">
        <PageLink kind="tools" icon="sliders" {...(tools.value && { count: tools.value.length })} />
        <PageLink kind="history" icon="clock" />
        {approvals.value.length > 0 && (
          <PageLink kind="approvals" icon="shield" {...(waiting.value.length > 0 && { count: waiting.value.length })} />
        )}
      </ul>
      <Sessions />
      <Foot />
    </aside>
  );
}

/** The button that opens the drawer on a narrow screen, and the title of a page. */
export function PageHead({ title, children }: { title: string; children?: preact.ComponentChildren }) {
  const count = waiting.value.length;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${title.slice(0, 60)} · agentd`;
  }, [title, count]);
  return (
    <header class="head">
      <button
        type="button"
        id={OPENER}
        class="icon-button only-narrow"
        aria-label="Open navigation"
        aria-controls={DRAWER}
        aria-expanded={drawerOpen.value}
        onClick={() => (drawerOpen.value = true)}
      >
        <Icon name="menu" />
        {count > 0 && <span class="dot dot-waiting" />}
      </button>
      <h1 dir="auto">{title}</h1>
      <span class="spring" />
      {children}
    </header>
  );
}
