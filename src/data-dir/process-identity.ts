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

/** The fields of proc_pid_stat(5) from the third on, which is the state; they stand behind a name that may hold anything. */
const statOf = (file: string): string[] =>
  read(() => {
    const stat = fs.readFileSync(file, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2);
  }).split(" ");

/** The start time of a process that runs here; "" where that is not told. */
const startOf = (pid: number): string => statOf(`/proc/${pid}/stat`)[19] ?? "";

const DEAD_STATES = ["Z", "X", "x"];
/** PF_EXITING in the flags of proc_pid_stat(5). */
const EXITING = 0x4;
/** SIGKILL in the signal masks of proc_pid_status(5). */
const KILL_PENDING = 1n << 8n;

/** Whether a signal that ends the process was sent to it and has not done so yet. */
function isKilled(pid: number): boolean {
  const status = read(() => fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].some(
    ([, mask]) => (BigInt(`0x${mask}`) & KILL_PENDING) !== 0n,
  );
}

/** Whether a thread of a process lives on: its first may be dead while another still waits for the disk, with its files open. */
const hasLiveThread = (pid: number): boolean =>
  fs
    .readdirSync(`/proc/${pid}/task`)
    .some((thread) => !DEAD_STATES.includes(statOf(`/proc/${pid}/task/${thread}/stat`)[0] || "X"));

/**
 * What a pid stands for here, of any account. "ending" is a process that was killed and is not gone yet. One that its parent has
 * not reaped is gone; where the system has no /proc, it counts as running.
 */
function lifeOf(pid: number): "running" | "ending" | "gone" {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return "gone";
  }
  const [state = "", , , , , , flags] = statOf(`/proc/${pid}/stat`);
  if (!DEAD_STATES.includes(state)) return (Number(flags) & EXITING) !== 0 || isKilled(pid) ? "ending" : "running";
  try {
    return hasLiveThread(pid) ? "ending" : "gone";
  } catch {
    return "gone";
  }
}

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

/** Whether a process of this pid runs here, of any account, and was not killed. */
export const isAlive = (pid: number): boolean => lifeOf(pid) === "running";

/** Whether a process counts its pid as this one does: on this machine, since its last start, in the same namespace. */
export function isHere(other: ProcessIdentity): boolean {
  const own = thisProcess();
  return other.boot === own.boot && other.namespace === own.namespace && (own.boot !== "" || other.host === own.host);
}

/**
 * Whether a process is still there: "running" until its last thread has ended, "unknown" for one of another container or machine,
 * and where start times are not told.
 */
export function stateOf(other: ProcessIdentity): "running" | "gone" | "unknown" {
  const own = thisProcess();
  if (other.boot !== own.boot) return other.host === own.host ? "gone" : "unknown";
  if (!isHere(other)) return "unknown";
  if (lifeOf(other.pid) === "gone") return "gone";
  // Some systems do not tell it of the processes of other accounts.
  const started = startOf(other.pid);
  if (started === "" || other.started === "") return "unknown";
  return started === other.started ? "running" : "gone";
}
