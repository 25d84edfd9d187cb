// How long a daemon lets other requests wait while it is at work, beside a bare server on the same machine at the same time.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Served, start } from "../support/spawn.js";

const BARE_SERVER = fileURLToPath(new URL("children/bare-server.js", import.meta.url));
const PAUSE_MS = 10;
/** A daemon has more to do for an answer than the bare server, and its process competes for the processor with its own work. */
const MAX_RATIO = 10;

/** The longest waits, in milliseconds. */
export interface Waits {
  daemonMs: number;
  bareMs: number;
}

/** Asks for something small until stopped. */
export interface Probe {
  stop(): Promise<Waits>;
}

async function slowestOf(url: string, isOver: () => boolean): Promise<number> {
  let slowest = 0;
  while (!isOver()) {
    const begun = performance.now();
    // On a connection of its own: one that is kept is closed by a server that was silent for some seconds.
    const answer = await fetch(url, { headers: { connection: "close" } });
    await answer.text();
    assert(answer.status === 200, `GET ${url} gave ${answer.status}`);
    slowest = Math.max(slowest, performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return slowest;
}

/** Begins to ask. */
export async function probe(daemon: Served, path = "/config/public"): Promise<Probe> {
  const bare = start([process.execPath, BARE_SERVER]);
  const url = await bare.prints(/ready (\S+)\n/);
  let isOver = false;
  const asking = Promise.all([`${daemon.url}${path}`, url].map((one) => slowestOf(one, () => isOver)));
  // Its failure is that of stop().
  asking.catch(() => {});
  return {
    async stop() {
      isOver = true;
      try {
        const [daemonMs = 0, bareMs = 0] = await asking;
        return { daemonMs, bareMs };
      } finally {
        await bare.kill();
      }
    },
  };
}

/** The waits in words. */
export const describeWaits = ({ daemonMs, bareMs }: Waits): string =>
  `slowest other request ${Math.round(daemonMs)} ms, of a bare server ${Math.round(bareMs)} ms`;

/** Throws when a daemon was silent for longer than this, and much longer than the machine accounts for. */
export function assertWaits(waits: Waits, maxMs: number): void {
  assert(waits.daemonMs < Math.max(maxMs, MAX_RATIO * waits.bareMs), describeWaits(waits));
}
