// Waiting for a condition that nothing announces.
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 10;

/** Resolves once the condition is met. Rejects with the sentence when it is not met in time. */
export async function until(
  isMet: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
  sentence = "the condition was not met in time",
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(sentence);
    await sleep(POLL_MS);
  }
}
