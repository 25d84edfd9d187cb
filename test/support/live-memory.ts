// Memory that is in use after a full collection, which is forced again and again while something is watched. Resident memory also
// holds garbage, and how much of it depends on how busy the machine is.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Between two collections: often enough to see an answer pile up, which takes seconds to arrive. */
const SAMPLE_MS = 100;
/** At most a third of the time goes into collections, also when the machine is so busy that one takes long. */
const PAUSE_FACTOR = 2;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes in use in V8's heap and in buffers. */
function liveBytes(): number {
  collect();
  // The memory of dead buffers is freed beside the collection; the next one waits for that.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Watches this process; the function it returns ends that and gives the most bytes in use, less those at the beginning. */
export function watchMemory(onCollected: () => void = () => {}): () => number {
  const before = liveBytes();
  let peak = before;
  let sampling: NodeJS.Timeout;
  const sample = (): void => {
    const begun = performance.now();
    peak = Math.max(peak, liveBytes());
    onCollected();
    sampling = setTimeout(sample, Math.max(SAMPLE_MS, PAUSE_FACTOR * (performance.now() - begun)));
  };
  sample();
  return () => {
    clearTimeout(sampling);
    return Math.max(peak, liveBytes()) - before;
  };
}
