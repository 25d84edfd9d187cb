// SQLite databases for tests: made from statements, connected as `agentd sync sql` connects them, in a daemon of this process.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sqlSource } from "../../src/applications/sql/source.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.js";
import { temporaryFolder } from "./temporary-folder.js";
import { type ToolCalls, toolCalls } from "./tool-calls.js";

/** A temporary folder with a database file. */
export interface DatabaseFile {
  folder: string;
  file: string;
  /** Runs statements from outside, as another program would. */
  exec(sql: string): void;
  /** The rows of a statement, as another program sees them. */
  rows(sql: string): unknown[];
}

/** Makes a file from statements. */
export async function createDatabase(sql: string, name = "warehouse.db"): Promise<DatabaseFile> {
  const folder = temporaryFolder("db");
  const file = join(folder, name);
  const use = <T>(work: (db: InstanceType<typeof SqliteDatabase>) => T): T => {
    const db = new SqliteDatabase(file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  use((db) => db.exec(sql));
  return {
    folder,
    file,
    exec: (text) => void use((db) => db.exec(text)),
    rows: (text) => use((db) => db.prepare(text).safeIntegers(true).all()),
  };
}

/** A daemon whose only application is a database. */
export interface DatabaseDaemon extends Daemon, ToolCalls {
  database: DatabaseFile;
}

/** Starts a daemon with a database made from statements. Close it. */
export async function startDatabaseDaemon(sql: string, options: DaemonOptions = {}): Promise<DatabaseDaemon> {
  const database = await createDatabase(sql);
  const { document } = await sqlSource.read({ location: database.file });
  const dataDir = join(database.folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const kept = { "": { kind: "sql", location: database.file } };
  await writeFile(join(dataDir, "applications.json"), JSON.stringify(kept), { mode: 0o600 });
  const daemon = await startDaemon({ ...options, schema: document, dataDir });
  return { ...daemon, database, ...toolCalls(daemon.agent) };
}
