// Space of what was deleted goes back to the disk: in small steps between which the daemon goes on, where the file was made for
// that (`auto_vacuum`), and at once, for a file of an older version, while nothing else uses it.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { messageOf } from "../../domain/error.js";
import type { WriteKind, Writer } from "./writing/writer.js";

const GIVING_BACK: WriteKind = { what: "what was given back to the disk", isSynced: false };

/** Pages of 4 KiB that are moved in one commit: a millisecond or two. */
const STEP_PAGES = 256;
/** Fewer free pages stay for what is written next. */
const WORTH_PAGES = 256;
/** A file up to this size is rewritten when it is opened, in some tenths of a second; a larger one by `agentd vacuum` only. */
const REWRITE_NOW_BYTES = 16 * 1024 * 1024;

const INCREMENTAL = 2;

const pragma = (db: Database, name: string): number => db.pragma(name, { simple: true }) as number;

/** Whether the space of what is deleted can go back in steps. */
function givesBack(db: Database): boolean {
  return pragma(db, "auto_vacuum") === INCREMENTAL;
}

/** For a file that nothing was written to yet: only then it costs nothing. */
export function prepareVacuum(db: Database): void {
  if (pragma(db, "page_count") === 0) db.pragma("auto_vacuum = INCREMENTAL");
}

/** Rewrites the whole file. Nothing else may use it, and the disk needs room for it twice. A kill leaves the old one. */
export function rewrite(db: Database): void {
  db.pragma("auto_vacuum = INCREMENTAL");
  db.exec("VACUUM");
  db.pragma("wal_checkpoint(TRUNCATE)");
}

/** Rewrites a small file of an older version, where that can be done; it does as it is, too. */
export function rewriteSmall(db: Database, file: string, onWarning: (message: string) => void): void {
  if (givesBack(db) || fs.statSync(file).size > REWRITE_NOW_BYTES) return;
  try {
    rewrite(db);
  } catch (error) {
    onWarning(`${file} could not be rewritten, and does not shrink when old rows are deleted: ${messageOf(error)}`);
  }
}

/** Gives free space back, until little is left or the record is closed. Does nothing for a file of an older version. */
export async function giveBack(db: Database, writer: Writer, isStopped: () => boolean): Promise<void> {
  if (!givesBack(db) || pragma(db, "freelist_count") < WORTH_PAGES) return;
  while (!isStopped() && pragma(db, "freelist_count") > 0)
    await writer.run(GIVING_BACK, () => void db.pragma(`incremental_vacuum(${STEP_PAGES})`));
  // The file itself is cut when the log goes into it.
  writer.checkpoint();
}
