// applications.json: where the description of each application was found, so that it can be read again. Entries come in and go
// out without a secret: what was one is named in `withheld`. Source: docs/reference.md, "Several applications".
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { APPLICATION_NAME } from "../domain/application-name.js";
import { messageOf, StartError } from "../domain/error.js";
import type { TrustCheck } from "../domain/trust.js";
import { readRegularFile } from "../lib/regular-file.js";
import { writeAtomically } from "./atomic-file.js";
import { isAlive } from "./process-identity.js";

/** Loose, as a later version may write more: what is not known here is kept. */
const EntrySchema = z.looseObject({
  /** Of the description, as `agentd sync` takes it. */
  kind: z.string(),
  /** A file's absolute path, an address, or "-" for standard input. */
  location: z.string(),
  /** The program that is the MCP server, with its arguments, and the folder it runs in; `location` only shows it then. */
  command: z.array(z.string()).optional(),
  folder: z.string().optional(),
  /** What of the location was not kept, in words. */
  withheld: z.array(z.string()).optional(),
  /** What --header gave: references by header name; null for a value that was not kept. */
  headers: z.record(z.string(), z.string().nullable()).optional(),
  /** What --base-url gave. */
  base_url: z.string().optional(),
  allow_external: z.boolean().optional(),
  /** When it was read last, and what that changed. Missing in what an earlier version wrote. */
  synced_at: z.string().optional().catch(undefined),
  last_difference: z
    .object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) })
    .optional()
    .catch(undefined),
});
/** Names become names of files, so that nothing else may stand for one. */
const NameSchema = z.string().refine((name) => name === "" || APPLICATION_NAME.test(name));
const FileSchema = z.record(NameSchema, EntrySchema);

/** Where one description was found, and how it was read. */
export type KeptLocation = z.infer<typeof EntrySchema>;

/** What another command writes is waited for this long: its own writing takes milliseconds. */
const LOCK_TIMEOUT_MS = 10_000;
/** A lock without the number of its process is that of one which ended between two system calls. */
const UNNAMED_LOCK_MS = 2_000;
const PAUSE_MS = 20;

/** Where it is in a data directory. */
export function applicationsFile(dataDir: string): string {
  return path.join(dataDir, "applications.json");
}

/** What a file keeps, by the names of applications. Throws Error saying what is wrong with it. */
export function parseKeptLocations(bytes: Uint8Array): Map<string, KeptLocation> {
  const parsed = FileSchema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  if (!parsed.success) throw new Error("it is not what agentd writes");
  return new Map(Object.entries(parsed.data));
}

/** What is kept in a data directory; nothing where there is no file. Throws StartError naming what is wrong with it. */
export function readKeptLocations(dataDir: string, trust: TrustCheck | undefined): Map<string, KeptLocation> {
  const file = applicationsFile(dataDir);
  const bytes = fs.existsSync(file) ? readRegularFile(file) : undefined;
  const fault = trust?.faultOf(file, bytes);
  if (fault !== undefined) throw new StartError(fault);
  try {
    return bytes ? parseKeptLocations(bytes) : new Map();
  } catch (error) {
    throw new StartError(
      `${file} cannot be used: ${messageOf(error)}. Move it away, and give each location to agentd sync again.`,
      { cause: error },
    );
  }
}

/** Writes all of it, for its owner alone. Returns the text. Throws StartError naming the file. */
export async function writeKeptLocations(dataDir: string, entries: ReadonlyMap<string, KeptLocation>): Promise<string> {
  const file = applicationsFile(dataDir);
  const text = `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
  try {
    await writeAtomically(file, (partial) => writeFile(partial, text, { flush: true }), {
      replace: true,
      durable: true,
    });
    return text;
  } catch (error) {
    throw new StartError(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Whether the process that made a lock is gone. */
function isAbandoned(lock: string): boolean {
  try {
    const pid = Number(fs.readFileSync(lock, "utf8"));
    if (pid > 0) return !isAlive(pid);
    // One from the future was made by a clock that was ahead.
    return Math.abs(Date.now() - fs.statSync(lock).mtimeMs) > UNNAMED_LOCK_MS;
  } catch {
    // Released just now.
    return false;
  }
}

/** Makes a lock; false while there is one. */
function makeLock(lock: string): boolean {
  let file: number;
  try {
    file = fs.openSync(lock, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    fs.writeSync(file, String(process.pid));
    return true;
  } catch (error) {
    // A full disk takes a name without its content, which would keep others out.
    fs.rmSync(lock, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

async function takeLock(lock: string): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      if (makeLock(lock)) return;
      if (isAbandoned(lock)) {
        fs.rmSync(lock, { force: true });
        continue;
      }
    } catch (error) {
      throw new StartError(
        `Cannot write ${lock}: ${messageOf(error)}. Look for space on the disk, and whether this account may write there.`,
        { cause: error },
      );
    }
    if (performance.now() > deadline)
      throw new StartError(`another agentd command is writing beside ${lock}. Try again, or delete that file.`);
    await sleep(PAUSE_MS);
  }
}

/**
 * Does work on the files of the applications while no other command does: what one adds must not be lost to another. The daemon
 * only reads them. Throws StartError when another command does not come to its end.
 */
export async function withApplicationsLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = `${applicationsFile(dataDir)}.lock`;
  await takeLock(lock);
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}
