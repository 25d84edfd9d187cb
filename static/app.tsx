// The frame of the page: the sign-in form or the sidebar and the view the address names.
import { useEffect, useState } from "preact/hooks";
import { ChatPage } from "./pages/chat.js";
import { ConfirmationsPage } from "./pages/confirmations.js";
import { HistoryPage } from "./pages/history.js";
import { SignInPage } from "./pages/sign-in.js";
import { ToolsPage } from "./pages/tools.js";
import { useDrawer } from "./parts/drawer.js";
import { Spinner } from "./parts/icons.js";
import { Sidebar } from "./parts/sidebar.js";
import { announcement } from "./state/announcement.js";
import { errorText } from "./state/api.js";
import { loadConfirmations } from "./state/confirmations.js";
import { current, currentId, followRoute } from "./state/conversations.js";
import { config, loadConfig, loadSessions, loadTools } from "./state/daemon.js";
import { drawerOpen, view } from "./state/route.js";
import { signedOut } from "./state/token.js";

/** What others change (a script, another tab, `agentd sync`) is loaded this often while the page is visible. */
const REFRESH_MS = 30_000;

function refresh(): void {
  if (document.visibilityState !== "visible" || signedOut.peek()) return;
  current.peek()?.lookAgain();
  Promise.all([loadConfirmations(), loadSessions(), loadConfig()]).catch(() => {
    // The conversation displays the state of the connection; the lists here stay as they were.
  });
}

function MainView() {
  switch (view.value.kind) {
    case "chat":
      return current.value === undefined ? null : <ChatPage key={currentId.value} conversation={current.value} />;
    case "tools":
      return <ToolsPage />;
    case "history":
      return <HistoryPage />;
    case "confirmations":
      return <ConfirmationsPage />;
  }
}

/** The page of a signed-in person. */
function Frame() {
  useEffect(() => {
    const leave = followRoute();
    loadTools().catch(() => {});
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      leave();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, []);
  useDrawer();
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
        <MainView />
      </main>
      <p class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </div>
  );
}

/** The page: a sign-in form until the daemon accepts a token. */
export function App() {
  const [error, setError] = useState("");
  const start = () => {
    setError("");
    loadConfig().catch((failure: unknown) => setError(errorText(failure)));
  };
  useEffect(start, []);
  if (signedOut.value) return <SignInPage />;
  if (config.value !== undefined) return <Frame />;
  return (
    <main class="start">
      {error === "" ? (
        <Spinner />
      ) : (
        <div class="start-card" role="alert">
          <h1>agentd</h1>
          <p>{error}</p>
          <button type="button" class="primary" onClick={start}>
            Try again
          </button>
        </div>
      )}
    </main>
  );
}
