// The HTTP interface: every route in order, without a listening socket. First the WebSocket route, then what every request
// goes through (log, headers, admission), then the routes, then the web UI; whatever is thrown becomes an error answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Agent } from "../domain/agent.js";
import { readOnlyRefusal } from "../domain/caller.js";
import type { Connector } from "../domain/connector.js";
import { AppError, messageOf } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { LoggedError } from "../lib/last-error.js";
import type { Log } from "../lib/log.js";
import { packageRoot } from "../lib/package.js";
import {
  type AccessRules,
  admit,
  createAccessRules,
  isApiPath,
  listedOrigin,
  pathOf,
  queryOf,
  replaceRules,
} from "./access/admit.js";
import { callerOf, setCaller } from "./access/caller.js";
import { allowReading, answerPreflight, isPreflight } from "./access/cross-origin.js";
import { createSignInPage, wantsPage } from "./access/sign-in.js";
import type { TokenOptions } from "./access/tokens.js";
import { createExchangeClasses, type ExchangeClasses } from "./exchange.js";
import { createMcpRoutes, MCP_PATH } from "./mcp/route.js";
import { createMetrics } from "./metrics/metrics.js";
import { createAnswerLog, createRequestLog } from "./metrics/request-log.js";
import { isOpenAiPath, toOpenAiBody } from "./openai/errors.js";
import { type BasePath, createBasePath } from "./request/base-path.js";
import { refuseModeHeaders } from "./request/mode-headers.js";
import { parseQuery } from "./request/query.js";
import type { StreamTimes } from "./response/event-stream.js";
import { SECURITY_HEADERS } from "./response/headers.js";
import { sendError, toAppError } from "./response/respond.js";
import type { Route } from "./route.js";
import { createRoutes } from "./routes.js";
import { createReaders } from "./run/readers.js";
import { createUi, withoutSlash } from "./ui.js";
import { createUpgradeHandler, type UpgradeHandler } from "./websocket/upgrade.js";

/** How a daemon's HTTP interface is set up. */
export interface AppOptions extends StreamTimes, TokenOptions {
  /** The address that will be bound; decides whether Host is checked. */
  host: string;
  /** Names this daemon may be reached by besides loopback ones. */
  allowedHosts?: readonly string[];
  /** Other origins whose pages may use the interface: as browsers write them, in lower case. */
  allowedOrigins?: readonly string[];
  /** What stands before every path, such as `/agent`; "" by default. */
  basePath?: string;
  /** The folder of the built web UI; the package's own by default. */
  staticDir?: string;
  log: Log;
  /** Takes known secrets out of the text of an unexpected error. */
  redact?: (text: string) => string;
  /** The newest error in the log, for /-/status. */
  lastError?: () => LoggedError | undefined;
  /** Connects applications; without it the routes that do refuse. */
  connector?: Connector;
  maxSockets?: number;
  /** Milliseconds between two pings on /chat. */
  pingMs?: number;
}

/** The interface, ready to be served. */
export interface App {
  /** What the requests and responses of its server are made of; it answers others, too. */
  classes: ExchangeClasses;
  /** Answers one request; never throws. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  upgrades: UpgradeHandler;
  /** Puts other tokens, host names and origins in force. Throws StartError on an unusable token. */
  reload(options: Pick<AppOptions, "token" | "tokens" | "allowedHosts" | "allowedOrigins">): void;
  /** From now on everything is answered 503. */
  drain(): void;
  /** Ends what waits for things to come; the agent is drained. */
  close(): void;
}

type Middleware = (req: Request, res: Response, next: NextFunction) => void | Promise<void>;

/** What admission is decided by. */
interface AdmissionContext {
  rules: AccessRules;
  isDraining(): boolean;
  basePath: BasePath;
  base: string;
  staticDir: string;
}

/** What every request passes before any route, in the order that decides which refusal wins. */
function createAdmission({ rules, isDraining, basePath, ...page }: AdmissionContext): Middleware {
  const sendSignIn = createSignInPage(page.staticDir, page.base);
  return (req, res, next) => {
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
    if (isDraining()) throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.");
    const origin = listedOrigin(req, rules);
    const preflight = origin !== undefined && isPreflight(req);
    const admitted = admit(req, rules, { preflight });
    const refused = admitted instanceof AppError ? admitted : undefined;
    // Not before Host was checked: a rebound page may call itself what it likes.
    if (origin !== undefined && refused?.code !== "host_refused") allowReading(res, origin);
    if (basePath.isOutside(req)) throw refused ?? basePath.refusal();
    if (refused?.code === "unauthorized" && wantsPage(req)) return sendSignIn(req, res, refused);
    if (admitted instanceof AppError) throw admitted;
    if (preflight) return answerPreflight(req, res);
    setCaller(req, admitted);
    return next();
  };
}

