// Calls that a person makes by hand, saved actions, and connecting an application: what the page asks the daemon for.
import { signal } from "@preact/signals";
import type { CallAnswer } from "../../src/domain/agent.js";
import type { ApplicationPreview, ConnectedApplication, ConnectRequest } from "../../src/domain/connector.js";
import type { Policy } from "../../src/domain/policy.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { ActionContent, SavedAction } from "../../src/domain/saved-action.js";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { requestJson, requestList } from "./api.js";
import { loadConfirmations } from "./confirmations.js";
import { loadConfig, loadTools } from "./daemon.js";
import { chosenModes } from "./modes.js";

/** Calls listed below a tool. */
const LAST_CALLS = 5;

/** The saved actions; empty until they are loaded. */
export const savedActions = signal<readonly SavedAction[]>([]);

/** Loads the saved actions. */
export async function loadActions(): Promise<void> {
  savedActions.value = await requestList<SavedAction>("/-/actions", "actions");
}

/** Saves an action. */
export async function saveAction(content: ActionContent): Promise<void> {
  await requestJson("/-/actions", { method: "POST", body: { ...content } });
  await loadActions();
}

/** Deletes an action. */
export async function deleteAction(id: string): Promise<void> {
  await requestJson(`/-/actions/${encodeURIComponent(id)}`, { method: "DELETE" });
  await loadActions();
}

/** Makes one call, under the modes of this tab; one that is held has its confirmation among those of the page. */
export async function callTool(
  tool: string,
  { arguments: args, modes, signal: stop }: { arguments: JsonObject; modes: Partial<Policy>; signal: AbortSignal },
): Promise<CallAnswer> {
  const body: JsonObject = { arguments: args, ...chosenModes.peek(), ...modes };
  const path = `/-/tools/${encodeURIComponent(tool)}/call`;
  const answer = (await requestJson(path, { method: "POST", body, signal: stop })) as CallAnswer;
  if (answer.confirmation) await loadConfirmations();
  return answer;
}

/** The newest calls of a tool. */
export async function lastCalls(tool: string): Promise<HistoryEntry[]> {
  return requestList<HistoryEntry>(`/history?tool=${encodeURIComponent(tool)}&limit=${LAST_CALLS}`, "history");
}

/** A tool with the whole schema of its arguments; undefined when there is none. */
export async function loadTool(name: string): Promise<Tool | undefined> {
  return (await requestList<Tool>(`/tools?name=${encodeURIComponent(name)}`, "tools"))[0];
}

const toBody = (request: ConnectRequest & { digest?: string }): JsonValue =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined && value !== ""));

/** What connecting would import. */
export async function previewApplication(request: ConnectRequest, stop: AbortSignal): Promise<ApplicationPreview> {
  const options = { method: "POST", body: toBody(request), signal: stop } as const;
  return (await requestJson("/-/applications/preview", options)) as ApplicationPreview;
}

/** What was connected last in this tab, with what it was displayed as. */
export const connectedNow = signal<{ connected: ConnectedApplication; preview: ApplicationPreview } | undefined>(
  undefined,
);

/** Connects what was previewed, and loads its tools. */
export async function connectApplication(
  request: ConnectRequest & { digest: string },
  preview: ApplicationPreview,
): Promise<void> {
  const connected = await requestJson("/-/applications", { method: "POST", body: toBody(request) });
  connectedNow.value = { connected: connected as ConnectedApplication, preview };
  await Promise.all([loadConfig(), loadTools()]);
}
