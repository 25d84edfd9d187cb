// Brings a database to the newest version in one transaction: all pending migrations, user_version and application_id
// together, so that a kill in the middle leaves the old version. user_version counts the migrations applied.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "better-sqlite3";
import { StartError } from "../../domain/error.js";
import { RECORD_ID } from "../../lib/sqlite.js";
import { refuseTriggers } from "./triggers.js";

/** "agtd": marks a SQLite file as ours. */
export const APPLICATION_ID = RECORD_ID;

/** The folder of drizzle-kit's migrations, seen from the sources, from the built files and from an installed package. */
function migrationsFolder(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  while (!fs.existsSync(path.join(dir, "migrations", "meta", "_journal.json"))) {
    const parent = path.dirname(dir);
    if (parent === dir) throw new StartError("the migrations folder is missing from the package; install agentd again");
    dir = parent;
  }
  return path.join(dir, "migrations");
}

/** The names of all migrations, oldest first. */
function migrationNames(folder: string): string[] {
  const journal = JSON.parse(fs.readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  return journal.entries.map((entry) => entry.tag);
}

/** The version a record has once all migrations are applied. */
export function newestVersion(): number {
  return migrationNames(migrationsFolder()).length;
}

/** The statements of one migration. Every new table is made STRICT, which drizzle-kit cannot express. */
function statements(folder: string, name: string): string[] {
  const text = fs.readFileSync(path.join(folder, `${name}.sql`), "utf8");
  return text
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "")
    .map((statement) => (/^CREATE TABLE\b/i.test(statement) ? `${statement} STRICT` : statement));
}

/** Throws StartError unless the file is empty or ours, without triggers, and not newer than this program. Writes nothing. */
export function checkVersion(db: Database, file: string): void {
  const applicationId = db.pragma("application_id", { simple: true });
  const version = db.pragma("user_version", { simple: true }) as number;
  const isEmpty = version === 0 && db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;
  if (applicationId !== APPLICATION_ID && !(applicationId === 0 && isEmpty))
    throw new StartError(
      `${file} is a SQLite database of another program; agentd does not touch it. Move it away or choose another --data-dir.`,
    );
  const newest = newestVersion();
  if (version > newest)
    throw new StartError(
      `${file} was written by a newer agentd (record version ${version}, this one knows ${newest}). Update agentd, or choose another --data-dir.`,
    );
  refuseTriggers(db, file);
}

/** Applies what is missing. The caller has checked the version. */
export function migrate(db: Database): void {
  const folder = migrationsFolder();
  const names = migrationNames(folder);
  const version = db.pragma("user_version", { simple: true }) as number;
  if (version === names.length) return;
  db.transaction(() => {
    for (const name of names.slice(version)) for (const statement of statements(folder, name)) db.exec(statement);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${names.length}`);
  }).immediate();
}
