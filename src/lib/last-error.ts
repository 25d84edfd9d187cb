// The newest error of a log, kept for those who ask how the program is doing. Wraps a log and passes everything on.
import type { Log, LogFields } from "./log.js";

/** What was logged as an error, and when. */
export interface LoggedError {
  /** ISO 8601. */
  ts: string;
  message: string;
}

/** A log that remembers. `last` gives undefined while nothing went wrong. */
interface RememberingLog {
  log: Log;
  last(): LoggedError | undefined;
}

/** Longest text that is kept; the log has all of it. */
const MAX_CHARS = 1000;

/** With the whole cause on one line, but not where in the program it came from. */
function sentenceOf({ cause }: LogFields, message: string): string {
  const lines = typeof cause === "string" ? cause.split("\n").map((line) => line.trim()) : [];
  const stack = lines.findIndex((line) => line.startsWith("at "));
  const why = (stack < 0 ? lines : lines.slice(0, stack)).join(" ").trim();
  return why === "" ? message : `${message}: ${why}`;
}

/** Wraps a log; `redact` takes secrets out of what is remembered, as the log itself does. */
export function rememberErrors(log: Log, redact: (text: string) => string): RememberingLog {
  let last: LoggedError | undefined;
  return {
    log: {
      ...log,
      error(fields, message) {
        const text = redact(sentenceOf(fields, message));
        last = { ts: new Date().toISOString(), message: text.slice(0, MAX_CHARS) };
        log.error(fields, message);
      },
    },
    last: () => last,
  };
}
