// Disks whose syncs take milliseconds: what many sessions get done on one, and how long a request waits that needs no disk.
import type { Served } from "../support/spawn.js";
import { probed } from "./children.js";
import { median, quantile } from "./measure.js";
import { throughput } from "./turns.js";

const SESSIONS = 32;
/** Turns of each session, per round. */
const EACH = 15;
const ROUNDS = 3;
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
      const work = (): Promise<number> => throughput(daemon.url, { message: "B", sessions: SESSIONS, each: EACH });
      const { value, times } = await probed(`${daemon.url}/-/healthz`, work);
      // The first round warms it up.
      if (round === 0) continue;
      rates.push(value);
      health.push(...times);
    }
  const perSecond = PACE * Math.max(...disks.map(({ rates }) => median(rates)));
  for (let round = 0; round < PACED_ROUNDS; round++)
    for (const { daemon, pacedHealth } of disks) {
      const load = { message: "B", sessions: SESSIONS, each: EACH, perSecond };
      const { times } = await probed(`${daemon.url}/-/healthz`, () => throughput(daemon.url, load));
      pacedHealth.push(...times);
    }
  for (const { daemon } of disks) await daemon.stop();
  return disks.map(({ delay, rates, health, pacedHealth }) => ({
    delay,
    turnsPerSecond: median(rates),
    healthMs: quantile(health, 0.99),
    pacedHealthMs: quantile(pacedHealth, 0.99),
  }));
}
