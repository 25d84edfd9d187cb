// The connections of one process to one SQLite file: one that cannot write, and one that can, each opened when it is first needed and
// opened again when another file has taken its place.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { RECORD_ID, SqliteDatabase } from "../../../lib/sqlite.js";
import { DatabaseFailure } from "../database.js";

/** One file, as it is open. */
export interface SqliteConnections {
  /** Cannot write: the file is open for reading only. */
  reader(lockMs: number): Database;
  writer(lockMs: number): Database;
  close(): void;
}

function rowIdentity(file: string, shown: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) throw new DatabaseFailure("connection_failed", `there is no file ${shown}`);
  if (!stat.isFile()) throw new DatabaseFailure("connection_failed", `${shown} is not a file`);
  return `${stat.dev}:${stat.ino}`;
}

/** The record of a daemon is no application: a model could rewrite what it did. Throws DatabaseFailure for one. */
function refuseRecord(db: Database): void {
  try {
    if (db.pragma("application_id", { simple: true }) !== RECORD_ID) return;
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  throw new DatabaseFailure("refused", "this file is the record of a daemon of agentd, which is no application");
}

function open(file: string, readonly: boolean): Database {
  const db = new SqliteDatabase(file, { readonly, fileMustExist: true });
  refuseRecord(db);
  // What the file itself defines (views, triggers) calls no function that reaches outside.
  db.pragma("trusted_schema = OFF");
  db.pragma("foreign_keys = ON");
  // As in programs that do not say anything else; the driver turns it on.
  db.pragma("recursive_triggers = OFF");
  if (readonly) {
    db.pragma("query_only = ON");
    // What a question sorts is bounded with the memory of this process; a file would grow until the disk is full.
    db.pragma("temp_store = MEMORY");
  }
  return db;
}

/** The connections to a file; nothing is opened yet. `shown` is what it may be called. */
export function openSqliteConnections(file: string, shown: string): SqliteConnections {
  let identity = "";
  const opened = new Map<boolean, Database>();
  const close = (): void => {
    for (const db of opened.values()) db.close();
    opened.clear();
  };
  const get = (readonly: boolean, lockMs: number): Database => {
    const now = rowIdentity(file, shown);
    if (now !== identity) close();
    identity = now;
    const db = opened.get(readonly) ?? open(file, readonly);
    opened.set(readonly, db);
    db.pragma(`busy_timeout = ${Math.trunc(lockMs)}`);
    return db;
  };
  return { reader: (lockMs) => get(true, lockMs), writer: (lockMs) => get(false, lockMs), close };
}
