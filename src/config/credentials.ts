// Records of secrets in the configuration: headers and credentials by name, each value resolved.
import { StartError } from "../domain/error.js";
import { isSentSecret } from "../lib/redact/sensitive-key.js";
import { type SecretEntry, secretOrCommand } from "./command-entry.js";
import type { CommandSecret } from "./command-secret.js";
import type { Found, Sources } from "./setting.js";

type Entries = Found<Record<string, string>>;

function headersOf<Entry, Value>(
  { value: entries, place }: Found<Record<string, Entry>>,
  read: (place: string, name: string, entry: Entry) => Value | undefined,
): Record<string, Value> {
  const headers: Record<string, Value> = {};
  for (const [name, entry] of Object.entries(entries)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new StartError(`${place}: "${name}" is not a header name.`);
    const value = read(`${place}.${name}`, name, entry);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/** HTTP headers with their secrets resolved. Throws StartError for a name that is none. */
export const readHeaders = (found: Entries, { secrets }: Sources): Record<string, string> =>
  headersOf(found, secrets.readHeader);

/** The same for headers whose values may be commands. */
export const readHeadersOrCommands = (
  found: Found<Record<string, SecretEntry>>,
  { secrets, dataDir }: Sources,
): Record<string, string | CommandSecret> =>
  headersOf(found, (place, name, entry) =>
    secretOrCommand(place, entry, { dataDir, read: (at, reference) => secrets.readHeader(at, name, reference) }),
  );

/** Parameters of an address. Only references and telling names hold secrets; everything else is sent as it is written. */
export function readQuery({ value: entries, place }: Entries, { secrets }: Sources): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, text] of Object.entries(entries)) {
    const isSecret = /^(env|file):/.test(text) || isSentSecret(name, text);
    const value = isSecret ? secrets.read(`${place}.${name}`, text) : text;
    if (value !== undefined) query[name] = value;
  }
  return query;
}

/**
 * Variables for a program. Only references and telling names hold secrets; everything else is handed on as it is written. Throws
 * StartError for a name that is none.
 */
export function readEnvironment({ value: entries, place }: Entries, sources: Sources): Record<string, string> {
  const bad = Object.keys(entries).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad !== undefined) throw new StartError(`${place}: "${bad}" is not the name of an environment variable.`);
  return readQuery({ value: entries, origin: "config.json", place }, sources);
}

/** Credentials by name, resolved. */
export function readSecrets({ value: entries, place }: Entries, { secrets }: Sources): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, reference] of Object.entries(entries)) {
    const value = secrets.read(`${place}.${name}`, reference);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
