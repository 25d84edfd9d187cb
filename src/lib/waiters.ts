// Those who wait for something new. Hundreds of them are woken a few at a time: what they do with it takes turns with all other work
// of the process, and what is new meanwhile they take together.
import { setImmediate, setTimeout } from "node:timers/promises";

/** Woken in one step: what so many do with an event takes about a millisecond. */
const AT_ONCE = 32;
/** Milliseconds between two rounds that take more than one step. 1,000 readers, 20 microseconds each, keep a processor busy for a fifth of it. */
const PAUSE_MS = 100;

/** Everyone who waits for the same thing. */
export class Waiters {
  private readonly waiting = new Set<() => void>();
  private round: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  /** Resolves once there may be something new, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", wake, { once: true });
      this.waiting.add(wake);
    });
  }

  /** Wakes everyone who waits now, a few of them at once; resolves when all are awake. */
  wake(): Promise<void> {
    if (!this.round) return this.startRound();
    this.next ??= this.round.then(() => {
      this.next = undefined;
      return this.startRound();
    });
    return this.next;
  }

  private async startRound(): Promise<void> {
    const all = [...this.waiting];
    for (const wake of all.slice(0, AT_ONCE)) wake();
    if (all.length <= AT_ONCE) return;
    this.round = this.wakeRest(all);
    await this.round;
  }

  private async wakeRest(all: readonly (() => void)[]): Promise<void> {
    for (let at = AT_ONCE; at < all.length; at += AT_ONCE) {
      await setImmediate();
      for (const wake of all.slice(at, at + AT_ONCE)) wake();
    }
    await setTimeout(PAUSE_MS, undefined, { ref: false });
    this.round = undefined;
  }
}
