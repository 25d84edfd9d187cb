// The ids of the newest conversations and nothing else, of a record of any version: for what completes them as they are typed.
import path from "node:path";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { openReadOnly, recordExists } from "./open-read-only.js";

/** Newest first. Throws StartError when there is a record that cannot be read. */
export function recentSessionIds(dir: string, limit: number): string[] {
  if (!recordExists(dir)) return [];
  const db = openReadOnly(dir, path.join(dir, RECORD_FILE));
  try {
    return db.prepare("SELECT session_id FROM sessions ORDER BY last_turn DESC LIMIT ?").pluck().all(limit).map(String);
  } finally {
    db.close();
  }
}
