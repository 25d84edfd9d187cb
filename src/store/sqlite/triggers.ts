// What SQLite runs by itself when a record is written. agentd makes no triggers; one that another program put there decides what is
// recorded, and what a person is asked to approve.
import type { Database } from "better-sqlite3";
import { StartError } from "../../domain/error.js";

const TRIGGER = "SELECT name FROM sqlite_master WHERE type = 'trigger' LIMIT 1";

/** Throws StartError when a record holds a trigger. */
export function refuseTriggers(db: Database, file: string): void {
  const name = db.prepare<[], string>(TRIGGER).pluck().get();
  if (name !== undefined)
    throw new StartError(
      `${file} holds the trigger ${JSON.stringify(name)}, which agentd did not make: another program changed the record. Stop agentd, and drop the trigger or put a backup in its place.`,
    );
}
