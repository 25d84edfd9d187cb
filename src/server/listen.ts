// Puts the interface on a socket: timeouts, limits, what the HTTP parser refuses, and an end that loses nothing.
// Source: docs/reference.md, "Limits and promises" and "Starting and stopping".

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Agent } from "../domain/agent.js";
import { AppError, type ErrorCode, messageOf, StartError } from "../domain/error.js";
import type { Log } from "../lib/log.js";
import { claimAddress } from "../lib/own-address.js";
import { type App, type AppOptions, createApp } from "./app.js";
import { SECURITY_HEADERS } from "./response/headers.js";
import { onResponseEnd, sendError } from "./response/respond.js";
import { listenOnSocket } from "./unix-socket.js";
import { refuseSocket } from "./websocket/upgrade.js";

/** The time a client has to send its headers, and its whole request; answers may take as long as they take. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
/** Well above the chat connections and as many silent ones, so that requests still get in. */
const MAX_CONNECTIONS = 4096;
/** Milliseconds between two lines of the log on connections that cannot be accepted. */
const SAID_EVERY_MS = 60_000;
/** Answers still being sent when all turns are over get this long at shutdown. */
const LAST_ANSWERS_MS = 2_000;

/** Where and how to listen. */
export interface ListenOptions extends AppOptions {
  /** 0 picks a free port. */
  port: number;
  /** Listens on this unix socket, and on no port. */
  socketPath?: string;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  maxConnections?: number;
}

/** A daemon that accepts connections. */
export interface Listening {
  /** `http://127.0.0.1:4242` with the port that was bound, or `unix:/path`; with the base path behind it. */
  address: string;
  /** Puts another token and other host names in force; sockets that were opened with another token are closed. */
  reload: App["reload"];
  /**
   * Takes no new work, gives running turns `graceMs`, closes sockets with 1001, and resolves when no connection is left.
   * The agent is drained, not closed.
   */
  close(graceMs: number): Promise<void>;
}

/** The parser's error codes that are more than a bad request. */
const PARSER_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request line and headers are over 16 KiB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["payload_too_large", "The chunk extensions are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request was not sent in time."],
};

/** The answer each connection is in the middle of. */
type OpenAnswers = WeakMap<Duplex, ServerResponse>;

function onParserError(error: NodeJS.ErrnoException, socket: Duplex, answers: OpenAnswers): void {
  // Bytes of an answer are out already: an error in the middle of them would be read as part of it.
  if (error.code === "ECONNRESET" || answers.get(socket)?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, message] = PARSER_ERRORS[error.code ?? ""] ?? ["bad_request", "This is not a valid HTTP/1.1 request."];
  refuseSocket(socket, new AppError(code, message));
}

/** An HTTP server with every limit set, and the number of requests it is answering. */
function createHttp(app: App, options: ListenOptions): { server: Server; inFlight: () => number } {
  const answers: OpenAnswers = new WeakMap();
  let inFlight = 0;
  const settings = {
    ...app.classes,
    headersTimeout: options.headersTimeoutMs ?? HEADERS_MS,
    requestTimeout: options.requestTimeoutMs ?? REQUEST_MS,
    connectionsCheckingInterval: Math.min(CHECK_MS, options.headersTimeoutMs ?? CHECK_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    insecureHTTPParser: false,
    // Refused on admission, with the reason in the body; Node's own refusal has none.
    requireHostHeader: false,
  };
  const server = createServer(settings, (req: IncomingMessage, res: ServerResponse) => {
    inFlight++;
    answers.set(req.socket, res);
    onResponseEnd(req, res, () => {
      inFlight--;
      answers.delete(req.socket);
    });
    app.handle(req, res);
  });
  // Otherwise headers past a count are dropped in silence, and Origin could be one of them.
  server.maxHeadersCount = 0;
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  server.on("upgrade", app.upgrades.onUpgrade);
  server.on("connect", (_req, socket) =>
    refuseSocket(socket, new AppError("method_not_allowed", "This is not a proxy."), { Allow: "GET, HEAD" }),
  );
  server.on("clientError", (error, socket) => onParserError(error, socket, answers));
  server.on("checkExpectation", (req, res) => {
    for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value);
    sendError({ req, res }, new AppError("expectation_failed", "Only Expect: 100-continue is understood."));
  });
  return { server, inFlight: () => inFlight };
}

function startFailure(error: NodeJS.ErrnoException, { host, port }: ListenOptions): StartError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop what uses it, or choose another with --port (0 picks a free one).`,
    EACCES: `Port ${port} on ${host} may not be used by this account. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `The address ${host} is not one of this machine's. Choose another with --host.`,
    ENOTFOUND: `The address ${host} is not known. Choose another with --host.`,
  };
  const message = reasons[error.code ?? ""] ?? `Cannot listen on ${host}:${port}: ${messageOf(error)}`;
  return new StartError(message, { cause: error });
}

async function bind(server: Server, options: ListenOptions): Promise<string> {
  const { host, port, socketPath, basePath = "" } = options;
  if (socketPath !== undefined) {
    await listenOnSocket(server, socketPath);
    return `unix:${socketPath}${basePath && `:${basePath}`}`;
  }
  server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port });
  await once(server, "listening").catch((error) => {
    throw startFailure(error, options);
  });
  const bound = server.address() as AddressInfo;
  const release = claimAddress(bound.port, [host, ...(options.allowedHosts ?? [])]);
  server.once("close", release);
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${bound.port}${basePath}`;
}

/**
 * Connections that cannot be accepted, for want of file descriptors: without a listener the second would end the process. They come
 * without a pause, and are said once in a while.
 */
function tellOfFailures(server: Server, log: Log): void {
  let saidAt = Number.NEGATIVE_INFINITY;
  server.on("error", (error) => {
    if (performance.now() - saidAt < SAID_EVERY_MS) return;
    saidAt = performance.now();
    log.warn({ cause: messageOf(error) }, "a connection could not be accepted");
  });
}

/** Resolves when the count is 0, or after `ms`. */
async function untilZero(count: () => number, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (count() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Serves an agent. Throws StartError when the address cannot be bound; whether it may be is for the caller to check. */
export async function listen(agent: Agent, options: ListenOptions): Promise<Listening> {
  const app = createApp(agent, options);
  const { server, inFlight } = createHttp(app, options);
  const address = await bind(server, options);
  tellOfFailures(server, options.log);
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    // The socket stays open during the grace, so that new requests get a 503 instead of a refused connection.
    app.drain();
    await agent.drain(graceMs);
    app.close();
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([app.upgrades.close(), untilZero(inFlight, LAST_ANSWERS_MS)]);
    server.closeAllConnections();
    await closed;
  };
  return { address, reload: app.reload, close: (graceMs) => (closing ??= close(graceMs)) };
}
