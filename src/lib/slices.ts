// Long work in slices: between two of them the daemon does what else there is. Of all work that is under way one goes on in each turn
// of the event loop, the others in their order, so that many hold up the rest no longer than one.

/** Milliseconds of a slice: nothing else runs meanwhile. */
const SLICE_MS = 8;

/** Whether the work has to pause; and the pause itself. */
interface Slices {
  isOver(): boolean;
  /** Lets other work go on. Throws the signal's reason. */
  pause(): Promise<void>;
}

/** Work that paused, in order. */
const paused: (() => void)[] = [];

function resumeNext(): void {
  paused.shift()?.();
  if (paused.length > 0) setImmediate(resumeNext);
}

/** Slices of a work, which a signal may end. */
export function createSlices(signal?: AbortSignal): Slices {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > SLICE_MS,
    async pause() {
      await new Promise<void>((resolve) => {
        if (paused.push(resolve) === 1) setImmediate(resumeNext);
      });
      signal?.throwIfAborted();
      began = performance.now();
    },
  };
}
