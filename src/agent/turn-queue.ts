// Who may run when: turns of one session in arrival order, sessions side by side, a cap on all of them.
// Holds no turn; it hands out places and takes them back.
import { AppError, type StopCause, Stopped } from "../domain/error.js";
import { LAST_WORDS_MS } from "./shutdown.js";

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
  /** Work of no session's turn that `drain` waits for too; its signal is aborted when the grace is over. */
  track<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Refuses new turns; resolves when none is left. Those still running after `graceMs` are stopped. */
  drain(graceMs: number): Promise<void>;
}

/** Lanes for at most `maxTurns` turns at once and `maxQueue` waiting turns a session. */
export function createLanes(limits: { maxTurns: number; maxQueue: number }): Lanes {
  return new TurnLanes(limits.maxTurns, limits.maxQueue);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

class TurnLanes implements Lanes {
  private readonly maxTurns: number;
  private readonly maxQueue: number;
  private readonly lanes = new Map<string, Lane>();
  private running = 0;
  private tracked = 0;
  private readonly ending = new AbortController();
  private draining = false;
  private onEmpty: (() => void) | undefined;

  constructor(maxTurns: number, maxQueue: number) {
    this.maxTurns = maxTurns;
    this.maxQueue = maxQueue;
  }

  async enter(session: string, signal: AbortSignal): Promise<Place> {
    const retry = { retryAfter: RETRY_AFTER_SECONDS };
    if (this.draining)
      throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.", retry);
    if (signal.aborted) throw signal.reason;
    const lane = this.lanes.get(session) ?? { running: undefined, waiting: [] };
    if (lane.running) {
      if (lane.waiting.length >= this.maxQueue)
        throw new AppError("too_many_turns", `This session already has ${this.maxQueue} prompts waiting.`, retry);
      return this.queue(session, lane, signal);
    }
    if (this.running >= this.maxTurns)
      throw new AppError("busy", `The daemon already runs ${this.maxTurns} turns; try again in a moment.`, retry);
    this.lanes.set(session, lane);
    return this.place(session, lane, signal);
  }

  stop(session: string, why: StopCause): number {
    const lane = this.lanes.get(session);
    if (!lane) return 0;
    const dropped = [...lane.waiting];
    for (const waiter of dropped) waiter.stop(why);
    lane.running?.abort(new Stopped(why));
    return dropped.length + (lane.running ? 1 : 0);
  }

  isBusy(session: string): boolean {
    return this.lanes.has(session);
  }

  load(): { running: number; waiting: number } {
    let waiting = 0;
    for (const lane of this.lanes.values()) waiting += lane.waiting.length;
    return { running: this.running, waiting };
  }

  async track<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.tracked++;
    try {
      return await work(this.ending.signal);
    } finally {
      this.tracked--;
      this.tellEmpty();
    }
  }

  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    for (const lane of this.lanes.values()) for (const waiter of [...lane.waiting]) waiter.stop("shutting_down");
    if (this.isEmpty()) return;
    const empty = new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
    await Promise.race([empty, after(graceMs)]);
    if (this.isEmpty()) return;
    const stopped = new Stopped("shutting_down");
    this.ending.abort(stopped);
    for (const lane of this.lanes.values()) lane.running?.abort(stopped);
    await Promise.race([empty, after(LAST_WORDS_MS)]);
  }

  /** A place taken now. Its signal follows the client's. */
  private place(session: string, lane: Lane, signal: AbortSignal): Place {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    lane.running = controller;
    this.running++;
    let left = false;
    return {
      signal: controller.signal,
      stop: (why) => controller.abort(new Stopped(why)),
      leave: () => {
        if (left) return;
        left = true;
        signal.removeEventListener("abort", onAbort);
        this.settle(session, lane);
      },
    };
  }

  private settle(session: string, lane: Lane): void {
    this.running--;
    lane.running = undefined;
    const next = lane.waiting.shift();
    if (next) next.start();
    else this.lanes.delete(session);
    this.tellEmpty();
  }

  private isEmpty(): boolean {
    return this.running === 0 && this.tracked === 0;
  }

  private tellEmpty(): void {
    if (this.isEmpty()) this.onEmpty?.();
  }

  private queue(session: string, lane: Lane, signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
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
          resolve(this.place(session, lane, signal));
        },
        stop: (why) => {
          forget();
          reject(new Stopped(why));
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      lane.waiting.push(waiter);
    });
  }
}
