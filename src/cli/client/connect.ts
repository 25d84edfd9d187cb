// Where a command's prompts and questions go: to the daemon that runs on the data directory, so that there is one writer, or
// to an agent in this process. Both look the same from here. Source: docs/reference.md, "Command line"

import { dataDirOf, loadSettings, type Settings } from "../../config/settings.js";
import { StartError } from "../../domain/error.js";
import type { SharedArgs } from "../command.js";
import { firstGiven } from "../options.js";
import { warn } from "../terminal/output.js";
import type { AgentClient, Daemon, RecordClient } from "./client.js";

/** Looks for a daemon in the data directory's lock file. */
async function findDaemon(dataDir: string): Promise<Daemon | undefined> {
  const { readLock } = await import("../../data-dir/lock.js");
  const lock = readLock(dataDir);
  return lock?.address ? { pid: lock.pid, address: lock.address } : undefined;
}

/** The settings, and the daemon to go through when there is one; then no secret of the model or the target is needed. */
async function locate(args: SharedArgs): Promise<{ settings: Settings; daemon: Daemon | undefined }> {
  const daemon = await findDaemon(dataDirOf(args.dataDir, process.env));
  const settings = await loadSettings({
    dataDir: args.dataDir,
    flags: args,
    env: process.env,
    lenient: daemon !== undefined,
  });
  return { settings, daemon };
}

/** Opens the agent for `run` and `chat`. */
export async function connectAgent(args: SharedArgs): Promise<AgentClient> {
  const { settings, daemon } = await locate(args);
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

/** Opens the record for `history` and `sessions`. Creates nothing where there is none. */
export async function connectRecord(args: SharedArgs): Promise<RecordClient> {
  const dataDir = dataDirOf(args.dataDir, process.env);
  if (!(await findDaemon(dataDir))) return openLocalRecord(dataDir);
  const { settings, daemon } = await locate(args);
  // It may have left in the meantime.
  return daemon ? (await import("./daemon.js")).openDaemonRecord(daemon, settings) : openLocalRecord(dataDir);
}
