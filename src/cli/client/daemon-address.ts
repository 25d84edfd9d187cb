// How a daemon's address is reached: `http://HOST:PORT`, or `unix:PATH` of a socket, each with the base path behind it (after a colon).
// Requests go straight there, past every proxy.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";

/** An address taken apart. */
interface Reach {
  /** What an HTTP or WebSocket client is given; a path is put behind it. */
  url: string;
  /** The socket that leads there. */
  socketPath?: string;
}

function reachOf(address: string): Reach {
  const [, socketPath, base = ""] = /^unix:([^:]+)(?::(.*))?$/.exec(address) ?? [];
  return socketPath === undefined ? { url: address } : { url: `http://localhost${base}`, socketPath };
}

/** A request to a daemon. */
export interface DaemonRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** Sends a request; resolves when the head of its answer is there. */
export async function requestDaemon(
  address: string,
  path: string,
  { body, method = "GET", headers = {}, signal }: DaemonRequest,
): Promise<IncomingMessage> {
  const { url, ...reach } = reachOf(address);
  // Without an agent of the process, whose connections an environment may send through a proxy.
  const sent = request(url + path, { method, headers, signal, agent: false, ...reach });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

/** Address and options of a WebSocket to a daemon. */
export function webSocketTo(address: string, path: string): { url: string; createConnection?: () => Socket } {
  const { url, socketPath } = reachOf(address);
  const ws = url.replace(/^http/, "ws") + path;
  return socketPath === undefined ? { url: ws } : { url: ws, createConnection: () => connect(socketPath) };
}
