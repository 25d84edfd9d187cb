// Where a database is, as a text: a file, an address, or env:NAME for a variable that holds either. Says which dialect it is, what
// of it may be shown, and refuses a password that is written out. Source: docs/databases.md, "Where the database is".
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, type StartError, usageError } from "../../domain/error.js";
import { isSensitiveKey } from "../../lib/redact/sensitive-key.js";
import { percentDecoded } from "../../lib/url.js";
import type { Dialect } from "./catalogue.js";

/** Dialects by the schemes of their addresses; what has none of them is a file. */
const SCHEMES: Readonly<Record<string, Dialect>> = {
  postgres: "postgres",
  postgresql: "postgres",
  mysql: "mysql",
  mariadb: "mysql",
  sqlite: "sqlite",
  file: "sqlite",
};

const unreadable = (): StartError =>
  usageError("the address of the database cannot be read. Write it as postgres://user@host:port/database.");

function schemeOf(location: string): string | undefined {
  // A single letter is a drive.
  return /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase();
}

/** Which database a location is of. Throws StartError for an address of something else. */
export function dialectOf(location: string): Dialect {
  // The form of libpq, which may hold a password, is not taken for the name of a file, which messages repeat.
  if (/(^|\s)(host|hostaddr|user|password|dbname|service)\s*=/i.test(location)) throw unreadable();
  const scheme = schemeOf(location);
  if (scheme === undefined) return "sqlite";
  const dialect = SCHEMES[scheme];
  if (dialect) return dialect;
  throw usageError(
    `${scheme}: is no database that agentd knows. Give a SQLite file, postgres://host/database, mysql://host/database, or env:NAME for a variable that holds one of them.`,
  );
}

/** Whether a text is written as the address of a database, whatever its file is called. */
export function isDatabaseAddress(location: string): boolean {
  const scheme = schemeOf(location);
  return scheme !== undefined && scheme !== "file" && SCHEMES[scheme] !== undefined;
}

/** The address as a URL. Throws StartError that repeats nothing of it. */
function urlOf(location: string): URL {
  // Without the slashes a user and a password would be read as a path, which is shown.
  if (!/^[^:]+:\/\//.test(location) || !URL.canParse(location)) throw unreadable();
  return new URL(location);
}

/** The path of a SQLite file. */
export function sqliteFile(location: string): string {
  if (/^file:\/\//i.test(location)) return fileURLToPath(location);
  return resolve(location.replace(/^(sqlite:(\/\/)?|file:)/i, ""));
}

/** What signs in and stands in an address: "its password", "its parameter sslpassword"; undefined when nothing does. */
function secretIn(location: string): string | undefined {
  if (dialectOf(location) === "sqlite") return undefined;
  const url = urlOf(location);
  if (url.password !== "") return "its password";
  const parameter = [...url.searchParams.keys()].find(isSensitiveKey);
  return parameter === undefined ? undefined : `its parameter ${parameter}`;
}

/** Refuses a location with a secret written out; `place` is where it stands. Throws StartError naming the way out. */
export function refuseSecret(location: string, place: string): void {
  const secret = secretIn(location);
  if (secret === undefined) return;
  throw usageError(
    `${place} holds ${secret} in plain text, where it would be kept and shown. Put the whole address into a variable and give env:NAME, or leave the password out: PostgreSQL looks it up in ~/.pgpass or the file of PGPASSFILE.`,
  );
}

/** The name of the variable that holds the location; undefined when it is written out. */
export function variableOf(location: string): string | undefined {
  return /^env:(.+)$/s.exec(location)?.[1];
}

/** What a location stands for: the value of its variable, or itself. Throws StartError for a variable that is not set. */
export function resolveLocation(location: string, env: NodeJS.ProcessEnv): string {
  const name = variableOf(location);
  if (name === undefined) return location;
  const value = env[name]?.trim();
  if (!value)
    throw usageError(
      `the location of the database is in the environment variable ${name}, which is not set. Set it, and start again.`,
    );
  return value;
}

/** The texts of a location that open something, to be kept out of what is stored and shown. */
function secretsIn(location: string): string[] {
  if (dialectOf(location) === "sqlite" || !URL.canParse(location)) return [];
  const { password, searchParams } = new URL(location);
  const parameters = [...searchParams].flatMap(([name, value]) => (isSensitiveKey(name) ? [value] : []));
  const written = [password, percentDecoded(password), ...parameters].filter((text) => text !== "");
  return written.length > 0 ? [location, ...written] : [];
}

/** What a document and messages call the database: nobody's name, no password, no folder of this machine. */
export function shownLocation(location: string): string {
  const dialect = dialectOf(location);
  if (dialect === "sqlite") return `sqlite:${basename(sqliteFile(location))}`;
  const { protocol, host, pathname } = urlOf(location);
  return `${protocol === "postgresql:" ? "postgres:" : protocol}//${host}${pathname}`;
}

/** A location as it is kept: a reference and an address as they are, a file by its whole path. */
export function keptDatabase(location: string): string {
  return variableOf(location) !== undefined || dialectOf(location) !== "sqlite" ? location : sqliteFile(location);
}

/** Where a database is at the time of a call, or why that is not known. */
interface FoundLocation {
  location?: string;
  locationFault?: string;
}

/**
 * Where the database of an application is: what config.json says, otherwise what the last sync kept. `learn` gets what of it must
 * be kept out of everything that is stored and shown. Never throws.
 */
export function findLocation(
  { configured, kept }: { configured: string | undefined; kept: () => string | undefined },
  learn: (secret: string) => void,
): FoundLocation {
  try {
    const given = configured ?? kept();
    if (given === undefined) return {};
    const location = resolveLocation(given, process.env);
    for (const secret of secretsIn(location)) learn(secret);
    dialectOf(location);
    return { location };
  } catch (error) {
    return { locationFault: messageOf(error) };
  }
}
