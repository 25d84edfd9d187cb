// A daemon in a process of its own, so that its memory can be measured apart from the test's. The parent starts it with
// `spawnDaemon`, watches what a piece of work takes, and ends it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DaemonOptions, startDaemon } from "./daemon.js";
import { watchMemory } from "./live-memory.js";

/** What a piece of work took. */
export interface Usage {
  /** Bytes in use after a collection, in V8's heap and in buffers: the most, less those at the beginning. */
  liveGrowth: number;
  /** Milliseconds the event loop stood still at most. */
  stalledMs: number;
}

/** What a large answer may add to the bytes in use: less than half of it. Measured: 12 MiB, however busy the machine. */
export const MAX_LIVE_GROWTH = 24 * 1024 * 1024;

export interface DaemonProcess {
  url: string;
  dataDir: string;
  pid: number;
  /** Measures the process while the work is done. */
  watch(work: () => Promise<void>): Promise<Usage>;
  /**
   * Milliseconds of processor time, the most between two ticks of a timer while the work is done. Ticks are TICK_MS apart or
   * more, so short steps are counted together, and so is what the other threads of the process did meanwhile: the collector, the compiler, the writer of the record. Time in which the process waits or other programs run is not counted.
   */
  longestStep(work: () => Promise<void>): Promise<number>;
  /** How many of its open files have no name; -1 where that cannot be seen. */
  namelessFiles(): Promise<number>;
  close(): Promise<void>;
}

/** How often the event loop is looked at. */
const TICK_MS = 5;

function namelessFiles(): number {
  try {
    return readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(" (deleted)");
      } catch {
        return false;
      }
    }).length;
  } catch {
    return -1;
  }
}

/** Starts to measure; the function it gives ends that. */
function startWatching(): () => Usage {
  let stalledMs = 0;
  let lastTick = performance.now();
  // The collections of this measurement are no stall of the daemon's.
  const stopMemory = watchMemory(() => {
    lastTick = performance.now();
  });
  const ticking = setInterval(() => {
    stalledMs = Math.max(stalledMs, performance.now() - lastTick);
    lastTick = performance.now();
  }, TICK_MS);
  return () => {
    clearInterval(ticking);
    return { liveGrowth: stopMemory(), stalledMs };
  };
}

/** Starts what longestStep returns; the function it gives ends that. */
function startTiming(): () => number {
  let longest = 0;
  let last = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
  };
  const ticking = setInterval(look, TICK_MS);
  return () => {
    clearInterval(ticking);
    look();
    return longest;
  };
}

async function serve(options: DaemonOptions): Promise<void> {
  const daemon = await startDaemon(options);
  let stopWatching = (): Usage => ({ liveGrowth: 0, stalledMs: 0 });
  let stopTiming = (): number => 0;
  const commands: Record<string, () => unknown> = {
    watch() {
      stopWatching = startWatching();
      return "watching";
    },
    usage: () => stopWatching(),
    time() {
      stopTiming = startTiming();
      return "timing";
    },
    longestStep: () => stopTiming(),
    namelessFiles,
  };
  process.on("message", async (message) => {
    if (message !== "close") return void process.send?.(commands[String(message)]?.());
    // A work that failed has not ended its measurement.
    stopWatching();
    stopTiming();
    await daemon.close();
    process.disconnect();
  });
  process.send?.({ url: daemon.url, dataDir: daemon.dataDir });
}

/** Starts a daemon in a child process. Close it, or the test run does not end. */
export async function spawnDaemon(options: DaemonOptions): Promise<DaemonProcess> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)], {
    execArgv: ["--import", "tsx"],
  });
  const answer = async <T>(): Promise<T> => (await once(child, "message"))[0] as T;
  const { url, dataDir } = await answer<{ url: string; dataDir: string }>();
  const command = <T>(name: string): Promise<T> => {
    child.send(name);
    return answer<T>();
  };
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    async watch(work) {
      await command("watch");
      await work();
      return command<Usage>("usage");
    },
    async longestStep(work) {
      await command("time");
      await work();
      return command<number>("longestStep");
    },
    namelessFiles: () => command("namelessFiles"),
    async close() {
      const exited = once(child, "exit");
      child.send("close");
      await exited;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(JSON.parse(process.argv[2] ?? "{}"));
