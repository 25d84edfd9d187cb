// What changed anywhere in the daemon, as a stream of server-sent events or lines of JSON and over a WebSocket, for clients that keep
// lists of it. A client that takes nothing holds up nobody: what is new meanwhile replaces what waits for it.
// Source: docs/reference.md, "Changes".
import type { Request, Response } from "express";
import type { WebSocket } from "ws";
import type { Agent } from "../../domain/agent.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { parseQuery } from "../request/query.js";
import { EventStream, HEARTBEAT_MS, type StreamTimes, sharedJson, streamTypeOf } from "../response/event-stream.js";
import type { Route } from "../route.js";
import type { Readers } from "../run/readers.js";

/** Where they are read, by either protocol. */
export const CHANGES_PATH = "/-/changes";

/** Bytes that are sent ahead of what a client has taken. */
const MAX_AHEAD_BYTES = 64 * 1024;

const PING = toJson({ kind: "ping" });

/** The route of the stream. */
export function changesRoute(
  agent: Agent,
  readers: Readers,
  { heartbeatMs = HEARTBEAT_MS, stalledMs }: StreamTimes,
): Route {
  return {
    method: "get",
    path: CHANGES_PATH,
    async handle(req: Request, res: Response) {
      parseQuery("none", queryOf(req.url));
      const type = streamTypeOf(req) ?? "text/event-stream";
      // Its own pings are sooner.
      const times = { heartbeatMs: 2 * heartbeatMs, stalledMs };
      const changes = agent.changes(readers.admit(req, res));
      const stream = new EventStream(res, { ...times, type, isReplay: true });
      const write = (text: string): void =>
        stream.write(type === "text/event-stream" ? `data: ${text}\n\n` : `${text}\n`);
      stream.open();
      if (req.method === "HEAD") {
        await changes.return();
        return stream.end();
      }
      const pings = setInterval(() => !res.writableNeedDrain && write(PING), heartbeatMs).unref();
      try {
        for await (const change of changes) {
          write(sharedJson(change));
          await stream.drained();
          if (res.destroyed) return;
        }
      } finally {
        clearInterval(pings);
        stream.end();
      }
    },
  };
}

/** What changes are sent on. */
interface FrameSink {
  sendText(text: string): void;
  drained(maxAheadBytes: number): Promise<void>;
}

/** Sends changes on an admitted WebSocket until it closes; it reads nothing. */
export async function serveChanges(
  { ws, socket }: { ws: WebSocket; socket: FrameSink },
  agent: Agent,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  const gone = new AbortController();
  const changes = agent.changes(gone.signal);
  ws.on("close", () => gone.abort());
  ws.on("message", () => ws.close(1003, "nothing is read here"));
  const pings = setInterval(() => ws.bufferedAmount === 0 && ws.send(PING), heartbeatMs).unref();
  ws.on("close", () => clearInterval(pings));
  for await (const change of changes) {
    if (ws.readyState !== ws.OPEN) return;
    socket.sendText(sharedJson(change));
    await socket.drained(MAX_AHEAD_BYTES);
  }
  // It is too far behind; a daemon that stops says so itself before this.
  setImmediate(() => ws.close(1013, "load the lists again"));
}
