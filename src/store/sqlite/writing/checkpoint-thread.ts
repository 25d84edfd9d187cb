// A program: the checkpoint thread. It copies what the log holds into the database, and syncs both.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteDatabase } from "../../../lib/sqlite.js";

/** How long the end of a checkpoint may wait for writes and readers. It keeps writes waiting meanwhile. */
const BUSY_TIMEOUT_MS = 100;

const db = new SqliteDatabase(workerData as string, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
db.pragma("synchronous = NORMAL");
db.pragma("checkpoint_fullfsync = 1");
// First nearly all of it, beside the writes; then the rest of a moment without any, because only a log that was copied whole is
// written over, and under load there would never be such a moment.
const beside = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
const rest = db.prepare("PRAGMA wal_checkpoint(FULL)");
parentPort?.on("message", () => {
  beside.get();
  parentPort?.postMessage(rest.get());
});
