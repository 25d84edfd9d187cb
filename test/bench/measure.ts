// Numbers: quantiles, and how long a process takes to its first answer.
import type { Served } from "../support/spawn.js";

/** Milliseconds from spawning a process to its first answer. */
export async function coldStart(launch: () => Promise<Served>, path: string): Promise<number> {
  const begun = performance.now();
  const running = await launch();
  await (await fetch(running.url + path)).text();
  const took = performance.now() - begun;
  await running.stop();
  return took;
}

/** The value below which the share `q` of the numbers lies. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
