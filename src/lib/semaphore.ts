// How many lists are gone through at once: each takes memory for its keys, and all of them together one thread.

/** Passes over rows, with those that wait. */
export interface Scans {
  /** Does the work when it is its turn. Throws what the work throws, and the signal's reason while it waits. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** At most so many at once; the others wait in the order in which they came, and leave with their client. */
export function createScans(atOnce = 4): Scans {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(begin);
    });
  /** The place goes to the next one, or is free. */
  const end = (): void => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running--;
  };
  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (running < atOnce) running++;
      else await turn(signal);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
