// What `agentd sync` keeps of its arguments, so that a description can be read again, and what it takes from there. A secret is
// never kept: a header stands there as env:NAME or file:PATH, an address without what signs in.
// Source: docs/reference.md, "Several applications".
import { resolve } from "node:path";
import type { KeptLocation } from "../../data-dir/applications-file.js";
import { usageError } from "../../domain/error.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { isSensitiveKey } from "../../lib/redact/sensitive-key.js";
import { keptDatabase } from "../sql/location.js";

/** What is read, as it was given or kept. */
export interface SyncRequest {
  kind: string;
  /** As a source takes it. */
  location: string;
  /** The program to be read in place of a location, and the folder it runs in. */
  program?: { command: readonly string[]; folder: string } | undefined;
  /** As --header takes them. */
  headers: readonly string[];
  /** What --base-url gives now, and what it gave at an earlier sync: config.json stands between them. */
  baseUrl: string | undefined;
  keptBaseUrl?: string | undefined;
  allowExternal: boolean;
}

/** The kind of description whose location is that of the application itself. */
const DATABASES = "sql";

/** Names of query parameters that sign in, beside those that are sensitive anywhere. */
const SIGNS_IN =
  /^(key|sig|auth|sas|hmac|code|ticket|session|sid|pw|pwd|user|login)$|token|secret|passw|credential|signature|(api|access|subscription)[-_.]?key/i;
/** A random text: longer than a word or a version, of letters and digits, or an UUID. */
const RANDOM = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;

const isAddress = (location: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(location);

/** What of an address signs in, in words; nothing of a location that is none. */
export const secretsOfAddress = (location: string): string[] =>
  isAddress(location) && URL.canParse(location) ? withoutSecrets(location).withheld : [];

/** An address without what signs in, and what that was. */
function withoutSecrets(address: string): { location: string; withheld: string[] } {
  const url = new URL(address);
  const withheld: string[] = [];
  if (url.username || url.password) withheld.push("user and password");
  url.username = "";
  url.password = "";
  // It is never sent.
  url.hash = "";
  for (const [name, value] of [...url.searchParams]) {
    const isRandomName = RANDOM.test(name);
    if (!isSensitiveKey(name) && !SIGNS_IN.test(name) && !isRandomName && !RANDOM.test(value)) continue;
    url.searchParams.delete(name);
    withheld.push(isRandomName ? "query" : `query parameter ${name}`);
  }
  return { location: url.href, withheld: [...new Set(withheld)] };
}

/** "Name: value" with its name in lower case, and the reference that the value is; null for a value. */
function keptHeader(text: string): [name: string, reference: string | null] {
  const [, name = "", value = ""] = /^([^:]*?)\s*:\s*([\s\S]*?)\s*$/.exec(text) ?? [];
  const file = /^file:(.*)$/s.exec(value)?.[1];
  const reference = file === undefined ? value : `file:${resolve(file)}`;
  return [name.toLowerCase(), /^(env|file):/.test(value) ? reference : null];
}

/** What is kept of a sync. `redact` knows the secrets in use. */
export function toKept(request: SyncRequest, redact: Redactor): KeptLocation {
  const { kind, location, program, headers, baseUrl = request.keptBaseUrl, allowExternal } = request;
  const kept: KeptLocation = { kind, location };
  if (program) {
    const { command, folder } = program;
    return { kind, location: shownCommand(command), command: [...command], folder };
  }
  if (location === "-") kept.withheld = ["standard input"];
  // It is what calls go to: a reference stays one, and an address with a secret was refused.
  else if (kind === DATABASES) kept.location = keptDatabase(location);
  else if (isAddress(location)) Object.assign(kept, withoutSecrets(location));
  else kept.location = resolve(location);
  if (kind !== DATABASES && redact.text(kept.location) !== kept.location)
    Object.assign(kept, { location: redact.text(kept.location), withheld: ["a secret of config.json"] });
  if (kept.withheld?.length === 0) delete kept.withheld;
  if (headers.length > 0) kept.headers = Object.fromEntries(headers.map(keptHeader));
  if (baseUrl !== undefined) kept.base_url = baseUrl;
  if (allowExternal) kept.allow_external = true;
  return kept;
}

/** A command as a person writes it. */
const shownCommand = (command: readonly string[]): string =>
  command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");

/** What was not kept, in words: "query parameter token of the address", "the value of the header authorization". */
export function withheldFrom({ withheld = [], headers = {} }: KeptLocation): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => (value === null ? [name] : []));
  return [...withheld.map((what) => `its ${what}`), ...values.map((name) => `the value of its header ${name}`)];
}

/**
 * What is to be read again; what is given now wins. Throws StartError saying what has to be given again, as `again`, the
 * command with a location.
 */
export function fromKept(
  kept: KeptLocation,
  given: Pick<SyncRequest, "headers" | "baseUrl" | "allowExternal">,
  again: string,
): SyncRequest {
  const names = new Set(given.headers.map((text) => keptHeader(text)[0]));
  const missing = Object.entries(kept.headers ?? {}).find(([name, value]) => value === null && !names.has(name));
  if (kept.withheld?.includes("standard input"))
    throw usageError(
      `the description came from standard input, or was uploaded, the last time. Give its location: ${again}`,
    );
  if (kept.withheld)
    throw usageError(
      `the last location was ${kept.location} with a secret, which is not kept (${kept.withheld.join(", ")}). Give all of it again: ${again}`,
    );
  if (missing)
    throw usageError(
      `the last sync had the header ${missing[0]}, whose value is not kept. Give it again, with --header "${missing[0]}: env:NAME" it is kept.`,
    );
  const { command, folder = process.cwd() } = kept;
  const headers = Object.entries(kept.headers ?? {}).flatMap(([name, value]) =>
    names.has(name) ? [] : [`${name}: ${value}`],
  );
  return {
    kind: kept.kind,
    location: kept.location,
    program: command && { command, folder },
    headers: [...headers, ...given.headers],
    baseUrl: given.baseUrl,
    keptBaseUrl: kept.base_url,
    allowExternal: given.allowExternal || kept.allow_external === true,
  };
}
