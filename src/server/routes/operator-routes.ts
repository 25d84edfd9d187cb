// The routes about the daemon itself: how it is doing, what is in force, what is measured, and how a browser signs in.
// Source: docs/reference.md, "Health and metrics", "Settings in force" and "Status of a daemon".
import type { Request, Response } from "express";
import type { Agent, SettingsView } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import type { LoggedError } from "../../lib/last-error.js";
import { type AccessRules, SIGN_IN_PATH } from "../access/admit.js";
import { callerOf } from "../access/caller.js";
import { createSignIn } from "../access/sign-in.js";
import type { Metrics } from "../metrics/metrics.js";
import { sendJson } from "../response/respond.js";
import type { Route } from "../route.js";
import { createStatus } from "./status.js";

/** What these routes need. */
interface OperatorContext {
  agent: Agent;
  metrics: Metrics;
  rules: AccessRules;
  /** Open WebSockets. */
  sockets(): number;
  lastError(): LoggedError | undefined;
  /** What stands before every path; "" for nothing. */
  basePath: string;
}

/** Both probes answer nothing but ok, so that they may be open to everyone. */
function sendOk(_req: Request, res: Response): void {
  res.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": 2 }).end("ok");
}

/** What a read-only token may know: where things stand on this machine is not for it. */
function withoutPaths({ data_dir: _, files: __, ...settings }: SettingsView): SettingsView {
  return { ...settings, applications: settings.applications.map(({ source: ___, ...application }) => application) };
}

/** The routes. */
export function operatorRoutes({ agent, metrics, rules, sockets, lastError, basePath }: OperatorContext): Route[] {
  return [
    {
      method: "get",
      path: "/-/settings",
      async handle(req, res) {
        const settings = await agent.settings();
        sendJson(res, toJson(callerOf(req).readOnly ? withoutPaths(settings) : settings));
      },
    },
    { method: "get", path: "/-/status", handle: createStatus({ agent, lastError }) },
    { method: "get", path: "/-/healthz", handle: sendOk },
    {
      method: "get",
      path: "/-/readyz",
      async handle(req, res) {
        try {
          await agent.check();
        } catch {
          // Why is for the log: this route needs no token.
          throw new AppError("audit_unavailable", "The record cannot be written; the log says why.", { retryAfter: 5 });
        }
        sendOk(req, res);
      },
    },
    {
      method: "get",
      path: "/-/metrics",
      async handle(_req, res) {
        const levels = {
          ...agent.load(),
          ...(await agent.stats()),
          sockets: sockets(),
          limitRefusals: agent.limitRefusals(),
        };
        const { text, contentType } = await metrics.text(levels);
        res.writeHead(200, { "Content-Type": contentType }).end(text);
      },
    },
    { method: "post", path: SIGN_IN_PATH, forReadOnly: true, handle: createSignIn(rules, basePath) },
  ];
}
