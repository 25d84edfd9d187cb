// SQLite databases for tests: made from statements, connected as `agentd sync sql` connects them, in a daemon of this process.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqlSource } from "../../src/applications/sql/source.js";
import type { CallAnswer } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.js";

/** A folder with a database file. */
export interface DatabaseFile {
  folder: string;
  file: string;
  /** Runs statements from outside, as another program would. */
  exec(sql: string): void;
  /** The rows of a statement, as another program sees them. */
  rows(sql: string): unknown[];
  remove(): Promise<void>;
}

/** Makes a file from statements. */
export async function createDatabase(sql: string, name = "warehouse.db"): Promise<DatabaseFile> {
  const folder = await mkdtemp(join(tmpdir(), "agentd-db-"));
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
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A daemon whose only application is a database. */
export interface DatabaseDaemon extends Daemon {
  database: DatabaseFile;
  /** Calls a tool and gives its answer. */
  callTool(tool: string, args?: JsonObject): Promise<CallAnswer>;
  /** Calls a tool that has to succeed, and gives its result. */
  result(tool: string, args?: JsonObject): Promise<JsonValue>;
  /** Calls a tool that has to fail, and gives its result. */
  failure(tool: string, args?: JsonObject): Promise<JsonObject>;
}

/** Starts a daemon with a database made from statements. Close it. */
export async function startDatabaseDaemon(sql: string, options: DaemonOptions = {}): Promise<DatabaseDaemon> {
  const database = await createDatabase(sql);
  const { document } = await sqlSource.read({ location: database.file });
  const dataDir = join(database.folder, "data");
  await (await import("node:fs/promises")).mkdir(dataDir, { mode: 0o700 });
  const kept = { "": { kind: "sql", location: database.file } };
  await writeFile(join(dataDir, "applications.json"), JSON.stringify(kept), { mode: 0o600 });
  const daemon = await startDaemon({ ...options, schema: document, dataDir });
  const callTool = async (tool: string, args: JsonObject = {}): Promise<CallAnswer> => {
    const run = daemon.agent.call(
      { tool, arguments: args, policy: {}, session_id: "test", client: "test", caller: LOCAL_CALLER },
      { signal: new AbortController().signal, interactive: false },
    );
    for (;;) {
      const step = await run.next();
      if (step.done) return step.value;
    }
  };
  return {
    ...daemon,
    database,
    callTool,
    async result(tool, args) {
      const { status, result } = await callTool(tool, args);
      if (status !== "ok") throw new Error(`${tool}: ${JSON.stringify(result)}`);
      return result;
    },
    async failure(tool, args) {
      const { status, result } = await callTool(tool, args);
      if (status !== "error") throw new Error(`${tool} did not fail`);
      return result as JsonObject;
    },
    async close(graceMs) {
      await daemon.close(graceMs);
      await database.remove();
    },
  };
}
