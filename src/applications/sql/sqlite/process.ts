// The processes that work on one SQLite file: as many as calls run side by side, up to a cap, each kept a while for the next call.
// Never keeps the daemon alive.
import { type ChildProcess, fork } from "node:child_process";
import { programOf } from "../../../lib/package.js";
import { cancelledFailure, DatabaseFailure } from "../database.js";
import type { GoOn, JobMessage, SqliteAnswer } from "./messages.js";

/** Calls of one database that run side by side; more wait. */
const MAX_PROCESSES = 3;
/** Milliseconds that an idle process is kept. */
const IDLE_MS = 60_000;
/** What a process may take of memory for its own objects, in megabytes; what SQLite takes is limited apart from it. */
const MAX_HEAP_MB = 256;

const PROGRAM = programOf("applications/sql/sqlite/sqlite-child");

/** One process, as long as a job has it. */
export interface SqliteProcess {
  send(message: JobMessage | GoOn): void;
  /** The next answer. Throws DatabaseFailure `timeout` when `deadline` (of performance.now()) passes, and when the process ends. */
  next(deadline: number): Promise<SqliteAnswer>;
  end(): void;
  readonly isOver: boolean;
}

/** What ended while an answer was waited for. */
function gone(): DatabaseFailure {
  return new DatabaseFailure(
    "database_error",
    "the process that works on the database has ended, perhaps for want of memory",
  );
}

function startProcess(): SqliteProcess {
  // Its parent's id: asked for at its own start, that may be another's already.
  const child: ChildProcess = fork(PROGRAM.file, [String(process.pid)], {
    execArgv: [...PROGRAM.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
    // No environment: it may hold keys, and the process needs none.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let isOver = false;
  const answers: SqliteAnswer[] = [];
  let wake: (() => void) | undefined;
  child.on("message", (answer: SqliteAnswer) => {
    answers.push(answer);
    wake?.();
  });
  const onEnd = (): void => {
    isOver = true;
    wake?.();
  };
  child.on("error", onEnd).on("exit", onEnd);
  child.unref();
  child.channel?.unref();
  return {
    get isOver() {
      return isOver;
    },
    // One that ends now is noticed by what waits for its answer.
    send: (message) => void child.send(message, () => {}),
    end() {
      isOver = true;
      child.kill("SIGKILL");
    },
    async next(deadline) {
      for (;;) {
        const answer = answers.shift();
        if (answer) return answer;
        if (isOver) throw gone();
        await new Promise<void>((resolve) => {
          // Keeps a command alive that waits for nothing else.
          const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        if (answers.length === 0 && !isOver && performance.now() >= deadline)
          throw new DatabaseFailure("timeout", "the database did not finish in time; the statement was stopped");
      }
    },
  };
}

/** Processes that take jobs. */
interface ProcessPool {
  /** A process of its own; one that is not brought to the end of its job is ended. Throws DatabaseFailure, also on abort. */
  take(signal?: AbortSignal): Promise<{ process: SqliteProcess; release(isDone: boolean): void }>;
  close(): void;
}

/** A pool; no process is started before the first job. */
export function createProcessPool(): ProcessPool {
  const idle: { process: SqliteProcess; timer: NodeJS.Timeout }[] = [];
  const busy = new Set<SqliteProcess>();
  const waiting: (() => void)[] = [];
  let isClosed = false;
  const release = (process: SqliteProcess, isDone: boolean): void => {
    busy.delete(process);
    if (!isDone || isClosed) process.end();
    else if (!process.isOver) {
      const timer = setTimeout(() => {
        idle.splice(
          idle.findIndex((one) => one.process === process),
          1,
        );
        process.end();
      }, IDLE_MS).unref();
      idle.push({ process, timer });
    }
    waiting.shift()?.();
  };
  return {
    async take(signal) {
      const wait = (): Promise<void> =>
        new Promise((resolve) => {
          waiting.push(resolve);
          signal?.addEventListener("abort", () => resolve(), { once: true });
        });
      while (busy.size >= MAX_PROCESSES && !signal?.aborted) await wait();
      if (signal?.aborted) {
        for (const wake of waiting.splice(0)) wake();
        throw cancelledFailure();
      }
      if (isClosed) throw new DatabaseFailure("connection_failed", "the database was closed");
      let process: SqliteProcess | undefined;
      while (!process || process.isOver) {
        const known = idle.pop();
        clearTimeout(known?.timer);
        process = known?.process ?? startProcess();
      }
      busy.add(process);
      const own = process;
      return { process: own, release: (isDone) => release(own, isDone) };
    },
    close() {
      isClosed = true;
      for (const { process, timer } of idle.splice(0)) {
        clearTimeout(timer);
        process.end();
      }
      for (const process of busy) process.end();
    },
  };
}
