// One HTTP exchange: a request goes out exactly once, the answer is read up to a cap and decompressed on the way.
// Redirects are never followed. Nothing here knows of actions or credentials.
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import type { Agent } from "undici";

/** The end of a call's time. */
export class Clock extends EventEmitter {
  aborted = false;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    super();
    this.#timer = setTimeout(() => {
      this.aborted = true;
      this.emit("abort");
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A request, byte for byte. */
export interface WireRequest {
  origin: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Ends the exchange when it emits "abort". An emitter, because an AbortSignal costs a small call a tenth of its time. */
  signal: Clock;
  /** Reading stops after this many decompressed bytes. */
  maxBytes: number;
}

export interface WireAnswer {
  status: number;
  /** By lower-case name; repeated headers joined as RFC 9110 allows. */
  headers: Record<string, string>;
  bytes: Buffer;
  /** Whether there was more than `maxBytes`. */
  truncated: boolean;
}

export interface Wire {
  /** Sends once. Throws the network's error, the signal's reason, or AnswerError. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** The answer breaks HTTP or its own headers. */
export class AnswerError extends Error {}

/** Codings stacked deeper serve no honest target; each costs a decompressor (CVE-2026-22036). */
const MAX_CODINGS = 2;
/**
 * An idle connection is dropped after this long when the target names no time of its own: many servers close after two seconds
 * or more, and a request that meets a closing connection fails without being sent again.
 */
const KEEP_ALIVE_MS = 1_000;

async function decoderFor(coding: string): Promise<NodeJS.ReadWriteStream & Readable> {
  const zlib = await import("node:zlib");
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new AnswerError(`the answer is compressed as ${coding.slice(0, 40)}, which was not asked for`);
  }
}

async function decoded(body: Readable, encoding: string): Promise<Readable> {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one !== "identity");
  if (codings.length === 0) return body;
  if (codings.length > MAX_CODINGS) throw new AnswerError(`the answer is compressed ${codings.length} times over`);
  const { pipeline } = await import("node:stream");
  const decoders = await Promise.all(codings.reverse().map(decoderFor));
  // The reader of the last stream sees every failure; the callback only keeps it from being thrown twice.
  return pipeline([body, ...decoders], () => {}) as unknown as Readable;
}

/** Listens instead of iterating: an async iterator costs more than the rest of a small call. */
function readUpTo(stream: Readable, maxBytes: number): Promise<{ bytes: Buffer; truncated: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (truncated: boolean): void => {
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      resolve(truncated ? { bytes: bytes.subarray(0, maxBytes), truncated } : { bytes, truncated });
    };
    stream
      .on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= maxBytes) return;
        settle(true);
        // Destroying the stream ends the connection: the rest is never sent.
        stream.destroy();
      })
      .on("end", () => settle(false))
      .on("error", reject)
      .on("close", () => reject(new AnswerError("the answer ended before it was complete")));
  });
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/** A wire with its own keep-alive connections; the HTTP library is loaded with the first request. */
export function createWire(): Wire {
  let agent: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    const { Agent } = await import("undici");
    // The caller's signal is the only clock; one request at a time on a connection, so that none is ever replayed.
    return new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
  };
  return {
    async send({ maxBytes, ...request }) {
      agent ??= open();
      const { statusCode, headers, body } = await (await agent).request({
        ...request,
        method: request.method as "GET",
      });
      body.on("error", () => {});
      const all = flat(headers);
      try {
        const bodiless = request.method === "HEAD" || statusCode === 204 || statusCode === 304;
        const stream = bodiless ? body : await decoded(body, all["content-encoding"] ?? "");
        return { status: statusCode, headers: all, ...(await readUpTo(stream, maxBytes)) };
      } finally {
        if (!body.readableEnded) body.destroy();
      }
    },
    async close() {
      await (await agent)?.destroy();
    },
  };
}
