// Whether a terminal controls this process: when it is closed, SIGHUP means that and no reload.
import { closeSync, constants, openSync } from "node:fs";

/** Has to be asked at the start: once the terminal is gone, it cannot be told any more. Windows sends SIGHUP only then. */
export function hasControllingTerminal(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}
