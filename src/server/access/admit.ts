// Which requests are admitted: one pure decision over a request's address and headers, the same for plain requests and
// upgrades. Order: address, Host, Origin and Sec-Fetch-Site, token. Knows nothing of sockets, bodies or routes beyond their names.
// Source: docs/reference.md, "Authentication and origin".
import type { IncomingHttpHeaders } from "node:http";
import { isIPv6 } from "node:net";
import { parseCookie } from "cookie";
import { type Caller, LOCAL_CALLER } from "../../domain/caller.js";
import { AppError } from "../../domain/error.js";
import { isLoopback } from "../../lib/loopback.js";
import { cookieAmong, type KnownToken, keepKnown, knownTokens, type TokenOptions, tokenAmong } from "./tokens.js";

/** The part of a request the decision is made on; IncomingMessage has all of it. */
interface RequestHead {
  method?: string;
  url?: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  socket?: { localPort?: number };
}

/** What a daemon admits. Made once by `createAccessRules`. */
export interface AccessRules {
  /** None when none is needed. */
  tokens: readonly KnownToken[];
  /** Whether Host must be a loopback name or one of `allowedHosts`: against DNS rebinding. */
  checkHost: boolean;
  /** Lower case, with or without a port. */
  allowedHosts: ReadonlySet<string>;
  /** Other origins whose pages may use the interface, lower case. */
  allowedOrigins: ReadonlySet<string>;
}

/** Paths that need no token: they answer nothing but ok. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/-/healthz", "/-/readyz"]);
/** The paths of the interface that are not under `/-/`. */
export const API_PATHS: ReadonlySet<string> = new Set([
  "/schema",
  "/tools",
  "/config/public",
  "/history",
  "/run",
  "/chat",
]);

/** Sets the cookie of the web UI's own pages. */
export const SIGN_IN_PATH = "/-/signin";

/** RFC 9110 section 7.2: a name or address, maybe a port. URL parsers are too forgiving to decide this. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/;
const LONGEST_HOST = 262;

/** What to admit, from how the daemon was started. Throws StartError on an unusable token. */
export function createAccessRules(
  options: TokenOptions & {
    /** The address the daemon binds. */
    host: string;
    allowedHosts?: readonly string[];
    allowedOrigins?: readonly string[];
  },
): AccessRules {
  const { host, allowedHosts = [], allowedOrigins = [] } = options;
  const tokens = knownTokens(options);
  return {
    tokens,
    checkHost: tokens.length === 0 && (isLoopback(host) || allowedHosts.length > 0),
    allowedHosts: new Set(allowedHosts.map((allowed) => allowed.toLowerCase())),
    allowedOrigins: new Set(allowedOrigins),
  };
}

/**
 * Puts other rules in force for everything that holds `rules`. Returns which callers are not admitted any more: those of a token that
 * is not valid now, those without one where one is needed, and all of them when an origin is gone. Browsers that signed in with a
 * token that stays are still signed in.
 */
export function replaceRules(rules: AccessRules, next: AccessRules): (caller: Caller) => boolean {
  const tokens = keepKnown(rules.tokens, next.tokens);
  const isOriginGone = [...rules.allowedOrigins].some((origin) => !next.allowedOrigins.has(origin));
  const admitted: ReadonlySet<Caller> = new Set(tokens.length === 0 ? [LOCAL_CALLER] : tokens);
  Object.assign(rules, next, { tokens });
  return (caller) => isOriginGone || !admitted.has(caller);
}

/** The path of a request's target, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** Whether a path belongs to the interface; everything else is the web UI. */
export function isApiPath(path: string): boolean {
  return API_PATHS.has(path) || path.startsWith("/-/");
}

/** Lower-cased `name[:port]`, or undefined when it is not one host. */
function parseHost(value: string | undefined): { name: string; whole: string } | undefined {
  if (value === undefined || value.length > LONGEST_HOST) return undefined;
  const whole = value.toLowerCase();
  if (isIPv6(whole)) return { name: whole, whole };
  const match = HOST.exec(whole);
  const [, name, port] = match ?? [];
  if (name === undefined || Number(port ?? 0) > 65535) return undefined;
  if (name.startsWith("[") && !isIPv6(name.slice(1, -1))) return undefined;
  return { name, whole };
}

function sentTwice(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw?.length === name.length && raw.toLowerCase() === name) seen++;
  }
  return seen > 1;
}

function refuseHost(head: RequestHead, rules: AccessRules): AppError | undefined {
  if (head.headers.host === undefined) return new AppError("bad_request", "The request has no Host header.");
  const host = sentTwice(head.rawHeaders, "host") ? undefined : parseHost(head.headers.host);
  if (!host) return new AppError("host_refused", "The Host header must name one host, once.");
  if (!rules.checkHost || isLoopback(host.name)) return undefined;
  if (rules.allowedHosts.has(host.whole) || rules.allowedHosts.has(host.name)) return undefined;
  return new AppError(
    "host_refused",
    `Without a token this daemon answers only to localhost, not to ${host.whole}. Start it with --allowed-host ${host.name} or with --token.`,
  );
}

