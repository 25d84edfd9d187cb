// The address bar: which view a path names, and moving between views. None of the paths collides with the daemon's own.
// The query is never read: nothing in a link can change where this page connects or as whom.
import { signal } from "@preact/signals";
import { SESSION_ID } from "../../src/domain/session-id.js";

/** What the main area shows. A chat without a session is a new one. */
export type View =
  | { kind: "chat"; session: string | null }
  | { kind: "tools" }
  | { kind: "history" }
  | { kind: "approvals" };

const SESSION_PATH = /^\/s\/([^/]+)$/;

function decode(text: string): string | null {
  try {
    const id = decodeURIComponent(text);
    return SESSION_ID.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** The view a path names; an unknown path is a new chat. */
export function viewOf(path: string): View {
  if (path === "/browse/tools") return { kind: "tools" };
  if (path === "/browse/history") return { kind: "history" };
  if (path === "/browse/approvals") return { kind: "approvals" };
  const session = SESSION_PATH.exec(path)?.[1];
  return { kind: "chat", session: session === undefined ? null : decode(session) };
}

/** The path that names a view. */
export function pathOf(view: View): string {
  if (view.kind !== "chat") return `/browse/${view.kind}`;
  return view.session === null ? "/" : `/s/${encodeURIComponent(view.session)}`;
}

/** The view shown now. */
export const view = signal<View>(viewOf(location.pathname));

/** Whether the navigation drawer is open, on a narrow screen. */
export const drawerOpen = signal(false);

/** Shows another view. `replace` keeps the back button from returning to the present one. */
export function go(next: View, options: { replace?: boolean } = {}): void {
  const path = pathOf(next);
  if (options.replace) history.replaceState(null, "", path);
  else if (path !== location.pathname) history.pushState(null, "", path);
  view.value = next;
  drawerOpen.value = false;
}

addEventListener("popstate", () => {
  view.value = viewOf(location.pathname);
  drawerOpen.value = false;
});
