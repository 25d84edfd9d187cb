// Where a database is, in config.json: a reference to a secret, or an address or file that holds none.
import { resolve } from "node:path";
import { StartError } from "../domain/error.js";
import { isSensitiveKey } from "../lib/redact/sensitive-key.js";
import type { Found, Sources } from "./setting.js";

/** Whether an address signs in by itself. */
export function holdsSecret(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { password, searchParams } = new URL(address);
  return password !== "" || [...searchParams.keys()].some(isSensitiveKey);
}

/** The location, resolved. Throws StartError for a password in plain text, naming the way out. */
export function readDatabaseLocation(
  { value: text, place }: Found<string>,
  { secrets, dataDir }: Sources,
): string | undefined {
  if (/^(env|file):(?!\/\/)/.test(text)) return secrets.read(place, text);
  if (holdsSecret(text))
    throw new StartError(
      `${place} holds a password in plain text. Put the whole address into a variable and write env:NAME, or leave the password out: PostgreSQL looks it up in ~/.pgpass or the file of PGPASSFILE.`,
    );
  // A file is relative to where config.json is.
  return /^[a-z][a-z0-9+.-]+:/i.test(text) ? text : resolve(dataDir, text);
}
