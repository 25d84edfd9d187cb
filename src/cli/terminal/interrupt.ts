// Signals: the first one asks to stop, a second one stops. Source: docs/reference.md, "Starting and stopping"

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as StopSignal[];

/**
 * Calls `first` at the first signal; ends the process at once at the second, with 128 + the signal's number.
 * Returns what takes the listeners off again. A signal that is `ignored` is left to other listeners.
 */
export function onInterrupt(first: (signal: StopSignal) => void, ignored?: StopSignal): () => void {
  const signals = SIGNALS.filter((signal) => signal !== ignored);
  let isStopping = false;
  const listener = (signal: StopSignal): void => {
    if (isStopping) process.exit(EXIT_CODES[signal]);
    isStopping = true;
    first(signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
