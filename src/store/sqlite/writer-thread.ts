// A program: the writer thread. It owns the only connection that writes, takes what waits, commits it as a group and answers;
// while a commit waits for the disk, the next group gathers. writer.ts is its other side.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { isBusy } from "../../data-dir/sqlite-failure.js";
import { messageOf } from "../../domain/error.js";
import { createGroupCommit, type WriteOutcome, type WriteRequest } from "./group.js";
import { connect } from "./open.js";
import { leaveOwnership } from "./owner.js";
import { createQueries } from "./queries.js";
import { createRecordGuard } from "./record-guard.js";
import type { WriterData } from "./writer.js";
import { createWrites } from "./writes.js";

/** How long a write waits for another process's lock. */
const BUSY_WAIT_MS = 700;
const BUSY_PAUSE_MS = 20;

/** Blocks the thread: nothing but writes runs here. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function serve(port: MessagePort, { bootId, files }: WriterData): void {
  const queries = createQueries(connect(files.record.file), bootId);
  const operations = createWrites(queries) as unknown as Record<string, (...values: unknown[]) => unknown>;
  const commit = createGroupCommit({
    db: queries.db,
    run: ([name, ...values]) => operations[name]?.(...values),
    beforeCommit: () => queries.history.saveEnd(),
    onRollback: () => queries.history.reload(),
  });
  const guard = createRecordGuard(queries.db, files);

  /** Oldest first, with the time from which it may wait for a lock. */
  const waiting: { request: WriteRequest; since: number }[] = [];
  let isClosing = false;
  const take = (message: WriteRequest[] | "close"): void => {
    if (message === "close") isClosing = true;
    else for (const request of message) waiting.push({ request, since: performance.now() });
  };
  const answer = (outcomes: WriteOutcome[]): void => {
    waiting.splice(0, outcomes.length);
    port.postMessage(outcomes);
  };
  const fail = (count: number, error: unknown, isFatal: boolean): void =>
    answer(Array.from({ length: count }, () => ({ error: messageOf(error), isFatal })));
  const isIntact = (): boolean => {
    try {
      guard();
      return true;
    } catch (error) {
      fail(waiting.length, error, true);
      return false;
    }
  };

  const writeAll = (): void => {
    if (!isIntact()) return;
    try {
      answer(commit(waiting.map(({ request }) => request)));
    } catch (error) {
      const latest = isBusy(error) ? performance.now() - BUSY_WAIT_MS : Number.POSITIVE_INFINITY;
      fail(waiting.filter(({ since }) => since <= latest).length, error, false);
      if (waiting.length > 0) pause(BUSY_PAUSE_MS);
    }
  };
  port.on("message", (first: WriteRequest[] | "close") => {
    take(first);
    do {
      for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) take(more.message);
      if (waiting.length > 0) writeAll();
    } while (waiting.length > 0);
    if (!isClosing) return;
    if (isIntact()) leaveOwnership(queries.db);
    queries.db.close();
    port.close();
  });
}

if (parentPort) serve(parentPort, workerData as WriterData);
