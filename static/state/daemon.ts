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

/** How many sessions the sidebar lists. */
const MAX_SESSIONS = 200;

/** Loads the configuration; throws when the daemon refuses or does not answer. */
export async function loadConfig(): Promise<void> {
  config.value = (await requestJson("/config/public")) as PublicConfig;
}

/** Loads the tools. */
export async function loadTools(): Promise<void> {
  tools.value = await requestList<Tool>("/tools", "tools");
}

/** Loads the sessions. */
export async function loadSessions(): Promise<void> {
  sessions.value = await requestList<SessionSummary>(`/-/sessions?limit=${MAX_SESSIONS}`, "sessions");
}
