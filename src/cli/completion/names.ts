// The names that a completion script asks for while a person types: of the daemon that runs on the data directory, else as they
// stand in it. Starts, makes and migrates nothing, runs no command of config.json, and looks into no directory that is not trusted.
import { join } from "node:path";
import { namedDataDir } from "../../config/settings.js";
import { DATA_DIR } from "../../config/table.js";
import { applicationFiles, namedApplications } from "../../data-dir/application-files.js";
import { findDataDir, refuseForeignFiles } from "../../data-dir/find.js";
import { trustOf } from "../../data-dir/trust.js";
import { UNNAMED } from "../../domain/application-name.js";
import type { HistoryEntry } from "../../domain/record.js";
import type { TrustCheck } from "../../domain/trust.js";
import { isUndoable } from "../../domain/undo-state.js";
import { type JsonObject, type JsonValue, listOf, objectOf, parseJson, toJson } from "../../lib/json.js";
import { readRegularFile } from "../../lib/regular-file.js";
import type { RecordReader } from "../../store/reader.js";
import { fullName } from "../../tools/full-names.js";
import { MAX_WAITING, toWaiting } from "../client/waiting.js";
import type { NameKind } from "./words.js";

/** A longer list is of no help. */
const MAX_SESSIONS = 200;
const MAX_CALLS = 100;
const MAX_TALKS = 10;
const MAX_TURNS = 5;
/** Of a daemon that does not answer; a person waits for Tab no longer. */
const SILENT_MS = 1_000;

interface Place {
  dir: string;
  trust: TrustCheck | undefined;
}

/** The directory that is named, or found and trusted. Undefined where there is none. */
function placeOf(flag: string | undefined): Place | undefined {
  const named = namedDataDir(flag, process.env);
  if (named !== undefined) return { dir: named, trust: undefined };
  const dir = findDataDir(".", DATA_DIR.default);
  if (dir === undefined) return undefined;
  refuseForeignFiles(dir);
  const trust = trustOf(dir);
  return trust && { dir, trust: trust === "whole" ? undefined : trust };
}

/** A file of the directory; nothing of one that is not there, is no JSON or is not trusted. */
function read(file: string, { trust }: Place): JsonObject {
  try {
    const bytes = readRegularFile(file);
    return trust?.faultOf(file, bytes) === undefined ? objectOf(parseJson(bytes.toString("utf8"))) : {};
  } catch {
    return {};
  }
}

type DaemonTools = ReturnType<typeof import("../client/daemon-tools.js").openDaemonTools>;

/** What the daemon of the directory answers; undefined where none runs, or it does not let this client in. */
async function fromDaemon<T>({ dir, trust }: Place, read: (daemon: DaemonTools) => Promise<T>): Promise<T | undefined> {
  const { findDaemon } = await import("../client/connect.js");
  try {
    const daemon = await findDaemon({ dir, trust, origin: "named" });
    if (!daemon) return undefined;
    const { loadSettings } = await import("../../config/settings.js");
    const onBrokenFile = (): void => {};
    const input = { dataDir: dir, trust, flags: {}, env: process.env, lenient: true, onBrokenFile };
    const { openDaemonTools } = await import("../client/daemon-tools.js");
    return await read(openDaemonTools(daemon, await loadSettings(input), { silentMs: SILENT_MS }));
  } catch {
    return undefined;
  }
}

/** The actions of an application's document. */
const actionsOf = (place: Place, name: string): JsonValue[] =>
  listOf(read(applicationFiles(place.dir, name).document, place)["resources"]).flatMap((resource) =>
    listOf(objectOf(resource)["actions"]),
  );

async function toolNames(place: Place): Promise<string[]> {
  const inForce = await fromDaemon(place, (daemon) => daemon.tools());
  if (inForce) return inForce.map(({ name }) => name);
  const taken = new Set<string>();
  const ownNames = (name: string): string[] =>
    actionsOf(place, name).map((action) => String(objectOf(action)["name"] ?? ""));
  for (const tool of ownNames("")) taken.add(tool);
  for (const application of namedApplications(place.dir, place.trust).names)
    for (const tool of ownNames(application)) taken.add(fullName(application, tool, taken));
  return [...taken];
}

