// The frame of the page: who may see it, the sidebar, and the view the address names.
import { useEffect, useState } from "preact/hooks";
import { Chat } from "./pages/chat.js";
import { ApprovalsPage } from "./pages/confirmations.js";
import { HistoryPage } from "./pages/history.js";
import { SignIn } from "./pages/sign-in.js";
import { ToolsPage } from "./pages/tools.js";
import { Spinner } from "./parts/icons.js";
import { Sidebar, useDrawer } from "./parts/sidebar.js";
import { announcement } from "./state/announcement.js";
import { sayError } from "./state/api.js";
import { loadApprovals } from "./state/confirmations.js";
import { current, currentId, followRoute } from "./state/conversations.js";
import { config, loadConfig, loadSessions, loadTools } from "./state/daemon.js";
import { drawerOpen, view } from "./state/route.js";
import { signedOut } from "./state/token.js";

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
