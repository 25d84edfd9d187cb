// The address bar: which view a path names, and navigation between views. None of the paths collides with the daemon's own.
// The query is never read: nothing in a link can change where this page connects or with which token.
import { signal } from "@preact/signals";
import { SESSION_ID } from "../../src/domain/session-id.js";
import { BASE } from "./base.js";

/** The path of each view but the chat. */
const PAGE_PATHS = {
  tools: "/browse/tools",
  history: "/browse/history",
  confirmations: "/browse/approvals",
} as const;

/** A view besides the chat. */
export type PageName = keyof typeof PAGE_PATHS;

/** What the main area displays. A chat without a session is a new one. */
export type View = { kind: "chat"; session: string | null } | { kind: PageName };

const SESSION_PATH = /^\/s\/([^/]+)$/;

function decodeSessionId(text: string): string | null {
  try {
    const id = decodeURIComponent(text);
    return SESSION_ID.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** The view a path names; an unknown path is a new chat. */
function viewOf(address: string): View {
  const path = address.slice(BASE.length);
  for (const kind of Object.keys(PAGE_PATHS) as PageName[]) if (path === PAGE_PATHS[kind]) return { kind };
  const session = SESSION_PATH.exec(path)?.[1];
  return { kind: "chat", session: session === undefined ? null : decodeSessionId(session) };
}

/** The path that names a view. */
export function pathOf(view: View): string {
  if (view.kind !== "chat") return BASE + PAGE_PATHS[view.kind];
  return `${BASE}/${view.session === null ? "" : `s/${encodeURIComponent(view.session)}`}`;
}

/** The present view. */
export const view = signal<View>(viewOf(location.pathname));

/** Whether the navigation drawer is open, on a narrow screen. */
export const drawerOpen = signal(false);

/** Changes to another view. `replace` keeps the back button from returning to the present one. */
export function navigate(next: View, options: { replace?: boolean } = {}): void {
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
