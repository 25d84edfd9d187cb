// The record for the commands that only read it, beside a running daemon or alone. `pending` promises that a call is in flight
// right now: when the process that wrote the record died, what it left is put in order first, as the next start would.
import { openReader, type Reader } from "../store/read.js";
import { say } from "./output.js";

/** Does what only the holder of the directory may do. Says why when it could not. */
async function settle(dir: string): Promise<void> {
  const [{ readLock }, { openStore }] = await Promise.all([import("../store/lock.js"), import("../store/sqlite.js")]);
  // Whoever holds it has done so already.
  if (readLock(dir)) return;
  try {
    await (await openStore({ dir, onWarning: (message) => say(`agentd: warning: ${message}`) })).close();
  } catch {
    if (!readLock(dir))
      say(`agentd: warning: nothing runs on ${dir} and it can't be written: calls that read pending were interrupted`);
  }
}

/** Opens the record in `dir`. Throws StartError, naming the file and the way out, when there is none that can be read. */
export async function openSettled(dir: string): Promise<Reader> {
  const reader = openReader(dir);
  let isUnsettled = true;
  try {
    isUnsettled = reader.isUnsettled();
  } finally {
    if (isUnsettled) reader.close();
  }
  if (!isUnsettled) return reader;
  await settle(dir);
  return openReader(dir);
}
