// Opens the record of a data directory for reading. A `pending` row promises that a call is in flight right now: when the
// process that wrote the record died, what it left is recovered first, as the next start would, and a record of an older
// version is migrated. Both need the directory's lock, so they are left undone while another process holds it.
import path from "node:path";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { RecordReader } from "../reader.js";
import { isOlder, isOutdated, openReadOnly } from "./open-read-only.js";
import { createReader, type SqliteReader } from "./reader.js";

/**
 * Opens the record in `dir` as it is. Throws StartError, naming the file and what to do, when there is none that can be read
 * or it is of an older version.
 */
export function openSqliteReader(dir: string): SqliteReader {
  const file = path.join(dir, RECORD_FILE);
  const db = openReadOnly(dir, file);
  try {
    if (isOlder(db))
      throw new StartError(
        `${file} was written by an older agentd. Start agentd serve with this one, which brings it up to date.`,
      );
    return createReader(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Recovers and migrates, unless another process holds the directory. A failure is a warning. */
async function recover(dir: string, onWarning: (message: string) => void): Promise<void> {
  const [{ readLock }, { openSqliteStore }] = await Promise.all([
    import("../../data-dir/lock.js"),
    import("./store.js"),
  ]);
  // The holder has done so already.
  if (readLock(dir)) return;
  try {
    await (await openSqliteStore({ dir, onWarning })).close();
  } catch (error) {
    if (!readLock(dir)) onWarning(`what a killed daemon left in ${dir} could not be put in order: ${messageOf(error)}`);
  }
}

/** Opens the record in `dir` once it is recovered and of this version. Throws as openSqliteReader does. */
export async function openRecoveredSqliteReader(
  dir: string,
  onWarning: (message: string) => void,
): Promise<RecordReader> {
  if (isOutdated(dir)) await recover(dir, onWarning);
  const reader = openSqliteReader(dir);
  let needsRecovery = true;
  try {
    needsRecovery = reader.needsRecovery();
  } finally {
    if (needsRecovery) await reader.close();
  }
  if (!needsRecovery) return reader;
  await recover(dir, onWarning);
  return openSqliteReader(dir);
}
