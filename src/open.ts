// A data directory and its settings become a running agent. The only file that picks concrete parts; everything that is
// not needed before the first prompt is loaded when it is.

import type { ReloadableParts } from "./agent/context.js";
import { openConnector } from "./applications/connect/open-connector.js";
import { createTransports, impliedByTransport } from "./applications/kinds.js";
import { findLocation } from "./applications/sql/location.js";
import type { Target } from "./applications/transport.js";
import { applicationSettings } from "./config/application.js";
import type { Settings } from "./config/settings.js";
import { readKeptLocations } from "./data-dir/applications-file.js";
import { acquireLock, type Lock } from "./data-dir/lock.js";
import { networkDiskWarning } from "./data-dir/network-disk.js";
import type { Agent } from "./domain/agent.js";
import { DEFAULT_TOKEN_NAME, LOCAL_CALLER } from "./domain/caller.js";
import type { Connector } from "./domain/connector.js";
import { messageOf } from "./domain/error.js";
import { OPEN_POLICY, type Policy, tighten } from "./domain/policy.js";
import { useAuthorities } from "./lib/authorities.js";
import type { Log } from "./lib/log.js";
import { version } from "./lib/package.js";
import type { Redactor } from "./lib/redact/redact.js";
import { withoutTrailing } from "./lib/trailing.js";
import type { Provider } from "./providers/provider.js";
import type { RecordReader, RecordState } from "./store/reader.js";
import type { SessionName } from "./store/sqlite/session-ids.js";
import type { Application } from "./tools/applications.js";
import { type PermissionRules, rulesSince } from "./tools/permissions.js";

/** An agent, and what an entry point needs beside it. */
interface OpenedAgent {
  agent: Agent;
  /** Connects applications to it. */
  connector: Connector;
  lock: Lock;
  /** Which provider was chosen and why, for the person at the terminal. */
  providerWhy: string;
  /**
   * Puts other settings in force for what is taken from now on; the modes in force stay on. Gives the modes that are in force then.
   * All of it or, when it throws StartError, nothing.
   */
  reload(settings: Settings): Promise<Policy>;
}

/** What the operator configured for an application, with its document in force. `redactor` learns what signs in to a database. */
export function targetOf(
  settings: Settings,
  application: Application | undefined,
  redactor: Pick<Redactor, "learn">,
): Target {
  const document = application?.loaded?.document;
  const own = applicationSettings(settings, application?.name ?? "");
  return {
    application: application?.name ?? "",
    baseUrl: withoutTrailing(own.baseUrl ?? document?.base_url ?? "", "/"),
    credentialsWait: own.baseUrl === undefined && document?.base_url_confirmed === false,
    headers: own.headers,
    schemes: document?.auth ?? {},
    credentials: own.credentials,
    arguments: own.arguments,
    timeoutMs: own.timeoutMs,
    undo: own.undo,
    allowFiles: own.allowFiles,
    ...(document?.source === "sql" && databaseOf(settings, application?.name ?? "", redactor)),
    ...(document?.source === "mcp" && serverOf(settings, application?.name ?? "")),
  };
}

/** Where the database of an application is. */
function databaseOf(settings: Settings, name: string, redactor: Pick<Redactor, "learn">): Partial<Target> {
  const { location: configured, superuserQuery } = applicationSettings(settings, name);
  const kept = (): string | undefined => readKeptLocations(settings.dataDir, settings.trust).get(name)?.location;
  return {
    ...findLocation({ configured, kept }, (secret) => redactor.learn(secret)),
    allowsSuperuser: superuserQuery,
  };
}

/** Where the MCP server of an application is: as the operator said it, never as a document does. */
function serverOf(settings: Settings, name: string): Partial<Target> {
  const { command: configured, environment, baseUrl } = applicationSettings(settings, name);
  try {
    const kept = readKeptLocations(settings.dataDir, settings.trust).get(name);
    const { command = kept?.command, folder = settings.dataDir } = { command: configured, folder: kept?.folder };
    if (command && (configured || baseUrl === undefined)) return { program: { command, folder, environment } };
    const location = baseUrl ?? (kept?.kind === "mcp" ? kept.location : undefined);
    return location === undefined ? {} : { location };
  } catch (error) {
    return { locationFault: messageOf(error) };
  }
}

