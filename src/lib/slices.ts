// Long work in slices: between two of them the daemon does what else there is.
import { setImmediate } from "node:timers/promises";

/** Milliseconds of a slice: nothing else runs meanwhile. */
const SLICE_MS = 8;

/** Whether the work has to pause; and the pause itself. */
interface Slices {
  isOver(): boolean;
  /** Lets other work go on. Throws the signal's reason. */
  pause(): Promise<void>;
}

/** Slices of a work, which a signal may end. */
export function createSlices(signal?: AbortSignal): Slices {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > SLICE_MS,
    async pause() {
      await setImmediate();
      signal?.throwIfAborted();
      began = performance.now();
    },
  };
}
