// Whether a copy of a record can take the place of one: its integrity, its version and its hash chain. A copy of an older version is
// brought up to date on the way. The copy is the caller's own; nothing else has it open.
import { messageOf, StartError } from "../../domain/error.js";
import { openDatabaseFile } from "./open.js";
import { openSqliteReader } from "./open-reader.js";

/** Throws StartError, with what is wrong, when the record in `dir` cannot be used. */
export async function checkCopy(dir: string): Promise<void> {
  const { db, file } = openDatabaseFile(dir, () => {});
  try {
    const found = String(db.pragma("quick_check(1)", { simple: true }));
    if (found !== "ok") throw new StartError(`the record of the backup is damaged (${found})`);
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${file}: ${messageOf(error)}`, { cause: error });
  } finally {
    db.close();
  }
  const reader = openSqliteReader(dir);
  try {
    const { ok, reason } = await reader.verify();
    if (!ok) throw new StartError(`the record of the backup is not as agentd wrote it: ${reason}`);
  } finally {
    await reader.close();
  }
}