/** The modes of each application that config.json gives some, and those they had before. */
function modesOf(settings: Settings, before: ReadonlyMap<string, Policy> = new Map()): ReadonlyMap<string, Policy> {
  const names = new Set(["", ...settings.applications.keys(), ...before.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      tighten(before.get(name) ?? OPEN_POLICY, applicationSettings(settings, name).policy),
    ]),
  );
}

/** The provider that is configured, or found; what is found has its key learnt by the redactor. Throws StartError. */
export async function openProvider(
  settings: Settings,
  context: { redactor: Redactor; log: Log },
): Promise<{ provider: Provider; why: string }> {
  const { providers, why } = await (await import("./providers/open.js")).openProviders(settings, context);
  return { provider: providers.inUse, why };
}

/** Whether `confirm` is on by more than config.json. */
function confirmsFirmly({ policy, origins }: Settings): boolean {
  return policy.confirm && origins["safety.confirm"] !== "config.json";
}

/** The names of the tokens that may change things, also where none is needed and where the one token is not set now. */
function fullTokensOf({ tokens }: Settings): ReadonlySet<string> {
  const named = Object.keys(tokens).filter((name) => tokens[name]?.readOnly === false);
  return new Set([LOCAL_CALLER.name, DEFAULT_TOKEN_NAME, ...named]);
}

/** What the settings and the documents say of applications. */
type ApplicationParts = Pick<ReloadableParts, "applications" | "target" | "modes">;

/** The applications of a data directory. With what is in force no mode is turned off. Throws StartError. */
async function openParts(
  settings: Settings,
  { log, redactor }: { log: Log; redactor: Redactor },
  now?: { modes: ReadonlyMap<string, Policy>; rules: readonly PermissionRules[] },
): Promise<{ parts: ApplicationParts; modes: ReadonlyMap<string, Policy> }> {
  const { openApplications } = await import("./tools/applications.js");
  const modes = modesOf(settings, now?.modes);
  const parts: ApplicationParts = {
    applications: openApplications(settings, {
      log,
      implied: impliedByTransport,
      earlierRules: now?.rules,
    }),
    target: (application) => targetOf(settings, application, redactor),
    modes: (application) => modes.get(application) ?? {},
  };
  return { parts, modes };
}

/** What is in force while an agent runs. */
interface InForce extends ReloadableParts {
  /** Of each application by its name. */
  ownModes: ReadonlyMap<string, Policy>;
  /** What each configuration since the start said of single tools; none of it is relaxed. */
  rules: readonly PermissionRules[];
  /** Whether the provider was found and not configured. */
  wasFound: boolean;
}

/** What a running agent uses in place of what is in force. A provider that was found and not configured stays. */
async function reloadedParts(
  settings: Settings,
  now: InForce,
  { log, redactor }: { log: Log; redactor: Redactor },
): Promise<InForce> {
  for (const secret of settings.secrets) redactor.learn(secret);
  const before = { modes: now.ownModes, rules: now.rules };
  const { parts, modes: ownModes } = await openParts(settings, { log, redactor }, before);
  for (const [application, kept] of ownModes) {
    const read = applicationSettings(settings, application).policy;
    const modes = Object.keys(kept).filter((mode) => kept[mode as keyof Policy] && !read[mode as keyof Policy]);
    if (modes.length > 0)
      log.warn({ application, modes }, "a reload turns no safety mode of an application off; restart agentd to do so");
  }
  const isFound = settings.provider.configured === undefined;
  const { openProviders } = await import("./providers/open.js");
  const providers =
    isFound && now.wasFound
      ? now.providers
      : (await openProviders(settings, { redactor, log, before: now.providers })).providers;
  const { maxIterations, turnTimeoutMs, limits } = settings;
  const policy = tighten(now.policy, settings.policy);
  const isConfirmFirm = now.isConfirmFirm || confirmsFirmly(settings);
  const rules = rulesSince(now.rules, settings);
  const ofTurns = { maxIterations, turnTimeoutMs, limits, fullTokens: fullTokensOf(settings) };
  return { ...parts, ...ofTurns, settings, providers, policy, isConfirmFirm, ownModes, rules, wasFound: isFound };
}

/**
 * Opens the data directory: takes its lock, opens the record, the schema document, the provider.
 * `redactor` learns the secrets found later; the caller's own output must pass through the same one.
 * Throws StartError naming the file or address and what to do.
 */
