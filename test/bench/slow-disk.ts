// Disks whose syncs take milliseconds: what many sessions get done on one, and how long a request waits that needs no disk.
// The delay is a library of a few lines of C that is preloaded into the daemon; without a C compiler this is left out.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Served } from "../support/spawn.js";
import { median, quantile } from "./measure.js";
import { throughput } from "./turns.js";

const SOURCE = fileURLToPath(new URL("slow-disk.c", import.meta.url));
const SESSIONS = 32;
/** Turns of each session, per round. */
const EACH = 10;
const ROUNDS = 3;
const PROBE_EVERY_MS = 10;
/** Of the turns that a disk without delay allows: what leaves the processors room. */
const PACE = 1 / 3;
const PACED_ROUNDS = 2;

/** What a disk comes to. */
export interface DiskResult {
  /** Milliseconds a sync takes longer. */
  delay: number;
  turnsPerSecond: number;
  /** Of `GET /-/healthz` meanwhile, the 99th percentile, milliseconds: the processors are as busy as they can be. */
  healthMs: number;
  /** The same while the sessions do a third of the turns that the fastest disk allows. */
  pacedHealthMs: number;
}

/** The preloaded library, made in `folder`; undefined where it cannot be. */
export function compileDelay(folder: string): string | undefined {
  const library = join(folder, "slow-disk.so");
  const { status } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"]);
  return status === 0 ? library : undefined;
}

/** Asks until `work` is over; the milliseconds of each request. */
async function probe(url: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    await (await fetch(`${url}/-/healthz`)).text();
    times.push(performance.now() - begun);
    await sleep(PROBE_EVERY_MS);
  }
  return times;
}

/** Measures in turns on one daemon for each delay; `open` starts one with these variables. */
export async function slowDisks(
  delays: readonly number[],
  library: string,
  open: (name: string, env: Record<string, string>) => Promise<Served>,
): Promise<DiskResult[]> {
  const disks = await Promise.all(
    delays.map(async (delay) => ({
      delay,
      daemon: await open(`disk-${delay}`, { LD_PRELOAD: library, SYNC_MS: String(delay) }),
      rates: [] as number[],
      health: [] as number[],
      pacedHealth: [] as number[],
    })),
  );
  for (let round = 0; round <= ROUNDS; round++)
    for (const { daemon, rates, health } of disks) {
      const work = throughput(daemon.url, { message: "B", sessions: SESSIONS, each: EACH });
      const times = await probe(daemon.url, work);
      // The first round warms it up.
      if (round === 0) continue;
      rates.push(await work);
      health.push(...times);
    }
  const perSecond = PACE * Math.max(...disks.map(({ rates }) => median(rates)));
  for (let round = 0; round < PACED_ROUNDS; round++)
    for (const { daemon, pacedHealth } of disks) {
      const work = throughput(daemon.url, { message: "B", sessions: SESSIONS, each: EACH, perSecond });
      pacedHealth.push(...(await probe(daemon.url, work)));
    }
  for (const { daemon } of disks) await daemon.stop();
  return disks.map(({ delay, rates, health, pacedHealth }) => ({
    delay,
    turnsPerSecond: median(rates),
    healthMs: quantile(health, 0.99),
    pacedHealthMs: quantile(pacedHealth, 0.99),
  }));
}
