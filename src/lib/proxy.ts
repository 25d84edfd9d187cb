// Which proxy a request goes through, from the usual variables: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case.
// Our own matching, because that of the HTTP library can exempt no range of addresses: what is on this machine never goes
// through a proxy, whatever NO_PROXY says. Knows no connections. Source: docs/reference.md, "Proxies and certificates".
import { BlockList, isIP } from "node:net";
import { isLoopback } from "./loopback.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that a variable names. */
export interface ProxyServer {
  variable: string;
  /** Its origin, without the user and password it may have: the only form that may be displayed. */
  origin: string;
  /** What it is sent as Proxy-Authorization; undefined without a user. */
  authorization: string | undefined;
}

/** No connection by way of the proxy; the message names it, and never its user or password. */
export class ProxyError extends Error {
  readonly code = "ERR_PROXY";
}

const VARIABLES = { "https:": ["https_proxy", "all_proxy"], "http:": ["http_proxy", "all_proxy"] } as const;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

/** A variable by its lower-case name or, where that is not set, in capitals: as most programs read them. */
function lookUp(env: Environment, name: string): { variable: string; value: string } | undefined {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

/** Reads the value of a variable. Throws ProxyError that does not repeat it: it may hold a password. */
function parseProxy(variable: string, value: string): ProxyServer {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname || !/^https?:$/.test(url.protocol))
    throw new ProxyError(`${variable} is not the address of an http or https proxy, such as http://proxy.example:3128`);
  try {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const authorization = url.username ? `Basic ${Buffer.from(pair).toString("base64")}` : undefined;
    return { variable, origin: url.origin, authorization };
  } catch (cause) {
    throw new ProxyError(`the user or password in ${variable} is not valid percent-encoding`, { cause });
  }
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** 0.0.0.0 and :: lead to this machine, too; an IPv4 address is found in its IPv6 form. */
const OWN_ADDRESSES = new BlockList();
OWN_ADDRESSES.addSubnet("127.0.0.0", 8, "ipv4");
OWN_ADDRESSES.addAddress("0.0.0.0", "ipv4");
OWN_ADDRESSES.addAddress("::", "ipv6");

function isThisMachine(host: string): boolean {
  if (isLoopback(host) || host.endsWith(".localhost")) return true;
  const family = isIP(host);
  return family !== 0 && OWN_ADDRESSES.check(host, family === 4 ? "ipv4" : "ipv6");
}

/** Whether an address is in a range such as 10.0.0.0/8. */
function isInRange(host: string, range: string): boolean {
  const [, network = "", prefix = ""] = /^(.+)\/(\d{1,3})$/.exec(range) ?? [];
  const [family, own] = [isIP(network), isIP(host)];
  if (family === 0 || own !== family || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), type);
  return list.check(host, type);
}

/** Whether an entry of NO_PROXY fits: `*`, a name with all below it, `.name`, an address or a range, each but the last with a port. */
function isExempt(entry: string, host: string, port: string): boolean {
  if (entry === "*" || isInRange(host, entry)) return true;
  const [, named = entry, ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (ownPort !== undefined && ownPort !== port) return false;
  const name = withoutBrackets(named.replace(/^\*?\./, "")).replace(/\.$/, "");
  return name !== "" && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)));
}

/** The proxy for requests to an origin; undefined when they go there directly. Throws ProxyError for a variable that cannot be used. */
export function proxyFor(origin: string, env: Environment = process.env): ProxyServer | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const names = protocol === "https:" || protocol === "http:" ? VARIABLES[protocol] : [];
  const found = names.map((name) => lookUp(env, name)).find((one) => one !== undefined);
  const host = withoutBrackets(hostname).replace(/\.$/, "");
  if (!found || isThisMachine(host)) return undefined;
  const entries = (lookUp(env, "no_proxy")?.value ?? "").toLowerCase().split(/[,\s]+/);
  const isDirect = entries.some((entry) => isExempt(entry, host, port || (DEFAULT_PORTS[protocol] ?? "")));
  return isDirect ? undefined : parseProxy(found.variable, found.value);
}

/** What a person should know at the start, a sentence for each variable: the proxy by its origin, or why it cannot be used. */
export function proxyNotes(env: Environment = process.env): { usable: string[]; broken: string[] } {
  const notes = { usable: [] as string[], broken: [] as string[] };
  for (const name of ["https_proxy", "http_proxy", "all_proxy"]) {
    const found = lookUp(env, name);
    if (!found) continue;
    try {
      const { origin, variable } = parseProxy(found.variable, found.value);
      notes.usable.push(
        `requests go through the proxy ${origin} (${variable}), except to this machine and what NO_PROXY names`,
      );
    } catch (error) {
      notes.broken.push(`${(error as Error).message}; requests it is meant for fail until it is corrected or unset`);
    }
  }
  return notes;
}
