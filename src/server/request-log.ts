// One log line a request, and its count for the metrics. The query is left out: it may hold a token.
import type { NextFunction, Request, Response } from "express";
import type { Log } from "../lib/log.js";
import { pathOf } from "./access/admit.js";
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

/** What is known of a request once it is answered. */
export interface Answered {
  method: string | undefined;
  path: string;
  status: number;
  [more: string]: unknown;
}

/** Where answers are counted and logged; one for all that a daemon gives, so that refusals of every kind share one allowance. */
export function createAnswerLog(log: Log, metrics: Metrics): (answered: Answered) => void {
  const throttle = createThrottle();
  return (answered) => {
    const { status } = answered;
    metrics.response(status);
    const unlogged = status === 401 || status === 403 ? throttle() : 0;
    if (unlogged !== undefined) log.info(unlogged > 0 ? { ...answered, unlogged } : answered, "request");
  };
}

/** The middleware; mount it first, so that every answer is seen. */
export function createRequestLog(
  answered: (answered: Answered) => void,
): (req: Request, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    const start = performance.now();
    const path = pathOf(req.url);
    onceOver(req, res, () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const unfinished = !res.writableFinished && { unfinished: true };
      answered({ method: req.method, path, status: res.statusCode, ms, ...unfinished });
    });
    next();
  };
}
