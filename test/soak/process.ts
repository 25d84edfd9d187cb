// A daemon in a process of its own, as a person would start it: the build when it is up to date, else the sources.
// Knows how to kill it, how much memory it takes (Linux), and what it said.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { PROGRAM } from "../support/program.js";

/** A daemon that has not come up by then will not. */
const START_MS = 30_000;

/** How to start one. */
export interface StartOptions {
  /** Arguments of node, before the program. */
  node?: string[];
  /** Runs it through these words: `["sh", "-c", …]`. */
  wrap?: string[];
  args?: string[];
  env?: Record<string, string>;
  uid?: number;
}

/** A running daemon. */
export interface Daemon {
  url: string;
  port: number;
  pid: number;
  child: ChildProcess;
  /** What it said on stdout and stderr, the newest megabyte of it. */
  said(): string;
  alive(): boolean;
  /** Resolves when it has ended. */
  ended: Promise<unknown>;
  /** Resident memory in MiB: now, and the most so far. */
  memory(): { now: number; peak: number };
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>;
}

/** How a daemon ended that would not start. */
export interface Refused {
  code: number | null;
  said: string;
}

function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { now: field("VmRSS"), peak: field("VmHWM") };
  } catch {
    return { now: 0, peak: 0 };
  }
}

function cleanEnv(extra: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^AGENTD_|_API_KEY$|^NODE_OPTIONS$/.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: "1", ...extra };
}

const NEWEST_CHARS = 1024 * 1024;

function launch(dir: string, options: StartOptions): { child: ChildProcess; said(): string; ended: Promise<unknown> } {
  const { node = [], wrap = [], args = [], env = {}, uid } = options;
  const [run = process.execPath, ...program] = PROGRAM;
  const line = [...wrap, run, ...node, ...program, "serve", "--port", "0", "--data-dir", dir, ...args];
  const child = spawn(line[0] ?? "", line.slice(1), {
    ...{ stdio: ["ignore", "pipe", "pipe"], env: cleanEnv(env) },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-NEWEST_CHARS);
    });
  return { child, said: () => text, ended: once(child, "close") };
}

async function untilListening(said: () => string, ended: Promise<unknown>): Promise<string | undefined> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const deadline = performance.now() + START_MS;
  while (!over && performance.now() < deadline) {
    const url = /agentd listening on (\S+)\n/.exec(said())?.[1];
    if (url) return url;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return undefined;
}

/** Starts a daemon on a data directory. Throws what it said when it does not come up. */
export async function startDaemon(dir: string, options: StartOptions = {}): Promise<Daemon> {
  const { child, said, ended } = launch(dir, options);
  const url = await untilListening(said, ended);
  if (url === undefined) {
    child.kill("SIGKILL");
    throw new Error(`the daemon did not start: ${said().slice(-500)}`);
  }
  const pid = child.pid ?? 0;
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    ...{ url, port: Number(new URL(url).port), pid, child, said, alive, ended },
    memory: () => memoryOf(pid),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
  };
}

/** Starts a daemon that is expected to refuse. Throws when it comes up. */
export async function startRefused(dir: string, options: StartOptions = {}): Promise<Refused> {
  const { child, said, ended } = launch(dir, options);
  const url = await untilListening(said, ended);
  if (url !== undefined) {
    child.kill("SIGKILL");
    await ended;
    throw new Error("the daemon started, and should not have");
  }
  await ended;
  return { code: child.exitCode, said: said() };
}
