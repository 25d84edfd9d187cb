// Signals: the first one asks to stop, a second one stops. Source: docs/reference.md, "Starting and stopping"

/** 128 and the number of the signal, as a shell reports a program that a signal ended. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** A signal that asks to stop. */
export type StopSignal = keyof typeof SIGNAL_CODES;
const SIGNALS = Object.keys(SIGNAL_CODES) as StopSignal[];

/**
 * Calls `first` at the first signal; ends the process at once at the second, with 128 + the signal's number.
 * Returns what takes the listeners off again. A signal that is `ignored` is left to other listeners.
 */
export function onInterrupt(first: (signal: StopSignal) => void, ignored?: StopSignal): () => void {
  const signals = SIGNALS.filter((signal) => signal !== ignored);
  let isStopping = false;
  const listener = (signal: StopSignal): void => {
    if (isStopping) process.exit(SIGNAL_CODES[signal]);
    isStopping = true;
    first(signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
