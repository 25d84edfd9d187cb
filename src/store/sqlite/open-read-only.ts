// Opens a record for reading. The connection could write, and has writing switched off: one that could not would leave the
// two files of the write-ahead log behind when it is the last to close. Where this account can write nothing, a copy is opened:
// SQLite reads no record without files of its write-ahead log beside it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Database } from "better-sqlite3";
import { RECORD_FILE, refuseIrregular } from "../../data-dir/directory.js";
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { SqliteDatabase } from "../../lib/sqlite.js";
import { copyRecord } from "./copy-record.js";
import { checkVersion, newestVersion } from "./migrate.js";

/** How long to wait while another process recovers or closes the record; nothing else runs here. */
const TIMEOUT_MS = 2000;

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The error for a failure to read `file`. */
export function unreadable(file: string, error: unknown): StartError {
  return new StartError(`cannot read ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
}

/** Whether anything was ever recorded in `dir`. Throws StartError when that cannot hold a record. */
export function recordExists(dir: string): boolean {
  const folder = statOf(dir);
  if (folder && !folder.isDirectory()) throw new StartError(`${dir} is not a directory. Is --data-dir right?`);
  const file = path.join(dir, RECORD_FILE);
  const found = statOf(file);
  try {
    refuseIrregular(file);
  } catch (error) {
    throw new StartError(`cannot read ${file}: ${messageOf(error)}. Is --data-dir right?`);
  }
  return found !== undefined && found.size > 0;
}

function isWritable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A connection with writing switched off. Throws what SQLite throws, and StartError for a record that is none of this program's. */
function connect(file: string, named: string): Database {
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: TIMEOUT_MS });
  try {
    db.pragma("query_only = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    checkVersion(db, named);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A connection to a copy, which has no name any more once it is open. */
function connectToCopy(file: string): Database {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "agentd-record-"));
  try {
    const copy = path.join(folder, RECORD_FILE);
    copyRecord(file, copy);
    return connect(copy, file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A connection that writes nothing, to the record `file` in `dir`, of this version or an older one. Throws StartError. */
export function openReadOnly(dir: string, file: string): Database {
  if (!recordExists(dir))
    throw new StartError(
      `there is no record at ${file} yet; the first agentd serve or agentd run makes it. Is --data-dir right?`,
    );
  try {
    return isWritable(dir) && isWritable(file) ? connect(file, file) : connectToCopy(file);
  } catch (error) {
    throw error instanceof StartError ? error : unreadable(file, error);
  }
}

/** Whether it is a record of an older version. */
export function isOlder(db: Database): boolean {
  return (db.pragma("user_version", { simple: true }) as number) < newestVersion();
}

/** Whether the record in `dir` must be migrated before it can be read. Throws as openReader does. */
export function isOutdated(dir: string): boolean {
  const db = openReadOnly(dir, path.join(dir, RECORD_FILE));
  try {
    return isOlder(db);
  } finally {
    db.close();
  }
}
