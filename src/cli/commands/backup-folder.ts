// `agentd backup FOLDER --all`: the record, the configuration and the documents, in a folder that appears when it is complete and that
// a person can look into. No secret is in it unless it was asked for by name.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { configFile } from "../../config/file.js";
import { loadSettings } from "../../config/settings.js";
import { makeDirectories, RECORD_FILE } from "../../data-dir/directory.js";
import { backupNamesIn } from "../../data-dir/restore.js";
import { AppError, messageOf, StartError } from "../../domain/error.js";
import { readRegularFile } from "../../lib/regular-file.js";
import type { RecordReader } from "../../store/reader.js";

const PASSWORD_IN_ADDRESS = /:\/\/[^/\s"@]*:[^/\s"@]+@/;

/** Throws StartError naming where config.json holds secrets in plain text. */
async function refuseSecrets(dataDir: string): Promise<void> {
  const { literalSecrets } = await loadSettings({ dataDir, flags: {}, env: {}, lenient: true });
  const config = configFile(dataDir);
  const isInAddress = fs.existsSync(config) && PASSWORD_IN_ADDRESS.test(readRegularFile(config).toString("utf8"));
  const places = [...literalSecrets, ...(isInAddress ? ["an address with a password"] : [])];
  if (places.length === 0) return;
  throw new StartError(
    `config.json holds secrets in plain text (${places.join(", ")}), and a backup is no place for them. Write them as env:NAME or file:PATH, or say --with-secrets.`,
  );
}

interface FolderBackup {
  dataDir: string;
  /** Undefined where nothing is recorded yet. */
  reader: RecordReader | undefined;
  folder: string;
  withSecrets: boolean;
  signal: AbortSignal;
}

/** Makes the folder; returns the names of its files. Throws AppError or StartError; nothing is left behind then. */
export async function backupFolder({ dataDir, reader, folder, withSecrets, signal }: FolderBackup): Promise<string[]> {
  if (fs.existsSync(folder))
    throw new AppError("conflict", `${folder} exists; the backup overwrites nothing. Give another name.`);
  if (!withSecrets) await refuseSecrets(dataDir);
  const partial = `${folder}.partial-${randomUUID().slice(0, 8)}`;
  try {
    makeDirectories(partial);
    const documents = backupNamesIn(dataDir).filter((name) => name !== RECORD_FILE);
    for (const name of documents) {
      const to = path.join(partial, name);
      makeDirectories(path.dirname(to));
      fs.writeFileSync(to, readRegularFile(path.join(dataDir, name)), { mode: 0o600, flush: true });
    }
    await reader?.backup(path.join(partial, RECORD_FILE), signal);
    fs.renameSync(partial, folder);
    return reader ? [RECORD_FILE, ...documents] : documents;
  } catch (error) {
    if (error instanceof StartError || error instanceof AppError) throw error;
    throw new AppError("bad_request", `cannot write the backup ${folder}: ${messageOf(error)}`, { cause: error });
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}
