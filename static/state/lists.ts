// Keeps what the whole page shows as the daemon has it: confirmations, sessions, configuration and open conversations are loaded
// again when a change names them, and now and then besides, should changes not arrive.
import { type Change, onChange } from "./changes.js";
import { loadConfirmations } from "./confirmations.js";
import { loadOpenCalls, lookAgain, noteSession } from "./conversations.js";
import { forgetSession, loadConfig, loadSessions, loadTools } from "./daemon.js";
import { loadReach, unreached } from "./reach.js";
import { signedOut } from "./token.js";

/** Behind a proxy that lets no WebSocket through, this is how late the page is. */
const FALLBACK_MS = 60_000;
/** Without a connection by then, the lists are loaded all the same. */
const FIRST_MS = 1_000;
/** Between two loads of one list: a script may change it many times a second. */
const GAP_MS = 250;

/** Loads a list when it is called, one load after the other, and once more for all calls meanwhile. */
function createReload(load: () => Promise<void>): () => void {
  let isLoading = false;
  let isWanted = false;
  const reload = async (): Promise<void> => {
    isWanted = true;
    if (isLoading) return;
    isLoading = true;
    while (isWanted && !signedOut.peek()) {
      isWanted = false;
      // The conversation displays the state of the connection; the list stays as it was.
      await load().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    }
    isLoading = false;
  };
  return () => void reload();
}

const reloadConfirmations = createReload(loadConfirmations);
const reloadSessions = createReload(loadSessions);
const reloadOpenCalls = createReload(loadOpenCalls);
const reloadReach = createReload(loadReach);
const reloadConfig = createReload(async () => {
  await Promise.all([loadConfig(), loadTools()]);
});

function refresh(): void {
  if (document.visibilityState !== "visible" || signedOut.peek()) return;
  lookAgain();
  reloadConfirmations();
  reloadSessions();
  loadConfig().catch(() => {});
  reloadReach();
}

/** A call that is over may say otherwise than the one before whether its application can be reached. */
function isNewsOfReach(change: Change): boolean {
  if (change.kind === "configuration") return true;
  return (
    change.kind === "history" && (change.status === "error" || (change.status === "ok" && unreached.peek().size > 0))
  );
}

function apply(change: Change): void {
  if (change.kind === "history") reloadOpenCalls();
  if (isNewsOfReach(change)) reloadReach();
  if (change.kind === "confirmation") reloadConfirmations();
  if (change.kind === "configuration") reloadConfig();
  if (change.kind === "reconnected") refresh();
  if (change.kind !== "session") return;
  if (change.deleted) forgetSession(change.session_id);
  noteSession(change.session_id, change.deleted === true);
  reloadSessions();
}

/** Follows the daemon until the function it returns is called. */
export function followChanges(): () => void {
  let isConnected = false;
  const stop = onChange((change) => {
    isConnected = true;
    apply(change);
  });
  const first = setTimeout(() => !isConnected && refresh(), FIRST_MS);
  const timer = setInterval(refresh, FALLBACK_MS);
  document.addEventListener("visibilitychange", refresh);
  return () => {
    stop();
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", refresh);
  };
}
