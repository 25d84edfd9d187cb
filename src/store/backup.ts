// A consistent copy of the record while the daemon writes to it. The copy appears under its name only when it is whole.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { AppError, messageOf } from "../error.js";

/** Pages copied between two turns of the event loop: 4 MiB, about a millisecond or two. */
const PAGES_A_STEP = 1024;

/** Copies the database to `target`, which must not exist yet. Throws AppError conflict or bad_request otherwise. */
export async function backup(db: Database, target: string): Promise<void> {
  if (fs.existsSync(target))
    throw new AppError("conflict", `${target} exists; a backup overwrites nothing. Give another file name.`);
  const partial = `${target}.partial-${process.pid}`;
  try {
    fs.closeSync(fs.openSync(partial, "wx", 0o600));
    await db.backup(partial, { progress: () => PAGES_A_STEP });
    // A hard link fails where the name was taken meanwhile; renaming would replace it.
    fs.linkSync(partial, target);
  } catch (error) {
    throw new AppError("bad_request", `cannot write the backup ${target}: ${messageOf(error)}`, { cause: error });
  } finally {
    fs.rmSync(partial, { force: true });
  }
}
