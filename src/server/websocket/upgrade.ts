// Stands before express-ws: answers upgrades itself and passes on only those it admitted, so that a refusal is a real HTTP
// status and never a socket that opens and closes. Source: docs/reference.md, "Authentication and origin"; RFC 6455 section 4.2.

import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import expressWs, { type Application } from "express-ws";
import type { WebSocket, WebSocketServer } from "ws";
import type { Caller } from "../../domain/caller.js";
import { AppError, errorBody } from "../../domain/error.js";
import { type AccessRules, admit, pathOf, queryOf } from "../access/admit.js";
import type { AnswerLine } from "../metrics/request-log.js";
import type { BasePath } from "../request/base-path.js";
import { MAX_BODY_BYTES } from "../request/body.js";
import { refuseModeHeaders } from "../request/mode-headers.js";
import { parseQuery } from "../request/query.js";
import { clientLabel } from "../request/request.js";
import { rawResponse } from "../response/headers.js";
import { errorHeaders, toAppError } from "../response/respond.js";
import { CHANGES_PATH, serveChanges } from "../routes/changes.js";
import { serveChat } from "./chat.js";
import { ChatSocket } from "./chat-socket.js";
import type { ChatContext, Handshake } from "./chat-turns.js";

/** The paths with a WebSocket. */
const PATHS = ["/chat", CHANGES_PATH];
/** Open connections; each keeps a few kilobytes while idle. */
const MAX_SOCKETS = 1024;
/** Short enough for proxies. */
const PING_MS = 15_000;
/** A client that answers none of so many pings has gone. */
const MAX_MISSED_PINGS = 2;
/** How long a client may take to answer a close. */
const CLOSE_MS = 2_000;
/** A refused peer that does not hang up is cut off. */
const REFUSED_MS = 1_000;

/** What the handler needs beside what the chats need. */
interface UpgradeOptions extends Omit<ChatContext, "backlog"> {
  rules: AccessRules;
  basePath: BasePath;
  /** True once the daemon is shutting down. */
  isDraining(): boolean;
  /** Counts and logs what an upgrade was answered. */
  onAnswer(line: AnswerLine): void;
  /** Answers a request that asks for no WebSocket. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  maxSockets?: number;
  pingMs?: number;
}

/** What answers upgrades. */
export interface UpgradeHandler {
  /** Listener for the server's `upgrade` event. */
  onUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  sockets(): number;
  /** Closes the sockets whose token is no longer valid. */
  revoke(isRevoked: (caller: Caller) => boolean): Promise<void>;
  /** Closes every socket with 1001 and waits for them; those still open after two seconds are cut off. */
  close(): Promise<void>;
}

/** Writes a whole refusal and hangs up, whether or not the peer does. */
export function refuseSocket(socket: Duplex, error: AppError, extra: Record<string, string> = {}): void {
  // Node takes its own listener off a socket it hands over; without one a peer's reset would end the process.
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error.code, error.message, error.details));
  socket.end(rawResponse(error.status, body, { ...errorHeaders(error), ...extra }), () => socket.destroy());
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}

/** A request to change to something that is not a WebSocket goes on as if it had not asked (RFC 9110 section 7.8). */
function serveWithoutUpgrade(handle: UpgradeOptions["handle"], req: IncomingMessage, socket: Duplex): void {
  if (req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0)
    throw new AppError("bad_request", "This daemon speaks HTTP/1.1; send the body without an Upgrade header.");
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as Parameters<ServerResponse["assignSocket"]>[0]);
  res.on("finish", () => {
    res.detachSocket(socket as Parameters<ServerResponse["detachSocket"]>[0]);
    socket.end(() => socket.destroy());
  });
  handle(req, res);
}

/** What the handshake must look like, beyond who sends it. Throws AppError. */
function checkHandshake(req: IncomingMessage): void {
  if (req.method !== "GET") throw new AppError("method_not_allowed", "A WebSocket is opened with GET.");
  if (!PATHS.includes(pathOf(req.url ?? "")))
    throw new AppError("not_found", `WebSockets are served at ${PATHS.join(" and ")} only.`);
  if (req.httpVersion !== "1.1") throw new AppError("bad_request", "A WebSocket needs HTTP/1.1.");
  if (req.headers["sec-websocket-version"] !== "13")
    throw new AppError("upgrade_required", "Only version 13 of the WebSocket protocol is spoken here.");
  if (!/^[A-Za-z0-9+/]{22}==$/.test(req.headers["sec-websocket-key"] ?? ""))
    throw new AppError("bad_request", "Sec-WebSocket-Key must be 16 bytes in base64, sent once.");
}

/** What the handshake of a chat says; undefined for a socket of changes, which asks for nothing. */
function readHandshake(req: IncomingMessage, socket: Duplex): Omit<Handshake, "caller"> | undefined {
  if (pathOf(req.url ?? "") === CHANGES_PATH) {
    parseQuery("none", queryOf(req.url ?? ""));
    return undefined;
  }
  const { session_id, events } = parseQuery("chat", queryOf(req.url ?? ""));
  refuseModeHeaders(req.headers);
  return {
    session_id: session_id ?? randomUUID(),
    extended: events === "extended",
    client: clientLabel(req.headers["x-agentd-client"], "websocket"),
    socket,
  };
}

