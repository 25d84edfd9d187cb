// `agentd restore`: puts a backup in place of what a data directory holds, once it was checked. What was there is kept aside.
// Source: docs/reference.md, "Backup and restore".
import fs from "node:fs";
import { join, resolve } from "node:path";
import { parseConfigFile } from "../../config/file.js";
import { makeDirectories, RECORD_FILE } from "../../data-dir/directory.js";
import { acquireLock } from "../../data-dir/lock.js";
import { backupNamesIn, commitRestore, makeStaging } from "../../data-dir/restore.js";
import { messageOf, StartError } from "../../domain/error.js";
import { checkRecordCopy } from "../../open.js";
import { chooseDataDir, type DataDir, makeDataDir, rememberDocument } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { say } from "../terminal/output.js";

/** A configuration or document beyond this is none. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** The files of a backup by their names in a data directory. Throws StartError for what is none. */
function filesOf(backup: string): { isWhole: boolean; files: Map<string, string> } {
  const stat = fs.lstatSync(backup, { throwIfNoEntry: false });
  if (!stat) throw new StartError(`there is no backup at ${backup}.`);
  const isWhole = stat.isDirectory();
  const names = isWhole ? backupNamesIn(backup) : [RECORD_FILE];
  const files = new Map(names.map((name) => [name, isWhole ? join(backup, name) : backup]));
  if (files.size === 0) throw new StartError(`${backup} is no backup of agentd: nothing in it is part of one.`);
  for (const [name, file] of files) {
    const found = fs.lstatSync(file);
    if (!found.isFile()) throw new StartError(`${file} is no regular file; a backup has no links.`);
    if (name !== RECORD_FILE && found.size > MAX_DOCUMENT_BYTES)
      throw new StartError(`${file} is ${found.size} bytes long, which no configuration or document is.`);
    if (name === RECORD_FILE && (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw new StartError(`${file} is in use: there is a write-ahead log beside it. Make a copy with agentd backup.`);
  }
  return { isWhole, files };
}

/** Checks a copied file before it may take the place of another. Throws StartError. */
function checkDocument(name: string, file: string): void {
  const bytes = fs.readFileSync(file);
  if (name === "config.json") return void parseConfigFile(`${name} of the backup`, bytes);
  try {
    JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new StartError(`${name} of the backup is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Copies a backup into a staging folder and checks it there. Throws StartError. */
async function stage(files: ReadonlyMap<string, string>, staging: string): Promise<void> {
  for (const [name, from] of files) {
    const to = join(staging, name);
    makeDirectories(join(to, ".."));
    await fs.promises.copyFile(from, to);
    fs.chmodSync(to, 0o600);
    if (name !== RECORD_FILE) checkDocument(name, to);
  }
  const record = files.get(RECORD_FILE);
  if (record !== undefined) await checkRecord(record, staging);
}

/** Checks the copied record. What is wrong is said of the backup, which is the file that a person knows. */
async function checkRecord(backup: string, staging: string): Promise<void> {
  try {
    await checkRecordCopy(staging);
  } catch (error) {
    const reason = messageOf(error)
      .replaceAll(join(staging, RECORD_FILE), backup)
      .replace(/\.? It was left as it is\..*$/s, "");
    throw new StartError(`${backup} cannot be restored: ${reason}. Nothing was changed; restore another backup.`, {
      cause: error,
    });
  }
}

async function restoreInto(
  chosen: DataDir,
  { isWhole, files }: ReturnType<typeof filesOf>,
  force: boolean,
): Promise<string | undefined> {
  const { dir } = chosen;
  const there = backupNamesIn(dir).filter((name) => isWhole || files.has(name));
  if (there.length > 0 && !force)
    throw new StartError(
      `${dir} holds ${there.join(", ")} already. --force puts the backup in their place and keeps them in a folder beside.`,
    );
  const staging = makeStaging(dir);
  try {
    await stage(files, staging);
    const kept = commitRestore(dir, staging, { isWhole });
    for (const name of files.keys())
      if (name !== RECORD_FILE)
        await rememberDocument(chosen, join(dir, name), fs.readFileSync(join(dir, name), "utf8"));
    return kept;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

export const restoreCommand = defineCommand({
  positionals: "<backup>",
  positional: { backup: { type: "string", describe: "What agentd backup wrote: a file or a folder" } },
  options: { force: { type: "boolean", describe: "Replace what is there, which is kept in a folder beside" } },
  examples: [["agentd restore /mnt/safe/monday --data-dir .agentd", "into a new data directory"]],
  async run(args) {
    const backup = filesOf(resolve(String(args.backup)));
    const chosen = await chooseDataDir(args, { makes: true });
    await makeDataDir(chosen);
    const lock = await acquireLock(chosen.dir);
    try {
      const kept = await restoreInto(chosen, backup, args.force === true);
      say(`restored ${[...backup.files.keys()].join(", ")} into ${chosen.dir}`);
      if (kept !== undefined) say(`what was there is kept in ${kept}`);
      return 0;
    } finally {
      lock.release();
    }
  },
});
