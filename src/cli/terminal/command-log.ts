// The log of a command that is not the daemon: warnings as sentences for the person, the rest only with --verbose.

import { visible } from "../../lib/invisible-characters.js";
import type { Log } from "../../lib/log.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { say } from "./output.js";
import { oneLine } from "./table.js";

/** A log on stderr without times and levels; of the fields only the cause is printed, behind the sentence. Secrets never go out. */
export function createCommandLog(redactor: Redactor, verbose: boolean): Log {
  const line =
    (level: string): Log["warn"] =>
    (fields, message) => {
      const { cause } = fields;
      const sentence = typeof cause === "string" && cause !== "" ? `${message}: ${oneLine(cause)}` : message;
      // What becomes of a turn is in its events already.
      if (verbose || !("turn_id" in fields)) say(`agentd: ${level}${visible(redactor.text(sentence))}`);
    };
  const quiet = verbose ? line("") : () => {};
  return { debug: quiet, info: quiet, warn: line("warning: "), error: line("") };
}