/** Whether an Origin header, byte for byte the origin of a web page, names this host. */
function namesHost(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin !== origin.toLowerCase()) return false;
  const own = `${url.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === url.host;
}

/**
 * The Origin of a request to the interface when it is one of the listed ones, byte for byte. The files of the web UI and the
 * sign-in, whose cookie is for them, are for the daemon's own pages only.
 */
export function listedOrigin({ headers: { origin }, url = "" }: RequestHead, rules: AccessRules): string | undefined {
  const path = pathOf(url);
  const isForOthers = isApiPath(path) && path !== SIGN_IN_PATH;
  return origin !== undefined && isForOthers && rules.allowedOrigins.has(origin) ? origin : undefined;
}

/**
 * A page is admitted when its origin is the host it reached us by: X-Forwarded-Host where a proxy set it, else Host. That
 * header only says what Origin must be; it never replaces the check of Host, because a rebound page may send it too.
 */
function refuseOrigin(head: RequestHead, path: string, rules: AccessRules): AppError | undefined {
  const { headers } = head;
  const forwarded = headers["x-forwarded-host"];
  const reached = forwarded === undefined ? headers.host : parseHost(String(forwarded))?.whole;
  if (reached === undefined)
    return new AppError(
      "origin_refused",
      "X-Forwarded-Host must name exactly one host, that of the browser's address. Of several proxies the outermost one sets it, and the others pass it on as it is.",
    );
  if (listedOrigin(head, rules) !== undefined) return undefined;
  if (headers.origin !== undefined && !namesHost(headers.origin, reached))
    return new AppError("origin_refused", "Pages of another origin may not use this daemon.");
  const site = headers["sec-fetch-site"];
  // What it may say, and not what it may not: a word that is not known here, or two of them, are another site's.
  if (site !== undefined && site !== "same-origin" && site !== "none" && isApiPath(path))
    return new AppError("origin_refused", "Pages of another site may not use this daemon.");
  return undefined;
}

/** Every token the request may carry; the query counts on upgrades only. */
function candidates(head: RequestHead, upgrade: boolean): string[] {
  const { authorization, "x-service-token": service } = head.headers;
  const found: string[] = [];
  if (authorization !== undefined) found.push(authorization.replace(/^bearer +/i, ""));
  if (typeof service === "string") found.push(service);
  const query = upgrade ? queryOf(head.url ?? "").getAll("token") : [];
  if (query.length === 1 && query[0] !== undefined) found.push(query[0]);
  return found;
}

/** The query of a request's target. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

/** The cookie's name. Cookies ignore ports: without it two daemons on one machine would sign each other out. */
export function cookieName(head: RequestHead): string {
  return `agentd_ui_${head.socket?.localPort ?? 0}`;
}

/** The values of the cookie of a signed-in page; another page of the same host may have set one of its name beside it. */
function cookiesOf(head: RequestHead): string[] {
  return (head.headers.cookie ?? "").split(";").flatMap((one) => parseCookie(one)[cookieName(head)] ?? []);
}

/** Who makes the request; undefined for nobody who may. */
function callerBy(head: RequestHead, { tokens }: AccessRules, upgrade: boolean): Caller | undefined {
  const path = pathOf(head.url ?? "");
  if (tokens.length === 0 || OPEN_PATHS.has(path)) return LOCAL_CALLER;
  const known = tokenAmong(tokens, candidates(head, upgrade));
  const forUi = (head.method === "GET" || head.method === "HEAD") && !isApiPath(path) && !upgrade;
  return known ?? (forUi ? cookieAmong(tokens, cookiesOf(head)) : undefined);
}

/** What a request is, beside its head. */
interface Asked {
  upgrade?: boolean;
  /** It asks only whether a listed page may send another, and carries no token. */
  preflight?: boolean;
}

/** Who makes the request, or why it is not admitted. Never throws, whatever the headers hold. */
export function admit(head: RequestHead, rules: AccessRules, asked: Asked = {}): Caller | AppError {
  const { upgrade = false, preflight = false } = asked;
  const url = head.url ?? "";
  if (!(url.startsWith("/") || url === "*") || url.includes("#"))
    return new AppError("bad_request", "The request target must be a path, without a fragment.");
  const refused = refuseHost(head, rules) ?? refuseOrigin(head, pathOf(url), rules);
  if (refused) return refused;
  // It goes no further than here.
  if (preflight) return LOCAL_CALLER;
  const alternative = upgrade ? " or ?token=<token>" : "";
  return (
    callerBy(head, rules, upgrade) ??
    new AppError("unauthorized", `This daemon needs its token: send Authorization: Bearer <token>${alternative}.`)
  );
}
