// What agentd remembers for an account, outside of every data directory: which of them it trusts, and which daemons run.
// A folder that was cloned or unpacked can bring any file, but none of these. Small JSON files, one for each subject.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { writeAtomically } from "./atomic-file.js";
import { makeDirectories } from "./directory.js";
import { accountId, foreignOwner, isWritableByOthers } from "./ownership.js";

/** A file name without anything of the path it stands for but its identity; far beyond accidental repetition. */
const NAME_CHARS = 32;

/** A kind of memory, one folder each. */
type Subject = "trusted" | "running";

function homeFolder(): string {
  try {
    return os.homedir();
  } catch {
    // An account without an entry in the user database, and without HOME.
    return "";
  }
}

/** Where this account's state is kept. Source: XDG Base Directory Specification, XDG_STATE_HOME. */
function stateFolder(env: NodeJS.ProcessEnv): string {
  const { XDG_STATE_HOME: xdg = "", LOCALAPPDATA: local = "" } = env;
  if (path.isAbsolute(xdg)) return path.join(xdg, "agentd");
  if (process.platform === "win32" && path.isAbsolute(local)) return path.join(local, "agentd", "state");
  const home = homeFolder();
  if (!path.isAbsolute(home))
    throw new StartError("this account has no home directory. Set HOME or XDG_STATE_HOME to a folder of its own.");
  if (process.platform === "darwin") return path.join(home, "Library", "Application Support", "agentd");
  return path.join(home, ".local", "state", "agentd");
}

/**
 * Refuses a folder that another account could fill: root with the HOME of a user would trust what that user wrote. Where
 * there is none yet, what it would be created in decides.
 */
function checkFolder(folder: string): void {
  const refusal = (at: string, reason: string): StartError =>
    new StartError(
      `${at}, where agentd would remember it, ${reason}. Set HOME or XDG_STATE_HOME to a folder of your own.`,
    );
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found) {
    if (!found.isDirectory()) throw refusal(folder, "is not a directory");
    if (accountId !== undefined && found.uid !== accountId) throw refusal(folder, "belongs to another account");
    if (isWritableByOthers(found)) throw refusal(folder, "can be written by other accounts");
    return;
  }
  let above = path.dirname(folder);
  let stat = fs.statSync(above, { throwIfNoEntry: false });
  while (!stat) {
    above = path.dirname(above);
    stat = fs.statSync(above, { throwIfNoEntry: false });
  }
  if (foreignOwner(stat) !== undefined) throw refusal(above, "belongs to another account");
}

/** The checked folder of this account. Throws StartError saying why there is none. */
export function openStateFolder(): string {
  const folder = stateFolder(process.env);
  try {
    checkFolder(folder);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${folder} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  return folder;
}

function fileOf(subject: Subject, dir: string): string {
  const name = createHash("sha256").update(dir).digest("hex").slice(0, NAME_CHARS);
  return path.join(openStateFolder(), subject, `${name}.json`);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    // None, or one that was cut off: nothing is remembered then.
    return undefined;
  }
}

/** What is remembered of a data directory; undefined when nothing is. Throws StartError when the state cannot be used. */
export function readState(subject: Subject, dir: string): unknown {
  return parse(fileOf(subject, dir));
}

/** Everything remembered of a subject. Throws StartError when the state cannot be used. */
export function listState(subject: Subject): unknown[] {
  const folder = path.join(openStateFolder(), subject);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => parse(path.join(folder, name)));
}

/** Changes with every write of what is remembered of a data directory; "" when nothing is or can be. Never throws. */
export function stateVersion(subject: Subject, dir: string): string {
  try {
    const { ino, mtimeMs } = fs.statSync(fileOf(subject, dir));
    return `${ino}:${mtimeMs}`;
  } catch {
    return "";
  }
}

/** Remembers a value for a data directory. Throws StartError when the state cannot be used or written. */
export async function writeState(subject: Subject, dir: string, value: object): Promise<void> {
  const file = fileOf(subject, dir);
  try {
    makeDirectories(path.dirname(file));
    const text = `${JSON.stringify(value, undefined, 2)}\n`;
    await writeAtomically(file, (partial) => writeFile(partial, text, { flush: true }), { replace: true });
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}

/** Forgets a data directory. Throws StartError when the state cannot be used. */
export function removeState(subject: Subject, dir: string): void {
  fs.rmSync(fileOf(subject, dir), { force: true });
}
