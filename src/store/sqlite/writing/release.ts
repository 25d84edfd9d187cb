// Lets those who wait for a write go on, in turn with all else. What shares a commit or a sync is kept at the same moment; if all of
// it went on at once, every other request would wait until the last of it has done its next step.

/** Milliseconds of a round of the event loop in which they go on one after the other, each once the one before has done its step. */
const SHARE_MS = 2;

interface Release {
  /** Calls `go` at once when nobody else goes on, otherwise in order behind the others. */
  add(go: () => void): void;
  /** Whether somebody goes on or waits for that. */
  isUnderWay(): boolean;
  /** Lets everybody go on now. */
  all(): void;
}

/** Nobody waits yet. */
export function createRelease(): Release {
  const waiting: (() => void)[] = [];
  let isUnderWay = false;
  let began = 0;
  const goOn = (go: () => void): void => {
    go();
    // A tick that a microtask asks for comes when no microtask is left: the step is done, unless it waits itself.
    queueMicrotask(() => process.nextTick(next));
  };
  const next = (): void => {
    if (waiting.length > 0 && performance.now() - began > SHARE_MS) return void setImmediate(begin);
    const go = waiting.shift();
    isUnderWay = go !== undefined;
    if (go) goOn(go);
  };
  const begin = (): void => {
    began = performance.now();
    next();
  };
  return {
    add(go) {
      if (isUnderWay) return void waiting.push(go);
      isUnderWay = true;
      began = performance.now();
      goOn(go);
    },
    isUnderWay: () => isUnderWay,
    all() {
      for (const go of waiting.splice(0)) go();
    },
  };
}
