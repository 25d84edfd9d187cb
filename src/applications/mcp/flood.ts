// How much a server may say that nobody asked for, over any transport: it is taken as it comes, so a server that never stops would
// keep the daemon from everything else.

/** Bytes that come between two answers, and messages that are no answers, within one window. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MESSAGES = 20_000;
const WINDOW_MS = 10_000;

/** Why a connection is ended. */
export const FLOOD = "it sends more messages than anybody asked for";

/** Ends a stream. */
export class FloodError extends Error {
  constructor() {
    super(FLOOD);
    this.name = "FloodError";
  }
}

/** What comes of one server. */
export class FloodGate {
  #since = 0;
  #bytes = 0;
  #messages = 0;

  #isOver(): boolean {
    return this.#bytes > MAX_BYTES || this.#messages > MAX_MESSAGES;
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#since > WINDOW_MS) [this.#since, this.#bytes, this.#messages] = [now, 0, 0];
  }

  /** Whether it has become too much with these bytes. */
  bytes(count: number): boolean {
    this.#look();
    this.#bytes += count;
    return this.#isOver();
  }

  /** Whether it has become too much with this message, whose bytes are counted apart. */
  message(): boolean {
    this.#look();
    this.#messages++;
    return this.#isOver();
  }

  /** A request of ours was answered. */
  answered(): void {
    this.#bytes = 0;
  }
}

/** Answers to a server's requests that are on their way at once, each an exchange of its own, and that wait for one of them to end. */
const MAX_ANSWERING = 16;
const MAX_WAITING = 256;

/** Lets answers out to one server that may ask faster than it takes them. */
export class AnswerGate {
  #answering = 0;
  readonly #waiting: (() => void)[] = [];

  /** Runs what sends an answer, in its turn. Throws FloodError where too many wait, and what it throws. */
  async send(work: () => Promise<void>): Promise<void> {
    if (this.#answering < MAX_ANSWERING) this.#answering++;
    else if (this.#waiting.length < MAX_WAITING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else throw new FloodError();
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#answering--;
    }
  }
}
