// Completions of calls that could not be written: kept in memory, bounded, and retried until they are on disk. One that is
// still waiting when the daemon stops leaves its row `pending`, which the next start turns into `interrupted`; no row is lost.
import { toJson } from "../lib/json.js";
import type { CallCompletion } from "./store.js";

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;
/** Only calls in flight when the disk failed are added, since no new call leaves without its row. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 32 * 1024 * 1024;

/** The completions still to be written. */
interface RetryQueue {
  add(id: number, completion: CallCompletion): void;
  /** Tries to write all of them now; returns how many are still waiting. */
  flush(): number;
  /** A last try; no more timers. Returns how many were lost. */
  stop(): number;
}

/** `write` completes one row or throws; it is called in the order they were added. */
export function createRetryQueue(
  write: (id: number, completion: CallCompletion) => void,
  onWarning: (message: string) => void,
): RetryQueue {
  const waiting = new Map<number, { completion: CallCompletion; chars: number }>();
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_RETRY_MS;

  const flush = (): number => {
    for (const [id, entry] of waiting) {
      try {
        write(id, entry.completion);
      } catch {
        break;
      }
      waiting.delete(id);
      chars -= entry.chars;
    }
    if (waiting.size === 0) pause = FIRST_RETRY_MS;
    return waiting.size;
  };
  const schedule = (): void => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      pause = Math.min(pause * 2, LAST_RETRY_MS);
      if (flush() > 0) schedule();
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
    flush,
    stop() {
      clearTimeout(timer);
      return flush();
    },
  };
}
