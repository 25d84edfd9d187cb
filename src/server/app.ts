// The HTTP interface: every route in order, without a listening socket. First the WebSocket route, then what every request
// goes through (log, headers, admission), then the routes, then the web UI, then the one error handler.

import { join } from "node:path";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Agent } from "../domain/agent.js";
import { AppError, messageOf } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { Log } from "../lib/log.js";
import { packageRoot } from "../lib/package.js";
import { admit, createRules, isApiPath, pathOf, type Rules } from "./access/admit.js";
import { sendSignIn, wantsPage } from "./access/sign-in.js";
import { SECURITY_HEADERS } from "./headers.js";
import { createMetrics } from "./metrics.js";
import { createAnswerLog, createRequestLog } from "./request-log.js";
import { sendError, toAppError } from "./respond.js";
import { createRoutes, type Route } from "./routes.js";
import { createUi, withoutSlash } from "./ui.js";
import { createGate, type Gate } from "./upgrade.js";

/** How a daemon's doors are set up. */
export interface AppOptions {
  /** The address that will be bound; decides whether Host is checked. */
  host: string;
  token?: string | undefined;
  /** Names this daemon may be reached by besides loopback ones. */
  allowedHosts?: readonly string[] | undefined;
  /** The folder of the built web UI; the package's own by default. */
  staticDir?: string | undefined;
  log: Log;
  /** Takes known secrets out of the text of an unexpected error. */
  redact?: ((text: string) => string) | undefined;
  maxSockets?: number | undefined;
  /** Milliseconds between two pings on /chat. */
  pingMs?: number | undefined;
}

/** The interface, ready to be served. */
export interface App {
  express: Express;
  gate: Gate;
  /** From now on everything is answered 503. */
  drain(): void;
}

type Handler = (req: Request, res: Response, next: NextFunction) => void;

/** What every request passes before any route, in the order that decides which refusal wins. */
function createEntrance(rules: Rules, draining: () => boolean): Handler {
  return (req, res, next) => {
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
    if (draining()) throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.");
    const refused = admit(req, rules, false);
    if (!refused) next();
    else if (refused.code === "unauthorized" && wantsPage(req)) sendSignIn(req, res);
    else throw refused;
  };
}

function addRoutes(app: Express, routes: readonly Route[]): void {
  const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
  for (const { method, path, handle } of routes) app[method](expressPath(path), (req, res) => handle(req, res));
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
    const meant = didYouMean(withoutSlash(path), [...new Set(routes.map((route) => route.path))]);
    throw new AppError("not_found", `There is nothing at ${path}; GET /-/openapi.json lists what there is.${meant}`);
  });
}

function createErrorHandler(log: Log, redact: (text: string) => string) {
  return (thrown: unknown, req: Request, res: Response, _next: NextFunction): void => {
    const error = toAppError(thrown, redact);
    if (error.code === "internal")
      log.error(
        { path: req.path, cause: thrown instanceof Error ? thrown.stack : messageOf(thrown) },
        "request failed",
      );
    // Part of an answer is out: only cutting the connection tells the client that it is not whole.
    if (res.headersSent) res.destroy();
    else sendError(req, res, error);
  };
}

/** The interface over an agent. Throws StartError on an unusable token. */
export function createApp(agent: Agent, options: AppOptions): App {
  const { log, maxSockets, pingMs, redact = (text) => text } = options;
  const rules = createRules(options);
  const metrics = createMetrics();
  let isDraining = false;
  const draining = (): boolean => isDraining;

  const app = express();
  for (const off of ["x-powered-by", "etag", "query parser"]) app.set(off, false);
  for (const on of ["case sensitive routing", "strict routing"]) app.set(on, true);
  const answered = createAnswerLog(log, metrics);
  const gate = createGate(app, { agent, metrics, log, redact, rules, draining, answered, maxSockets, pingMs });
  app.use(createRequestLog(answered), createEntrance(rules, draining));
  addRoutes(app, createRoutes({ agent, metrics, rules, sockets: gate.sockets }));
  app.use(createUi(options.staticDir ?? join(packageRoot, "dist", "static")));
  app.use(createErrorHandler(log, redact));
  return {
    express: app,
    gate,
    drain: () => {
      isDraining = true;
    },
  };
}
