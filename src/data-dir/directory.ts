// The data directory and the files in it: created readable by their owner only, and refused when they are not what they
// should be. Knows nothing of SQL. Never opens a database file that SQLite may hold: closing it would drop SQLite's locks.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { messageOf, StartError } from "../domain/error.js";

/** The file that holds the record, in the data directory. */
export const RECORD_FILE = "history.db";
/** The folder of what undoing calls of the record needs, in the data directory. */
export const IMAGES_FOLDER = "undo";

/** The folder of results that are kept whole, in the data directory. */
export const RESULTS_FOLDER = "results";

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;
const STICKY = 0o1000;
const OTHERS = 0o077;

/** What tells a data directory from others. */
const OWN_FILES: readonly string[] = [RECORD_FILE, "config.json", "schema.json", "applications.json"];

/** Whether a directory holds something, and nothing of agentd. */
function isOfOthers(dir: string): boolean {
  const names = fs.readdirSync(dir);
  return names.length > 0 && !names.some((name) => OWN_FILES.includes(name));
}

/**
 * Whether tightening the directory could lock its other users out: the home, a directory like /tmp or /etc, or one above the
 * working directory.
 */
function isShared(dir: string, mode: number): boolean {
  if (isOfOthers(dir)) return true;
  const inside = path.relative(dir, process.cwd());
  const holdsCwd = inside === "" || (!inside.startsWith("..") && !path.isAbsolute(inside));
  return (mode & STICKY) !== 0 || holdsCwd || dir === os.homedir();
}

/** Creates one directory; false when it is there. Throws with the name of the directory that refuses. */
function makeDirectory(dir: string): boolean {
  try {
    fs.mkdirSync(dir, OWNER_ONLY_DIR);
    return true;
  } catch (error) {
    // Another process was faster; the caller checks what it created.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new Error(`no directory can be made in ${path.dirname(dir)}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Creates a directory and its missing parents for their owner only, one by one: where nothing can be created although the
 * account may write (/proc), Node's own recursive mkdir tries for ever. Returns whether this process made the directory.
 */
export function makeDirectories(dir: string): boolean {
  const missing: string[] = [];
  for (let at = path.resolve(dir); !fs.statSync(at, { throwIfNoEntry: false }); at = path.dirname(at)) missing.push(at);
  return missing.reverse().map(makeDirectory).at(-1) ?? false;
}

/**
 * Creates the data directory, or takes an existing one, with mode 0700. A directory that others may need (the home, the
 * working directory, one like /tmp or /etc) keeps its mode and is warned about. Returns whether this process made it. Throws StartError
 * when it can't be used.
 */
export function prepareDirectory(dir: string, onWarning: (message: string) => void): boolean {
  try {
    const made = makeDirectories(dir);
    const stat = fs.statSync(dir);
    if (!stat.isDirectory()) throw new Error("it is not a directory");
    if ((stat.mode & OTHERS) === 0 || process.platform === "win32") return made;
    if (isShared(path.resolve(dir), stat.mode))
      onWarning(`${dir} is open to other users of this machine; give agentd a directory of its own (--data-dir)`);
    else fs.chmodSync(dir, stat.mode & OWNER_ONLY_DIR);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPERM")
      throw new StartError(
        `the data directory ${dir} belongs to another user and is open to more than its owner. Choose another one with --data-dir.`,
        { cause: error },
      );
    throw new StartError(
      `cannot use the data directory ${dir}: ${messageOf(error)}. Choose another one with --data-dir.`,
      { cause: error },
    );
  }
}

/** What SQLite has beside a database, and opens with it. */
const BESIDE = ["-wal", "-shm", "-journal"];

/**
 * Throws Error for a database, or a file of SQLite beside it, that is not a regular file: opening a FIFO would wait for a writer,
 * and behind a link may be a file of another program.
 */
export function refuseIrregular(file: string): void {
  for (const end of ["", ...BESIDE]) {
    const stat = fs.lstatSync(file + end, { throwIfNoEntry: false });
    const which = end === "" ? "it" : `${path.basename(file)}${end} beside it`;
    if (stat?.isSymbolicLink()) throw new Error(`${which} is a link and not a regular file`);
    if (stat?.isFile() === false) throw new Error(`${which} is not a regular file`);
  }
}

/**
 * Makes sure `file` is a regular file with mode 0600, creating it when there is none: SQLite gives its -wal and -shm files the
 * mode of the database. Returns "new", "empty" or "filled".
 */
export function prepareFile(file: string): "new" | "empty" | "filled" {
  try {
    refuseIrregular(file);
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (!found) {
      fs.closeSync(fs.openSync(file, "wx", OWNER_ONLY_FILE));
      fs.chmodSync(file, OWNER_ONLY_FILE);
      return "new";
    }
    for (const part of ["", ...BESIDE].map((end) => file + end)) {
      const stat = fs.statSync(part, { throwIfNoEntry: false });
      if (stat && (stat.mode & OTHERS) !== 0) fs.chmodSync(part, stat.mode & OWNER_ONLY_FILE);
    }
    return found.size === 0 ? "empty" : "filled";
  } catch (error) {
    throw new StartError(
      `cannot use ${file}: ${messageOf(error)}. Make the data directory writable, or move the file away and start again.`,
      { cause: error },
    );
  }
}
