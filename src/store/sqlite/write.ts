// Every write to the record: refused when the record is damaged or its file gone, retried outside of SQLite while another
// process holds the lock, and failed as `audit_unavailable` when it cannot be kept.
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../../data-dir/sqlite-failure.js";
import { AppError, messageOf } from "../../domain/error.js";

/** How long a write waits for another process's lock; the event loop goes on meanwhile. */
const BUSY_WAIT_MS = 700;
const BUSY_PAUSE_MS = 20;

/** Runs a synchronous write; see `createWriter`. */
export type Write = <T>(what: string, work: () => T) => Promise<T>;

/**
 * Makes the function for every write. `guard` throws when nothing may be written any more. A write that fails throws AppError
 * `audit_unavailable`; an AppError of the work itself passes through. On the usual path it does not wait at all.
 */
export function createWriter(guard: () => void): Write {
  return async (what, work) => {
    const deadline = performance.now() + BUSY_WAIT_MS;
    for (;;) {
      try {
        guard();
        return work();
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (!isBusy(error) || performance.now() >= deadline)
          throw new AppError(
            "audit_unavailable",
            `the record is unavailable: cannot write ${what}: ${messageOf(error)}`,
            {
              retryAfter: 5,
              cause: error,
            },
          );
      }
      await sleep(BUSY_PAUSE_MS);
    }
  };
}