async function applicationNames(place: Place): Promise<string[]> {
  const inForce = await fromDaemon(place, (daemon) => daemon.applicationNames());
  if (inForce) return inForce.map((name) => name || UNNAMED);
  const hasUnnamed = actionsOf(place, "").length > 0;
  return [...(hasUnnamed ? [UNNAMED] : []), ...namedApplications(place.dir, place.trust).names];
}

/** A name, and what stands beside it in a shell that has room for that. */
interface Name {
  name: string;
  description: string;
}

async function sessionNames({ dir }: Place): Promise<Name[]> {
  const { recentSessions } = await import("../../open.js");
  return (await recentSessions(dir, MAX_SESSIONS)).map(({ id, title }) => ({ name: id, description: title }));
}

/** What the record says, read as it is; nothing where there is none. */
async function fromRecord<T>({ dir }: Place, read: (reader: RecordReader) => Promise<T[]>): Promise<T[]> {
  const { hasRecord, openReader } = await import("../../open.js");
  if (!(await hasRecord(dir))) return [];
  const reader = await openReader(dir);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

const callNames = (place: Place, isWanted: (entry: HistoryEntry) => boolean): Promise<Name[]> =>
  fromRecord(place, async (reader) =>
    (await reader.history({ limit: MAX_CALLS, results: "small" }))
      .filter(isWanted)
      .map(({ id, tool, status, arguments: args }) => ({
        name: String(id),
        description: `${tool} ${status} ${toJson(args)}`,
      })),
  );

const confirmationNames = (place: Place): Promise<Name[]> =>
  fromRecord(place, async (reader) =>
    toWaiting(await reader.waiting(MAX_WAITING)).map(({ id, tool, arguments: args }) => ({
      name: id,
      description: `${tool} ${toJson(args)}`,
    })),
  );

/** The newest turns of the conversations that were used last. */
const turnNames = (place: Place): Promise<Name[]> =>
  fromRecord(place, async (reader) => {
    const found: Name[] = [];
    for (const { session_id } of await reader.sessions({ limit: MAX_TALKS })) {
      const { turns = [] } = (await reader.conversation(session_id)) ?? {};
      const newest = turns.slice(-MAX_TURNS).reverse();
      found.push(
        ...newest.map(({ turn_id, status, prompt }) => ({ name: turn_id, description: `${status}: ${prompt}` })),
      );
    }
    return found;
  });

const configuredProviders = (place: Place): JsonObject =>
  objectOf(read(join(place.dir, "config.json"), place)["providers"]);

async function modelNames(place: Place): Promise<string[]> {
  const inForce = await fromDaemon(place, (daemon) => daemon.providers());
  if (inForce) return inForce.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`));
  return Object.entries(configuredProviders(place)).flatMap(([name, entry]) => {
    const { model, models } = objectOf(entry);
    const all = [model, ...listOf(models)].filter((one) => typeof one === "string");
    return [...new Set(all)].map((one) => `${name}/${one}`);
  });
}

const bare = (names: readonly string[]): Name[] => names.map((name) => ({ name, description: "" }));

/** A name that can stand on a command line: it has no character that acts, and is no flag. */
const isTypable = (name: string): boolean =>
  name !== "" && !name.startsWith("--") && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);

/** The names of a kind. Throws whatever keeps them from being read. */
export async function namesOf(kind: NameKind, dataDir: string | undefined): Promise<Name[]> {
  const place = placeOf(dataDir);
  if (!place) return [];
  const names: Readonly<Record<NameKind, () => Promise<Name[]>>> = {
    tools: async () => bare(await toolNames(place)),
    applications: async () => bare(await applicationNames(place)),
    providers: async () => bare(Object.keys(configuredProviders(place))),
    sessions: () => sessionNames(place),
    models: async () => bare(await modelNames(place)),
    calls: () => callNames(place, () => true),
    changes: () => callNames(place, ({ undo }) => isUndoable(undo)),
    confirmations: () => confirmationNames(place),
    turns: () => turnNames(place),
  };
  return (await names[kind]()).filter(({ name }) => isTypable(name));
}
