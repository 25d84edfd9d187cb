// What is under way when the daemon stops, and how long it gets.
import { Stopped } from "../../domain/error.js";

/** Milliseconds that a call in flight gets once its turn is stopped because the daemon ends. */
const LAST_CALL_MS = 2_000;
/** Milliseconds that a turn stopped so gets to record what became of it, a last call included. */
export const STOP_GRACE_MS = LAST_CALL_MS + 1_000;

/** What the work comes to; rejects with the signal's reason when the daemon ends and it still takes longer than `LAST_CALL_MS`. */
export async function unlessShutdown<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    onAbort = () => {
      const { reason } = signal;
      if (reason instanceof Stopped && reason.why === "shutting_down") timer = setTimeout(reject, LAST_CALL_MS, reason);
    };
  });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
