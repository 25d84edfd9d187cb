// A program whose clock is wrong: the environment that starts it so. The clock is changed inside its process, so that no other
// program is confused.

/** The environment of a program whose clock is off by the first of these; SIGUSR2 makes it jump to the next. */
export function shiftedClock(...offsetsMs: readonly number[]): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${new URL("shifted-clock.js", import.meta.url)}`,
    CLOCK_OFFSETS_MS: offsetsMs.join(),
  };
}
