// The time of one call: it stands still while a person is asked, begins anew when the server says how far it is, and ends at last.

/** How often its time a call may take in all, as long as the server says how far it is. */
const MOST = 10;

/** Runs from its creation; `signal` is aborted at its end. */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds that are left in all, as of `#since`. */
  #left: number;
  #since = 0;
  #pauses = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.#left = MOST * ms;
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  #run(): void {
    this.#since = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, Math.min(this.#ms, this.#left)));
  }

  #halt(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  /** The server is at work. */
  restart(): void {
    if (this.#pauses > 0 || this.signal.aborted) return;
    this.#halt();
    this.#run();
  }

  /** Stands still while the work lasts. */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#halt();
    try {
      return await work();
    } finally {
      if (--this.#pauses === 0) this.#run();
    }
  }

  stop(): void {
    this.#pauses = 1;
    clearTimeout(this.#timer);
  }
}
