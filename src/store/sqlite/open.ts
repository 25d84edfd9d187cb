// Opens the database file: its kind, its owner, its integrity, the pragmas it is used with, and the migrations. Returns a
// connection, or throws a StartError that names the file and what to do; nothing is written before the file is known to be
// ours.
import path from "node:path";
import type { Database } from "better-sqlite3";
import { prepareDirectory, prepareFile, RECORD_FILE } from "../../data-dir/directory.js";
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { SqliteDatabase } from "../../lib/sqlite.js";
import { checkNow } from "./check.js";
import { checkVersion, migrate } from "./migrate.js";
import { readOwner, refusalByOwner } from "./owner.js";
import { prepareVacuum, rewriteSmall } from "./vacuum.js";

/** How long opening may wait for another process's lock; nothing else runs yet. */
const OPEN_TIMEOUT_MS = 1000;
/** While running, the writer waits instead, without stopping the event loop; a read waits for nothing. */
const RUNNING_TIMEOUT_MS = 0;

/**
 * The settings the record is used with, in this order, each with the value it must read back.
 * NORMAL, because the sync between the row of a call and the call is the writer's, off the event loop (log-sync.ts), and so are
 * the checkpoints (checkpoints.ts). mmap stays off: memory-mapped writes are reported to make corruption worse.
 */
const PRAGMAS: readonly [name: string, value: string | number, reads: string | number][] = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "NORMAL", 1],
  ["fullfsync", 1, 1],
  ["checkpoint_fullfsync", 1, 1],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["wal_autocheckpoint", 0, 0],
  ["journal_size_limit", 67_108_864, 67_108_864],
  ["mmap_size", 0, 0],
  ["secure_delete", "ON", 1],
  // In KiB; better-sqlite3 would let it take 16 MB.
  ["cache_size", -4_096, -4_096],
];

function applyPragmas(db: Database, file: string): void {
  for (const [name, value, reads] of PRAGMAS) {
    db.pragma(`${name} = ${value}`);
    const got: unknown = db.pragma(name, { simple: true });
    // A build without memory mapping has no mmap_size to read.
    if (got === reads || (name === "mmap_size" && got === undefined)) continue;
    throw new StartError(
      `${file}: SQLite refuses ${name}=${value} (it stays ${String(got)}). Put the data directory on a local disk with --data-dir.`,
    );
  }
}

/** Opens the record in `dir`, creating it when it is new. Throws StartError and leaves a file it refuses untouched. */
export function openDatabaseFile(dir: string, onWarning: (message: string) => void): { db: Database; file: string } {
  prepareDirectory(dir, onWarning);
  const file = path.join(dir, RECORD_FILE);
  if (prepareFile(file) === "empty") onWarning(`${file} was empty: starting a new record in it`);
  let db: Database | undefined;
  try {
    db = new SqliteDatabase(file, { timeout: OPEN_TIMEOUT_MS });
    checkVersion(db, file);
    const owner = readOwner(db);
    if (owner) {
      db.close();
      const refusal = refusalByOwner(file, owner);
      if (refusal) throw refusal;
      onWarning(`the last run (pid ${owner.pid}) ended without closing ${file}: it crashed or was killed`);
      db = new SqliteDatabase(file, { timeout: OPEN_TIMEOUT_MS });
    }
    prepareVacuum(db);
    applyPragmas(db, file);
    checkNow(db, file);
    migrate(db);
    rewriteSmall(db, file, onWarning);
    db.pragma(`busy_timeout = ${RUNNING_TIMEOUT_MS}`);
    return { db, file };
  } catch (error) {
    db?.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot open ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}
