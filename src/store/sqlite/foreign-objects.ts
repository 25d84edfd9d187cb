// What SQLite runs by itself when a record is written: triggers. agentd makes none, and no views; one that another program put there
// decides what is recorded, and what a person is asked to approve.
import type { Database } from "better-sqlite3";
import { StartError } from "../../domain/error.js";

const FOREIGN = "SELECT type FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1";

/** Throws StartError when a record holds a trigger or a view. */
export function refuseForeignObjects(db: Database, file: string): void {
  const type = db.prepare<[], string>(FOREIGN).pluck().get();
  if (type !== undefined)
    throw new StartError(
      `${file} holds a ${type}, which agentd did not make: another program changed the record. Stop agentd and put a backup in its place.`,
    );
}