/** Ends sockets whose client has gone without a close. One timer for all of them. */
function keepAlive(wss: WebSocketServer, everyMs: number): NodeJS.Timeout {
  const missed = new WeakMap<WebSocket, number>();
  wss.on("connection", (ws) => {
    ws.on("pong", () => missed.set(ws, 0));
  });
  const timer = setInterval(() => {
    for (const ws of wss.clients) {
      const pings = missed.get(ws) ?? 0;
      missed.set(ws, pings + 1);
      if (pings >= MAX_MISSED_PINGS) ws.terminate();
      else if (ws.readyState === ws.OPEN) ws.ping();
    }
  }, everyMs);
  return timer.unref();
}

async function closeAll(open: readonly WebSocket[], code: number, reason: string): Promise<void> {
  const closed = open.map((ws) => new Promise((resolve) => ws.once("close", resolve)));
  for (const ws of open) ws.close(code, reason);
  const cut = setTimeout(() => {
    for (const ws of open) ws.terminate();
  }, CLOSE_MS);
  await Promise.all(closed);
  clearTimeout(cut);
}

/** The WebSockets of an app, and how an admitted request becomes one. */
interface Sockets {
  wss: WebSocketServer;
  callers: WeakMap<WebSocket, Caller>;
  open(upgrade: { req: IncomingMessage; socket: Duplex; head: Buffer }, caller: Caller, handshake?: Handshake): void;
}

/** Puts the WebSocket routes into the app. */
function createSockets(app: Express, { agent, metrics, log, redact, heartbeatMs }: UpgradeOptions): Sockets {
  // express-ws accepts every upgrade of the server it is given; this one has no upgrades but those emitted below.
  const inner = new EventEmitter();
  const wsOptions = { maxPayload: MAX_BODY_BYTES, perMessageDeflate: false, closeTimeout: CLOSE_MS };
  const { getWss } = expressWs(app, inner as Server, { leaveRouterUntouched: true, wsOptions });
  const wss = getWss();
  const handshakes = new WeakMap<IncomingMessage, Handshake>();
  const admitted = new WeakMap<IncomingMessage, Caller>();
  const callers = new WeakMap<WebSocket, Caller>();
  wss.on("connection", (ws, req: IncomingMessage) => {
    // A bad frame is an `error` event on its socket; without a listener it would end the process.
    ws.on("error", (error) => log.debug({ cause: error.message }, "socket error"));
    const caller = admitted.get(req);
    if (caller) callers.set(ws, caller);
  });
  wss.on("headers", (lines, req) => {
    const handshake = handshakes.get(req);
    if (handshake) lines.push(`X-Session-Id: ${handshake.session_id}`);
  });
  const context: ChatContext = { agent, metrics, log, redact, heartbeatMs, backlog: { chars: 0 } };
  const router = app as unknown as Application;
  router.ws("/chat", (ws, req) => {
    const handshake = handshakes.get(req);
    if (handshake) serveChat(ws, handshake, context);
  });
  router.ws(CHANGES_PATH, (ws, { socket }) => {
    void serveChanges({ ws, socket: new ChatSocket(ws, socket) }, agent, heartbeatMs);
  });
  return {
    wss,
    callers,
    open({ req, socket, head }, caller, handshake) {
      admitted.set(req, caller);
      if (handshake) handshakes.set(req, handshake);
      inner.emit("upgrade", req, socket, head);
    },
  };
}

/** Puts the WebSocket routes into the app and returns the handler of their upgrades. Must run before the app's first middleware. */
export function createUpgradeHandler(app: Express, options: UpgradeOptions): UpgradeHandler {
  const { redact, rules, basePath, isDraining, onAnswer, maxSockets = MAX_SOCKETS, pingMs = PING_MS } = options;
  const { wss, callers, open } = createSockets(app, options);
  const pings = keepAlive(wss, pingMs);

  const openSocket = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (isDraining()) throw new AppError("shutting_down", "The daemon is shutting down; try again in a moment.");
    basePath.enter(req);
    const caller = admit(req, rules, { upgrade: true });
    if (caller instanceof AppError) throw caller;
    if (basePath.isOutside(req)) throw basePath.refusal();
    checkHandshake(req);
    const handshake = readHandshake(req, socket);
    if (wss.clients.size >= maxSockets) throw new AppError("busy", `All ${maxSockets} chat connections are taken.`);
    // The router changes the address.
    const path = pathOf(req.url ?? "");
    open({ req, socket, head }, caller, handshake && { ...handshake, caller });
    onAnswer({ method: "GET", path, status: 101, session_id: handshake?.session_id });
  };

  return {
    onUpgrade(req, socket, head) {
      // The peer may reset the connection at any moment from here on.
      socket.on("error", () => socket.destroy());
      try {
        if (req.headers.upgrade?.toLowerCase() === "websocket") openSocket(req, socket, head);
        else serveWithoutUpgrade(options.handle, req, socket);
      } catch (thrown) {
        const error = toAppError(thrown, redact);
        onAnswer({ method: req.method, path: pathOf(req.url ?? ""), status: error.status });
        const version = { "Sec-WebSocket-Version": "13" };
        const allow = { Allow: "GET" };
        refuseSocket(socket, error, error.status === 426 ? version : error.status === 405 ? allow : {});
      }
    },
    sockets: () => wss.clients.size,
    revoke: (isRevoked) => {
      const revoked = [...wss.clients].filter((ws) => {
        const caller = callers.get(ws);
        return caller !== undefined && isRevoked(caller);
      });
      return closeAll(revoked, 1008, "the token was changed");
    },
    async close() {
      clearInterval(pings);
      await closeAll([...wss.clients], 1001, "the daemon is shutting down");
    },
  };
}
