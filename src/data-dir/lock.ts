// One daemon per data directory. Our own lock and no library's: an exclusive transaction on a small SQLite file is freed by
// kill -9 and leaves no stale file to judge. Who holds it and where it listens is in a file of its own, readable meanwhile.
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import { readRegularFile } from "../lib/regular-file.js";
import { SqliteDatabase } from "../lib/sqlite.js";
import { writeAtomically } from "./atomic-file.js";
import { prepareDirectory, prepareFile } from "./directory.js";
import { isAlive, type ProcessIdentity, thisProcess } from "./process-identity.js";
import { finishRestore } from "./restore.js";
import { hintFor, isBusy } from "./sqlite-failure.js";

/** The file that is locked, in the data directory. */
export const LOCK_FILE = "lock.db";
const HOLDER_FILE = "daemon.json";
/** Many times what it has. */
const MAX_HOLDER_BYTES = 64 * 1024;
/** Longer than readLock takes; short enough for a person who waits. */
const ACQUIRE_TIMEOUT_MS = 300;
/** How long to wait while no live process is named as the holder: a killed one ends, a new one writes its file right away. */
const HOLDER_TIMEOUT_MS = 2_000;
const PAUSE_MS = 20;

/** Keeps the locks of this process from the garbage collector, which would close and so free them. */
const heldHere = new Set<Database>();

/** Who holds a data directory. `address` is "" while it does not listen, and always for a command that never does. */
export interface LockHolder {
  pid: number;
  address: string;
  /** Whether requests need a token. */
  auth: boolean;
  /** Which command it is, such as `chat`, where it is no daemon. */
  command?: string;
}

/** Who holds a data directory, as it was published; a holder of an older version says nothing of its process. */
export interface PublishedHolder extends LockHolder {
  identity?: ProcessIdentity;
}

const IdentitySchema = z.object({
  pid: z.int(),
  started: z.string(),
  boot: z.string(),
  namespace: z.string(),
  host: z.string(),
});

/** A data directory held by this process until release() or its death. */
export interface Lock {
  /** Publishes where this daemon listens, for the commands that go through it, or which command this is. */
  setAddress(holder: LockHolder): Promise<void>;
  release(): void;
}

/** Undefined when it is not written yet, or was written by a process that is gone or was killed. */
function readHolder(dir: string): PublishedHolder | undefined {
  try {
    const published = JSON.parse(
      readRegularFile(path.join(dir, HOLDER_FILE), MAX_HOLDER_BYTES).toString(),
    ) as PublishedHolder;
    const { pid, address, auth, command } = published;
    if (!isAlive(pid)) return undefined;
    const { data: identity } = IdentitySchema.safeParse(published.identity);
    const holder: PublishedHolder = { pid, address: String(address), auth: auth === true };
    // It is printed as a command to look for.
    if (/^[a-z]+$/.test(command ?? "")) holder.command = command;
    return identity?.pid === pid ? { ...holder, identity } : holder;
  } catch {
    return undefined;
  }
}

/** A process in another container, say: it has the lock, and nothing tells which it is. */
const UNSEEN: LockHolder = { pid: 0, address: "", auth: false };

/** Who has a data directory, and what to do about it, in a sentence each. */
export function holderAdvice({ pid, command, address }: LockHolder): { who: string; advice: string } {
  if (pid === UNSEEN.pid)
    return {
      who: "a process that cannot be seen from here, in another container for example",
      advice: "End it there.",
    };
  if (command !== undefined)
    return {
      who: `"agentd ${command}" (pid ${pid})`,
      advice: `Leave that first; once "agentd serve" runs, it and other commands go through the daemon side by side.`,
    };
  if (address === "")
    return {
      who: `agentd with pid ${pid}, which does not listen: a command, or a daemon that is starting`,
      advice: 'Wait for it: a command ends by itself, and "agentd stop" ends a daemon once it listens.',
    };
  return {
    who: `agentd with pid ${pid}`,
    advice: '"agentd status" shows how it is, "agentd stop" ends it.',
  };
}

/** Throws StartError when it cannot be written. */
async function writeHolder(dir: string, holder: LockHolder): Promise<void> {
  const file = path.join(dir, HOLDER_FILE);
  const text = `${JSON.stringify({ ...holder, identity: thisProcess() })}\n`;
  try {
    await writeAtomically(file, (partial) => writeFile(partial, text), { replace: true });
  } catch (error) {
    throw new StartError(`cannot write ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}

/** Takes the lock, waiting a little for a holder that was killed. Throws StartError, naming the holder. */
async function takeLock(db: Database, dir: string): Promise<void> {
  const deadline = performance.now() + HOLDER_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec("BEGIN EXCLUSIVE");
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const holder = readHolder(dir);
    if (holder === undefined && performance.now() < deadline) {
      await sleep(PAUSE_MS);
      continue;
    }
    const { who, advice } = holderAdvice(holder ?? UNSEEN);
    throw new StartError(
      `the data directory ${dir} is in use by ${who}. ${advice} Or choose another directory with --data-dir.`,
    );
  }
}

/** Takes the data directory for this process. Throws StartError, naming the holder's pid, when another process has it. */
export async function acquireLock(dir: string): Promise<Lock> {
  prepareDirectory(dir, () => {});
  const file = path.join(dir, LOCK_FILE);
  let db: Database | undefined;
  try {
    prepareFile(file);
    db = new SqliteDatabase(file, { timeout: ACQUIRE_TIMEOUT_MS });
    await takeLock(db, dir);
    finishRestore(dir);
    await writeHolder(dir, { pid: process.pid, address: "", auth: false });
  } catch (error) {
    db?.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot lock the data directory with ${file}: ${messageOf(error)}. ${hintFor(error)}`, {
      cause: error,
    });
  }
  const held = db;
  heldHere.add(held);
  return {
    setAddress: (holder) => writeHolder(dir, holder),
    release() {
      if (!held.open) return;
      fs.rmSync(path.join(dir, HOLDER_FILE), { force: true });
      heldHere.delete(held);
      held.close();
    },
  };
}

/** Who holds the data directory right now; undefined when no process does. Changes nothing. */
export function readLock(dir: string): PublishedHolder | undefined {
  const file = path.join(dir, LOCK_FILE);
  let db: Database | undefined;
  try {
    // SQLite would wait for ever for who writes to a pipe.
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    // A shared lock, which an exclusive one refuses and which several readers can take at once.
    db = new SqliteDatabase(file, { readonly: true, timeout: 0 });
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return undefined;
  } catch (error) {
    return isBusy(error) ? (readHolder(dir) ?? UNSEEN) : undefined;
  } finally {
    db?.close();
  }
}
