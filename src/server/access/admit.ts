// Which requests are admitted: one pure decision over a request's address and headers, the same for plain requests and
// upgrades. Order: address, Host, Origin and Sec-Fetch-Site, token. Knows nothing of sockets, bodies or routes beyond their names.
// Source: docs/reference.md, "Authentication and origin".
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIPv6 } from "node:net";
import { parseCookie } from "cookie";
import { AppError, StartError } from "../../domain/error.js";
import { tokenFault } from "../../domain/token.js";
import { isLoopback } from "../../lib/loopback.js";

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
  /** SHA-256 of the token; undefined when none is needed. */
  token: Buffer | undefined;
  /** Whether Host must be a loopback name or one of `allowedHosts`: against DNS rebinding. */
  checkHost: boolean;
  /** Lower case, with or without a port. */
  allowedHosts: ReadonlySet<string>;
  /** Value of the cookie that admits to the web UI's files, and to nothing else. Reveals nothing of the token. */
  cookie: string;
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

/** RFC 9110 section 7.2: a name or address, maybe a port. URL parsers are too forgiving to decide this. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/;
const LONGEST_HOST = 262;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** What to admit, from how the daemon was started. Throws StartError on an unusable token. */
export function createAccessRules(options: {
  token?: string;
  /** The address the daemon binds. */
  host: string;
  allowedHosts?: readonly string[];
}): AccessRules {
  const { token, host, allowedHosts = [] } = options;
  const fault = token === undefined ? undefined : tokenFault(token);
  if (fault !== undefined) throw new StartError(`The token ${fault}`, { exitCode: 2 });
  return {
    token: token === undefined ? undefined : digest(token),
    checkHost: token === undefined && (isLoopback(host) || allowedHosts.length > 0),
    allowedHosts: new Set(allowedHosts.map((allowed) => allowed.toLowerCase())),
    cookie: randomBytes(24).toString("base64url"),
  };
}

/**
 * Puts other rules in force for everything that holds `rules`. Returns whether the token is another one; browsers that signed in
 * with the same one stay signed in.
 */
export function replaceRules(rules: AccessRules, next: AccessRules): boolean {
  const isSame = rules.token === undefined ? next.token === undefined : next.token?.equals(rules.token) === true;
  Object.assign(rules, next, isSame && { cookie: rules.cookie });
  return !isSame;
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
 * A page is admitted when its origin is the host it reached us by: X-Forwarded-Host where a proxy set it, else Host. That
 * header only says what Origin must be; it never replaces the check of Host, because a rebound page may send it too.
 */
function refuseOrigin(head: RequestHead, path: string): AppError | undefined {
  const { headers } = head;
  const forwarded = headers["x-forwarded-host"];
  const reached = forwarded === undefined ? headers.host : parseHost(String(forwarded))?.whole;
  if (reached === undefined) return new AppError("origin_refused", "X-Forwarded-Host must name exactly one host.");
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

/** Whether the cookie of a signed-in page is there; another page of the same host may have set one of its name beside it. */
function hasCookie(head: RequestHead, value: string): boolean {
  return (head.headers.cookie ?? "").split(";").some((one) => {
    const given = parseCookie(one)[cookieName(head)];
    return given !== undefined && timingSafeEqual(digest(given), digest(value));
  });
}

function refuseToken(head: RequestHead, rules: AccessRules, upgrade: boolean): AppError | undefined {
  const { token } = rules;
  const path = pathOf(head.url ?? "");
  if (token === undefined || OPEN_PATHS.has(path)) return undefined;
  if (candidates(head, upgrade).some((candidate) => timingSafeEqual(digest(candidate), token))) return undefined;
  const forUi = (head.method === "GET" || head.method === "HEAD") && !isApiPath(path) && !upgrade;
  if (forUi && hasCookie(head, rules.cookie)) return undefined;
  const alternative = upgrade ? " or ?token=<token>" : "";
  return new AppError("unauthorized", `This daemon needs its token: send Authorization: Bearer <token>${alternative}.`);
}

/** Undefined when the request is admitted, else why not. Never throws, whatever the headers hold. */
export function admit(head: RequestHead, rules: AccessRules, upgrade: boolean): AppError | undefined {
  const url = head.url ?? "";
  if (!(url.startsWith("/") || url === "*") || url.includes("#"))
    return new AppError("bad_request", "The request target must be a path, without a fragment.");
  const path = pathOf(url);
  return refuseHost(head, rules) ?? refuseOrigin(head, path) ?? refuseToken(head, rules, upgrade);
}
