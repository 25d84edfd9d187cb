// The program, or any other, as a child process with nothing of this machine's configuration: commands that run to their end, and
// daemons on a data directory of their own. Used by tests, bench and soak.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { petShop } from "./daemon.js";
import { PROGRAM } from "./program.js";
import "./state-home.js";
import { temporaryFolder } from "./temporary-folder.js";

/** How a command ended, and its output. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A command that is running. */
export interface Running {
  child: ChildProcess;
  pid: number;
  stdout(): string;
  stderr(): string;
  isAlive(): boolean;
  /** Resolves once stdout or stderr holds the text, with its first group or the match; rejects when the command ends without it. */
  prints(wanted: string | RegExp): Promise<string>;
  ended: Promise<Ended>;
  /** Sends SIGTERM and waits. */
  stop(): Promise<Ended>;
  /** Sends SIGKILL, or another signal, and waits. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface SpawnOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  uid?: number;
  /** Without a controlling terminal, as a service runs. */
  detached?: boolean;
}

/** How a daemon is started, besides its own arguments. */
export interface ServeOptions extends SpawnOptions {
  /** Arguments of node, before the program. */
  node?: readonly string[];
  /** Runs it through these words: `["sh", "-c", …]`. */
  wrap?: readonly string[];
}

/** The environment without anything that would configure the program. */
function cleanEnv(extra: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^AGENTD_|_API_KEY$|^AWS_BEARER|_AUTH_TOKEN$|^NODE_OPTIONS$|^NODE_EXTRA_CA_CERTS$|_proxy$/i.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: "1", ...extra };
}

const children = new Map<ChildProcess, Promise<Ended>>();

/** Ends every command that a failed test left running. */
export async function stopAll(): Promise<void> {
  for (const [child, ended] of children) {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Starts a command line of any program and watches it. */
export function start(
  argv: readonly string[],
  { env = {}, input, cwd = tmpdir(), uid, detached = false }: SpawnOptions = {},
): Running {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    env: cleanEnv(env),
    cwd,
    uid,
    gid: uid,
    detached,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  const changed = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const look of changed) look();
    });
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.end(input);
  const ended = once(child, "close").then(
    ([code, signal]): Ended => ({ code: code as number | null, signal: signal as NodeJS.Signals | null, ...text }),
  );
  children.set(child, ended);
  void ended.then(() => children.delete(child));
  const find = (wanted: string | RegExp): string | undefined => {
    const all = text.stdout + text.stderr;
    if (typeof wanted === "string") return all.includes(wanted) ? wanted : undefined;
    const match = wanted.exec(all);
    return match?.[1] ?? match?.[0];
  };
  const kill = (signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended,
    prints: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = find(wanted);
          if (found === undefined) return;
          changed.delete(look);
          resolve(found);
        };
        changed.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without printing ${wanted}:\n${text.stdout}\n${text.stderr}`)));
      }),
    stop: () => kill("SIGTERM"),
    kill,
  };
}

/** Runs one `agentd` command to its end; stdin is empty unless given. */
export function agentd(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return start([...PROGRAM, ...args], { input: "", ...options }).ended;
}

/** A daemon in a process of its own. */
export interface Served extends Running {
  url: string;
  port: number;
}

/** Starts `agentd serve` on a free port, as a command that may also refuse. */
export function startServe(args: readonly string[], { node = [], wrap = [], ...options }: ServeOptions = {}): Running {
  const [run = process.execPath, ...program] = PROGRAM;
  return start([...wrap, run, ...node, ...program, "serve", "--port", "0", ...args], options);
}

/** Starts `agentd serve` on a free port and waits until it listens. Rejects with what it printed when it does not. */
export async function serve(args: readonly string[], options: ServeOptions = {}): Promise<Served> {
  const running = startServe(args, options);
  const url = await running.prints(/agentd listening on (\S+)\n/);
  return { ...running, url, port: Number(new URL(url).port) };
}

/** Makes tools of a description in a data directory with this configuration; resolves with what `sync` printed. */
export async function sync(dir: string, location: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await agentd(["sync", "openapi", location, "--data-dir", dir, ...flags]);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** What a scripted model answers, by a part of the prompt. */
export type Turns = { prompt: string; replies: ScriptedReply[] }[];

/** A data directory, a temporary folder, with a scripted model and the pet shop at `target`; `config` is merged over its config.json. */
export function dataDir(
  input: { target?: string; turns?: Turns; config?: Record<string, unknown>; schema?: object } = {},
): { dir: string } {
  const dir = temporaryFolder("cli");
  const { target = "http://127.0.0.1:9", turns = [], config = {}, schema = petShop(target) } = input;
  writeFileSync(join(dir, "turns.json"), JSON.stringify({ turns, replies: [{ text: "ok" }], repeat: true }));
  writeFileSync(join(dir, "schema.json"), JSON.stringify(schema));
  const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
  writeFileSync(join(dir, "config.json"), JSON.stringify({ providers, ...config }));
  return { dir };
}
