// Completions of calls that could not be written: kept in memory, bounded, and retried until they are on disk. One that is
// still waiting when the daemon stops leaves its row `pending`, which the next start turns into `interrupted`; no row is lost.
import { toJson } from "../lib/json.js";
import type { CallCompletion } from "./store.js";

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
/** Only calls in flight when the disk failed are added, since no new call leaves without its row. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 32 * 1024 * 1024;

interface Waiting {
  completion: CallCompletion;
  chars: number;
}

/** The completions still to be written. */
interface RetryQueue {
  add(id: number, completion: CallCompletion): void;
  /** A last try; no more timers. Resolves with how many were lost. */
  stop(): Promise<number>;
}

/** `write` completes one row or rejects; it is called in the order they were added. */
export function createRetryQueue(
  write: (id: number, completion: CallCompletion) => Promise<unknown>,
  onWarning: (message: string) => void,
): RetryQueue {
  const waiting = new Map<number, Waiting>();
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_RETRY_MS;

  const retry = async (id: number, { completion, chars: size }: Waiting): Promise<void> => {
    try {
      await write(id, completion);
    } catch {
      return;
    }
    if (waiting.delete(id)) chars -= size;
  };
  /** Writes what it can, each by itself; a completion that was added meanwhile is the next one's. */
  const flush = async (): Promise<void> => {
    await Promise.all([...waiting].map(([id, entry]) => retry(id, entry)));
    if (waiting.size === 0) pause = FIRST_RETRY_MS;
  };
  let isStopped = false;
  const schedule = (): void => {
    if (timer || isStopped) return;
    timer = setTimeout(async () => {
      pause = Math.min(pause * 2, LAST_RETRY_MS);
      await flush();
      timer = undefined;
      if (waiting.size > 0) schedule();
    }, pause);
    timer.unref();
  };

  return {
    add(id, completion) {
      const size = toJson(completion.result).length;
      if (waiting.size >= MAX_WAITING || chars + size > MAX_WAITING_CHARS) {
        onWarning(`the result of call ${id} could not be recorded; its row will read interrupted`);
        return;
      }
      waiting.set(id, { completion, chars: size });
      chars += size;
      onWarning(`the result of call ${id} could not be recorded yet; trying again`);
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await flush();
      return waiting.size;
    },
  };
}
