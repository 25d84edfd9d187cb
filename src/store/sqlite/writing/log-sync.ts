// Group sync: the write-ahead log is synced off the event loop, and one sync serves all who wait for it. SQLite's own
// (synchronous=FULL) would hold up the loop for each commit as long as the disk takes; this is the same guarantee, later by a moment
// in which the loop goes on. libuv syncs a Mac's drive cache, too (F_FULLFSYNC).
import fs from "node:fs";
import { promisify } from "node:util";

const fdatasync = promisify(fs.fdatasync);

/** How long a commit that nobody waits for may stay without a sync. */
const SOON_MS = 1_000;

export interface LogSync {
  /** Resolves when what is in the log at the time of the call is on the disk. */
  now(): Promise<void>;
  /** Syncs within a second. */
  soon(): void;
  /** Fills a buffer with what the log has at a position; what lies behind its end stays as it was. */
  read(into: Buffer, position: number): void;
  /** Syncs what is not yet, and closes the file. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the log of an open record, on which SQLite takes no locks that closing it would drop. `onFailure` hears of the first sync
 * that fails: nobody knows then what the disk holds, and a later one that succeeds does not tell.
 */
export function openLogSync(log: string, onFailure: (error: unknown) => void): LogSync {
  const fd = fs.openSync(log, "r+");
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const begun = fdatasync(fd).finally(() => {
      if (running === begun) running = undefined;
    });
    running = begun;
    begun.catch(onFailure);
    return begun;
  };
  const now = (): Promise<void> => {
    if (!running) return start();
    // The one that runs may have begun before the last commit.
    next ??= running.then(() => {
      next = undefined;
      return running ?? start();
    });
    return next;
  };
  return {
    now,
    soon() {
      timer ??= setTimeout(() => void now().catch(() => {}), SOON_MS).unref();
    },
    read(into, position) {
      fs.readSync(fd, into, 0, into.length, position);
    },
    async close() {
      await now().catch(() => {});
      fs.closeSync(fd);
    },
  };
}
