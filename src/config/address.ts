// Addresses in the configuration: of an API, and to listen on.
import { isIP } from "node:net";
import { StartError } from "../domain/error.js";
import { withoutTrailing } from "../lib/trailing.js";
import type { Found } from "./setting.js";

const exitCodeOf = ({ origin }: Found<unknown>): 1 | 2 => (origin === "flag" ? 2 : 1);

/** An address, readable or not, with what stands before its host left out. */
function withoutUser(address: string): string {
  return address.replace(/^([^/?#]*\/\/)?[^/?#]*@/, "$1");
}

/** An http(s) address without credentials and trailing slash. Throws StartError naming where it stands. */
export function checkUrl(found: Found<string>): string {
  const { value: address, place } = found;
  const refusal = (reason: string): StartError =>
    new StartError(`${place}: ${reason}`, { exitCode: exitCodeOf(found) });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw refusal(`"${withoutUser(address)}" is not an http or https address.`);
  const [, owner] = /^(.+\.)base_url$/.exec(place) ?? [];
  const inFile = owner?.startsWith("providers.") ? "headers" : `${owner}auth (or ${owner}headers)`;
  // A flag does not say whose address it is: agentd sync has it for every application.
  const keptIn = owner === undefined ? "auth (or headers) of the application in config.json" : inFile;
  if (url.username || url.password)
    throw refusal(
      `the address holds a user name or password, which would be shown wherever the address is. Take them out and write them into ${keptIn}.`,
    );
  if (url.search || url.hash) throw refusal(`the address must end before its "?" or "#".`);
  return withoutTrailing(address, "/");
}

/** Whether it looks like an IP address and is none; other names are for the resolver. */
const isBadAddress = (host: string): boolean => /^[\d.]+$|:/.test(host) && isIP(host.replace(/^\[(.*)\]$/, "$1")) === 0;

/** A host to listen on. Throws StartError for an empty one: Node would take it for every address of this machine. */
export function checkHost(found: Found<string>): string {
  const { value: host, origin } = found;
  const problem =
    host.trim() === "" ? "is empty" : isBadAddress(host) ? `is "${host}", which is no address` : undefined;
  if (problem === undefined) return host;
  const place = origin === "config.json" ? "host in config.json" : found.place;
  throw new StartError(`${place} ${problem}. Give an address such as 127.0.0.1, or leave it out.`, {
    exitCode: exitCodeOf(found),
  });
}

/** Why an origin cannot be listed; undefined for one that can. Each is one page's, byte for byte as its browser sends it. */
function originFault(origin: string): string | undefined {
  if (origin.includes("*")) return "names more than one; list each by itself";
  if (origin === "null") return "is every page that has no origin of its own";
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return "is not an origin";
  const own = new URL(origin).origin;
  return own === origin.toLowerCase() ? undefined : `is more or other than an origin; did you mean ${own}?`;
}

/** Origins of pages, in lower case as browsers write them. Throws StartError naming one that is none. */
export function checkOrigins(found: Found<string[]>): string[] {
  for (const origin of found.value) {
    const fault = originFault(origin);
    if (fault === undefined) continue;
    throw new StartError(
      `${found.place}: "${withoutUser(origin)}" ${fault}. Write scheme, host and port, such as https://shop.example or http://localhost:5173.`,
      { exitCode: exitCodeOf(found) },
    );
  }
  return found.value.map((origin) => origin.toLowerCase());
}
