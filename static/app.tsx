// The frame of the page: who may see it, the sidebar, and the view the address names.
import { useEffect, useState } from "preact/hooks";
import { announcement } from "./announce.js";
import { sayError } from "./api.js";
import { loadApprovals } from "./approvals.js";
import { ApprovalsPage } from "./approvals-page.js";
import { Chat } from "./chat.js";
import { config, loadConfig, loadSessions, loadTools } from "./daemon.js";
import { HistoryPage } from "./history-page.js";
import { Spinner } from "./icons.js";
import { current, currentId, followRoute } from "./open.js";
import { drawerOpen, view } from "./route.js";
import { Sidebar, useDrawer } from "./sidebar.js";
import { SignIn } from "./sign-in.js";
import { signedOut } from "./token.js";
import { ToolsPage } from "./tools-page.js";

/** Calls held by others (a script, another tab) are looked for this often while the page is looked at. */
const LOOK_MS = 30_000;

function refresh(): void {
  if (document.visibilityState !== "visible" || signedOut.peek()) return;
  Promise.all([loadApprovals(), loadSessions().then(() => current.peek()?.catchUp())]).catch(() => {
    // The state of the connection is shown by the conversation; what is listed here stays as it was.
  });
}

/** Everything a signed-in person sees. */
function Frame() {
  useEffect(() => {
    const leave = followRoute();
    loadTools().catch(() => {});
    refresh();
    const timer = setInterval(refresh, LOOK_MS);
    document.addEventListener("visibilitychange", refresh);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !drawerOpen.peek()) return;
      event.preventDefault();
      drawerOpen.value = false;
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      leave();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
  useDrawer();
  const kind = view.value.kind;
  return (
    <div class={drawerOpen.value ? "frame drawer-open" : "frame"}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Sidebar />
      {drawerOpen.value && (
        <button type="button" class="scrim" aria-label="Close navigation" onClick={() => (drawerOpen.value = false)} />
      )}
      <main id="main" tabIndex={-1} inert={drawerOpen.value}>
        {kind === "chat" && current.value !== undefined && <Chat key={currentId.value} conversation={current.value} />}
        {kind === "tools" && <ToolsPage />}
        {kind === "history" && <HistoryPage />}
        {kind === "approvals" && <ApprovalsPage />}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </div>
  );
}

/** The page: a sign-in form until the daemon lets us in. */
export function App() {
  const [trouble, setTrouble] = useState("");
  const start = () => {
    setTrouble("");
    loadConfig().catch((error: unknown) => setTrouble(sayError(error)));
  };
  useEffect(start, []);
  if (signedOut.value) return <SignIn />;
  if (config.value !== undefined) return <Frame />;
  return (
    <main class="lobby">
      {trouble === "" ? (
        <Spinner />
      ) : (
        <div class="lobby-card" role="alert">
          <h1>agentd</h1>
          <p>{trouble}</p>
          <button type="button" class="primary" onClick={start}>
            Try again
          </button>
        </div>
      )}
    </main>
  );
}
