// Which process on which machine: more than a pid, which is used again after a crash, a restart of the machine or of a container.
import fs from "node:fs";
import os from "node:os";

/** One process, "" for what this platform does not tell. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the units of the platform. */
  started: string;
  /** This start of the machine. */
  boot: string;
  /** Where the pid counts: every container has a namespace of its own. */
  namespace: string;
  host: string;
}

function read(of: () => string): string {
  try {
    return of();
  } catch {
    return "";
  }
}

/** The start time of a process that runs here; field 22 of proc_pid_stat(5), behind a name that may hold anything. */
const startOf = (pid: number): string =>
  read(() => {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });

/** This process. */
export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startOf(process.pid),
    boot: read(() => fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: read(() => fs.readlinkSync("/proc/self/ns/pid")),
    host: os.hostname(),
  };
}

/** Whether a process of this pid runs here, of any account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a process is still running; "unknown" for one of another container or machine, and where start times are not told. */
export function stateOf(other: ProcessIdentity): "running" | "gone" | "unknown" {
  const own = thisProcess();
  if (other.boot !== own.boot) return other.host === own.host ? "gone" : "unknown";
  const isHere = other.namespace === own.namespace && (own.boot !== "" || other.host === own.host);
  if (!isHere) return "unknown";
  if (!isAlive(other.pid)) return "gone";
  if (other.started === "") return "unknown";
  return startOf(other.pid) === other.started ? "running" : "gone";
}
