// Which data directories this account trusts when they are only found: those agentd made for it, and those a person accepted
// with `agentd trust`. Of the latter, and of any that a version control system can write to, the configuration and documents
// must be what they were: a hash of each is remembered. Source: docs/reference.md, "The data directory".
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { TrustCheck } from "../domain/trust.js";
import { listState, readState, removeState, stateVersion, writeState } from "./account-state.js";
import { filesIn, isVersioned } from "./find.js";

const EntrySchema = z.object({
  directory: z.string(),
  /** Made by agentd for this account. */
  made: z.boolean(),
  /** Tells the directory from a later one of the same path. */
  identity: z.string(),
  /** SHA-256 by path: relative to the directory, or absolute outside of it. */
  files: z.record(z.string(), z.string()),
});

/** What is remembered of a trusted directory. */
type Entry = z.infer<typeof EntrySchema>;

/** agentd's own, written all the time; it decides nothing for a directory that was found. */
const NOT_COVERED = "daemon.json";

const hashOf = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");

/** The inode can be given to another directory later, and a restored copy keeps the times: together they tell. */
function identityOf(dir: string): string {
  const { ino, birthtimeMs } = fs.statSync(dir);
  return `${ino}:${birthtimeMs}`;
}

/** The one path by which a directory is remembered, whatever links lead to it. A link in its place is another directory. */
export function canonicalPath(dir: string): string {
  return path.join(fs.realpathSync(path.dirname(dir)), path.basename(dir));
}

function readEntry(dir: string): Entry | undefined {
  const directory = canonicalPath(dir);
  const { data } = EntrySchema.safeParse(readState("trusted", directory));
  return data?.directory === directory && data.identity === identityOf(dir) ? data : undefined;
}

function writeEntry(dir: string, { made, files }: Pick<Entry, "made" | "files">): Promise<void> {
  const directory = canonicalPath(dir);
  return writeState("trusted", directory, { directory, made, identity: identityOf(dir), files });
}

/** What is remembered now, also while the state or the directory cannot be read: nothing then. */
function entryNow(dir: string): Entry | undefined {
  try {
    return readEntry(dir);
  } catch {
    return undefined;
  }
}

const keyOf = (dir: string, file: string): string => {
  const inside = path.relative(dir, file);
  return inside.startsWith("..") || path.isAbsolute(inside) ? file : inside;
};

/** The configuration and documents in a directory, by their paths. */
export function governingFiles(dir: string): string[] {
  const names = filesIn(dir).filter((name) => name.endsWith(".json") && name !== NOT_COVERED);
  const files = names.map((name) => path.join(dir, name));
  return files.filter((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Remembers that agentd has just made this directory for this account. Throws StartError when nothing can be remembered. */
export async function rememberMade(dir: string): Promise<void> {
  await writeEntry(dir, { made: true, files: {} });
}

/** Remembers a directory that a person accepted, with the content of its files as displayed. Throws as rememberMade does. */
export async function rememberTrusted(dir: string, contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const files = Object.fromEntries([...contents].map(([file, content]) => [keyOf(dir, file), hashOf(content)]));
  await writeEntry(dir, { made: readEntry(dir)?.made ?? false, files });
}

/**
 * Remembers what a command has just written into a trusted directory, or that it took the file away. Nothing is remembered of any
 * other. Throws as above.
 */
export async function rememberFile(dir: string, file: string, content: string | undefined): Promise<void> {
  const entry = entryNow(dir);
  if (!entry) return;
  const { [keyOf(dir, file)]: _, ...others } = entry.files;
  const files = content === undefined ? others : { ...others, [keyOf(dir, file)]: hashOf(content) };
  await writeEntry(dir, { ...entry, files });
}

/** Forgets a directory; false when it was not remembered. */
export function forgetTrust(dir: string): boolean {
  const directory = canonicalPath(dir);
  const known = readState("trusted", directory) !== undefined;
  removeState("trusted", directory);
  return known;
}

/** Every directory remembered, in the order of their paths. */
export function trustedDirectories(): { directory: string; made: boolean }[] {
  return listState("trusted")
    .flatMap((value) => EntrySchema.safeParse(value).data ?? [])
    .sort((a, b) => (a.directory < b.directory ? -1 : 1));
}

/**
 * Whether a directory that was found is trusted: not at all (undefined), as it is ("whole"), or file by file. Throws StartError
 * when this account's state cannot be used.
 */
export function trustOf(dir: string): TrustCheck | "whole" | undefined {
  const entry = readEntry(dir);
  if (!entry) return undefined;
  // Nothing but this account's own programs writes there, and agentd made it empty.
  if (entry.made && !isVersioned(dir)) return "whole";
  const { directory } = entry;
  return {
    version: () => stateVersion("trusted", directory),
    files: () => Object.keys(entryNow(dir)?.files ?? {}).map((file) => path.resolve(dir, file)),
    faultOf(file, content) {
      const known = entryNow(dir)?.files[keyOf(dir, file)];
      const now = content && hashOf(content);
      if (known === now) return undefined;
      const what = known === undefined ? "is new" : now === undefined ? "was removed" : "was changed";
      return `${file} ${what} since this account trusted ${dir}. Look at it, then run "agentd trust ${dir}".`;
    },
  };
}
