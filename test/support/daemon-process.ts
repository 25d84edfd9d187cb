// A daemon in a process of its own, so that its memory can be measured apart from the test's. The parent starts it with
// `spawnDaemon`, asks what it uses, and ends it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { type DaemonOptions, startDaemon } from "./daemon.js";

/** What the process takes. */
export interface Usage {
  /** Bytes now, and the most it ever were. */
  rss: number;
  peakRss: number;
  /** Milliseconds the event loop stood still at most since the last question. */
  stalledMs: number;
  /** Files that are open and have no name; -1 where that cannot be seen. */
  nameless: number;
}

export interface DaemonProcess {
  url: string;
  dataDir: string;
  usage(): Promise<Usage>;
  close(): Promise<void>;
}

function nameless(): number {
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

async function serve(options: DaemonOptions): Promise<void> {
  const daemon = await startDaemon(options);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on("message", async (message) => {
    if (message === "close") {
      await daemon.close();
      process.disconnect();
      return;
    }
    const usage: Usage = {
      rss: process.memoryUsage().rss,
      peakRss: process.resourceUsage().maxRSS * 1024,
      stalledMs: delay.max / 1e6,
      nameless: nameless(),
    };
    delay.reset();
    process.send?.(usage);
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
  return {
    url,
    dataDir,
    usage() {
      child.send("usage");
      return answer<Usage>();
    },
    async close() {
      const exited = once(child, "exit");
      child.send("close");
      await exited;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(JSON.parse(process.argv[2] ?? "{}"));
