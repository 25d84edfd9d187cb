// The time limits of turns, and of calls without one: each ends what has taken too long, and is put off while a person takes more time
// for a call that waits.

import { MAX_TIMER_MS } from "../../config/kinds.js";

/** Milliseconds that a turn has at least, once what it waits for may no longer be decided. */
const REST_MS = 60_000;

interface Clock {
  /** When it stops, as `Date.now()` has it. */
  end: number;
  timer: NodeJS.Timeout;
  stop(): void;
}

/** The clocks of what runs, by the id of the turn, or of the call. */
export class TurnClocks {
  private readonly clocks = new Map<string, Clock>();

  /** Calls `stop` once the time is over; the function returned ends the clock. */
  start(id: string, ms: number, stop: () => void): () => void {
    const clock: Clock = { end: Date.now() + ms, timer: setTimeout(stop, ms), stop };
    this.clocks.set(id, clock);
    return () => {
      clearTimeout(clock.timer);
      if (this.clocks.get(id) === clock) this.clocks.delete(id);
    };
  }

  /** Puts a clock off, for a wait that ends `addedMs` later than it did, at `until`. One that has ended stays so. */
  extend(id: string, addedMs: number, until: number): void {
    const clock = this.clocks.get(id);
    if (!clock) return;
    clock.end = Math.max(clock.end + addedMs, until + REST_MS);
    clearTimeout(clock.timer);
    // A longer one would be over at once.
    clock.timer = setTimeout(clock.stop, Math.min(clock.end - Date.now(), MAX_TIMER_MS));
  }
}
