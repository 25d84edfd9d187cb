// What another process uses, read from /proc (Linux).
import { readFileSync } from "node:fs";

/** Resident memory in MiB: now, and the most so far; 0 where it cannot be read. */
export function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { now: field("VmRSS"), peak: field("VmHWM") };
  } catch {
    return { now: 0, peak: 0 };
  }
}

/** Milliseconds of CPU time. */
export interface CpuTime {
  /** Of the main thread alone. */
  main: number;
  all: number;
}

/** What a file of /proc says of CPU time: two counts in ticks of 10 ms, user and system. */
function ticksMs(file: string): number {
  const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** CPU time so far, of threads that have ended too. */
export function cpuTimeOf(pid: number): CpuTime {
  return { main: ticksMs(`/proc/${pid}/task/${pid}/stat`), all: ticksMs(`/proc/${pid}/stat`) };
}

/** Milliseconds for which the main thread wanted a processor and others had them all; 0 where the kernel does not say. */
export function processorWaitOf(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
