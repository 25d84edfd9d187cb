// Records of secrets in the configuration: headers and credentials by name, each value resolved.
import { StartError } from "../domain/error.js";
import type { Found, Sources } from "./setting.js";

type Entries = Found<Record<string, string>>;

/** HTTP headers with their secrets resolved. Throws StartError for a name that is none. */
export function readHeaders({ value: entries, place }: Entries, { secrets }: Sources): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, reference] of Object.entries(entries)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new StartError(`${place}: "${name}" is not a header name.`);
    const value = secrets.readHeader(`${place}.${name}`, name, reference);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
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
