// Where a command's prompts and questions go: to the daemon that runs on the data directory, so that there is one writer, or
// to an agent in this process. Both look the same from here. Source: reference, section 9.
import type { Flags } from "../config/load.js";
import { dataDirOf, loadSettings, type Settings } from "../config.js";
import { StartError } from "../error.js";
import type { TurnEvent } from "../event.js";
import type { HistoryEntry, HistoryQuery, SessionSummary } from "../store/store.js";
import type { GlobalArgs } from "./command.js";
import { toFlags } from "./options.js";

/** A prompt from the terminal. */
export interface DeskPrompt {
  message: string;
  session_id: string;
  /** Whether somebody here answers a confirmation while the turn waits. */
  waits: boolean;
}

/** Runs prompts. */
export interface Desk {
  /** Runs one turn. Throws StartError or AppError before the first event only. An abort cancels; the turn still ends with `done`. */
  prompt(prompt: DeskPrompt, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void>;
  /** Answers a held call of a running turn. */
  decide(id: string, decision: "approve" | "deny"): Promise<void>;
  close(): Promise<void>;
}

/** Reads the record. */
export interface Records {
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  sessions(limit: number): Promise<SessionSummary[]>;
  close(): Promise<void>;
}

/** The daemon that serves a data directory. */
export interface Daemon {
  pid: number;
  /** Such as http://127.0.0.1:4242. */
  address: string;
}

type Args = Flags & GlobalArgs;

/** Looks for a daemon in the data directory's lock file. */
async function findDaemon(dataDir: string): Promise<Daemon | undefined> {
  const { readLock } = await import("../store/lock.js");
  const lock = readLock(dataDir);
  return lock?.address ? { pid: lock.pid, address: lock.address } : undefined;
}

/** The settings, and the daemon to go through when there is one; then no secret of the model or the target is needed. */
async function locate(args: Args): Promise<{ settings: Settings; daemon: Daemon | undefined }> {
  const daemon = await findDaemon(dataDirOf(args.dataDir, process.env));
  const settings = await loadSettings({
    dataDir: args.dataDir,
    flags: toFlags(args),
    env: process.env,
    lenient: daemon !== undefined,
  });
  return { settings, daemon };
}

/** Options that choose what only the process that holds the agent can choose. */
const CHOSEN_BY_DAEMON = ["provider", "model", "schema", "baseUrl"] as const;

/** Opens the desk for `run` and `chat`. */
export async function openDesk(args: Args): Promise<Desk> {
  const { settings, daemon } = await locate(args);
  if (!daemon) return (await import("./local.js")).openLocalDesk(settings, args.verbose === true);
  const idle = CHOSEN_BY_DAEMON.find((name) => args[name] !== undefined);
  if (idle)
    throw new StartError(
      `a daemon (pid ${daemon.pid}) runs on ${settings.dataDir} and has made its own choice of --${idle === "baseUrl" ? "base-url" : idle}. Leave the option out, or stop the daemon.`,
      { exitCode: 2 },
    );
  return (await import("./remote.js")).openRemoteDesk(daemon, settings);
}

/** The record itself, read beside whoever holds the directory: a command without an address, or nobody. */
async function openLocalRecords(dataDir: string): Promise<Records> {
  const { hasRecord } = await import("../store/open-quietly.js");
  if (!hasRecord(dataDir)) return { history: async () => [], sessions: async () => [], close: async () => {} };
  const reader = await (await import("./record.js")).openSettled(dataDir);
  return {
    history: async (query) => reader.history(query),
    sessions: async (limit) => reader.sessions({ limit }),
    close: async () => reader.close(),
  };
}

/** Opens the record for `history` and `sessions`. Creates nothing where there is none. */
export async function openRecords(args: Args): Promise<Records> {
  const dataDir = dataDirOf(args.dataDir, process.env);
  if (!(await findDaemon(dataDir))) return openLocalRecords(dataDir);
  const { settings, daemon } = await locate(args);
  // It may have left in the meantime.
  return daemon ? (await import("./remote.js")).openRemoteRecords(daemon, settings) : openLocalRecords(dataDir);
}
