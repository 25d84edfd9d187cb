// Long work in slices: between two of them the daemon does what else there is. All long work together has one slice of each round of
// the event loop. What is over it pauses, and of what paused one goes on in each round, in order.

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
/** When long work began in this round; undefined before it did. */
let began: number | undefined;

function begin(): void {
  if (began !== undefined) return;
  began = performance.now();
  setImmediate(endRound);
}

function endRound(): void {
  began = undefined;
  const goOn = paused.shift();
  if (!goOn) return;
  begin();
  goOn();
}

function isOver(): boolean {
  begin();
  return performance.now() - (began as number) > SLICE_MS;
}

/** Slices of a work, which a signal may end. */
export function createSlices(signal?: AbortSignal): Slices {
  begin();
  return {
    isOver,
    async pause() {
      begin();
      await new Promise<void>((resolve) => paused.push(resolve));
      signal?.throwIfAborted();
    },
  };
}
