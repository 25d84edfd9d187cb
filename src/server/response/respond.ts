// How an answer leaves: JSON texts and errors in their one shape. Knows no routes. Source: docs/reference.md, "Errors".
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, type ErrorCode, errorBody, messageOf, Stopped } from "../../domain/error.js";

/** A body announced to be longer than this is not read just to keep a refused connection open. */
const WORTH_DRAINING_BYTES = 64 * 1024;
/** Milliseconds that a client may take for what it was sent. */
const STALLED_MS = 60_000;

/**
 * Calls back once: when the whole answer is out, or when its connection has gone. An answer that waits behind an earlier one
 * of its connection (pipelining) hears of neither from Node when that connection goes.
 */
export function onResponseEnd(req: IncomingMessage, res: ServerResponse, listener: () => void): void {
  const { socket } = req;
  let ended = false;
  const end = (): void => {
    // A listener removed while its event is emitted is called all the same.
    if (ended) return;
    ended = true;
    res.off("close", end);
    socket.off("close", end);
    listener();
  };
  res.on("close", end);
  // One listener for each answer in flight, and a connection may have many.
  socket.setMaxListeners(0);
  socket.on("close", end);
}

/** Aborted when the client goes away before its answer is out. */
export function goneSignal(req: IncomingMessage, res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  onResponseEnd(req, res, () => {
    if (!res.writableFinished) gone.abort(new Stopped("client_gone"));
  });
  return gone.signal;
}

/** Resolves when the client took what it was sent; throws when it does not, or has gone. */
export async function drained(res: ServerResponse, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]);
  await once(res, "drain", { signal: late });
}

/** Sends a JSON text. */
export function sendJson(res: ServerResponse, text: string | Uint8Array, status = 200): void {
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  res.end(text);
}

/** Whether an If-None-Match names this tag: RFC 9110 section 13.1.2, with weak comparison. */
export function hasTag(header: string | undefined, etag: string): boolean {
  const plain = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header?.split(",").some((tag) => tag.trim() === "*" || plain(tag) === plain(etag)) ?? false;
}

/** The headers an error brings along. */
export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (error.status === 426) headers["Upgrade"] = "websocket";
  if (error.status === 503 || error.status === 429) headers["Retry-After"] = String(error.retryAfter ?? 1);
  return headers;
}

/** Whether a body is on its way that will not be read. */
function bodyPending(req: IncomingMessage): boolean {
  if (req.complete) return false;
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"]) > WORTH_DRAINING_BYTES;
}

const bodyOf = ({ code, message, details }: AppError): object => errorBody(code, message, details);

/** Sends the JSON object of an error. A refused client that is still sending a large body loses its connection. */
export function sendError(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  error: AppError,
  toBody = bodyOf,
): void {
  for (const [name, value] of Object.entries(errorHeaders(error))) res.setHeader(name, value);
  const refused = error.status === 401 || error.status === 403;
  if (error.code === "shutting_down" || (refused && bodyPending(req))) res.setHeader("Connection", "close");
  sendJson(res, JSON.stringify(toBody(error)), error.status);
}

/** What a library's error with an HTTP status is called here. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: "payload_too_large",
  415: "unsupported_media_type",
};

/** The error a caller gets, for anything a handler threw. Texts of unexpected ones pass through `redact`. */
export function toAppError(thrown: unknown, redact: (text: string) => string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Stopped) {
    const code = thrown.why === "shutting_down" ? "shutting_down" : "conflict";
    return new AppError(code, `The prompt was not started: ${thrown.message}.`);
  }
  const status = thrown instanceof Error && "status" in thrown ? Number(thrown.status) : 500;
  if (status >= 400 && status < 500) return new AppError(CODE_OF_STATUS[status] ?? "bad_request", messageOf(thrown));
  return new AppError("internal", redact(messageOf(thrown)), { cause: thrown });
}
