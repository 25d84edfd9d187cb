// What every part of a load of the configuration works on, and the checks they share.
import { StartError } from "../domain/error.js";
import type { ConfigFile } from "./file.js";
import type { Layers } from "./layers.js";
import type { SecretReader } from "./secret.js";

/** What the command line can set; absent means "not given". */
export interface Flags {
  host?: string | undefined;
  port?: number | undefined;
  token?: string | undefined;
  tokenFile?: string | undefined;
  allowedHosts?: string[] | undefined;
  insecureNoToken?: boolean | undefined;
  /** Seconds. */
  grace?: number | undefined;
  readOnly?: boolean | undefined;
  dryRun?: boolean | undefined;
  strict?: boolean | undefined;
  confirm?: boolean | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  /** A path, relative to the working directory. */
  schema?: string | undefined;
  baseUrl?: string | undefined;
}

/** One load of the configuration. */
export interface Load {
  flags: Flags;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  file: ConfigFile;
  layers: Layers;
  secrets: SecretReader;
  lenient: boolean;
}

/** An address, readable or not, with what stands before its host left out. */
function withoutUser(address: string): string {
  return address.replace(/^([^/?#]*\/\/)?[^/?#]*@/, "$1");
}

/** An http(s) address without credentials and trailing slash. Throws StartError naming where it stands. */
export function checkUrl(address: string, place: string, exitCode: 1 | 2 = 1): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new StartError(`${place}: "${withoutUser(address)}" is not an http or https address.`, { exitCode });
  if (url.username || url.password)
    throw new StartError(
      `${place}: the address holds a user name or password, which would be shown wherever the address is. Take them out and write them into ${place.startsWith("providers.") ? "headers" : "target.auth (or target.headers)"}.`,
      { exitCode },
    );
  if (url.search || url.hash)
    throw new StartError(`${place}: the address must end before its "?" or "#".`, { exitCode });
  return address.replace(/\/+$/, "");
}

/** Checked HTTP headers, secrets resolved. */
export function readHeaders(secrets: SecretReader, place: string, entries: Record<string, string> = {}) {
  const headers: Record<string, string> = {};
  for (const [name, reference] of Object.entries(entries)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new StartError(`${place}: "${name}" is not a header name.`);
    const value = secrets.readHeader(`${place}.${name}`, name, reference);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/** Credentials by name, resolved. */
export function readSecrets(secrets: SecretReader, place: string, entries: Record<string, string> = {}) {
  const values: Record<string, string> = {};
  for (const [name, reference] of Object.entries(entries)) {
    const value = secrets.read(`${place}.${name}`, reference);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
