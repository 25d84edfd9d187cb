// Tells any number of readers what changed: each has a queue of its own, in which a newer state of a thing replaces the older one, so
// that no reader holds up the daemon or another reader. Knows names only, and nothing of where changes come from.
// Source: docs/reference.md, "Changes".
import type { DaemonChange } from "../../domain/change.js";
import { Waiters } from "../../lib/waiters.js";

/** Rows may be written by the thousand; a list that is loaded again needs to know only that there are others. */
const HISTORY_EVERY_MS = 100;
/** Changes that wait for one reader; one that is further behind has to load its lists again anyway. */
const MAX_WAITING = 1_000;

type HistoryChange = Extract<DaemonChange, { kind: "history" }>;

/** What a change replaces while it waits. */
function keyOf(change: DaemonChange): string {
  switch (change.kind) {
    case "confirmation":
      return `confirmation ${change.id}`;
    case "session":
      return `session ${change.session_id}`;
    case "history":
    case "configuration":
      return change.kind;
    default:
      return change satisfies never;
  }
}

interface Reader {
  add(change: DaemonChange): void;
  end(): void;
}

/** The changes of a daemon. */
export class ChangeFeed {
  private readonly readers = new Set<Reader>();
  private readonly waiters = new Waiters();
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private newestRow: HistoryChange | undefined;
  private readonly onReaders: (() => () => void) | undefined;
  private stopSource: (() => void) | undefined;

  /** `onReaders` is called when there is a first reader, what it returns when there is none left. */
  constructor(onReaders?: () => () => void) {
    this.onReaders = onReaders;
  }

  /** Tells every reader; never throws. */
  add(change: DaemonChange): void {
    if (this.readers.size === 0) return;
    if (change.kind === "history") this.addRow(change);
    else this.tell(change);
  }

  /** The changes from now on, until the signal aborts, the daemon stops, or the reader is too far behind. */
  read(signal: AbortSignal): AsyncGenerator<DaemonChange, void, void> {
    const waiting = new Map<string, DaemonChange>();
    const over = new AbortController();
    const reader: Reader = {
      add(change) {
        const key = keyOf(change);
        // Behind what else waits: the order is that of the newest states.
        waiting.delete(key);
        waiting.set(key, change);
        if (waiting.size > MAX_WAITING) reader.end();
      },
      end: () => {
        signal.removeEventListener("abort", reader.end);
        // At once: one that takes nothing, or never began to, would be told for ever.
        this.leave(reader);
        waiting.clear();
        over.abort();
      },
    };
    if (this.isClosed || signal.aborted) over.abort();
    else this.enter(reader);
    signal.addEventListener("abort", reader.end, { once: true });
    const { waiters } = this;
    return (async function* () {
      try {
        while (!over.signal.aborted) {
          const [next] = waiting;
          if (next) {
            waiting.delete(next[0]);
            yield next[1];
          } else await waiters.wait(over.signal);
        }
      } finally {
        reader.end();
      }
    })();
  }

  /** Ends every reader, also those to come. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const reader of this.readers) reader.end();
  }

  private enter(reader: Reader): void {
    this.readers.add(reader);
    if (this.readers.size === 1) this.stopSource = this.onReaders?.();
  }

  private leave(reader: Reader): void {
    if (!this.readers.delete(reader) || this.readers.size > 0) return;
    this.stopSource?.();
    this.stopSource = undefined;
  }

  /** The first at once, those soon after it as one. */
  private addRow(change: HistoryChange): void {
    if (!this.newestRow || change.id >= this.newestRow.id) this.newestRow = change;
    if (this.timer === undefined) this.tellRow();
  }

  private tellRow(): void {
    const change = this.newestRow;
    this.newestRow = undefined;
    this.timer = undefined;
    if (!change) return;
    this.tell(change);
    this.timer = setTimeout(() => this.tellRow(), HISTORY_EVERY_MS).unref();
  }

  private tell(change: DaemonChange): void {
    for (const reader of this.readers) reader.add(change);
    void this.waiters.wake();
  }
}
