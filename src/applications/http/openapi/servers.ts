// Where the target is: the description's servers with their variables filled in, relative ones read from where the
// description was read from.
// Source: OpenAPI 3.1, Server Object.
import { usageError } from "../../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../../../lib/json.js";
import { isLoopback } from "../../../lib/loopback.js";
import { withoutTrailing } from "../../../lib/trailing.js";
import { spelled, textOf } from "./read.js";

/** Characters of an address; more than servers take in a request. A longer one is none. */
const MAX_ADDRESS = 8_000;

/** The url with its variables' defaults; undefined when one has none. */
function filled(server: JsonValue): string | undefined {
  if (!isObject(server)) return undefined;
  const url = textOf(server["url"]);
  if (url === undefined || url.length > MAX_ADDRESS) return undefined;
  let complete = true;
  const text = url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = objectOf(objectOf(server["variables"])[name]);
    const value = variable["default"] ?? listOf(variable["enum"])[0];
    if (value === undefined || isObject(value) || value === null) complete = false;
    return spelled(value);
  });
  return complete && text.length <= MAX_ADDRESS ? text : undefined;
}

function clean(url: URL): string {
  return withoutTrailing(url.origin + url.pathname, "/");
}

/** "//host/path" of a file has no scheme to take over: programs under development, on this machine, have no certificate. */
function schemeOf(text: string): "http" | "https" {
  const host = /^\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(text)?.[1];
  return host === undefined || isLoopback(host) || host === "0.0.0.0" ? "http" : "https";
}

/**
 * The first server that can be reached over http(s), without a trailing slash: absolute, or beginning with "/" (or "")
 * when the description is a file and names no host. Undefined when there is none.
 */
export function pickServer(servers: JsonValue | undefined, from: URL): string | undefined {
  const file = from.protocol === "file:";
  for (const server of listOf(servers)) {
    const text = filled(server)?.trim();
    if (text === undefined) continue;
    const base = file ? `${schemeOf(text)}://unknown.invalid` : from.href;
    if (!URL.canParse(text, base)) continue;
    const url = new URL(text, base);
    if (url.protocol !== "http:" && url.protocol !== "https:") continue;
    return url.hostname === "unknown.invalid" ? withoutTrailing(url.pathname, "/") : clean(url);
  }
  return undefined;
}

/** The servers that calls go to: those of the description, or, when it names none, those that all its paths name alike. */
export function serversOf(root: JsonObject): JsonValue {
  const own = listOf(root["servers"]);
  if (own.length > 0) return own;
  const paths = Object.entries(objectOf(root["paths"])).filter(([path]) => path.startsWith("/"));
  const named = new Set(paths.map(([, item]) => toJson(listOf(objectOf(item)["servers"]))));
  const [first = []] = paths.map(([, item]) => listOf(objectOf(item)["servers"]));
  return named.size === 1 && first.length > 0 ? first : [{ url: "/" }];
}

/** Checks a base address given by the operator. Throws StartError. */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`${text} is not an http(s) address; give one like http://127.0.0.1:8000/api.`);
  return clean(url);
}

/**
 * What an operation's own server is to the document's: undefined when the same, a path when only the path differs (it
 * then moves along with the base address), otherwise absolute.
 */
export function relativeTo(server: string | undefined, documentServer: string | undefined): string | undefined {
  if (server === undefined || server === documentServer) return undefined;
  if (!/^https?:/.test(server)) return server === "" ? "/" : server;
  const url = new URL(server);
  const same =
    documentServer !== undefined && /^https?:/.test(documentServer) && new URL(documentServer).origin === url.origin;
  return same ? url.pathname : server;
}
