// Connects applications to a running daemon: what a client may have read, and that no credential goes where only a client or a
// description said. Source: docs/reference.md, "Connecting an application".
import { existsSync } from "node:fs";
import { join } from "node:path";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import type { Agent } from "../../domain/agent.js";
import { CONNECTABLE_KINDS, type Connector, type ConnectRequest } from "../../domain/connector.js";
import { AppError, messageOf } from "../../domain/error.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { originOf } from "../../lib/url.js";
import { schemaLocation } from "../../tools/schema-file.js";
import type { Previewed } from "./preview.js";
import { readDescription } from "./read-description.js";
import { sourceInput } from "./read-location.js";
import { toKept } from "./sync-request.js";
import { writeApplication } from "./write-application.js";

/** Descriptions read at once. */
const MAX_READERS = 2;

/** What connecting works on. */
export interface ConnectorContext {
  /** Those in force now. */
  settings(): Settings;
  /** Knows which applications are there. */
  agent: Pick<Agent, "config">;
  warn(sentence: string): void;
}

/** Where the document goes. Throws AppError conflict for a name that is taken. */
function freePlace(name: string, { settings, agent }: ConnectorContext): string {
  const { file } = schemaLocation(settings(), name);
  const isTaken = agent.config().applications.some((one) => one.name === name);
  if (isTaken || existsSync(file))
    throw new AppError(
      "conflict",
      name === ""
        ? "There is an application without a name already. Give this one a name."
        : `There is an application ${name} already. Choose another name.`,
    );
  return file;
}

async function readOnce(request: ConnectRequest, context: ConnectorContext, signal: AbortSignal): Promise<Previewed> {
  const settings = context.settings();
  const { name, kind, location = "", document: text } = request;
  const file = freePlace(name, context);
  const own = applicationSettings(settings, name);
  const baseUrl = own.baseUrl ?? request.base_url;
  const given = { headers: {}, secrets: [] };
  // The operator's credentials are for the address that config.json names, and for no other: not for one that a client names.
  const place = { location, program: undefined, settings, application: name, file, baseUrl: own.baseUrl, given };
  const { location: _, ...input } = sourceInput(kind ?? CONNECTABLE_KINDS[0], { ...place, allowExternal: false });
  const answer = await readDescription(
    {
      kind,
      location,
      text,
      input: { ...input, ...(baseUrl !== undefined && { baseUrl }) },
      context: {
        name,
        configured: Object.keys(own.credentials),
        isNamed: own.baseUrl !== undefined,
        configFile: join(settings.dataDir, "config.json"),
      },
      certificates: settings.caFile?.certificates ?? [],
    },
    signal,
  );
  const redact = createRedactor(settings.secrets);
  if ("fault" in answer) throw new AppError("invalid_body", redact.text(answer.fault));
  const notes = answer.preview.notes.map((sentence) => redact.text(sentence));
  return { ...answer, preview: { ...answer.preview, notes } };
}

/** The location as it is kept for the next sync; what cannot be read again is said so there. */
function keptLocation({ location, base_url }: ConnectRequest, kind: string, settings: Settings) {
  const request = { kind, location: location ?? "-", headers: [], baseUrl: base_url, allowExternal: false };
  return { ...toKept(request, createRedactor(settings.secrets)), synced_at: new Date().toISOString() };
}

/** What connects applications to the daemon of these settings. */
export function createConnector(context: ConnectorContext): Connector {
  let reading = 0;
  const read = async (request: ConnectRequest, signal: AbortSignal): Promise<Previewed> => {
    if (reading >= MAX_READERS)
      throw new AppError("busy", "Other descriptions are being read; try again in a moment.", { retryAfter: 5 });
    reading++;
    try {
      return await readOnce(request, context, signal);
    } finally {
      reading--;
    }
  };
  return {
    preview: async (request, signal) => (await read(request, signal)).preview,
    async connect({ digest, ...request }, signal) {
      const { preview, document } = await read(request, signal);
      if (preview.digest !== digest)
        throw new AppError("conflict", "The description is not what the preview displayed any more. Look at it again.");
      const settings = context.settings();
      const { name, kind, base_url, tools } = preview;
      const file = freePlace(name, context);
      const { dataDir: dir, trust } = settings;
      try {
        const kept = { name, location: keptLocation(request, kind, settings) };
        await writeApplication({ dir, trust, warn: context.warn }, { file, content: document }, kept);
      } catch (error) {
        throw new AppError("internal", messageOf(error), { cause: error });
      }
      return { name, kind, base_url: originOf(base_url) === undefined ? "" : base_url, tools };
    },
  };
}
