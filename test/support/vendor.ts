// A fake model API on a free port: OpenAI chat completions and responses, Anthropic messages and Google streamGenerateContent, all as
// server-sent events made from the same scripted turns. Records every request; fails as scripted.
// Use `vendor.url` as the base_url of any provider type.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../src/lib/json.js";
import { type Wire, wires } from "./wires.js";

/** A call the fake model makes. `arguments` as a string is sent as it is (malformed JSON, big integers). */
export interface VendorCall {
  name: string;
  arguments: JsonObject | string;
  /** Default `call_<n>`, counted over the vendor's life; null leaves it out (OpenAI only). */
  id?: string | null;
  /** Sent with the call, required back by real vendors (Google only). */
  signature?: string;
}

/** One answer of the fake model. An empty turn is an empty answer. */
export interface VendorTurn {
  /** Sent as one delta; `deltas` sends several. */
  text?: string;
  deltas?: string[];
  calls?: VendorCall[];
  /** Thinking before the text, with a signature (not in chat completions). */
  thinking?: { text: string; signature: string };
  /** The data of server-sent events, sent as they are instead of what the turn would stream; all in one write. */
  events?: string[];
  usage?: { input: number; output: number };
  finish?: "stop" | "length" | "content_filter";
  /** Answer with this status and an error body; `headers` and `body` go with it. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds before the headers. */
  waitMs?: number;
  /** Milliseconds before each server-sent event. */
  delayMs?: number;
  /** Write the stream in pieces of this many bytes, which splits multi-byte characters. */
  splitBytes?: number;
  /**
   * cut: the connection breaks after the deltas; end: the stream ends there; stall: nothing more comes, the
   * connection stays; garbage: the stream is not JSON; hang: not even headers come; reset: the connection closes before
   * them; error: an error object inside the stream after the deltas; json: one JSON document and no stream (OpenAI's only).
   */
  trouble?: "cut" | "end" | "stall" | "garbage" | "hang" | "reset" | "error" | "json";
}

/** One recorded request. */
export interface VendorRequest {
  wire: Wire;
  path: string;
  headers: Record<string, string>;
  /** The parsed body, and the body as it was sent. */
  body: JsonObject;
  text: string;
  /** Resolves once the client has closed the connection before the answer was complete; never otherwise. */
  gone: Promise<void>;
}

/** Turns played in order, or a function that decides by the request. */
export type VendorScript = readonly VendorTurn[] | ((request: VendorRequest, n: number) => VendorTurn);

/** A running fake model API. */
export interface Vendor {
  /** Usable as base_url of every provider type. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: VendorRequest[];
  /** Plays these turns from now on, and forgets the recorded requests. */
  script(script: VendorScript): void;
  close(): Promise<void>;
}

function wireOf(path: string): Wire | undefined {
  if (path.includes("/chat/completions")) return "openai";
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith("/messages")) return "anthropic";
  return path.includes(":streamGenerateContent") ? "google" : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function write(response: ServerResponse, text: string, splitBytes: number | undefined): Promise<void> {
  const bytes = Buffer.from(text);
  const step = splitBytes ?? bytes.length;
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    // A turn of the event loop keeps the pieces apart on the network.
    if (splitBytes) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function play(turn: VendorTurn, request: VendorRequest, response: ServerResponse): Promise<void> {
  if (turn.waitMs) await sleep(turn.waitMs);
  if (turn.trouble === "hang") return;
  if (turn.trouble === "reset") return void response.socket?.destroy();
  const wire = wires[request.wire];
  if (turn.status) {
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
    return void response.end(turn.body ?? toJson(wire.failure(turn.status, `scripted failure ${turn.status}`)));
  }
  if (turn.trouble === "json") {
    response.writeHead(200, { "content-type": "application/json", ...turn.headers });
    return void response.end(toJson(wire.whole(turn)));
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers });
  response.flushHeaders();
  if (turn.trouble === "garbage") return void response.end("data: <html>this is not JSON</html>\n\n");
  if (turn.events) {
    response.write(turn.events.map((data) => `data: ${data}\n\n`).join(""));
    if (turn.trouble !== "stall") response.end();
    return;
  }
  const { opening, closing } = wire.stream(turn, request.body);
  const broken = turn.trouble !== undefined;
  for (const event of broken ? opening : [...opening, ...closing]) {
    if (turn.delayMs) await sleep(turn.delayMs);
    if (response.destroyed) return;
    await write(response, event, turn.splitBytes);
  }
  if (turn.trouble === "stall") return;
  if (turn.trouble === "cut") return void setTimeout(() => response.socket?.destroy(), 20);
  if (turn.trouble === "error") response.write(`data: ${toJson(wire.failure(500, "scripted trouble"))}\n\n`);
  response.end();
}

/** Starts a fake model API. Answers 400 "no turn left" when its script is used up. */
export async function startVendor(script: VendorScript = []): Promise<Vendor> {
  let current = script;
  let played = 0;
  let calls = 0;
  const requests: VendorRequest[] = [];
  const named = (turn: VendorTurn): VendorTurn =>
    turn.calls ? { ...turn, calls: turn.calls.map((call) => ({ id: `call_${++calls}`, ...call })) } : turn;

  const server = createServer(async (incoming, response) => {
    response.on("error", () => {});
    const path = incoming.url ?? "/";
    const wire = wireOf(path.split("?")[0] ?? "");
    const text = await bodyOf(incoming).catch(() => "");
    if (!wire)
      return void response
        .writeHead(404)
        .end(`{"error":{"message":"the fake vendor (test/support/vendor.ts) knows no wire for ${path}"}}`);
    const gone = new Promise<void>((resolve) =>
      response.on("close", () => {
        if (!response.writableFinished) resolve();
      }),
    );
    let body: JsonValue = {};
    try {
      body = parseJson(text);
    } catch {
      // Recorded as {}; `text` holds what was sent.
    }
    const headers = incoming.headers as Record<string, string>;
    const request: VendorRequest = { wire, path, headers, body: body as JsonObject, text, gone };
    requests.push(request);
    const n = played++;
    const turn = typeof current === "function" ? current(request, n) : current[n];
    await play(named(turn ?? { status: 400, body: `{"error":{"message":"no turn left"}}` }), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script(next) {
      current = next;
      played = 0;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