export async function openAgent(settings: Settings, log: Log, redactor: Redactor): Promise<OpenedAgent> {
  useAuthorities(settings.caFile?.certificates ?? []);
  // Loaded together, and not by a command that only reads the record.
  const [{ createAgent }, { createNotifier }, { openSqliteStore }, { parts, modes }] = await Promise.all([
    import("./agent/create.js"),
    import("./agent/state/notify.js"),
    import("./store/sqlite/store.js"),
    // First of all: with one that cannot be used there is nothing to hold the directory for.
    openParts(settings, { log, redactor }),
  ]);
  const lock = await acquireLock(settings.dataDir);
  try {
    const { openProviders } = await import("./providers/open.js");
    const { providers, why } = await openProviders(settings, { redactor, log });
    const onWarning = (message: string): void => log.warn({}, message);
    const warning = networkDiskWarning(settings.dataDir);
    if (warning !== undefined) onWarning(warning);
    const { dataDir } = settings;
    const store = await openSqliteStore({ ...settings, dir: dataDir, lock, onWarning });
    const transports = createTransports({ redact: redactor, spoolFolder: dataDir, dataDir, log });
    const { policy, maxIterations, turnTimeoutMs, limits, maxTurns, maxQueue, confirmationTtlMs } = settings;
    const isConfirmFirm = confirmsFirmly(settings);
    const ofTurns = { maxIterations, turnTimeoutMs, limits, fullTokens: fullTokensOf(settings) };
    const initial: ReloadableParts = { ...parts, ...ofTurns, settings, providers, policy, isConfirmFirm };
    const notifier = createNotifier(log);
    notifier.use(settings.notify);
    const agent = await createAgent({
      ...initial,
      store,
      redactor,
      log,
      version,
      maxTurns,
      maxQueue,
      confirmationTtlMs,
      notifier,
      transport: transports.get,
      async onClose() {
        await transports.close();
        lock.release();
      },
    });
    const rules = rulesSince([], settings);
    let now: InForce = { ...initial, ownModes: modes, rules, wasFound: settings.provider.configured === undefined };
    let inForce = settings;
    return {
      agent,
      connector: openConnector({ settings: () => inForce, agent, warn: onWarning }),
      lock,
      providerWhy: why,
      async reload(next) {
        now = await reloadedParts(next, now, { log, redactor });
        inForce = next;
        const { ownModes: _, rules: __, wasFound: ___, ...replaced } = now;
        agent.reload(replaced);
        notifier.use(next.notify);
        return now.policy;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The state of the record in a data directory, undefined when nothing is recorded yet. Throws StartError for what is none. */
export async function inspectDataDir(dataDir: string): Promise<RecordState | undefined> {
  return (await import("./store/sqlite/inspect.js")).inspectRecord(dataDir);
}

/** The newest conversations of a record as it is, of any version; those whose ids begin so. Throws StartError where it cannot be read. */
export async function recentSessions(dataDir: string, limit: number, prefix?: string): Promise<SessionName[]> {
  return (await import("./store/sqlite/session-ids.js")).recentSessionNames(dataDir, limit, prefix);
}

/** Whether there is a record. Throws StartError when the directory is none or the record no regular file. */
export async function hasRecord(dataDir: string): Promise<boolean> {
  return (await import("./store/sqlite/open-read-only.js")).recordExists(dataDir);
}

/** Opens the record for reading as it is. Throws StartError when there is none, or none that this version can read. */
export async function openReader(dataDir: string): Promise<RecordReader> {
  return (await import("./store/sqlite/open-reader.js")).openSqliteReader(dataDir);
}

/** Opens the record for reading once it is recovered and migrated, unless a process holds the directory. Throws as openReader does. */
export async function openRecoveredReader(dataDir: string, warn: (message: string) => void): Promise<RecordReader> {
  return (await import("./store/sqlite/open-reader.js")).openRecoveredSqliteReader(dataDir, warn);
}

/** Rewrites the record without the space of deleted rows. Throws StartError while a process holds the directory, and when it cannot. */
export async function compactRecord(
  dataDir: string,
  onWarning: (message: string) => void,
): Promise<{ before: number; after: number }> {
  const lock = await acquireLock(dataDir);
  try {
    return (await import("./store/sqlite/compact.js")).rewriteRecord(dataDir, onWarning);
  } finally {
    lock.release();
  }
}

/** Checks a copy of a record, alone in `dir`, and brings it up to date. Throws StartError with what is wrong. */
export async function checkRecordCopy(dir: string): Promise<void> {
  await (await import("./store/sqlite/check-copy.js")).checkCopy(dir);
}
