// Processes and numbers: start one and wait for its address, read its CPU time and memory, take medians.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A process under measurement. */
export interface Running {
  pid: number;
  url: string;
  /** Milliseconds from spawn to the line that names the address. */
  startedIn: number;
  stop(): Promise<void>;
}

/** Starts a process and waits until a line of its stdout names its address. */
export function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const begun = performance.now();
  const child: ChildProcess = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("no pipes");
  let complaints = "";
  stderr.on("data", (bytes: Buffer) => {
    if (complaints.length < 10_000) complaints += bytes.toString();
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${complaints}`)));
    createInterface({ input: stdout }).on("line", (line) => {
      const url = /http:\/\/\S+/.exec(line)?.[0];
      if (!url || !child.pid) return;
      const stop = async (): Promise<void> => {
        child.kill("SIGTERM");
        await gone;
      };
      resolve({ pid: child.pid, url, startedIn: performance.now() - begun, stop });
    });
  });
}

/** CPU time a process has used, user and system, milliseconds (Linux: /proc, in ticks of 10 ms). */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, MiB. */
export function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return Number(kib) / 1024;
}

/** The value below which the share `q` of the numbers lies. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
