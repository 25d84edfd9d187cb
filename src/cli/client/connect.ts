// Where a command's prompts and questions go: to the daemon that runs on the data directory, so that there is one writer, or
// to an agent in this process. Both look the same from here. Source: docs/reference.md, "Command line"

import { loadSettings, type Settings } from "../../config/settings.js";
import { StartError } from "../../domain/error.js";
import type { SharedArgs } from "../command.js";
import { firstGiven } from "../options.js";
import { say, warn } from "../terminal/output.js";
import type { AgentClient, Daemon, RecordClient } from "./client.js";
import { type DataDir, existingDataDir, NO_DATA_DIR } from "./data-dir.js";

/**
 * Looks for a daemon on a data directory: by its lock file, or by what it published for this account where the directory's
 * own files might say anything.
 */
async function findDaemon({ dir, trust, daemon }: DataDir): Promise<Daemon | undefined> {
  if (daemon) return daemon;
  if (trust) return (await import("../../data-dir/running.js")).daemonOn(dir);
  const lock = (await import("../../data-dir/lock.js")).readLock(dir);
  return lock?.address ? { pid: lock.pid, address: lock.address } : undefined;
}

/** The settings; with a daemon to go through no secret of the model or the target is needed. */
function settingsFor(args: SharedArgs, { dir, trust }: DataDir, daemon: Daemon | undefined): Promise<Settings> {
  return loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: daemon !== undefined });
}

/** Opens the agent for `run` and `chat`. */
export async function connectAgent(args: SharedArgs): Promise<AgentClient> {
  const chosen = await existingDataDir(args);
  const daemon = await findDaemon(chosen);
  const settings = await settingsFor(args, chosen, daemon);
  if (!daemon) return (await import("./in-process.js")).openInProcess(settings, args.verbose === true);
  // Only the process that holds the agent can choose its parts.
  const refused = firstGiven("parts", args);
  if (refused)
    throw new StartError(
      `a daemon (pid ${daemon.pid}) runs on ${settings.dataDir} and has made its own choice of --${refused}. Leave the option out, or stop the daemon.`,
      { exitCode: 2 },
    );
  return (await import("./daemon.js")).openDaemonClient(daemon, settings);
}

/** The record itself, read beside the process that holds the directory, if any. */
async function openLocalRecord(dataDir: string): Promise<RecordClient> {
  const { hasRecord, openRecoveredReader } = await import("../../open.js");
  if (!(await hasRecord(dataDir))) return { history: async () => [], sessions: async () => [], close: async () => {} };
  const reader = await openRecoveredReader(dataDir, warn);
  return {
    history: (query) => reader.history(query),
    sessions: (limit) => reader.sessions({ limit }),
    close: () => reader.close(),
  };
}

/** Opens the record for `history` and `sessions`. Creates nothing where there is none; without a data directory it says so. */
export async function connectRecord(args: SharedArgs, chosen: DataDir): Promise<RecordClient> {
  if (chosen.origin === "missing")
    say(`agentd: ${NO_DATA_DIR}: nothing is recorded. --data-dir names one that is elsewhere.`);
  const daemon = await findDaemon(chosen);
  if (!daemon) return openLocalRecord(chosen.dir);
  const settings = await settingsFor(args, chosen, daemon);
  // It may have left in the meantime.
  return (await findDaemon(chosen))
    ? (await import("./daemon.js")).openDaemonRecord(daemon, settings)
    : openLocalRecord(chosen.dir);
}
