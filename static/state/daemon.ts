// What the page knows of the daemon beyond the open conversations: its configuration, its tools and its sessions.

import { computed, signal } from "@preact/signals";
import type { PublicConfig } from "../../src/domain/agent.js";
import type { SessionSummary } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
import { inItsOrder } from "../../src/lib/invisible-characters.js";
import { requestJson, requestList } from "./api.js";

/** The answer of GET /config/public; undefined until it is loaded. */
export const config = signal<PublicConfig | undefined>(undefined);
/** The tools in document order; undefined until they are loaded. */
export const tools = signal<readonly Tool[] | undefined>(undefined);
/** The newest sessions first. */
export const sessions = signal<readonly SessionSummary[]>([]);

/** Tools by name. */
export const toolsByName = computed(() => new Map((tools.value ?? []).map((tool) => [tool.name, tool])));

/** The applications, the one without a name first. */
export const applications = computed(() => config.value?.applications ?? []);

/** Whether a call has to say which application it goes to: there are several, or it is of one that is gone. */
export function isAmbiguous(application: string): boolean {
  const [first, ...others] = applications.value;
  return others.length > 0 || (application !== "" && application !== first?.name);
}

/** How an application is called in a sentence: by its name, or else by its address. What it calls itself is not proven. */
export function applicationName(name: string): string {
  const address = applications.value.find((one) => one.name === name)?.base_url ?? "";
  return name || address.replace(/^https?:\/\//, "") || "the application";
}

/** How an application is called beside an address; "" where that says it already, or no other could be meant. */
export function nameBeside(address: string, application: string): string {
  const name = applicationName(application);
  const isSaid = application === "" && (address.includes(name) || applications.value.every((one) => one.name !== ""));
  return !isAmbiguous(application) || isSaid ? "" : name;
}

/** The title of the application without a name, for choices; "" where it has none, or one that is the name of another. */
export function unnamedTitle(): string {
  const title = applications.value.find(({ name }) => name === "")?.title ?? "";
  return applications.value.some(({ name }) => name === title) ? "" : inItsOrder(title);
}

/** Sessions that are loaded at once. */
const PAGE_SIZE = 100;
let isLoadingMore = false;
/** Whether there may be sessions behind the listed ones. */
let hasMore = false;

function loadPage(before?: string): Promise<SessionSummary[]> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(before === undefined ? {} : { before }) });
  return requestList<SessionSummary>(`/-/sessions?${query}`, "sessions");
}

/** Loads the tools. */
export async function loadTools(): Promise<void> {
  tools.value = await requestList<Tool>("/tools", "tools");
}

/** Loads the configuration, and the tools when the applications are others. Throws when the daemon refuses or does not answer. */
export async function loadConfig(options: { signal?: AbortSignal } = {}): Promise<void> {
  const before = JSON.stringify(applications.peek());
  config.value = (await requestJson("/config/public", options)) as PublicConfig;
  if (tools.peek() !== undefined && JSON.stringify(applications.peek()) !== before) await loadTools();
}

/** Loads the sessions used last; those that were listed behind them stay. */
export async function loadSessions(): Promise<void> {
  const page = await loadPage();
  const before = sessions.peek();
  const end = before.findIndex(({ session_id }) => session_id === page.at(-1)?.session_id);
  const ids = new Set(page.map(({ session_id }) => session_id));
  const older =
    end < 0 || page.length < PAGE_SIZE ? [] : before.slice(end + 1).filter((one) => !ids.has(one.session_id));
  if (older.length === 0) hasMore = page.length === PAGE_SIZE;
  sessions.value = [...page, ...older];
}

/** Loads the sessions behind the listed ones, if there are any. Never throws. */
export async function loadMoreSessions(): Promise<void> {
  const last = sessions.peek().at(-1);
  if (!hasMore || isLoadingMore || last === undefined) return;
  isLoadingMore = true;
  try {
    const page = await loadPage(last.session_id);
    hasMore = page.length === PAGE_SIZE;
    const ids = new Set(sessions.peek().map(({ session_id }) => session_id));
    sessions.value = [...sessions.peek(), ...page.filter((one) => !ids.has(one.session_id))];
  } catch {
    // The next scroll tries again.
  } finally {
    isLoadingMore = false;
  }
}

/** A session is gone: it is listed no longer. */
export function forgetSession(session_id: string): void {
  sessions.value = sessions.peek().filter((one) => one.session_id !== session_id);
}
