// Every write to the record, as the main thread sees it: operations of one tick go to the writer thread in one message, and each
// promise resolves once its group is on disk. Order is kept. A thread that dies fails what waits, and the next write starts another.
import type { Worker } from "node:worker_threads";
import { AppError, messageOf } from "../../domain/error.js";
import { startThread } from "../../lib/thread.js";
import type { WriteOutcome, WriteRequest } from "./group.js";
import type { RecordFiles } from "./record-guard.js";
import { WRITES, type WriteName, type Writes } from "./writes.js";

/**
 * What may wait for the disk: far more than the turns that run at once can ask for, and less than memory holds. A disk that
 * hangs refuses calls instead of filling it.
 */
const MAX_WAITING = 10_000;
const MAX_WAITING_CHARS = 64 * 1024 * 1024;

/** Rows live a moment there; V8 would let three times 16 MiB of dead ones gather. */
const YOUNG_MIB = 3;

/** What a writer thread is started with. */
export interface WriterData {
  bootId: string;
  files: RecordFiles;
}

export interface Writer {
  /** Resolves when it is on disk. Rejects with AppError `audit_unavailable` when it cannot be kept. */
  run<Name extends WriteName>(name: Name, ...values: Parameters<Writes[Name]>): Promise<ReturnType<Writes[Name]>>;
  /** Refuses every further write with this message, and warns. */
  refuse(reason: string): void;
  /** Writes what waits, then ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  name: WriteName;
  chars: number;
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

function unavailable(name: WriteName, reason: string): AppError {
  const message = `the record is unavailable: cannot write ${WRITES[name].what}: ${reason}`;
  return new AppError("audit_unavailable", message, { retryAfter: 5 });
}

/** Characters in a value that crosses. */
function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const part of Object.values(value)) sum += charsOf(part);
  return sum;
}

/** The writer of the record that `data` names; its thread starts at once. */
export function createWriter(data: WriterData, onWarning: (message: string) => void): Writer {
  return new ThreadWriter(data, onWarning);
}

class ThreadWriter implements Writer {
  private readonly data: WriterData;
  private readonly onWarning: (message: string) => void;
  private thread: Worker | undefined;
  /** Oldest first; the last ones, in `unsent`, are not on their way yet. */
  private waiting: Waiting[] = [];
  private unsent: WriteRequest[] = [];
  private chars = 0;
  private refusal: string | undefined;

  constructor(data: WriterData, onWarning: (message: string) => void) {
    this.data = data;
    this.onWarning = onWarning;
    this.thread = this.start();
  }

  run<Name extends WriteName>(name: Name, ...values: Parameters<Writes[Name]>) {
    return new Promise<ReturnType<Writes[Name]>>((resolve, reject) => {
      if (this.refusal !== undefined) return reject(unavailable(name, this.refusal));
      const chars = charsOf(values);
      if (this.waiting.length >= MAX_WAITING || this.chars + chars > MAX_WAITING_CHARS)
        return reject(unavailable(name, "too much waits for the disk already"));
      this.chars += chars;
      this.waiting.push({ name, chars, resolve: resolve as (value: unknown) => void, reject });
      if (this.unsent.push([name, ...values]) === 1) process.nextTick(() => this.send());
    });
  }

  refuse(reason: string): void {
    if (this.refusal !== undefined) return;
    this.refusal = reason;
    this.onWarning(`nothing more is recorded, and no call is made: ${reason}`);
  }

  async close(): Promise<void> {
    this.refusal ??= "the record is closed";
    this.send();
    const { thread } = this;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once("exit", resolve));
    thread.ref();
    thread.postMessage("close");
    await ended;
  }

  private send(): void {
    if (this.unsent.length === 0) return;
    this.thread ??= this.start();
    // The process may not end while a write waits.
    this.thread.ref();
    this.thread.postMessage(this.unsent);
    this.unsent = [];
  }

  private start(): Worker {
    const thread = startThread("store/sqlite/writer-thread", {
      workerData: this.data,
      env: {},
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    let reason = "it stopped";
    thread.on("message", (outcomes: WriteOutcome[]) => this.settle(outcomes));
    thread.on("error", (error) => {
      reason = messageOf(error);
    });
    thread.on("exit", () => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      const lost = this.waiting.length - this.unsent.length;
      this.settle(Array.from({ length: lost }, () => ({ error: `the thread that writes it ended: ${reason}` })));
    });
    return thread;
  }

  private settle(outcomes: readonly WriteOutcome[]): void {
    const settled = this.waiting.splice(0, outcomes.length);
    for (const [at, outcome] of outcomes.entries()) {
      const one = settled[at];
      if (!one) continue;
      this.chars -= one.chars;
      if ("value" in outcome) one.resolve(outcome.value);
      else {
        if (outcome.isFatal) this.refuse(outcome.error);
        one.reject(unavailable(one.name, outcome.error));
      }
    }
    if (this.waiting.length === 0) this.thread?.unref();
  }
}
