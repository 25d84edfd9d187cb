// When what has been kept for long enough is deleted: at the start, every few hours, and soon after a round that could not be done.
import { RETENTION_EVERY_MS, RETENTION_RETRY_MS } from "./rules.js";

/** Starts the rounds; `round` never throws, and says whether it was done. Returns what starts no further one. */
export function startRounds(round: () => Promise<boolean>): () => void {
  let isStopped = false;
  let again: NodeJS.Timeout | undefined;
  const start = async (): Promise<void> => {
    const isDone = await round();
    clearTimeout(again);
    if (!isDone && !isStopped) again = setTimeout(start, RETENTION_RETRY_MS).unref();
  };
  const first = setImmediate(start);
  const timer = setInterval(start, RETENTION_EVERY_MS).unref();
  return () => {
    isStopped = true;
    clearImmediate(first);
    clearInterval(timer);
    clearTimeout(again);
  };
}
