// Pages of other origins that the operator listed: what a browser asks before it lets them use the interface (CORS), and what it is
// answered. A listed page needs the token like every client; a cookie never counts for it. Every other origin gets no header here.
// Source: docs/reference.md, "Pages of your own".
import type { IncomingMessage, ServerResponse } from "node:http";
import { vary } from "../response/compress.js";

/** What the interface takes and gives beyond what a browser allows by itself. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Last-Event-ID",
  "X-Agentd-Client",
  "X-Agentd-Confirm",
  "X-Agentd-Dry-Run",
  "X-Agentd-Read-Only",
  "X-Agentd-Strict",
  "X-Service-Token",
  "X-Session-Id",
].join(", ");
const RESPONSE_HEADERS =
  "ETag, Idempotency-Replayed, Retry-After, X-Search-After, X-Search-Before, X-Session-Id, X-Turn-Id";
/** Seconds a browser may remember the answer to a preflight: short, so that an origin that is taken off the list is gone soon. */
const MAX_AGE_S = "600";

/** Lets the page of a listed origin read the answer, a refusal too. No `Allow-Credentials`: browsers keep cookies out. */
export function allowReading(res: ServerResponse, origin: string): void {
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.setHeader("Access-Control-Expose-Headers", RESPONSE_HEADERS);
  vary(res, "Origin");
}

/** Whether a request of a listed origin is a browser's question whether the page may send another one. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Answers a preflight, which carries no token. */
export function answerPreflight(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader("Access-Control-Allow-Methods", METHODS);
  res.setHeader("Access-Control-Allow-Headers", REQUEST_HEADERS);
  res.setHeader("Access-Control-Max-Age", MAX_AGE_S);
  // Asked of pages that are not on this machine before they may reach it.
  if (req.headers["access-control-request-private-network"] === "true")
    res.setHeader("Access-Control-Allow-Private-Network", "true");
  res.writeHead(204).end();
}
