// The address bar: which view a path names, and navigation between views. None of the paths collides with the daemon's own.
// Of the query only the filters of the history and the row whose arguments a form begins with are read: nothing in a link can change
// where this page connects or with which token, and none makes a call.
import { signal } from "@preact/signals";
import { SESSION_ID } from "../../src/domain/session-id.js";
import { BASE } from "./base.js";

/** The path of each view but the chat. */
const PAGE_PATHS = {
  tools: "/browse/tools",
  connect: "/browse/connect",
  history: "/browse/history",
  confirmations: "/browse/approvals",
  settings: "/browse/settings",
} as const;

/** A view besides the chat, by its path alone. */
type PathName = keyof typeof PAGE_PATHS;
/** One that the sidebar leads to. */
export type PageName = Exclude<PathName, "connect">;

/** What the main area displays. A chat without a session is a new one. */
export type View =
  /** With the turn that is scrolled to. */
  | { kind: "chat"; session: string | null; turn?: string | undefined }
  /** With the row that is open, and the query that has its filters. */
  | { kind: "history"; row?: number | undefined; search?: string | undefined }
  | { kind: Exclude<PathName, "history"> }
  /** With the history row whose arguments its form begins with. */
  | { kind: "tool"; tool: string; row?: number | undefined };

const ROW_PATH = /^\/browse\/history\/([1-9]\d{0,14})$/;
const ROW_ID = /^[1-9]\d{0,14}$/;
const TOOL_PATH = /^\/browse\/tools\/([A-Za-z0-9_-]{1,200})$/;
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
function viewOf({ pathname, search }: Pick<Location, "pathname" | "search">): View {
  const path = pathname.slice(BASE.length);
  const row = ROW_PATH.exec(path)?.[1];
  if (row !== undefined || path === PAGE_PATHS.history)
    return { kind: "history", row: row === undefined ? undefined : Number(row), search };
  for (const kind of Object.keys(PAGE_PATHS) as PathName[]) if (path === PAGE_PATHS[kind]) return { kind };
  const tool = TOOL_PATH.exec(path)?.[1];
  if (tool !== undefined) {
    const from = new URLSearchParams(search).get("arguments_of") ?? "";
    return { kind: "tool", tool, row: ROW_ID.test(from) ? Number(from) : undefined };
  }
  const session = SESSION_PATH.exec(path)?.[1];
  return { kind: "chat", session: session === undefined ? null : decodeSessionId(session) };
}

/** The path that names a view. */
export function pathOf(view: View): string {
  if (view.kind === "history") {
    const row = view.row === undefined ? "" : `/${view.row}`;
    return `${BASE}${PAGE_PATHS.history}${row}${view.search ?? ""}`;
  }
  if (view.kind === "tool") {
    const from = view.row === undefined ? "" : `?arguments_of=${view.row}`;
    return `${BASE}/browse/tools/${encodeURIComponent(view.tool)}${from}`;
  }
  if (view.kind !== "chat") return BASE + PAGE_PATHS[view.kind];
  const turn = view.turn === undefined ? "" : `#turn-${view.turn}`;
  return `${BASE}/${view.session === null ? "" : `s/${encodeURIComponent(view.session)}`}${turn}`;
}

/** The present view. */
export const view = signal<View>(viewOf(location));

/** Whether the navigation drawer is open, on a narrow screen. */
export const drawerOpen = signal(false);

/** Changes to another view. `replace` keeps the back button from returning to the present one. */
export function navigate(next: View, options: { replace?: boolean } = {}): void {
  const path = pathOf(next);
  if (options.replace) history.replaceState(null, "", path);
  else if (path !== location.pathname + location.search + location.hash) history.pushState(null, "", path);
  view.value = next;
  drawerOpen.value = false;
}

addEventListener("popstate", () => {
  view.value = viewOf(location);
  drawerOpen.value = false;
});
