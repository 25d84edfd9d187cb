// Whether what is committed will be there after a restart: a record, a lock or a write-ahead log that was deleted, replaced, cut or
// overwritten under the daemon takes commits without an error and loses them, and so does one with triggers of another program. Looked
// at before each commit; some microseconds.
import fs from "node:fs";
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
/** In the first field of the header; its last bit says in which byte order the checksums are. */
const WAL_MAGIC = 0x377f0682;
/** Where the two numbers stand that the header has in common with the frames written since, and with no others. */
const HEADER_SALT_AT = 16;
const FRAME_SALT_AT = 8;
const SALT_BYTES = 8;
/** Two copies of the header of the index, and where checkpoints are. */
const INDEX_HEADER_BYTES = 136;

/** The files of an open record as they were when it was opened. */
export interface RecordFiles {
  record: FileIdentity;
  log: FileIdentity;
  /** The index of the log, which SQLite keeps in memory by mapping it. */
  index: FileIdentity;
  lock: FileIdentity;
}

/** The files of the record `file`, which is open, in a data directory that this process has locked. */
export function identifyRecord(file: string): RecordFiles {
  const lock = path.join(path.dirname(file), LOCK_FILE);
  return { record: identify(file), log: identify(`${file}-wal`), index: identify(`${file}-shm`), lock: identify(lock) };
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
  `${file} was cut or overwritten while the daemon runs, and rows are lost; restart agentd and compare with a backup`;

/**
 * Has SQLite make the index of the log anew, of as many bytes as it had, from the frames that are still valid: it does so where the index
 * begins with zeros. A page that was cut off would end the process when it is touched (SIGBUS), and frames that are not valid any more
 * would go into the database with the next checkpoint, the one of the end at the latest.
 */
function renewIndex(file: string, bytes: number): void {
  // Left open until the process ends: closing it would drop the locks that SQLite has on it.
  const fd = fs.openSync(file, "r+");
  fs.ftruncateSync(fd, bytes);
  fs.writeSync(fd, Buffer.alloc(INDEX_HEADER_BYTES), 0, INDEX_HEADER_BYTES, 0);
}

/** The check that the index of the log is the file that was opened and has lost no byte: it only grows while it is in use. */
function createIndexCheck(index: FileIdentity): () => void {
  let least = sizeOfSame(index);
  return () => {
    const size = sizeOfSame(index);
    if (size < least) {
      renewIndex(index.file, least);
      throw new Error(`${index.file} was cut while the daemon runs; no row is lost by that, restart agentd`);
    }
    least = size;
  };
}

/** Whether the log begins with a header and its last frame was written after that one. */
function isLog(read: ReadLog, lastFrameAt: number): boolean {
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES);
  read(header, 0);
  read(frame, lastFrameAt);
  const isHeader = (header.readUInt32BE(0) & ~1) === WAL_MAGIC;
  return (
    isHeader &&
    frame.compare(header, HEADER_SALT_AT, HEADER_SALT_AT + SALT_BYTES, FRAME_SALT_AT, FRAME_SALT_AT + SALT_BYTES) === 0
  );
}

/** Reads bytes of the log at a position. */
type ReadLog = (into: Buffer, position: number) => void;

/** Makes the checks of an open record. */
export function createRecordGuard(db: Database, files: RecordFiles, readLog: ReadLog): RecordGuard {
  const { record, log, lock } = files;
  const checkIndex = createIndexCheck(files.index);
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  // Does nothing but tell how many frames the log has, by the index that all connections share.
  const frames = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  let known = 0;
  const isDamaged = (): boolean => {
    known = (frames.get() as { log: number }).log;
    const size = sizeOfSame(log);
    if (known === 0) return false;
    const end = WAL_HEADER_BYTES + known * frameBytes;
    return size < end || !isLog(readLog, end - frameBytes);
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
    // First, because every other check touches it.
    checkIndex();
    checkSize();
    // Twice, because another program may have checkpointed the log, which is well, between the two looks of the first.
    if (isDamaged() && isDamaged()) {
      renewIndex(files.index.file, sizeOfSame(files.index));
      throw new Error(lost(log.file));
    }
    checkSchema();
    return known;
  };
  return { checkRecord, noteCommit, checkLock: () => void sizeOfSame(lock) };
}
