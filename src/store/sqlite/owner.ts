// Which process writes a record, in the record itself: when the lock file is deleted under a running daemon, a second one is refused
// all the same, and does not take the calls of the first for lost.
import fs from "node:fs";
import type { Database } from "better-sqlite3";
import { type ProcessIdentity, stateOf, thisProcess } from "../../data-dir/process-identity.js";
import { isBusy } from "../../data-dir/sqlite-failure.js";
import { StartError } from "../../domain/error.js";
import { SqliteDatabase } from "../../lib/sqlite.js";

/** How long a start waits for an owner to end: one that was just killed may still be at it. Nothing else runs yet. */
const END_TIMEOUT_MS = 2_000;
const PAUSE_MS = 20;

const inodeOf = (file: string): string => String(fs.statSync(file).ino);

/** The owner that a record names; undefined after a clean end, in a copy, and in a record of an older version. */
export function readOwner(db: Database): ProcessIdentity | undefined {
  if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'owner'").get() === undefined) return undefined;
  const owner = db.prepare("SELECT pid, started, boot, namespace, host FROM owner WHERE file = ?");
  return owner.get(inodeOf(db.name)) as ProcessIdentity | undefined;
}

/**
 * Whether another connection has the file open: each keeps a lock on it that ends with its process, in other containers of this
 * machine too. No connection of the caller may be open.
 */
function isOpenElsewhere(file: string): boolean {
  const probe = new SqliteDatabase(file, { fileMustExist: true, timeout: 0 });
  try {
    probe.pragma("locking_mode = EXCLUSIVE");
    probe.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    probe.close();
  }
}

/**
 * Whether the owner that a closed record named still writes it. Where that cannot be told from its pid, "maybe" when the file is in
 * use at all; after a crash or a restart of the machine it never is.
 */
function ownership(file: string, owner: ProcessIdentity): "yes" | "maybe" | "no" {
  const own = thisProcess();
  // The lock is this process's, so it has closed the record before, and could not say so.
  if (owner.pid === own.pid && owner.started === own.started && owner.namespace === own.namespace) return "no";
  const state = stateOf(owner);
  if (state === "unknown") return isOpenElsewhere(file) ? "maybe" : "no";
  return state === "running" ? "yes" : "no";
}

/**
 * Why a closed record cannot be used by the process that holds the directory's lock: the owner it named still writes it, or may.
 * Undefined when it is free. Blocks for up to END_TIMEOUT_MS, in which an owner that was killed is gone.
 */
export function refusalByOwner(file: string, owner: ProcessIdentity): StartError | undefined {
  const deadline = performance.now() + END_TIMEOUT_MS;
  let owned = ownership(file, owner);
  while (owned !== "no" && performance.now() < deadline) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    owned = ownership(file, owner);
  }
  if (owned === "no") return undefined;
  const who = `agentd with pid ${owner.pid} on ${owner.host}`;
  // A process of this machine that lives and has lost the lock can only have lost its file.
  return new StartError(
    owned === "yes"
      ? `the record ${file} is in use by ${who}, whose lock file was deleted or replaced. Stop that one, or choose another directory with --data-dir.`
      : `the record ${file} is in use by another program, which may be ${who}. Stop that one, close what else reads the record, or choose another directory with --data-dir.`,
  );
}

/** Names this process as the owner, in the caller's transaction. */
export function takeOwnership(db: Database): void {
  db.prepare(
    `INSERT OR REPLACE INTO owner (id, pid, started, boot, namespace, host, file)
     VALUES (1, @pid, @started, @boot, @namespace, @host, @file)`,
  ).run({ ...thisProcess(), file: inodeOf(db.name) });
}

/** For a clean end; when it cannot be written, the next start finds the process gone. */
export function leaveOwnership(db: Database): void {
  try {
    db.exec("DELETE FROM owner");
  } catch {
    // Locked or full: nothing else depends on it.
  }
}
