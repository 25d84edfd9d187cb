// Whether deletions may go by the clock. One that has just jumped ahead would make everything look old, and nothing brings back
// what was deleted: such a clock is believed once it has stayed so for as long as lies between two rounds, whatever is tried meanwhile.
import { RETENTION_EVERY_MS, RETENTION_RETRY_MS, type Retention, retentionOf } from "./rules.js";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What decides about the age of things in one retention. */
interface ClockCheck {
  /** For how long they are kept. */
  keepDays: number;
  /** The newest time on record, by which the first look judges; undefined without any. */
  newest: string | undefined;
  onWarning(message: string): void;
}

/**
 * Makes the look at the clock before each round. It gives what is old now, or undefined while the clock is not believed: at the
 * first look when all would be old by more than a day, later when it went ahead of the time that passed by more than a day.
 */
export function createClockCheck({ keepDays, newest, onWarning }: ClockCheck): () => Retention | undefined {
  let offset: number | undefined;
  let doubtedUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() < doubtedUntil) return undefined;
    const before = offset;
    offset = Date.now() - performance.now();
    const aheadMs = before === undefined ? Date.now() - Date.parse(newest ?? "") - keepDays * DAY_MS : offset - before;
    if (!(aheadMs > DAY_MS)) return retentionOf(keepDays);
    // A timer may be early.
    doubtedUntil = performance.now() + RETENTION_EVERY_MS - RETENTION_RETRY_MS;
    onWarning(
      `the clock may be ahead: nothing is deleted for its age before it has been so for ${RETENTION_EVERY_MS / HOUR_MS} hours`,
    );
    return undefined;
  };
}
