// Finds the data directory that belongs to a folder: there or above, as git finds its own. Says whose it is; whether it is
// trusted is decided in trust.ts.
import fs, { type Stats } from "node:fs";
import path from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { DOCUMENTS_FOLDER, OVERRIDES_FOLDER } from "./application-files.js";
import { foreignOwner, isWritableByOthers } from "./ownership.js";

/** What keeps versions of a folder and may change files in it at any time. */
const VERSION_CONTROL = [".git", ".hg", ".svn", ".jj"];

/** The folders of a data directory that hold documents, itself first. */
const DOCUMENT_FOLDERS = ["", DOCUMENTS_FOLDER, OVERRIDES_FOLDER];

/** A folder and all above it, nearest first. */
function* upwards(start: string): Generator<string, void, void> {
  for (let at = start; ; at = path.dirname(at)) {
    yield at;
    if (at === path.dirname(at)) return;
  }
}

const isThere = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function search(folder: string, name: string): string | undefined {
  const start = fs.realpathSync(folder);
  for (const at of upwards(start)) {
    if (at !== start) {
      const stat = fs.statSync(at, { throwIfNoEntry: false });
      if (!stat || foreignOwner(stat) !== undefined || isWritableByOthers(stat)) return undefined;
    }
    const dir = path.join(at, name);
    if (isThere(dir)) return dir;
  }
  return undefined;
}

/**
 * The nearest entry of this name in a folder or above it; undefined when there is none. Above the folder itself the search ends where
 * other accounts can put files, such as /tmp: what is found there would be theirs to choose.
 * Throws StartError where nothing can be looked for.
 */
export function findDataDir(folder: string, name: string): string | undefined {
  try {
    return search(folder, name);
  } catch (error) {
    throw new StartError(
      `no data directory can be looked for in ${folder}: ${messageOf(error)}. Name one with --data-dir.`,
      { cause: error },
    );
  }
}

/** Whether a version control system may write into a data directory: a pull can bring files there as an editor does. */
export function isVersioned(dir: string): boolean {
  for (const at of upwards(path.dirname(dir)))
    if (VERSION_CONTROL.some((name) => isThere(path.join(at, name)))) return true;
  return false;
}

function faultOf(stat: Stats): string | undefined {
  const owner = foreignOwner(stat);
  if (owner !== undefined) return `belongs to another account (${owner})`;
  if (!stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink()) return "is no file";
  // The mode of a link means nothing.
  return !stat.isSymbolicLink() && isWritableByOthers(stat) ? "can be written by other accounts" : undefined;
}

/** Its files by their names in it, also those in its folders of documents. */
export function filesIn(dir: string): string[] {
  return DOCUMENT_FOLDERS.flatMap((folder) => {
    const at = path.join(dir, folder);
    return isThere(at) ? fs.readdirSync(at).map((name) => path.join(folder, name)) : [];
  });
}

/** What another account could have put, or could put, into a directory that was found: "FILE belongs to …". */
function foreignFile(dir: string): string | undefined {
  const own = fs.lstatSync(dir);
  if (own.isSymbolicLink()) return `${dir} is a symbolic link`;
  if (!own.isDirectory()) return `${dir} is not a directory`;
  for (const name of ["", ...filesIn(dir)]) {
    const file = path.join(dir, name);
    // Of a link both the link and what it leads to.
    for (const stat of [fs.lstatSync(file, { throwIfNoEntry: false }), fs.statSync(file, { throwIfNoEntry: false })]) {
      const fault = stat && faultOf(stat);
      if (fault !== undefined) return `${file} ${fault}`;
    }
  }
  return undefined;
}

/** Refuses a directory that was found and is not this account's alone. Throws StartError naming the file and the way out. */
export function refuseForeignFiles(dir: string): void {
  let reason: string | undefined;
  try {
    reason = foreignFile(dir);
  } catch (error) {
    reason = `${dir} cannot be read: ${messageOf(error)}`;
  }
  if (reason === undefined) return;
  const chmod = reason.includes("can be written") ? "Take that away with chmod go-w, or name" : "Name";
  throw new StartError(
    `${reason}. A data directory that was only found is used when all of it is this account's alone. ${chmod} the one to use with --data-dir.`,
  );
}
