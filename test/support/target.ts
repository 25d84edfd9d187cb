// A target application made of a bare socket: it keeps every byte of every request and answers with exactly the bytes of its script.
// Not a framework, because frameworks hide what was really sent (`%2e`, repeated headers, chunk sizes).

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** A request as it arrived. */
export interface RecordedRequest {
  /** Every byte: head and body. */
  raw: Buffer;
  method: string;
  /** The request target exactly as sent, with its query. */
  path: string;
  /** In the order and spelling they arrived. */
  headers: [name: string, value: string][];
  body: Buffer;
  /** Which connection it came on, counted from 1. */
  connection: number;
  /** The last value of a header, by any spelling. */
  header(name: string): string | undefined;
}

/** What a target answers: raw bytes, or a function that writes to the socket itself (drips, resets, silence). */
export type Reply = string | Buffer | ((socket: Socket, request: RecordedRequest) => void);

/** Chooses the reply to a request; `index` counts requests from 0. */
export type Script = (request: RecordedRequest, index: number) => Reply;

export interface RecordingTarget {
  /** `http://127.0.0.1:PORT`, no trailing slash. */
  url: string;
  port: number;
  requests: RecordedRequest[];
  /** Connections accepted so far. */
  connections: number;
  /** Connections open right now. */
  open(): number;
  /** Replaces the script for the requests to come. */
  answer(script: Script): void;
  close(): Promise<void>;
}

/** The raw bytes of a response; Content-Length is added unless the headers name a framing. */
export function response(status: number, headers: Record<string, string>, body: string | Buffer = ""): Buffer {
  const bytes = Buffer.from(body);
  const framed = Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = framed ? headers : { ...headers, "Content-Length": String(bytes.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n`, "latin1"), bytes]);
}

/** A JSON response. Texts are sent as they are, other values are serialised. */
export function json(value: unknown, status = 200): Buffer {
  return response(
    status,
    { "Content-Type": "application/json" },
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

/** Answers 200 with what was received: `{ method, path, headers, body }`. */
export const echo: Script = ({ method, path, headers, body }) =>
  json({ method, path, headers: Object.fromEntries(headers), body: body.toString("utf8") });

function parseHead(head: string): Pick<RecordedRequest, "method" | "path" | "headers"> {
  const [line = "", ...rest] = head.split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = rest.map((one): [string, string] => {
    const colon = one.indexOf(":");
    return [one.slice(0, colon), one.slice(colon + 1).trim()];
  });
  return { method, path, headers };
}

/** Length of a chunked body at the start of `bytes` with its content; undefined while it is incomplete. */
function dechunk(bytes: Buffer): { length: number; body: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { length: next, body: Buffer.concat(chunks) };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}

/** The first whole request in `bytes`; undefined while more must arrive. */
function takeRequest(bytes: Buffer, connection: number): RecordedRequest | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = parseHead(bytes.toString("latin1", 0, end));
  const header = (name: string): string | undefined =>
    head.headers.findLast(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const start = end + 4;
  let length = Number(header("content-length") ?? 0);
  let body = bytes.subarray(start, start + length);
  if (header("transfer-encoding") === "chunked") {
    const whole = dechunk(bytes.subarray(start));
    if (!whole) return undefined;
    ({ length, body } = whole);
  } else if (bytes.length < start + length) return undefined;
  return { ...head, raw: bytes.subarray(0, start + length), body, connection, header };
}

/** Starts a target on a free port of 127.0.0.1; without a script it echoes. */
export async function startTarget(script: Script = echo): Promise<RecordingTarget> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let reply = script;
  const server = createServer((socket) => {
    const connection = ++target.connections;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let pending: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let request = takeRequest(pending, connection); request; request = takeRequest(pending, connection)) {
        pending = pending.subarray(request.raw.length);
        const answer = reply(request, requests.push(request) - 1);
        if (typeof answer === "function") answer(socket, request);
        else socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target: RecordingTarget = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: 0,
    open: () => sockets.size,
    answer: (next) => {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return target;
}
