// Whether what is committed will be there after a restart: a record, a lock or a write-ahead log that was deleted, replaced or cut
// under the daemon takes commits without an error and loses them, and so does one with triggers of another program. Looked at before
// each commit; some microseconds.
import path from "node:path";
import type { Database } from "better-sqlite3";
import { getTableName, is, Table } from "drizzle-orm";
import { type FileIdentity, identify, sizeOfSame } from "../../../data-dir/file-guard.js";
import { LOCK_FILE } from "../../../data-dir/lock.js";
import * as tables from "../tables.js";
import { refuseTriggers } from "../triggers.js";

/** Another program may have tables of its own in the record. */
const OWN_TABLES = Object.values(tables)
  .filter((one) => is(one, Table))
  .map(getTableName);

/** Of the log's file format (sqlite.org/fileformat2.html, "The WAL File Format"). */
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The files of an open record as they were when it was opened. */
export interface RecordFiles {
  record: FileIdentity;
  log: FileIdentity;
  lock: FileIdentity;
}

/** The files of the record `file`, which is open, in a data directory that this process has locked. */
export function identifyRecord(file: string): RecordFiles {
  const lock = path.join(path.dirname(file), LOCK_FILE);
  return { record: identify(file), log: identify(`${file}-wal`), lock: identify(lock) };
}

/** The checks of an open record. Each throws, with what is wrong and what to do. */
export interface RecordGuard {
  /** The record and its log are the files that were opened, whole, with their tables and without triggers; how many frames the log has. */
  checkRecord(): number;
  /** Within each commit: a checkpoint may cut the record to as many pages as it has now. */
  noteCommit(): void;
  /** So is the lock. Without it the record still names this process as its owner, and what is committed is there after a restart. */
  checkLock(): void;
}

const lost = (file: string): string =>
  `${file} was cut while the daemon runs, and rows are lost; restart agentd and compare with a backup`;

/** Makes the checks of an open record. */
export function createRecordGuard(db: Database, { record, log, lock }: RecordFiles): RecordGuard {
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  // Does nothing but tell how many frames the log has, by the index that all connections share.
  const frames = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  let known = 0;
  const isCut = (): boolean => {
    known = (frames.get() as { log: number }).log;
    return sizeOfSame(log) < (known > 0 ? WAL_HEADER_BYTES + known * frameBytes : 0);
  };
  const pages = db.prepare<[], number>("PRAGMA page_count").pluck();
  /** Bytes that the record has, for sure: a checkpoint cuts it to the pages of the last commit, and nothing else makes it shorter. */
  let least = 0;
  const noteCommit = (): void => {
    least = Math.min(least, (pages.get() ?? 0) * pageBytes);
  };
  const checkSize = (): void => {
    const size = sizeOfSame(record);
    // Another program may have made it smaller by a commit of its own, as VACUUM does.
    if (size < least) noteCommit();
    if (size < least) throw new Error(lost(record.file));
    least = size;
    noteCommit();
  };
  const schemaVersion = db.prepare<[], number>("PRAGMA schema_version").pluck();
  const tableNames = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
  let checkedVersion = schemaVersion.get();
  const checkSchema = (): void => {
    const version = schemaVersion.get();
    if (version === checkedVersion) return;
    refuseTriggers(db, record.file);
    const left = new Set(tableNames.all());
    const gone = OWN_TABLES.find((name) => !left.has(name));
    if (gone !== undefined)
      throw new Error(`${record.file} lost its table ${gone} while the daemon runs; put a backup in its place`);
    checkedVersion = version;
  };
  const checkRecord = (): number => {
    checkSize();
    // Twice, because another program may have checkpointed the log, which is well, between the two looks of the first.
    if (isCut() && isCut()) throw new Error(lost(log.file));
    checkSchema();
    return known;
  };
  return { checkRecord, noteCommit, checkLock: () => void sizeOfSame(lock) };
}
