// The real command line as a child process, in a data directory of its own, with nothing of this machine's configuration.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { petShop } from "../support/daemon.js";
import { PROGRAM } from "../support/program.js";

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
  stdout(): string;
  stderr(): string;
  /** Resolves once stdout or stderr holds the text; rejects when the command ends without it. */
  says(text: string | RegExp): Promise<void>;
  ended: Promise<Ended>;
}

export interface SpawnOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
}

/** The environment without anything that would configure the program. */
function cleanEnv(extra: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^AGENTD_|_API_KEY$|^NODE_OPTIONS$/.test(name));
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
export function start(argv: readonly string[], { env = {}, input, cwd }: SpawnOptions = {}): Running {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    env: cleanEnv(env),
    cwd: cwd ?? tmpdir(),
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
  const holds = (wanted: string | RegExp): boolean => {
    const all = text.stdout + text.stderr;
    return typeof wanted === "string" ? all.includes(wanted) : wanted.test(all);
  };
  return {
    child,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    ended,
    says: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!holds(wanted)) return;
          changed.delete(look);
          resolve();
        };
        changed.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without saying ${wanted}:\n${text.stdout}\n${text.stderr}`)));
      }),
  };
}

/** Runs one `agentd` command to its end; stdin is empty unless given. */
export function agentd(args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return start([...PROGRAM, ...args], { input: "", ...options }).ended;
}

/** A daemon in a process of its own. */
export interface Served extends Running {
  url: string;
  /** Sends SIGTERM and waits. */
  stop(): Promise<Ended>;
}

/** Starts `agentd serve` on a free port and waits until it listens. */
export async function serve(args: readonly string[], options: SpawnOptions = {}): Promise<Served> {
  const running = start([...PROGRAM, "serve", "--port", "0", ...args], options);
  await running.says(/agentd listening on \S+\n/);
  const url = /listening on (\S+)/.exec(running.stdout())?.[1] ?? "";
  const daemon: Served = {
    ...running,
    url,
    stop() {
      running.child.kill("SIGTERM");
      return running.ended;
    },
  };
  return daemon;
}

/** What a scripted model answers, by a part of the prompt. */
export type Turns = { prompt: string; replies: ScriptedReply[] }[];

/** A data directory with a scripted model and the pet shop at `target`; `config` is merged over its config.json. */
export function dataDir(
  input: { target?: string; turns?: Turns; config?: Record<string, unknown>; schema?: object } = {},
): {
  dir: string;
  remove(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), "agentd-cli-"));
  const { target = "http://127.0.0.1:9", turns = [], config = {}, schema = petShop(target) } = input;
  writeFileSync(join(dir, "turns.json"), JSON.stringify({ turns, replies: [{ text: "ok" }], repeat: true }));
  writeFileSync(join(dir, "schema.json"), JSON.stringify(schema));
  const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
  writeFileSync(join(dir, "config.json"), JSON.stringify({ providers, ...config }));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
