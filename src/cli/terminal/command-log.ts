// The log of a command that is not the daemon: warnings as sentences for the person, the rest only with --verbose.

import { visible } from "../../lib/invisible-characters.js";
import type { Log } from "../../lib/log.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { say } from "./output.js";

/** A log on stderr without times and levels. Secrets never go out. */
export function createCommandLog(redactor: Redactor, verbose: boolean): Log {
  const line =
    (level: string): Log["warn"] =>
    (fields, message) => {
      // What becomes of a turn is in its events already.
      if (verbose || !("turn_id" in fields)) say(`agentd: ${level}${visible(redactor.text(message))}`);
    };
  const quiet = verbose ? line("") : () => {};
  return { debug: quiet, info: quiet, warn: line("warning: "), error: line("") };
}
