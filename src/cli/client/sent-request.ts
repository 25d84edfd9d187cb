// What was sent for a recorded call, whole. The row has where it went; its body, parameters or variables follow from the arguments
// and the document of its application, which may be another by now: then nothing is said. Sends nothing.
import { createTransports, impliedByTransport } from "../../applications/kinds.js";
import { loadSettings } from "../../config/settings.js";
import type { HistoryEntry } from "../../domain/record.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { targetOf } from "../../open.js";
import { openApplications } from "../../tools/applications.js";
import type { DataDir } from "./data-dir.js";

/** What is wrong with documents and settings is for other commands to say. */
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The request of a call with its body, where the document in force makes the same request of its arguments. Never throws. */
export async function sentRequest(
  { arguments: args, request, tool }: HistoryEntry,
  { dir, trust }: DataDir,
): Promise<JsonObject | undefined> {
  if (request === null) return undefined;
  try {
    const settings = await loadSettings({ dataDir: dir, trust, flags: {}, env: process.env, lenient: true });
    const redactor = createRedactor(settings.secrets);
    const set = openApplications(settings, { log: SILENT, implied: impliedByTransport }).current();
    const action = set.catalogue.action(tool);
    const application = set.applications.find(({ name }) => name === action?.application);
    const transports = createTransports({ redact: redactor, spoolFolder: dir, dataDir: dir, log: SILENT });
    const transport = action && (await transports.get(action.transport.kind));
    if (!transport) return undefined;
    const prepared = transport.prepare(action, { sent: args, shown: args }, targetOf(settings, application, redactor));
    if (prepared.request === null || toJson(redactor.known(prepared.request)) !== toJson(request)) return undefined;
    // Headers are those of the configuration in force, which nothing of the row confirms.
    const { headers: _, ...preview } = prepared.preview;
    return { ...request, ...redactor.known(preview), ...request };
  } catch {
    return undefined;
  }
}
