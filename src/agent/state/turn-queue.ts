// Which turn may run when: turns of one session in arrival order, sessions side by side, a cap on all of them.
// Holds no turn; it hands out permits and takes them back. Our own, because a permit is bound to a session, to a cap on all of
// them and to a signal with a reason.
import { AppError, type StopCause, Stopped } from "../../domain/error.js";
import { STOP_GRACE_MS } from "./shutdown.js";

/** The right to run one turn; `release` must be called once the turn is over. */
export interface TurnPermit {
  /** Aborted with a `Stopped` when the turn must stop. */
  readonly signal: AbortSignal;
  /** Stops this turn and no other. */
  stop(why: StopCause): void;
  release(): void;
}

interface Waiter {
  stop(why: StopCause): void;
  start(): void;
}
/** The turns of one session. */
interface SessionQueue {
  running: AbortController | undefined;
  waiting: Waiter[];
}

/** Seconds after which a refused client may try again: most turns are over by then. */
const RETRY_AFTER_SECONDS = 2;

/** Told of a turn that has to wait. */
type OnQueued = (stop: Waiter["stop"]) => void;

export interface TurnQueue {
  /**
   * Waits for the session's earlier turns; `onQueued` is called at once when there are any, with what stops this turn alone. Throws AppError too_many_turns when the session's queue is full, busy when the
   * daemon runs as many turns as it may, shutting_down while draining; rejects with the signal's reason when it aborts first.
   */
  acquire(session: string, signal: AbortSignal, onQueued?: OnQueued): Promise<TurnPermit>;
  /** Stops the session's running and waiting turns; returns how many. */
  stop(session: string, why: StopCause): number;
  isBusy(session: string): boolean;
  load(): { running: number; waiting: number };
  /** Work outside of any turn that `drain` waits for too; its signal is aborted when the grace is over. */
  track<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Refuses new turns; resolves when none is left. Those still running after `graceMs` are stopped. */
  drain(graceMs: number): Promise<void>;
}

/** A queue for at most `maxTurns` turns at once and `maxQueue` waiting turns a session. */
export function createTurnQueue(limits: { maxTurns: number; maxQueue: number }): TurnQueue {
  return new Permits(limits.maxTurns, limits.maxQueue);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

class Permits implements TurnQueue {
  private readonly maxTurns: number;
  private readonly maxQueue: number;
  private readonly queues = new Map<string, SessionQueue>();
  private running = 0;
  private tracked = 0;
  private readonly ending = new AbortController();
  private draining = false;
  private onEmpty: (() => void) | undefined;

  constructor(maxTurns: number, maxQueue: number) {
    this.maxTurns = maxTurns;
    this.maxQueue = maxQueue;
  }

  async acquire(session: string, signal: AbortSignal, onQueued?: OnQueued): Promise<TurnPermit> {
    const retry = { retryAfter: RETRY_AFTER_SECONDS };
    if (this.draining)
      throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.", retry);
    if (signal.aborted) throw signal.reason;
    const queue = this.queues.get(session) ?? { running: undefined, waiting: [] };
    if (queue.running) {
      if (queue.waiting.length >= this.maxQueue)
        throw new AppError("too_many_turns", `This session already has ${this.maxQueue} prompts waiting.`, retry);
      return this.wait(session, queue, { signal, onQueued });
    }
    if (this.running >= this.maxTurns)
      throw new AppError("busy", `The daemon already runs ${this.maxTurns} turns; try again in a moment.`, retry);
    this.queues.set(session, queue);
    return this.grant(session, queue, signal);
  }

  stop(session: string, why: StopCause): number {
    const queue = this.queues.get(session);
    if (!queue) return 0;
    const dropped = [...queue.waiting];
    for (const waiter of dropped) waiter.stop(why);
    queue.running?.abort(new Stopped(why));
    return dropped.length + (queue.running ? 1 : 0);
  }

  isBusy(session: string): boolean {
    return this.queues.has(session);
  }

  load(): { running: number; waiting: number } {
    let waiting = 0;
    for (const queue of this.queues.values()) waiting += queue.waiting.length;
    return { running: this.running, waiting };
  }

  async track<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.tracked++;
    try {
      return await work(this.ending.signal);
    } finally {
      this.tracked--;
      this.notifyIfEmpty();
    }
  }

  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    for (const queue of this.queues.values()) for (const waiter of [...queue.waiting]) waiter.stop("shutting_down");
    if (this.isEmpty()) return;
    const empty = new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
    await Promise.race([empty, after(graceMs)]);
    if (this.isEmpty()) return;
    const stopped = new Stopped("shutting_down");
    this.ending.abort(stopped);
    for (const queue of this.queues.values()) queue.running?.abort(stopped);
    await Promise.race([empty, after(STOP_GRACE_MS)]);
  }

  /** A permit for a turn that may run now. Its signal follows the client's. */
  private grant(session: string, queue: SessionQueue, signal: AbortSignal): TurnPermit {
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    queue.running = controller;
    this.running++;
    let isReleased = false;
    return {
      signal: controller.signal,
      stop: (why) => controller.abort(new Stopped(why)),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        signal.removeEventListener("abort", onAbort);
        this.settle(session, queue);
      },
    };
  }

  private settle(session: string, queue: SessionQueue): void {
    this.running--;
    queue.running = undefined;
    const next = queue.waiting.shift();
    if (next) next.start();
    else this.queues.delete(session);
    this.notifyIfEmpty();
  }

  private isEmpty(): boolean {
    return this.running === 0 && this.tracked === 0;
  }

  private notifyIfEmpty(): void {
    if (this.isEmpty()) this.onEmpty?.();
  }

  private wait(
    session: string,
    queue: SessionQueue,
    { signal, onQueued }: { signal: AbortSignal; onQueued: OnQueued | undefined },
  ): Promise<TurnPermit> {
    return new Promise((resolve, reject) => {
      let permit: TurnPermit | undefined;
      const forget = (): void => {
        signal.removeEventListener("abort", onAbort);
        queue.waiting = queue.waiting.filter((other) => other !== waiter);
      };
      const onAbort = (): void => {
        forget();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start: () => {
          forget();
          permit = this.grant(session, queue, signal);
          resolve(permit);
        },
        stop: (why) => {
          // It may run, and whoever waits for it does not know yet.
          if (permit) return permit.stop(why);
          forget();
          reject(new Stopped(why));
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      queue.waiting.push(waiter);
      onQueued?.(waiter.stop);
    });
  }
}
