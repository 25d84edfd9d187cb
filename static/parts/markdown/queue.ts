// A worker that does one job after another and is ended when a job takes too long, so that the page goes on whatever it is given.
// The next job gets a new one.

/** What one job may take at most, and at least: each job in a row that takes longer halves it for the next. */
interface Deadlines {
  maxMs: number;
  minMs: number;
}

/** A worker that has not loaded by then will not: the daemon is gone. */
const LOAD_MS = 15_000;

/** The next message of a worker. Rejects on its failure, or after `ms`. */
function nextMessage(from: Worker, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the worker took too long")), ms);
    const stop = new AbortController();
    const settle = (end: () => void) => {
      clearTimeout(timer);
      stop.abort();
      end();
    };
    from.addEventListener("message", ({ data }) => settle(() => resolve(data)), stop);
    from.addEventListener("error", (event) => settle(() => reject(new Error(event.message))), stop);
  });
}

/** The jobs of one kind of worker, which says "ready" when it is, and answers each message with one. */
export class WorkerQueue<Job, Result> {
  private readonly start: () => Worker;
  private readonly deadlines: Deadlines;
  private deadlineMs: number;
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(start: () => Worker, deadlines: Deadlines) {
    this.start = start;
    this.deadlines = deadlines;
    this.deadlineMs = deadlines.maxMs;
  }

  /** Loads the worker before there is a job. */
  load(): void {
    this.worker ??= this.startWorker();
    this.worker.catch(() => {});
  }

  /** Does a job after those that were handed in before; null when it takes too long or there is no worker. Never rejects. */
  run(job: Job): Promise<Result | null> {
    const result = this.last.then(() => this.runNow(job));
    this.last = result;
    return result;
  }

  private async startWorker(): Promise<Worker> {
    const started = this.start();
    await nextMessage(started, LOAD_MS);
    return started;
  }

  private async runNow(job: Job): Promise<Result | null> {
    this.load();
    const ready = await this.worker?.catch(() => undefined);
    if (ready === undefined) {
      // Not the job's fault: another one tries again.
      this.worker = undefined;
      return null;
    }
    try {
      ready.postMessage(job);
      const result = (await nextMessage(ready, this.deadlineMs)) as Result;
      this.deadlineMs = Math.min(this.deadlines.maxMs, this.deadlineMs * 2);
      return result;
    } catch {
      ready.terminate();
      this.worker = undefined;
      this.deadlineMs = Math.max(this.deadlines.minMs, this.deadlineMs / 2);
      return null;
    }
  }
}
