// The names of the newest conversations, of a record of any version: for what completes them as they are typed, and for what was typed of
// one.
import path from "node:path";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { openReadOnly, recordExists } from "./open-read-only.js";

/** What a conversation is called. */
export interface SessionName {
  id: string;
  title: string;
}

/** Behind every character of an id. */
const BEHIND_ALL = "\u007f";

/** Newest first, of those whose ids begin so. Throws StartError when there is a record that cannot be read. */
export function recentSessionNames(dir: string, limit: number, prefix = ""): SessionName[] {
  if (!recordExists(dir)) return [];
  const db = openReadOnly(dir, path.join(dir, RECORD_FILE));
  try {
    const rows = db
      // All columns: older versions have fewer.
      .prepare("SELECT * FROM sessions WHERE session_id >= ? AND session_id < ? ORDER BY last_turn DESC LIMIT ?")
      .all(prefix, prefix + BEHIND_ALL, limit) as Record<string, unknown>[];
    return rows.map(({ session_id, title, given_title }) => ({
      id: String(session_id),
      title: String(given_title ?? title),
    }));
  } finally {
    db.close();
  }
}
