// What a failure of SQLite, or of the disk, means for a file in the data directory: whether waiting helps, and what a person can do.
import { SqliteDatabase } from "../lib/sqlite.js";

/** What writing fails with on a disk, or within a quota, that is full, and on one that fails. */
const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EIO"]);

function codeOf(error: unknown): string {
  return error instanceof SqliteDatabase.SqliteError ? error.code : "";
}

/** Whether another process holds a lock that will go away. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && "code" in error && NO_ROOM.has(error.code);

/** What to do about a failure while starting: one sentence. */
export function hintFor(error: unknown): string {
  const code = codeOf(error);
  if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT"))
    return "It was left as it is. Move it away, or put a backup in its place, and start again.";
  if (code.startsWith("SQLITE_BUSY")) return "Another process has locked it; stop that one and start again.";
  if (code.startsWith("SQLITE_FULL") || code.startsWith("SQLITE_IOERR") || isOfDisk(error))
    return "Is the disk full or failing?";
  return "Make the data directory and its files writable for this user, or choose another one with --data-dir.";
}
