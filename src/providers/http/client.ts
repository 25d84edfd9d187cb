// Requests to a vendor; the HTTP library is loaded at the first call. Answers other than 2xx become ProviderErrors
// here; the body of a good answer streams.

import { StartError } from "../../domain/error.js";
import { ByteCollector } from "../../lib/byte-collector.js";
import { type Connections, openConnections } from "../../lib/connections.js";
import { type Answer, type AnswerBody, dispatch } from "../../lib/http-exchange.js";
import { createSlices } from "../../lib/slices.js";
import { withoutTrailing } from "../../lib/trailing.js";
import type { PrintedSecrets } from "../printed-secrets.js";
import type { ProviderOptions } from "../provider.js";
import { createFailures, type Failures } from "./failure.js";

/** An error body is read up to here; the sentence in it comes early. */
const MAX_ERROR_BODY = 64 * 1024;
/** No reply is this large; a stream that does not end must not fill the memory. */
export const MAX_REPLY_BYTES = 32 * 1024 * 1024;
/** One event of a stream, or an answer that is not streamed: it is parsed in one go, and holds a reply of the longest kind. */
export const MAX_PART_BYTES = 4 * 1024 * 1024;
/** A reachable host accepts a connection within this time. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A request to a vendor. */
interface VendorRequest {
  url: URL;
  headers: Record<string, string>;
}

/** One with a body. */
interface VendorCall extends VendorRequest {
  body: string;
}

let connections: Promise<Connections> | undefined;

async function readStart(body: AnswerBody, max: number, first?: Buffer): Promise<string> {
  const read = new ByteCollector();
  for (let chunk = first ?? (await body.read()); chunk && read.length <= max; chunk = await body.read())
    read.add(chunk);
  body.destroy();
  return read.bytes().toString("utf8");
}

/** The whole body as text; `first` is what has been read of it. Throws RangeError beyond MAX_PART_BYTES. */
export async function readAll(body: AnswerBody, first?: Buffer): Promise<string> {
  const text = await readStart(body, MAX_PART_BYTES, first);
  if (text.length > MAX_PART_BYTES) throw new RangeError("the answer is too large");
  return text;
}

/** Time for an answer to end after its last word, so that its connection can be used again. */
const END_MS = 100;
/** Blanks that may stand before a text. */
const MAX_LEADING_BYTES = 64;
/** How a stream of events begins. */
const EVENTS = /^(\xef\xbb\xbf)?\s*(:|data|event|id|retry)/;

/**
 * Whether an answer is one JSON text and no stream: by its type or by how it begins, since servers give one the type of the other.
 * `first` is what has been read of it.
 */
export function isJsonAnswer(answer: Answer, first: Buffer | undefined): boolean {
  const start = first?.toString("latin1", 0, MAX_LEADING_BYTES) ?? "";
  const isJson = String(answer.headers["content-type"] ?? "").startsWith("application/json");
  return isJson ? first !== undefined && !EVENTS.test(start) : /^\s*\{/.test(start);
}

/** Reads what follows the last word of an answer; a server that holds its stream open loses the connection. */
export async function drain(body: AnswerBody): Promise<void> {
  const timer = setTimeout(() => body.destroy(), END_MS);
  try {
    while (await body.read());
  } catch {
    // The answer was complete; how its stream ends changes nothing.
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the vendor, and calls `onSilence` when that takes longer than `ms`. */
type Wait = <T>(waiting: Promise<T>) => Promise<T>;

function waitFor(ms: number | undefined, onSilence: () => void): Wait {
  if (ms === undefined) return (waiting) => waiting;
  return async (waiting) => {
    const timer = setTimeout(onSilence, ms);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Sends a request. Throws ProviderError on a status other than 2xx and on the vendor's silence, the signal's reason, and what
 * undici throws. A read of the body throws on silence, too; time its reader takes does not count.
 * The signal must be the call's own: it is listened to for as long as it lives.
 */
export function post(call: VendorCall, endpoint: Endpoint, signal: AbortSignal): Promise<Answer> {
  return exchange({ method: "POST", ...call }, endpoint, signal);
}

/** A request without a body; throws as `post` does. */
export function get(request: VendorRequest, endpoint: Endpoint, signal: AbortSignal): Promise<Answer> {
  return exchange({ method: "GET", ...request }, endpoint, signal);
}

type Sendable = VendorRequest & { method: "GET" | "POST"; body?: string };

/** Its headers get what commands print; a key that is refused is asked for anew, and the request sent once more. */
async function exchange(request: Sendable, endpoint: Endpoint, signal: AbortSignal): Promise<Answer> {
  const { failures, secrets } = endpoint;
  const filled = await secrets?.fill(request.headers, signal);
  let answer = await send({ ...request, ...filled }, endpoint, signal);
  const renewed = filled && answer.status === 401 && (await secrets?.renew(request.headers, filled, signal));
  if (renewed) {
    answer.body.destroy();
    answer = await send({ ...request, ...renewed }, endpoint, signal);
  }
  const { status, headers, body } = answer;
  if (status >= 200 && status < 300) return answer;
  throw failures.status(status, headers, await readStart(body, MAX_ERROR_BODY).catch(() => ""));
}

async function send(
  { url, headers, method, body }: Sendable,
  { failures, query, idleTimeoutMs }: Endpoint,
  signal: AbortSignal,
): Promise<Answer> {
  // The whole call has its timeout in `withRetry`; undici's own would cut slow local models short.
  connections ??= openConnections({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 });
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const { origin, pathname, search } = target;
  const way = await (await connections).wayTo(origin);
  signal.throwIfAborted();
  const sent = dispatch(way, { origin, path: pathname + search, method, headers, body });
  signal.addEventListener("abort", () => sent.abort(signal.reason), { once: true });
  const wait = waitFor(idleTimeoutMs, () => sent.abort(failures.silent(idleTimeoutMs ?? 0)));
  const { status, headers: answered, body: unread } = await wait(sent.answer);
  // Events that say nothing are as much work as others, and nobody waits between them.
  const slices = createSlices();
  const read = async (): Promise<Buffer | undefined> => {
    if (slices.isOver()) await slices.pause();
    return wait(unread.read());
  };
  return { status, headers: answered, body: { read, destroy: () => unread.destroy() } };
}

/** Where a provider is reached and how. */
export interface Endpoint {
  /** Without a trailing slash. */
  base: string;
  /** Added to the address of every call. */
  query: Readonly<Record<string, string>>;
  /** Name the provider. */
  failures: Failures;
  idleTimeoutMs: number | undefined;
  /** What commands print, in place of what stands in the headers for it. */
  secrets?: PrintedSecrets | undefined;
}

/**
 * The endpoint of these options; `standard` is the vendor's own address, which needs a key. Throws StartError without a key for
 * it, and when there is no address or one that is not http(s).
 */
export function endpointOf(options: ProviderOptions, standard?: string): Endpoint {
  if (standard && !options.apiKey && !options.baseUrl)
    throw new StartError(
      `Provider "${options.name}" has no API key. Write "api_key": "env:NAME" into its entry in config.json.`,
    );
  const address = options.baseUrl || standard;
  if (!address)
    throw new StartError(
      `Provider "${options.name}" needs base_url, such as http://127.0.0.1:11434/v1. Set it in config.json.`,
    );
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new StartError(
      `The base_url of provider "${options.name}" is not an http(s) address. Correct it in config.json.`,
    );
  const { query = {}, idleTimeoutMs, secrets } = options;
  return {
    base: withoutTrailing(url.href, "/"),
    query,
    failures: createFailures(options, url),
    idleTimeoutMs,
    secrets,
  };
}
