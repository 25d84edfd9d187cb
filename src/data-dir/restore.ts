// Puts a restored backup in place, so that a kill at any moment leaves what was there or what was restored, whole: the new files are
// complete in a folder of their own before one rename decides, and whoever takes the directory's lock next finishes what was begun.
// What was there is kept aside. Works inside the directory, which may be a mount point. The caller holds the lock.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { DOCUMENTS_FOLDER, OVERRIDES_FOLDER } from "./application-files.js";
import { IMAGES_FOLDER, makeDirectories, RECORD_FILE, RESULTS_FOLDER } from "./directory.js";

const PARTIAL = "restore-partial-";
const READY = "restore-ready";
const PLAN_FILE = "restore.json";
const ASIDE = "before-restore-";
const ASIDE_NAME = /^before-restore-\w+$/;
const LOG_SUFFIXES = ["-wal", "-shm"];

/** What a backup may hold beside the record: names in a data directory. */
const TOP_FILES = ["config.json", "schema.json", "overrides.json", "applications.json"];
const IN_FOLDERS = new RegExp(`^(${DOCUMENTS_FOLDER}|${OVERRIDES_FOLDER})/[A-Za-z0-9_-]{1,64}\\.json$`);

/** Whether a name, with `/`, is one of a file that a backup may hold. */
function isBackupName(name: string): boolean {
  return name === RECORD_FILE || TOP_FILES.includes(name) || IN_FOLDERS.test(name);
}

interface Plan {
  /** Put in place, by their names. */
  files: string[];
  /** Taken away: not in the backup. */
  removed: string[];
  aside: string;
}

/** The names of the files in a folder that a backup may hold, in it and in its folders of documents. */
export function backupNamesIn(folder: string): string[] {
  const inFolder = (name: string): string[] => {
    const at = path.join(folder, name);
    if (!fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return [];
    return fs.readdirSync(at).map((file) => (name === "" ? file : `${name}/${file}`));
  };
  return ["", DOCUMENTS_FOLDER, OVERRIDES_FOLDER].flatMap(inFolder).filter(isBackupName).sort();
}

const exists = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;

function sync(at: string): void {
  const fd = fs.openSync(at, "r");
  try {
    fs.fsyncSync(fd);
  } catch {
    // Folders of some platforms cannot be synced.
  } finally {
    fs.closeSync(fd);
  }
}

function move(from: string, to: string): void {
  if (!exists(from)) return;
  makeDirectories(path.dirname(to));
  fs.renameSync(from, to);
}

/** A new folder in the directory for what is to be restored; one that an earlier restore left behind is gone. */
export function makeStaging(dir: string): string {
  for (const name of fs.readdirSync(dir))
    if (name.startsWith(PARTIAL)) fs.rmSync(path.join(dir, name), { recursive: true, force: true });
  const staging = path.join(dir, PARTIAL + randomUUID().slice(0, 8));
  makeDirectories(staging);
  return staging;
}

/**
 * Puts the files of a staging folder in place. With `isWhole` they are all there shall be, and others of their kind are taken away.
 * Returns the folder in which what was there is kept, undefined when nothing was.
 */
export function commitRestore(dir: string, staging: string, { isWhole }: { isWhole: boolean }): string | undefined {
  const files = backupNamesIn(staging);
  const before = backupNamesIn(dir);
  const removed = isWhole ? before.filter((name) => !files.includes(name)) : [];
  const aside = ASIDE + new Date().toISOString().replace(/[-:.]/g, "");
  const plan: Plan = { files, removed, aside };
  fs.writeFileSync(path.join(staging, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
  for (const name of [...files, PLAN_FILE, ""]) sync(path.join(staging, name));
  fs.renameSync(staging, path.join(dir, READY));
  sync(dir);
  finishRestore(dir);
  const kept = path.join(dir, aside);
  return exists(kept) ? kept : undefined;
}

/** Whether a restore was decided and interrupted: until it is finished, the directory is neither the old nor the new one. */
export function isRestorePending(dir: string): boolean {
  return fs.existsSync(path.join(dir, READY));
}

/** Finishes a restore that was decided and interrupted; does nothing without one. */
export function finishRestore(dir: string): void {
  const ready = path.join(dir, READY);
  const planFile = path.join(ready, PLAN_FILE);
  if (!exists(ready)) return;
  if (exists(planFile)) {
    const { files, removed, aside } = JSON.parse(fs.readFileSync(planFile, "utf8")) as Plan;
    // A directory may come from elsewhere: nothing in it moves a file out of it.
    if (!ASIDE_NAME.test(aside) || ![...files, ...removed].every(isBackupName))
      throw new Error(`${planFile} is not what agentd writes; move ${ready} away`);
    const putAside = (name: string): void => move(path.join(dir, name), path.join(dir, aside, name));
    for (const name of files.filter((one) => exists(path.join(ready, one)))) {
      // The log first: with another database it would be taken for that one's.
      if (name === RECORD_FILE) for (const suffix of LOG_SUFFIXES) putAside(name + suffix);
      // Of the rows of the record that goes.
      if (name === RECORD_FILE) for (const folder of [IMAGES_FOLDER, RESULTS_FOLDER]) putAside(folder);
      putAside(name);
      move(path.join(ready, name), path.join(dir, name));
    }
    for (const name of removed) putAside(name);
    sync(dir);
    fs.rmSync(planFile);
  }
  fs.rmSync(ready, { recursive: true, force: true });
}
