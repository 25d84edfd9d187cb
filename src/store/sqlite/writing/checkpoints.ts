// Checkpoints: the log goes into the database when it has grown, in a thread, because a checkpoint waits for the disk twice.
// The thread is there only while the record is written much.
import type { Worker } from "node:worker_threads";
import { messageOf } from "../../../domain/error.js";
import { startThread } from "../../../lib/thread.js";

/** Frames of 4 KiB in the log between two checkpoints: some hundred turns. A longer log makes reads and the next start slower. */
const EVERY_FRAMES = 4_000;
/** How long the thread is kept without work: a start costs as much as several checkpoints. */
const IDLE_MS = 30_000;
/** It holds no rows, only pages in SQLite's cache. */
const HEAP_MIB = 16;
const YOUNG_MIB = 1;

export interface Checkpoints {
  /** Tells how many frames the log has. */
  note(frames: number): void;
  /** Makes one soon, however short the log is. */
  request(): void;
  /** Whether one is made now: its end keeps writes waiting for as long as the disk takes. */
  isUnderWay(): boolean;
  /** Waits for the one under way. */
  close(): Promise<void>;
}

/** The checkpoints of an open record. One that fails is reported, and the log grows until the next. */
export function createCheckpoints(file: string, onWarning: (message: string) => void): Checkpoints {
  let thread: Worker | undefined;
  let isRunning = false;
  /** Length of the log at the last checkpoint; readers may have kept it from being used again. */
  let last = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  const start = (): Worker => {
    const started = startThread("store/sqlite/writing/checkpoint-thread", {
      workerData: file,
      env: {},
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB, maxOldGenerationSizeMb: HEAP_MIB },
    });
    started.on("message", () => {
      isRunning = false;
      idle = setTimeout(end, IDLE_MS).unref();
    });
    started.on("error", (error) => onWarning(`the record was not checkpointed: ${messageOf(error)}`));
    started.on("exit", () => {
      isRunning = false;
      if (thread === started) thread = undefined;
    });
    return started;
  };

  let isRequested = false;
  return {
    request() {
      isRequested = true;
    },
    isUnderWay: () => isRunning,
    note(frames) {
      if (frames < last) last = 0;
      if (isRunning || (frames - last < EVERY_FRAMES && !isRequested)) return;
      last = frames;
      isRequested = false;
      isRunning = true;
      clearTimeout(idle);
      thread ??= start();
      thread.postMessage("checkpoint");
    },
    async close() {
      clearTimeout(idle);
      await thread?.terminate();
    },
  };
}
