// One daemon a data directory. The lock is an exclusive transaction on a small SQLite file, so that a kill -9 frees it and no
// stale file is left to argue about; who holds it and where it listens stands in a file of its own, readable meanwhile.
import fs from "node:fs";
import path from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { messageOf, StartError } from "../domain/error.js";
import { isBusy, wayOut } from "../lib/sqlite-failure.js";
import { prepareDirectory, prepareFile } from "./directory.js";

const LOCK_FILE = "lock.db";
const HOLDER_FILE = "daemon.json";
/** Longer than a look by readLock takes; shorter than anyone minds. */
const ACQUIRE_TIMEOUT_MS = 300;
/** How long to wait for the holder to write down who it is; it does so right after it took the lock. */
const NAME_TIMEOUT_MS = 300;
const PAUSE_MS = 20;

/** Keeps the locks of this process from the garbage collector, which would close them and let others in. */
const heldHere = new Set<Database>();

/** Who holds a data directory. `address` is "" while it does not listen, and always for a command that never does. */
export interface LockHolder {
  pid: number;
  address: string;
  /** Whether it wants a token. */
  auth: boolean;
}

/** A data directory held by this process until release() or its death. */
export interface Lock {
  /** Writes down where this daemon listens, for the commands that go through it. */
  setAddress(info: LockHolder): void;
  release(): void;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Undefined when it is not written yet, or was by a daemon that is gone. */
function readHolder(dir: string): LockHolder | undefined {
  try {
    const { pid, address, auth } = JSON.parse(fs.readFileSync(path.join(dir, HOLDER_FILE), "utf8")) as LockHolder;
    return isAlive(pid) ? { pid, address: String(address), auth: auth === true } : undefined;
  } catch {
    return undefined;
  }
}

function writeHolder(dir: string, holder: LockHolder): void {
  const file = path.join(dir, HOLDER_FILE);
  const next = `${file}.${process.pid}`;
  fs.writeFileSync(next, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  fs.renameSync(next, file);
}

/** Waits, without the event loop, which has nothing to do yet. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function refusal(dir: string): StartError {
  const deadline = performance.now() + NAME_TIMEOUT_MS;
  let holder = readHolder(dir);
  while (!holder && performance.now() < deadline) {
    pause();
    holder = readHolder(dir);
  }
  const who = holder?.pid ? `agentd with pid ${holder.pid}` : "another agentd";
  return new StartError(
    `the data directory ${dir} is in use by ${who}. Stop that one, or choose another directory with --data-dir.`,
  );
}

/** Takes the data directory for this process. Throws StartError, naming the holder's pid, when another process has it. */
export function acquireLock(dir: string): Lock {
  prepareDirectory(dir, () => {});
  const file = path.join(dir, LOCK_FILE);
  let db: Database | undefined;
  try {
    prepareFile(file);
    db = new SqliteDatabase(file, { timeout: ACQUIRE_TIMEOUT_MS });
    db.exec("BEGIN EXCLUSIVE");
    writeHolder(dir, { pid: process.pid, address: "", auth: false });
  } catch (error) {
    db?.close();
    if (error instanceof StartError) throw error;
    if (isBusy(error)) throw refusal(dir);
    throw new StartError(`cannot lock the data directory with ${file}: ${messageOf(error)}. ${wayOut(error)}`, {
      cause: error,
    });
  }
  const held = db;
  heldHere.add(held);
  return {
    setAddress: (info) => writeHolder(dir, info),
    release() {
      if (!held.open) return;
      fs.rmSync(path.join(dir, HOLDER_FILE), { force: true });
      heldHere.delete(held);
      held.close();
    },
  };
}

/** Who holds the data directory right now; undefined when nobody does. Changes nothing. */
export function readLock(dir: string): LockHolder | undefined {
  const file = path.join(dir, LOCK_FILE);
  if (!fs.existsSync(file)) return undefined;
  let db: Database | undefined;
  try {
    // A shared look, which an exclusive holder refuses and which two of us can take at once.
    db = new SqliteDatabase(file, { readonly: true, timeout: 0 });
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return undefined;
  } catch (error) {
    return isBusy(error) ? (readHolder(dir) ?? { pid: 0, address: "", auth: false }) : undefined;
  } finally {
    db?.close();
  }
}
