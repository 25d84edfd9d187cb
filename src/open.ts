// A data directory and its settings become a running agent. The only file that picks concrete parts; everything that is
// not needed before the first prompt is loaded when it is.

import type { ReloadableParts } from "./agent/context.js";
import { createTransports, impliedByTransport } from "./applications/kinds.js";
import type { Target } from "./applications/transport.js";
import type { Settings } from "./config/settings.js";
import { acquireLock, type Lock } from "./data-dir/lock.js";
import type { Agent } from "./domain/agent.js";
import { type Policy, tighten } from "./domain/policy.js";
import type { Log } from "./lib/log.js";
import { version } from "./lib/package.js";
import type { Redactor } from "./lib/redact/redact.js";
import type { Provider } from "./providers/provider.js";
import type { RecordReader } from "./store/reader.js";
import type { SchemaFile } from "./tools/schema-file.js";

/** An agent, and what an entry point needs beside it. */
interface OpenedAgent {
  agent: Agent;
  lock: Lock;
  /** Which provider was chosen and why, for the person at the terminal. */
  providerWhy: string;
  /**
   * Puts other settings in force for what is taken from now on; the modes in force stay on. Gives the modes that are in force then.
   * All of it or, when it throws StartError, nothing.
   */
  reload(settings: Settings): Promise<Policy>;
}

/** What the operator configured, for the document in force now. */
function targetOf(settings: Settings, schemaFile: SchemaFile): Target {
  const { document } = schemaFile.current().catalogue;
  return {
    baseUrl: (settings.baseUrl ?? document.base_url).replace(/\/+$/, ""),
    credentialsWait: settings.baseUrl === undefined && document.base_url_confirmed === false,
    headers: settings.target.headers,
    schemes: document.auth,
    credentials: settings.target.credentials,
    arguments: settings.target.arguments,
    timeoutMs: settings.target.timeoutMs,
    allowFiles: settings.target.allowFiles,
  };
}

async function openProvider(settings: Settings, redactor: Redactor): Promise<{ provider: Provider; why: string }> {
  const { createProvider, providerOptions } = await import("./providers/create.js");
  const { configured, model } = settings.provider;
  if (configured) {
    // Only an Ollama chosen by its bare name has no address yet.
    const isOllama = configured.type === "openai-compatible" && configured.baseUrl === undefined;
    const ollama =
      isOllama && (await (await import("./providers/detect.js")).chosenOllama(process.env, configured.model));
    const provider = await createProvider(configured.type, {
      ...providerOptions({ ...configured, ...ollama, redact: redactor.text }),
      file: configured.file || undefined,
      act: configured.act,
    });
    return { provider, why: `provider ${provider.name} (${configured.type}, ${provider.model}), as configured` };
  }
  const { detectProvider } = await import("./providers/detect.js");
  const found = await detectProvider(process.env);
  if (found.apiKey) redactor.learn(found.apiKey);
  const provider = await createProvider(
    found.type,
    providerOptions({ ...found, model: model || found.model, redact: redactor.text }),
  );
  return { provider, why: `provider ${provider.name} (${found.type}, ${provider.model}): ${found.why}` };
}

/** What a running agent uses in place of what it was opened with. A provider that was found and not configured stays. */
async function reloadedParts(
  settings: Settings,
  now: { policy: Policy; provider: Provider; wasFound: boolean },
  { log, redactor }: { log: Log; redactor: Redactor },
): Promise<ReloadableParts> {
  const { openSchemaFile, schemaLocation } = await import("./tools/schema-file.js");
  for (const secret of settings.secrets) redactor.learn(secret);
  const schemaFile = openSchemaFile(schemaLocation(settings), log, impliedByTransport);
  const isFound = settings.provider.configured === undefined;
  const opened = isFound && now.wasFound ? now.provider : (await openProvider(settings, redactor)).provider;
  // Like a mode: only a start lets it act, and what a person confirms is confirmed until the next one.
  const isLetAct = opened.confirmsChanges === false && now.provider.confirmsChanges !== false;
  if (isLetAct) log.warn({}, "a reload does not let the offline provider act; restart agentd to do so");
  const provider = isLetAct ? { ...opened, confirmsChanges: true } : opened;
  const { maxIterations, turnTimeoutMs } = settings;
  const target = (): Target => targetOf(settings, schemaFile);
  return { schemaFile, provider, policy: tighten(now.policy, settings.policy), maxIterations, turnTimeoutMs, target };
}

/**
 * Opens the data directory: takes its lock, opens the record, the schema document, the provider.
 * `redactor` learns the secrets found later; the caller's own output must pass through the same one.
 * Throws StartError naming the file or address and what to do.
 */
export async function openAgent(settings: Settings, log: Log, redactor: Redactor): Promise<OpenedAgent> {
  // Loaded together, and not by a command that only reads the record.
  const [{ createAgent }, { openSqliteStore }, { openSchemaFile, schemaLocation }] = await Promise.all([
    import("./agent/create.js"),
    import("./store/sqlite/store.js"),
    import("./tools/schema-file.js"),
  ]);
  // First of all: without one there is nothing to hold the directory for.
  const schemaFile = openSchemaFile(schemaLocation(settings), log, impliedByTransport);
  const lock = await acquireLock(settings.dataDir);
  try {
    const { provider, why } = await openProvider(settings, redactor);
    const onWarning = (message: string): void => log.warn({}, message);
    const { dataDir, historyKeepDays } = settings;
    const store = await openSqliteStore({ dir: dataDir, lock, historyKeepDays, onWarning });
    const transports = createTransports({ redact: redactor, spoolFolder: settings.dataDir });
    const { policy, maxIterations, turnTimeoutMs, maxTurns, maxQueue, confirmationTtlMs } = settings;
    const target = (): Target => targetOf(settings, schemaFile);
    const initial: ReloadableParts = { schemaFile, provider, policy, maxIterations, turnTimeoutMs, target };
    const agent = await createAgent({
      ...initial,
      store,
      redactor,
      log,
      version,
      maxTurns,
      maxQueue,
      confirmationTtlMs,
      transport: transports.get,
      async onClose() {
        await transports.close();
        lock.release();
      },
    });
    let now = { policy, provider, wasFound: settings.provider.configured === undefined };
    return {
      agent,
      lock,
      providerWhy: why,
      async reload(next) {
        const parts = await reloadedParts(next, now, { log, redactor });
        now = { ...parts, wasFound: next.provider.configured === undefined };
        agent.reload(parts);
        return parts.policy;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Whether the data directory holds a record. Throws StartError when it is no directory or the record no regular file. */
export async function hasRecord(dataDir: string): Promise<boolean> {
  return (await import("./store/sqlite/open-read-only.js")).recordExists(dataDir);
}

/** Opens the record for reading as it is. Throws StartError when there is none, or none that this version can read. */
export async function openReader(dataDir: string): Promise<RecordReader> {
  return (await import("./store/sqlite/open-reader.js")).openSqliteReader(dataDir);
}

/**
 * Opens the record for reading once it is put in order: what a dead daemon left is recovered and an older version migrated,
 * unless a process holds the directory. Throws as openReader does.
 */
export async function openRecoveredReader(
  dataDir: string,
  onWarning: (message: string) => void,
): Promise<RecordReader> {
  return (await import("./store/sqlite/open-reader.js")).openRecoveredSqliteReader(dataDir, onWarning);
}
