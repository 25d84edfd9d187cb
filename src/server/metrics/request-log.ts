// One log line a request, and its count for the metrics. The query is left out: it may hold a token.
import type { NextFunction, Request, Response } from "express";
import type { Log } from "../../lib/log.js";
import { pathOf } from "../access/admit.js";
import { onResponseEnd } from "../response/respond.js";
import type { Metrics } from "./metrics.js";

/** Refusals logged in one window; a client guessing tokens must not fill the disk. */
const REFUSALS_LOGGED = 20;
const WINDOW_MS = 10_000;

/** Counts a refusal: how many were not logged since the last one that was, or undefined when this one is not either. */
function createThrottle(): () => number | undefined {
  let windowStart = 0;
  let logged = 0;
  let skipped = 0;
  return () => {
    const now = performance.now();
    if (now - windowStart > WINDOW_MS) {
      windowStart = now;
      logged = 0;
    }
    if (++logged > REFUSALS_LOGGED) {
      skipped++;
      return undefined;
    }
    const unlogged = skipped;
    skipped = 0;
    return unlogged;
  };
}

/** What is known of a request once it is answered: one line of the log. */
export interface AnswerLine {
  method: string | undefined;
  path: string;
  status: number;
  [more: string]: unknown;
}

/** Counts and logs answers; one for all that a daemon gives, so that refusals of every kind share one allowance. */
export function createAnswerLog(log: Log, metrics: Metrics): (line: AnswerLine) => void {
  const throttle = createThrottle();
  return (line) => {
    const { status } = line;
    metrics.response(status);
    const unlogged = status === 401 || status === 403 ? throttle() : 0;
    if (unlogged !== undefined) log.info(unlogged > 0 ? { ...line, unlogged } : line, "request");
  };
}

/** The middleware; mount it first, so that every answer is seen. */
export function createRequestLog(
  onAnswer: (line: AnswerLine) => void,
): (req: Request, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    const start = performance.now();
    const path = pathOf(req.url);
    onResponseEnd(req, res, () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const unfinished = !res.writableFinished && { unfinished: true };
      onAnswer({ method: req.method, path, status: res.statusCode, ms, ...unfinished });
    });
    next();
  };
}
