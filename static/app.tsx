// The frame of the page: the sign-in form or the sidebar and the view the address names.
import { useEffect, useState } from "preact/hooks";
import { ChatPage } from "./pages/chat.js";
import { SignInPage } from "./pages/sign-in.js";
import { useDrawer } from "./parts/drawer.js";
import { headlineLine } from "./parts/headline.js";
import { Spinner } from "./parts/icons.js";
import { lazy } from "./parts/lazy.js";
import { Overlays } from "./parts/overlays.js";
import { Sidebar } from "./parts/sidebar.js";
import { WaitingBar } from "./parts/waiting-bar.js";
import { followWaiting } from "./state/alerts.js";
import { announcement } from "./state/announcement.js";
import { errorText } from "./state/api.js";
import { followKeys, sidebarHidden } from "./state/commands.js";
import { current, currentId } from "./state/conversations.js";
import { config, loadConfig, loadTools } from "./state/daemon.js";
import { keepFocus } from "./state/keep-focus.js";
import { followChanges } from "./state/lists.js";
import { drawerOpen, pathOf, view } from "./state/route.js";
import { opened } from "./state/things.js";
import { signedOut } from "./state/token.js";

const ToolsPage = lazy(async () => (await import("./pages/tools.js")).ToolsPage);
const ToolPage = lazy(async () => (await import("./pages/tool.js")).ToolPage);
const ConnectPage = lazy(async () => (await import("./pages/connect.js")).ConnectPage);
const HistoryPage = lazy(async () => (await import("./pages/history.js")).HistoryPage);
const ThingSheet = lazy(async () => (await import("./parts/result/thing-sheet.js")).ThingSheet);
const SettingsPage = lazy(async () => (await import("./pages/settings.js")).SettingsPage);
const ConfirmationsPage = lazy(async () => (await import("./pages/confirmations.js")).ConfirmationsPage);

function MainView() {
  // Of a chat only the prompt is there before the daemon has answered.
  if (config.value === undefined && view.value.kind !== "chat") return <Spinner />;
  switch (view.value.kind) {
    case "chat":
      return current.value === undefined ? null : <ChatPage key={currentId.value} conversation={current.value} />;
    case "tools":
      return <ToolsPage />;
    case "tool":
      return <ToolPage key={pathOf(view.value)} name={view.value.tool} row={view.value.row} />;
    case "connect":
      return <ConnectPage />;
    case "history":
      return <HistoryPage />;
    case "confirmations":
      return <ConfirmationsPage />;
    case "settings":
      return <SettingsPage />;
  }
}

/** Follows the daemon once it has let the page in. */
function useDaemon(): void {
  const isIn = config.value !== undefined;
  useEffect(() => {
    if (!isIn) return;
    const stop = followChanges();
    const stopAlerts = followWaiting(headlineLine);
    loadTools().catch(() => {});
    return () => {
      stop();
      stopAlerts();
    };
  }, [isIn]);
}

/** The page of a signed-in person. */
function Frame() {
  useEffect(() => {
    const leaveKeys = followKeys();
    const leaveFocus = keepFocus();
    return () => {
      leaveKeys();
      leaveFocus();
    };
  }, []);
  useDaemon();
  useDrawer();
  return (
    <div class={`frame${drawerOpen.value ? " drawer-open" : ""}${sidebarHidden.value ? " sidebar-hidden" : ""}`}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Sidebar />
      {drawerOpen.value && (
        <button type="button" class="scrim" aria-label="Close navigation" onClick={() => (drawerOpen.value = false)} />
      )}
      <main id="main" class="with-bar" tabIndex={-1} inert={drawerOpen.value}>
        <WaitingBar />
        <MainView />
      </main>
      {opened.value !== undefined && <ThingSheet />}
      <Overlays />
      <p class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </div>
  );
}

/** The page; a sign-in form where the daemon wants a token. */
export function App() {
  const [error, setError] = useState("");
  const start = () => {
    setError("");
    loadConfig().catch((failure: unknown) => setError(errorText(failure)));
  };
  useEffect(start, []);
  if (signedOut.value) return <SignInPage />;
  if (config.value !== undefined || error === "") return <Frame />;
  return (
    <main class="start">
      <div class="start-card" role="alert">
        <h1>agentd</h1>
        <p>{error}</p>
        <button type="button" class="primary" onClick={start}>
          Try again
        </button>
      </div>
    </main>
  );
}
