// Events as a streamed answer, server-sent or as lines of JSON, kept alive while there is nothing to send.
// Source: docs/reference.md, "Streams of events"; https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { Request, Response } from "express";
import type { TurnEvent } from "../../domain/event.js";
import { toJson } from "../../lib/json.js";
import { preferredType } from "../request/accept.js";
import { drained, onResponseEnd } from "./respond.js";

const NDJSON = "application/x-ndjson";
const SSE = "text/event-stream";

/** The form of a stream. */
export type StreamType = typeof SSE | typeof NDJSON;

/**
 * Milliseconds after which a silent stream, socket or MCP request says that it is alive. Proxies give up after 30 s or more, and a
 * browser cannot see the pings of the WebSocket protocol.
 */
export const HEARTBEAT_MS = 10_000;
/** Milliseconds after which a browser's EventSource connects again. */
const RETRY_MS = 1_000;

/** The waiting times of streams; for tests. */
export interface StreamTimes {
  heartbeatMs?: number;
  stalledMs?: number;
}

/** How a stream is set up. */
interface StreamOptions extends StreamTimes {
  type: StreamType;
  /** Whether a browser's EventSource may read it, which a POST cannot be. */
  isReplay?: boolean;
  /** Whether lines say the number of their event, and its turn; server-sent events always say both, in their id. */
  names?: "seq" | "seq and turn_id" | undefined;
}

/** An event and where it stands; without `seq` one that belongs to no turn. */
interface StreamedEvent {
  event: TurnEvent;
  turn_id?: string;
  seq?: number;
}

/** The stream the client names and likes best; undefined when it wants one JSON text. A wildcard names none. */
export function streamTypeOf(req: Request): StreamType | undefined {
  const type = preferredType(req, ["application/json", SSE, NDJSON]);
  return type === "application/json" ? undefined : type;
}

let newest: { value: object; json: string } | undefined;

/** The JSON text of what many readers are sent one after the other, made once for all of them. The value must not change. */
export function sharedJson(value: object): string {
  if (newest?.value !== value) newest = { value, json: toJson(value) };
  return newest.json;
}

/** The JSON text of an event with its number, and its turn where that is given. */
export function withSeq(event: TurnEvent, seq: number, turn_id?: string): string {
  const turn = turn_id === undefined ? "" : `,"turn_id":${JSON.stringify(turn_id)}`;
  return `${sharedJson(event).slice(0, -1)}${turn},"seq":${seq}}`;
}

/** A streamed answer. Nothing is written before the first event or sign of life, unless it is opened. */
export class EventStream {
  private readonly res: Response;
  private readonly options: StreamOptions;
  private readonly timer: NodeJS.Timeout;

  constructor(res: Response, options: StreamOptions) {
    this.res = res;
    this.options = options;
    this.timer = setInterval(() => this.keepAlive(), options.heartbeatMs ?? HEARTBEAT_MS).unref();
    onResponseEnd(res.req, res, () => clearInterval(this.timer));
  }

  /** Sends the status and the headers. */
  open(): void {
    const { res, options } = this;
    if (res.headersSent || res.destroyed) return;
    res.writeHead(200, { "Content-Type": options.type, "X-Accel-Buffering": "no" });
    if (options.type === SSE && options.isReplay) res.write(`retry: ${RETRY_MS}\n\n`);
    else res.flushHeaders();
  }

  send({ event, turn_id, seq }: StreamedEvent): void {
    const { options } = this;
    if (options.type === SSE) {
      const id = seq === undefined ? "" : `id: ${turn_id}.${seq}\n`;
      this.write(`${id}data: ${sharedJson(event)}\n\n`);
    } else if (seq === undefined || !options.names) this.write(`${sharedJson(event)}\n`);
    else this.write(`${withSeq(event, seq, options.names === "seq" ? undefined : turn_id)}\n`);
  }

  /** Sends a whole message in the form of the stream. */
  write(text: string): void {
    const { res } = this;
    if (res.destroyed) return;
    if (!res.headersSent) this.open();
    this.timer.refresh();
    res.write(text);
  }

  /** Resolves once the client has taken what was sent; one that does not loses the connection. */
  async drained(): Promise<void> {
    await drained(this.res, this.options.stalledMs);
  }

  end(): void {
    clearInterval(this.timer);
    if (!this.res.destroyed) this.res.end();
  }

  private keepAlive(): void {
    const { res, options } = this;
    this.open();
    // What a client does not read needs no sign of life behind it.
    if (!res.destroyed && !res.writableNeedDrain) res.write(options.type === SSE ? ": alive\n\n" : " ");
  }
}
