// Where commands write: results to stdout, everything else to stderr. A closed pipe ends
// nothing.
import { writeQuietly } from "../../lib/log.js";

/** To stdout, as it is. */
export function print(text: string): void {
  process.stdout.write(text);
}

/** A line to stderr. */
export function say(text: string): void {
  writeQuietly(2, `${text}\n`);
}

/** A warning to stderr. */
export function warn(text: string): void {
  say(`agentd: warning: ${text}`);
}
