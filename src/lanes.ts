// Who may run when: turns of one session in arrival order, sessions side by side, a cap on all of them.
// Holds no turn; it hands out places and takes them back.
import { AppError, type StopCause, Stopped } from "./error.js";

/** A place in a lane; `leave` must be called once the turn is over. */
export interface Place {
  /** Aborted when the turn must stop, whoever asked. */
  readonly signal: AbortSignal;
  /** Stops the turn in this place and no other. */
  stop(why: StopCause): void;
  leave(): void;
}

interface Waiter {
  stop(why: StopCause): void;
  start(): void;
}
interface Lane {
  running: AbortController | undefined;
  waiting: Waiter[];
}

/** Seconds a refused client is told to wait: most turns are over by then. */
const RETRY_AFTER_SECONDS = 2;

export interface Lanes {
  /**
   * Waits for the session's earlier turns. Throws AppError too_many_turns when the session's queue is full, busy when the
   * daemon runs as many turns as it may, shutting_down while draining; rejects with the signal's reason when it aborts first.
   */
  enter(session: string, signal: AbortSignal): Promise<Place>;
  /** Stops the session's running and waiting turns; returns how many. */
  stop(session: string, why: StopCause): number;
  isBusy(session: string): boolean;
  load(): { running: number; waiting: number };
  /** Refuses new turns; resolves when none is left. Those still running after `graceMs` are stopped. */
  drain(graceMs: number): Promise<void>;
}

/** Milliseconds a stopped turn gets to record the call it has in flight before the daemon stops waiting for it. */
const LAST_WORDS_MS = 2_000;

/** Lanes for at most `maxTurns` turns at once and `maxQueue` waiting turns a session. */
export function createLanes({ maxTurns, maxQueue }: { maxTurns: number; maxQueue: number }): Lanes {
  const lanes = new Map<string, Lane>();
  let running = 0;
  let draining = false;
  let onEmpty: (() => void) | undefined;

  const settle = (session: string, lane: Lane): void => {
    running--;
    lane.running = undefined;
    const next = lane.waiting.shift();
    if (next) next.start();
    else lanes.delete(session);
    if (running === 0) onEmpty?.();
  };

  const place = (session: string, lane: Lane, signal: AbortSignal): Place => {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    lane.running = controller;
    running++;
    let left = false;
    return {
      signal: controller.signal,
      stop: (why) => controller.abort(new Stopped(why)),
      leave: () => {
        if (left) return;
        left = true;
        signal.removeEventListener("abort", onAbort);
        settle(session, lane);
      },
    };
  };

  const queue = (session: string, lane: Lane, signal: AbortSignal): Promise<Place> =>
    new Promise((resolve, reject) => {
      const forget = (): void => {
        signal.removeEventListener("abort", onAbort);
        lane.waiting = lane.waiting.filter((other) => other !== waiter);
      };
      const onAbort = (): void => {
        forget();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start: () => {
          forget();
          resolve(place(session, lane, signal));
        },
        stop: (why) => {
          forget();
          reject(new Stopped(why));
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      lane.waiting.push(waiter);
    });

  const waiting = (): number => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting.length, 0);
  const stopAll = (why: StopCause): void => {
    for (const lane of lanes.values()) lane.running?.abort(new Stopped(why));
  };

  return {
    async enter(session, signal) {
      const retry = { retryAfter: RETRY_AFTER_SECONDS };
      if (draining) throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.", retry);
      if (signal.aborted) throw signal.reason;
      const lane = lanes.get(session) ?? { running: undefined, waiting: [] };
      if (lane.running) {
        if (lane.waiting.length >= maxQueue)
          throw new AppError("too_many_turns", `This session already has ${maxQueue} prompts waiting.`, retry);
        return queue(session, lane, signal);
      }
      if (running >= maxTurns)
        throw new AppError("busy", `The daemon already runs ${maxTurns} turns; try again in a moment.`, retry);
      lanes.set(session, lane);
      return place(session, lane, signal);
    },
    stop(session, why) {
      const lane = lanes.get(session);
      if (!lane) return 0;
      const dropped = [...lane.waiting];
      for (const waiter of dropped) waiter.stop(why);
      lane.running?.abort(new Stopped(why));
      return dropped.length + (lane.running ? 1 : 0);
    },
    isBusy: (session) => lanes.has(session),
    load: () => ({ running, waiting: waiting() }),
    async drain(graceMs) {
      draining = true;
      for (const lane of lanes.values()) for (const waiter of [...lane.waiting]) waiter.stop("shutting_down");
      if (running === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
      await Promise.race([empty, after(graceMs)]);
      if (running === 0) return;
      stopAll("shutting_down");
      await Promise.race([empty, after(LAST_WORDS_MS)]);
    },
  };
}
