// One log line a request, and its count for the metrics. The query is left out: it may hold a token.
import type { NextFunction, Request, Response } from "express";
import type { Log } from "../log.js";
import { pathOf } from "./admit.js";
import type { Metrics } from "./metrics.js";
import { onceOver } from "./respond.js";

/** Refusals logged in one window; somebody guessing tokens must not fill the disk. */
const REFUSALS_LOGGED = 20;
const WINDOW_MS = 10_000;

/** Says whether one more refusal is logged, and how many were not since the last one that was. */
function createThrottle(): () => number | undefined {
  let opened = 0;
  let logged = 0;
  let silent = 0;
  return () => {
    const now = performance.now();
    if (now - opened > WINDOW_MS) {
      opened = now;
      logged = 0;
    }
    if (++logged > REFUSALS_LOGGED) {
      silent++;
      return undefined;
    }
    const unlogged = silent;
    silent = 0;
    return unlogged;
  };
}

/** The middleware; mount it first, so that every answer is seen. */
export function createRequestLog(
  log: Log,
  metrics: Metrics,
): (req: Request, res: Response, next: NextFunction) => void {
  const throttle = createThrottle();
  return (req, res, next) => {
    const start = performance.now();
    const path = pathOf(req.url);
    onceOver(req, res, () => {
      const status = res.statusCode;
      metrics.response(status);
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const fields = { method: req.method, path, status, ms, ...(!res.writableFinished && { unfinished: true }) };
      if (status !== 401 && status !== 403) {
        log.info(fields, "request");
        return;
      }
      const unlogged = throttle();
      if (unlogged !== undefined) log.info(unlogged > 0 ? { ...fields, unlogged } : fields, "request");
    });
    next();
  };
}