/** The one place that decides what a read-only token may use; the table of routes says what. */
function refuseReadOnly(req: Request, { method, path, forReadOnly }: Route): void {
  const caller = callerOf(req);
  if (caller.readOnly && method !== "get" && !forReadOnly)
    throw readOnlyRefusal(caller, `use ${method.toUpperCase()} ${path}`);
}

/** What changes something reads no query, and its modes where they stand: a mode elsewhere would leave a call unprotected. */
function refuseUnread(req: Request, { method, path }: Route): void {
  // Clients of that format send what means nothing here.
  if (method === "get" || isOpenAiPath(path)) return;
  parseQuery("none", queryOf(req.url));
  if (path !== MCP_PATH) refuseModeHeaders(req.headers);
}

function addRoutes(app: Express, routes: readonly Route[]): void {
  const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
  for (const route of routes)
    app[route.method](expressPath(route.path), (req, res) => {
      refuseReadOnly(req, route);
      refuseUnread(req, route);
      return route.handle(req, res);
    });
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.all(expressPath(path), (req, res) => {
      res.setHeader("Allow", allow);
      throw new AppError("method_not_allowed", `${path} does not take ${req.method}; it takes ${allow}.`);
    });
  }
  app.use((req, _res, next) => {
    const path = pathOf(req.url);
    if (!isApiPath(path)) return next();
    const suggestion = didYouMean(withoutSlash(path), [...new Set(routes.map((route) => route.path))]);
    throw new AppError(
      "not_found",
      `There is nothing at ${path}; GET /-/openapi.json lists what there is.${suggestion}`,
    );
  });
}

/** Answers a request whose handler threw. */
function createFailureAnswer(log: Log, redact: (text: string) => string) {
  return (thrown: unknown, req: IncomingMessage, res: ServerResponse): void => {
    const error = toAppError(thrown, redact);
    if (error.code === "internal") {
      const cause = thrown instanceof Error ? thrown.stack : messageOf(thrown);
      log.error({ path: pathOf(req.url ?? ""), cause }, "request failed");
    }
    // Part of an answer is out: only a cut connection shows the client that it is not whole.
    if (res.headersSent) res.destroy();
    else sendError({ req, res }, error, isOpenAiPath(pathOf(req.url ?? "")) ? toOpenAiBody : undefined);
  };
}

/** The interface over an agent. Throws StartError on an unusable token. */
export function createApp(agent: Agent, options: AppOptions): App {
  const { log, maxSockets, pingMs, basePath: base = "" } = options;
  const { redact = (text) => text, lastError = () => undefined } = options;
  const staticDir = options.staticDir ?? join(packageRoot, "dist", "static");
  const rules = createAccessRules(options);
  const basePath = createBasePath(base);
  const metrics = createMetrics();
  const readers = createReaders();
  const onAnswer = createAnswerLog(log, metrics);
  const answerFailure = createFailureAnswer(log, redact);
  let draining = false;
  const isDraining = (): boolean => draining;

  const app = express();
  for (const off of ["x-powered-by", "etag", "query parser"]) app.set(off, false);
  for (const on of ["case sensitive routing", "strict routing"]) app.set(on, true);
  const classes = createExchangeClasses(app);
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    basePath.enter(req);
    app(req as Request, res as Response, (thrown: unknown) => answerFailure(thrown, req, res));
  };
  const upgrades = createUpgradeHandler(app, {
    agent,
    metrics,
    log,
    redact,
    rules,
    basePath,
    isDraining,
    onAnswer,
    handle,
    maxSockets,
    pingMs,
    heartbeatMs: options.heartbeatMs,
  });
  app.use(createRequestLog(onAnswer), createAdmission({ rules, isDraining, basePath, base, staticDir }));
  const { sockets } = upgrades;
  const mcp = createMcpRoutes({ ...options, agent, readers, basePath: base, redact });
  const { connector } = options;
  const served = { agent, metrics, rules, sockets, readers, lastError, times: options, basePath: base, connector };
  addRoutes(app, createRoutes({ ...served, mcp: mcp.routes }));
  app.use(createUi(staticDir, base));
  return {
    classes,
    handle,
    upgrades,
    reload({ token, tokens, allowedHosts, allowedOrigins }) {
      const next = createAccessRules({ host: options.host, token, tokens, allowedHosts, allowedOrigins });
      const isRevoked = replaceRules(rules, next);
      readers.revoke(isRevoked);
      mcp.revoke(isRevoked);
      void upgrades.revoke(isRevoked);
    },
    drain() {
      draining = true;
    },
    close: mcp.close,
  };
}
