// One HTTP exchange: a request goes out exactly once, the answer is read up to a cap and decompressed on the way.
// Redirects are never followed. Nothing here knows of actions or credentials.
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { ByteCollector } from "../../lib/byte-collector.js";
import { type Connections, openConnections } from "../../lib/connections.js";
import { type AnswerBody, chunksOf, dispatch } from "../../lib/http-exchange.js";

/** The end of a call's time. */
export class Deadline extends EventEmitter {
  aborted = false;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    super();
    this.#timer = setTimeout(() => this.end(), ms);
  }

  /** Ends it before its time. */
  readonly end = (): void => {
    this.aborted = true;
    this.emit("abort");
  };

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A request, byte for byte. */
interface HttpRequest {
  origin: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Ends the exchange when it emits "abort". An emitter, because an AbortSignal costs a small call a tenth of its time. */
  signal: Deadline;
  /** Reading stops after this many decompressed bytes. */
  maxBytes: number;
  /** May take over an answer that gets long. */
  overflow?: Overflow;
}

/** Where an answer goes that is too long for memory. */
export interface Overflow {
  /** Decompressed bytes held before it is asked; it never is when `maxBytes` comes first. */
  readonly afterBytes: number;
  /** Takes over an answer that begins with these bytes; undefined leaves it to `maxBytes`. The bytes are its own to change. */
  take(beginning: HttpAnswer): Promise<PacketSink | undefined>;
}

/** Takes the rest of an answer packet by packet. */
export interface PacketSink {
  /** False when no more is wanted. The bytes are its own to change. */
  write(chunk: Buffer): Promise<boolean>;
}

export interface HttpAnswer {
  status: number;
  /** By lower-case name; repeated headers joined as RFC 9110 allows. */
  headers: Record<string, string>;
  bytes: Buffer;
  /** Whether there was more than `bytes`. */
  truncated: boolean;
}

export interface HttpClient {
  /** Sends once. Throws the network's error, the signal's reason, or AnswerError. */
  send(request: HttpRequest): Promise<HttpAnswer>;
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

/** Codings that a message names; what else stands in a header may be anything. Source: IANA, HTTP Content Coding Registry. */
const OTHER_CODINGS = /^(aes128gcm|compress|dcb|dcz|exi|pack200-gzip|x-compress|zstd)$/;

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
      throw new AnswerError(
        `the answer is compressed${OTHER_CODINGS.test(coding) ? ` as ${coding}` : ""}, which was not asked for`,
      );
  }
}

/** An answer that has no content whatever its headers say, and bytes behind it that nobody reads. Source: RFC 9110, 15.3.5 and 15.4.5 */
const isWithoutContent = (method: string, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 304;

/** What an answer is read from: its body, or the end of its decompressors. */
type Source = Pick<AnswerBody, "read">;

/** `first`, and what comes after it. */
async function* chunksBehind(first: Buffer, body: AnswerBody): AsyncGenerator<Buffer, void, void> {
  yield first;
  yield* chunksOf(body);
}

async function decoded(body: AnswerBody, encoding: string): Promise<Source> {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one !== "identity");
  if (codings.length === 0) return body;
  if (codings.length > MAX_CODINGS) throw new AnswerError(`the answer is compressed ${codings.length} times over`);
  // Many servers name the coding of an answer that turns out to be empty.
  const first = await body.read();
  if (!first) return body;
  const { pipeline, Readable } = await import("node:stream");
  const decoders = await Promise.all(codings.reverse().map(decoderFor));
  // The reader of the last stream sees every failure; the callback only keeps it from being thrown twice.
  const stream = pipeline([Readable.from(chunksBehind(first, body)), ...decoders], () => {}) as unknown as Readable;
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  return { read: async () => (await chunks.next()).value };
}

interface Read {
  bytes: Buffer;
  truncated: boolean;
}

/** Reads to the end, or until there is more than `maxBytes`; then `bytes` is all that was read. */
async function readUpTo(source: Source, maxBytes: number): Promise<Read> {
  const read = new ByteCollector();
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    read.add(chunk);
    if (read.length > maxBytes) return { bytes: read.bytes(), truncated: true };
  }
  return { bytes: read.bytes(), truncated: false };
}

/** Reads on, packet by packet, as long as more is wanted. */
async function readOn(source: Source, sink: PacketSink): Promise<boolean> {
  for (let chunk = await source.read(); chunk; chunk = await source.read())
    if (!(await sink.write(chunk))) return false;
  return true;
}

/** Where the rest of a long answer goes. */
interface LongReading {
  maxBytes: number;
  overflow: Overflow | undefined;
}

/** The rest of a long answer: where its taker wants it, or in memory up to the cap. */
async function readLong(source: Source, beginning: HttpAnswer, { maxBytes, overflow }: LongReading): Promise<Read> {
  const taken = await overflow?.take(beginning);
  if (taken) return { bytes: Buffer.alloc(0), truncated: !(await readOn(source, taken)) };
  const read = new ByteCollector();
  read.add(beginning.bytes);
  const collect: PacketSink = {
    async write(chunk) {
      read.add(chunk);
      return read.length <= maxBytes;
    },
  };
  const isWhole = read.length <= maxBytes && (await readOn(source, collect));
  return { bytes: read.bytes().subarray(0, maxBytes), truncated: !isWhole };
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/** A client with its own keep-alive connections; the HTTP library is loaded with the first request. */
export function createHttpClient(): HttpClient {
  let connections: Promise<Connections> | undefined;
  return {
    async send({ maxBytes, overflow, signal, ...request }) {
      // The caller's signal is the only deadline; one request at a time on a connection, so that none is ever replayed.
      connections ??= openConnections({
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: 0,
        bodyTimeout: 0,
        pipelining: 1,
      });
      const way = await (await connections).wayTo(request.origin);
      const exchange = dispatch(way, { ...request, method: request.method as "GET" });
      const stop = (): void => exchange.abort(new AnswerError("it took too long"));
      if (signal.aborted) stop();
      else signal.once("abort", stop);
      const { status, headers, body } = await exchange.answer;
      const all = flat(headers);
      try {
        if (isWithoutContent(request.method, status)) {
          // Read so that the connection can be used again; the answer is whole without it.
          await readUpTo(body, 0).catch(() => {});
          return { status, headers: all, bytes: Buffer.alloc(0), truncated: false };
        }
        const source = await decoded(body, all["content-encoding"] ?? "");
        const taker = overflow && overflow.afterBytes < maxBytes ? overflow : undefined;
        const read = await readUpTo(source, taker?.afterBytes ?? maxBytes);
        const answer = { status, headers: all, ...read };
        if (!read.truncated) return answer;
        return { ...answer, ...(await readLong(source, answer, { maxBytes, overflow: taker })) };
      } finally {
        body.destroy();
      }
    },
    async close() {
      await (await connections)?.destroy();
    },
  };
}
