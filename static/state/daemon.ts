// What the page knows of the daemon beyond the open conversations: its configuration, its tools and its sessions.

import { computed, signal } from "@preact/signals";
import type { PublicConfig } from "../../src/domain/agent.js";
import type { SessionSummary } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
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

/** How an application is called in a sentence. */
export function applicationName(name: string): string {
  return name === "" ? "the application without a name" : name;
}

/** How many sessions the sidebar lists. */
const MAX_SESSIONS = 200;

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

/** Loads the sessions. */
export async function loadSessions(): Promise<void> {
  sessions.value = await requestList<SessionSummary>(`/-/sessions?limit=${MAX_SESSIONS}`, "sessions");
}
