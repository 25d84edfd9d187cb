// A consistent copy of the record while the daemon writes to it. The copy appears under its name only when it is whole.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { writeNewFile } from "../../data-dir/atomic-file.js";

/** Pages copied between two turns of the event loop: 4 MiB, about a millisecond or two. */
const PAGES_A_STEP = 1024;

/** Copies the database to `target`, which must not exist yet. Throws AppError conflict or bad_request otherwise. */
export async function copyDatabase(db: Database, target: string, signal?: AbortSignal): Promise<void> {
  const progress = (): number => {
    signal?.throwIfAborted();
    return PAGES_A_STEP;
  };
  const copy = async (partial: string): Promise<void> => {
    try {
      await db.backup(partial, { progress });
    } finally {
      // SQLite leaves it behind when the disk is full.
      fs.rmSync(`${partial}-journal`, { force: true });
    }
  };
  await writeNewFile(target, copy, { what: "the backup", signal });
}
