// The state of a record file, for a person who asks whether all is well. Writes nothing and works beside a running daemon.
import path from "node:path";
import type { Database } from "better-sqlite3";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { messageOf } from "../../domain/error.js";
import type { RecordState } from "../reader.js";
import { newestVersion } from "./migrate.js";
import { openReadOnly, recordExists } from "./open-read-only.js";

/** The first thing a check of the whole file finds. */
function damageOf(db: Database): string | undefined {
  try {
    const found = String(db.pragma("quick_check(1)", { simple: true }));
    return found === "ok" ? undefined : found;
  } catch (error) {
    return messageOf(error);
  }
}

/** The record in `dir`, undefined when nothing is recorded yet. Throws StartError for what is no record, or a newer one. */
export function inspectRecord(dir: string): RecordState | undefined {
  if (!recordExists(dir)) return undefined;
  const file = path.join(dir, RECORD_FILE);
  const db = openReadOnly(dir, file);
  try {
    return {
      file,
      version: db.pragma("user_version", { simple: true }) as number,
      newest: newestVersion(),
      journalMode: String(db.pragma("journal_mode", { simple: true })),
      damage: damageOf(db),
    };
  } finally {
    db.close();
  }
}
