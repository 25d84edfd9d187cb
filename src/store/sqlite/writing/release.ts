// Lets those who wait for a write go on, one in each round of the event loop. What shares a commit or a sync is kept at the same
// moment; if all of it went on at once, every other request would wait until the last of it has done its next step.

interface Release {
  /** Calls `go` at once when nobody else goes on in this round, otherwise in a round of its own. Order is kept. */
  add(go: () => void): void;
  /** Whether somebody goes on in this round or waits for one. */
  isUnderWay(): boolean;
  /** Lets everybody go on now. */
  all(): void;
}

/** Nobody waits yet. */
export function createRelease(): Release {
  const waiting: (() => void)[] = [];
  let isUnderWay = false;
  const next = (): void => {
    const go = waiting.shift();
    isUnderWay = go !== undefined;
    if (!go) return;
    setImmediate(next);
    go();
  };
  return {
    add(go) {
      if (isUnderWay) return void waiting.push(go);
      isUnderWay = true;
      setImmediate(next);
      go();
    },
    isUnderWay: () => isUnderWay,
    all() {
      for (const go of waiting.splice(0)) go();
    },
  };
}
