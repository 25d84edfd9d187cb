// Tells listeners when the tools have become others. The documents are looked at when something asks for them; while somebody
// listens, a timer asks. Knows nothing of who listens.

/** A few stats each; who listens wants to know soon, not at once. */
const LOOK_MS = 1_000;

/** Who listens for other tools. */
interface ToolsWatch {
  /** Returns what ends it. */
  listen(listener: () => void): () => void;
  close(): void;
}

/** Watches what is the same object as long as nothing has changed. */
export function createToolsWatch(current: () => object): ToolsWatch {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen: object | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    const now = current();
    if (now === seen) return;
    seen = now;
    for (const listener of [...listeners]) listener();
  };
  return {
    listen(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        seen = current();
        timer = setInterval(look, LOOK_MS).unref();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      stop();
      listeners.clear();
    },
  };
}
