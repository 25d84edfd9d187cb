// How long a daemon lets other requests wait while it is at work, beside a bare server on the same machine at the same time.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processorWaitOf } from "../support/process-usage.js";
import { type Served, start } from "../support/spawn.js";

const BARE_SERVER = fileURLToPath(new URL("children/bare-server.js", import.meta.url));
const PAUSE_MS = 10;
/** A daemon has more to do for an answer than the bare server. */
const MAX_RATIO = 10;

/** The longest wait for an answer, in milliseconds. */
interface Wait {
  /** Without the time in which the server's main thread wanted a processor and had none: what the server itself accounts for. */
  ownMs: number;
  allMs: number;
}

/** The longest waits. */
export interface Waits {
  daemon: Wait;
  bare: Wait;
}

/** Asks for something small until stopped. */
export interface Probe {
  stop(): Promise<Waits>;
}

async function slowestOf(pid: number, url: string, isOver: () => boolean): Promise<Wait> {
  let slowest: Wait = { ownMs: 0, allMs: 0 };
  while (!isOver()) {
    const begun = performance.now();
    const starved = processorWaitOf(pid);
    // On a connection of its own: one that is kept is closed by a server that was silent for some seconds.
    const answer = await fetch(url, { headers: { connection: "close" } });
    await answer.text();
    assert(answer.status === 200, `GET ${url} gave ${answer.status}`);
    const allMs = performance.now() - begun;
    const ownMs = allMs - (processorWaitOf(pid) - starved);
    if (ownMs > slowest.ownMs) slowest = { ownMs, allMs };
    await sleep(PAUSE_MS);
  }
  return slowest;
}

/** Begins to ask. */
export async function probe(daemon: Served, path = "/config/public"): Promise<Probe> {
  const bare = start([process.execPath, BARE_SERVER]);
  const url = await bare.prints(/ready (\S+)\n/);
  let isOver = false;
  const asking = Promise.all([
    slowestOf(daemon.pid, `${daemon.url}${path}`, () => isOver),
    slowestOf(bare.pid, url, () => isOver),
  ]);
  // Its failure is that of stop().
  asking.catch(() => {});
  return {
    async stop() {
      isOver = true;
      try {
        const [ofDaemon, ofBare] = await asking;
        return { daemon: ofDaemon, bare: ofBare };
      } finally {
        await bare.kill();
      }
    },
  };
}

const inWords = ({ ownMs, allMs }: Wait): string => `${Math.round(ownMs)} of ${Math.round(allMs)} ms`;

/** The waits in words. */
export const describeWaits = ({ daemon, bare }: Waits): string =>
  `slowest other request ${inWords(daemon)} without processor waits, of a bare server ${inWords(bare)}`;

/** Throws when a daemon was silent for longer than this, and much longer than a bare server. */
export function assertWaits(waits: Waits, maxMs: number): void {
  assert(waits.daemon.ownMs < Math.max(maxMs, MAX_RATIO * waits.bare.ownMs), describeWaits(waits));
}
