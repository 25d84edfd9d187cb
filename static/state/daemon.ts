// What the page knows of the daemon beyond the open conversations: its configuration, its tools and its sessions.

import { computed, signal } from "@preact/signals";
import type { PublicConfig } from "../../src/domain/agent.js";
import type { SessionSummary } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
import { isObject } from "../../src/lib/json.js";
import { ask } from "./api.js";

/** The answer of GET /config/public; undefined until it is here. */
export const config = signal<PublicConfig | undefined>(undefined);
/** The tools in document order; undefined until they are here. */
export const tools = signal<readonly Tool[] | undefined>(undefined);
/** The newest sessions first. */
export const sessions = signal<readonly SessionSummary[]>([]);

/** Tools by name. */
export const toolNamed = computed(() => new Map((tools.value ?? []).map((tool) => [tool.name, tool])));

/** The array in an answer that is one, or that holds one under the given name. */
export function listIn<T>(answer: unknown, name: string): T[] {
  const list = isObject(answer) ? answer[name] : answer;
  return Array.isArray(list) ? (list as unknown as T[]) : [];
}

/** Asks for the configuration; throws when the daemon refuses or is not there. */
export async function loadConfig(): Promise<void> {
  config.value = (await ask("/config/public")) as PublicConfig;
}

/** Asks for the tools. */
export async function loadTools(): Promise<void> {
  tools.value = listIn<Tool>(await ask("/tools"), "tools");
}

/** How many sessions the sidebar lists. */
const SESSIONS_SHOWN = 200;

/** Asks for the sessions. */
export async function loadSessions(): Promise<void> {
  sessions.value = listIn<SessionSummary>(await ask(`/-/sessions?limit=${SESSIONS_SHOWN}`), "sessions");
}
