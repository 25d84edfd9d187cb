// So many pieces of work at once, the others in their order. Knows nothing of what they do.

/** Work that runs, and work that waits. */
export interface Semaphore {
  /** Does the work when it is its turn. Throws what the work throws, and the signal's reason while it waits. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** At most so many at once; the others wait in the order in which they came, and leave with their client. */
export function createSemaphore(atOnce: number): Semaphore {
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
