// The record for the commands that only read it, beside a running daemon or alone. `pending` promises that a call is in flight
// right now: when the process that wrote the record died, what it left is put in order first, as the next start would. A record of
// an older version is brought up to date.
import { messageOf } from "../../domain/error.js";
import { isOutdated } from "../../store/sqlite/open-read-only.js";
import { openReader, type Reader } from "../../store/sqlite/reader.js";
import { say } from "../terminal/output.js";

/** Does what only the holder of the directory may do. Says why when it could not. */
async function settle(dir: string): Promise<void> {
  const [{ readLock }, { openStore }] = await Promise.all([
    import("../../data-dir/lock.js"),
    import("../../store/sqlite/store.js"),
  ]);
  // Whoever holds it has done so already.
  if (readLock(dir)) return;
  try {
    await (await openStore({ dir, onWarning: (message) => say(`agentd: warning: ${message}`) })).close();
  } catch (error) {
    if (!readLock(dir))
      say(`agentd: warning: what a killed daemon left in ${dir} could not be put in order: ${messageOf(error)}`);
  }
}

/** Opens the record in `dir`. Throws StartError, naming the file and the way out, when there is none that can be read. */
export async function openSettled(dir: string): Promise<Reader> {
  if (isOutdated(dir)) await settle(dir);
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
