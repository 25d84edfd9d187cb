// Where a command's prompts and questions go: to the daemon that runs on the data directory, so that there is one writer, or
// to an agent in this process. Both look the same from here. Source: docs/reference.md, "Command line"

import { loadSettings, type Settings } from "../../config/settings.js";
import { usageError } from "../../domain/error.js";
import type { OfferedProvider } from "../../domain/model-choice.js";
import type { SharedArgs } from "../command.js";
import { firstGiven } from "../options.js";
import { say, warn } from "../terminal/output.js";
import type { AgentClient, ApprovalsClient, Aside, Daemon, RecordClient, UndoClient } from "./client.js";
import { type DataDir, existingDataDir, NO_DATA_DIR } from "./data-dir.js";

/**
 * Looks for a daemon on a data directory: by its lock file, or by what it published for this account where the directory's
 * own files might say anything.
 */
export async function findDaemon({ dir, trust, daemon }: DataDir): Promise<Daemon | undefined> {
  if (daemon) return daemon;
  if (trust) return (await import("../../data-dir/running.js")).daemonOn(dir);
  const lock = (await import("../../data-dir/lock.js")).readLock(dir);
  return lock?.address ? { pid: lock.pid, address: lock.address } : undefined;
}

/** The settings; with a daemon to go through no secret of the model or the target is needed, and the daemon knows its models. */
export function settingsFor(args: SharedArgs, { dir, trust }: DataDir, daemon: Daemon | undefined): Promise<Settings> {
  if (!daemon) return loadSettings({ dataDir: dir, trust, flags: args, env: process.env });
  const flags = { ...args, provider: undefined, model: undefined };
  return loadSettings({ dataDir: dir, trust, flags, env: process.env, lenient: true, onBrokenFile: warn });
}

/** The daemon that runs on the data directory, if any, and the settings by which it, or the directory, is used. */
async function reach(args: SharedArgs): Promise<{ chosen: DataDir; daemon: Daemon | undefined; settings: Settings }> {
  const chosen = await existingDataDir(args);
  const daemon = await findDaemon(chosen);
  return { chosen, daemon, settings: await settingsFor(args, chosen, daemon) };
}

/** Opens the agent for `run` or `chat`. */
export async function connectAgent(args: SharedArgs, command: "run" | "chat"): Promise<AgentClient> {
  const { chosen, daemon, settings } = await reach(args);
  const { provider, model, verbose = false } = args;
  const choosesModel = provider !== undefined || model !== undefined;
  if (!daemon) return (await import("./in-process.js")).openInProcess(settings, { verbose, command, choosesModel });
  // Only the process that holds the agent can choose its parts.
  const refused = firstGiven("parts", args);
  if (refused)
    throw usageError(
      `a daemon (pid ${daemon.pid}) runs on ${settings.dataDir} and has made its own choice of --${refused}. Leave the option out, or stop the daemon.`,
    );
  const aside = async (now: Daemon): Promise<Aside> => (await import("./aside.js")).daemonAside(now, settings);
  // The one it was found by may be gone.
  const { daemon: _, ...place } = chosen;
  const parts = { flags: { provider, model }, aside, find: () => findDaemon(place) };
  return (await import("./daemon.js")).openDaemonClient(daemon, settings, parts);
}

/** The providers that a prompt may choose. Throws StartError. */
export async function connectProviders(args: SharedArgs, chosen: DataDir): Promise<readonly OfferedProvider[]> {
  const daemon = await findDaemon(chosen);
  if (daemon) {
    const settings = await settingsFor(args, chosen, daemon);
    return (await import("./daemon.js")).daemonProviders(daemon, settings);
  }
  const { dir, trust } = chosen;
  const load = (lenient: boolean): Promise<Settings> =>
    loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient });
  // A lenient reader does not tell which providers lack a secret; one that is not stops where the default provider does.
  const settings = await load(false).catch(() => load(true));
  for (const warning of settings.warnings) warn(warning);
  return (await import("./in-process.js")).configuredProviders(settings, args.verbose === true);
}

/** Opens the calls that wait for `approvals`; without a daemon an approved one runs in this process. */
export async function connectApprovals(args: SharedArgs): Promise<ApprovalsClient> {
  const { daemon, settings } = await reach(args);
  return daemon
    ? (await import("./daemon-approvals.js")).openDaemonApprovals(daemon, settings)
    : (await import("./in-process.js")).openApprovalsInProcess(settings, args.verbose === true);
}

/** Opens what takes changes back; without a daemon it is done in this process. */
export async function connectUndo(args: SharedArgs): Promise<UndoClient> {
  const { daemon, settings } = await reach(args);
  return daemon
    ? (await import("./daemon-approvals.js")).openDaemonUndo(daemon, settings)
    : (await import("./in-process.js")).openUndoInProcess(settings, args.verbose === true);
}

/** Opens the record for `history` and `sessions`. Creates nothing where there is none; without a data directory it says so. */
export async function connectRecord(args: SharedArgs, chosen: DataDir): Promise<RecordClient> {
  if (chosen.origin === "missing")
    say(`agentd: ${NO_DATA_DIR}: nothing is recorded. --data-dir names one that is elsewhere.`);
  const daemon = await findDaemon(chosen);
  if (!daemon) return (await import("./local-record.js")).openLocalRecord(chosen.dir);
  const settings = await settingsFor(args, chosen, daemon);
  // It may have left in the meantime.
  return (await findDaemon(chosen))
    ? (await import("./daemon.js")).openDaemonRecord(daemon, settings)
    : (await import("./local-record.js")).openLocalRecord(chosen.dir);
}
