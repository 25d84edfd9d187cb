// Whether what is committed will be there after a restart: a record, a lock or a write-ahead log that was deleted, replaced or cut
// under the daemon takes commits without an error and loses them. Looked at before each commit; some microseconds.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { createFileGuard, type FileIdentity } from "../../data-dir/file-guard.js";

/** Of the log's file format (sqlite.org/fileformat2.html, "The WAL File Format"). */
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Makes the check of an open record; `watched` are its files as they were when it was opened. The check throws, with what is wrong
 * and what to do.
 */
export function createRecordGuard(db: Database, file: string, watched: readonly FileIdentity[]): () => void {
  const checkFiles = createFileGuard(watched);
  const wal = `${file}-wal`;
  const frameBytes = FRAME_HEADER_BYTES + (db.pragma("page_size", { simple: true }) as number);
  // Does nothing but tell how many frames the log has, by the index that all connections share.
  const frames = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  const isCut = (): boolean => {
    const { log } = frames.get() as { log: number };
    return log > 0 && (fs.statSync(wal, { throwIfNoEntry: false })?.size ?? 0) < WAL_HEADER_BYTES + log * frameBytes;
  };
  return () => {
    checkFiles();
    // Twice, because another program may have checkpointed the log, which is well, between the two looks of the first.
    if (isCut() && isCut())
      throw new Error(
        `${wal} was cut while the daemon runs, and rows are lost; restart agentd and compare with a backup`,
      );
  };
}
