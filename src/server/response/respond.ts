// How an answer leaves: JSON texts and errors in their one shape. Knows no routes. Source: docs/reference.md, "Errors".
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, type ErrorCode, errorBody, messageOf, Stopped } from "../../domain/error.js";

/** A body announced to be longer than this is not read just to keep a refused connection open. */
const WORTH_DRAINING_BYTES = 64 * 1024;
/** Bytes of an answer that is sent at once. */
const MAX_AT_ONCE = 1024 * 1024;
/** Milliseconds that a client may take for what it was sent, a megabyte at most as a rule. */
const STALLED_MS = 60_000;

/**
 * Calls back once: when the whole answer is out, or when its connection has gone; at once when that has happened. An answer that
 * waits behind an earlier one of its connection (pipelining) hears of neither from Node when that connection goes.
 */
export function onResponseEnd(req: IncomingMessage, res: ServerResponse, listener: () => void): void {
  const { socket } = req;
  if (res.closed || socket.destroyed) {
    listener();
    return;
  }
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

/** Resolves once the client has taken what it was sent; one that does not in this time loses the connection. */
export async function drained(res: ServerResponse, stalledMs = STALLED_MS): Promise<void> {
  if (!res.writableNeedDrain || res.destroyed) return;
  const stalled = setTimeout(() => res.destroy(), stalledMs);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      res.off("drain", end);
      res.off("close", end);
      resolve();
    };
    res.on("drain", end);
    res.on("close", end);
  });
  clearTimeout(stalled);
}

/** Whether the client took what it was sent; false when it did not, or has gone. */
async function isDrained(res: ServerResponse, signal: AbortSignal, stalledMs: number): Promise<boolean> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(stalledMs)]);
  return once(res, "drain", { signal: late }).then(
    () => true,
    () => false,
  );
}

/** An answer that comes in pieces. */
interface Pieces {
  pieces: AsyncIterable<string | Uint8Array>;
  /** Aborted when its client goes away. */
  signal: AbortSignal;
  /** Milliseconds that the client may take for what it was sent. */
  stalledMs?: number | undefined;
}

/**
 * Sends an answer in its client's time, a short one at once and with its length. One that breaks off is cut, so that it is not taken
 * for whole. Throws what the pieces throw, unless the client has gone or takes nothing: that is no failure.
 */
export async function sendPieces(
  res: ServerResponse,
  headers: Record<string, string>,
  { pieces, signal, stalledMs = STALLED_MS }: Pieces,
): Promise<void> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes < MAX_AT_ONCE) continue;
      if (!res.headersSent) res.writeHead(200, headers);
      const isTaken = res.write(Buffer.concat(waiting)) || (await isDrained(res, signal, stalledMs));
      if (!isTaken) return void res.destroy();
      waiting = [];
      bytes = 0;
    }
  } catch (error) {
    if (signal.aborted) return void res.destroy();
    throw error;
  }
  if (!res.headersSent) res.writeHead(200, { ...headers, "Content-Length": String(bytes) });
  res.end(Buffer.concat(waiting));
}

const JSON_HEADERS = { "Content-Type": "application/json" };

/** Sends a JSON text that comes in pieces: `sendPieces`. */
export function sendJsonPieces(res: ServerResponse, pieces: Pieces): Promise<void> {
  return sendPieces(res, JSON_HEADERS, pieces);
}

/** Sends a JSON text. */
export function sendJson(res: ServerResponse, text: string | Uint8Array, status = 200): void {
  res.writeHead(status, { ...JSON_HEADERS, "Content-Length": Buffer.byteLength(text) });
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
