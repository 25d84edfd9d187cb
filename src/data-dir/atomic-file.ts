// A file that appears under its name only when it is complete: written beside the target, then linked or renamed to it.
// Every file that a reader or a person relies on is written here: exports, backups, schema documents, the lock's holder.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { AppError, messageOf, StartError } from "../domain/error.js";

const OWNER_ONLY = 0o600;
/** What linking fails with on a file system without hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "ENOSYS"]);

/** How a file is written. */
interface AtomicWrite {
  /** Whether an existing file is replaced. Otherwise it is kept, and the write fails with EEXIST. */
  replace: boolean;
  /** Permissions before the umask; the owner's only by default. */
  mode?: number;
  /** Whether the new name survives a power cut; `fill` must have synced the content. */
  durable?: boolean;
}

/** A hard link fails where the name exists; renaming would replace it, so it is left to disks without links. */
function linkNew(partial: string, target: string): void {
  try {
    fs.linkSync(partial, target);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    if (fs.existsSync(target)) throw error;
    fs.renameSync(partial, target);
  }
}

/** Where folders cannot be synced (Windows), a rename is as durable as it gets. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Makes `target` from what `fill` writes into the file it is given, which exists and is empty. Throws what `fill` or the file
 * system throws; nothing is left behind then.
 */
export async function writeAtomically(
  target: string,
  fill: (partial: string) => Promise<unknown>,
  { replace, mode = OWNER_ONLY, durable = false }: AtomicWrite,
): Promise<void> {
  // In the same folder: a rename is atomic only within one file system.
  const partial = `${target}.partial-${randomUUID().slice(0, 8)}`;
  try {
    fs.closeSync(fs.openSync(partial, "wx", mode));
    await fill(partial);
    if (replace) fs.renameSync(partial, target);
    else linkNew(partial, target);
    if (durable) await syncFolder(path.dirname(target));
  } finally {
    fs.rmSync(partial, { force: true });
  }
}

/**
 * Makes `target`, `what` in messages, for a person who named it: nothing is overwritten. Throws AppError conflict when it
 * exists, StartError when `signal` stopped it or `fill` threw one, bad_request otherwise; nothing is left behind then.
 */
export async function writeNewFile(
  target: string,
  fill: (partial: string) => Promise<unknown>,
  { what, signal }: { what: string; signal?: AbortSignal },
): Promise<void> {
  const conflict = (): AppError =>
    new AppError("conflict", `${target} exists; ${what} overwrites nothing. Give another file name.`);
  if (fs.existsSync(target)) throw conflict();
  const folder = path.dirname(target);
  try {
    if (!fs.existsSync(folder)) throw new Error(`there is no folder ${folder}`);
    await writeAtomically(target, fill, { replace: false });
  } catch (error) {
    if (signal?.aborted) throw new StartError(`stopped; ${target} was not written.`, { cause: error });
    // Reading what was to be copied failed; the error says so itself.
    if (error instanceof StartError) throw error;
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw conflict();
    throw new AppError("bad_request", `cannot write ${what} ${target}: ${messageOf(error)}`, { cause: error });
  }
}
