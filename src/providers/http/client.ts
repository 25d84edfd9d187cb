// POST requests to a vendor over undici, which is loaded at the first call. Answers other than 2xx become ProviderErrors
// here; the body of a good answer streams.
import type { Agent } from "undici";
import { StartError } from "../../domain/error.js";
import { type Answer, type AnswerBody, dispatch, openConnections } from "../../lib/http-exchange.js";
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
interface VendorCall {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

let agent: Promise<Agent> | undefined;

async function readStart(body: AnswerBody, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let chunk = await body.read(); chunk && size <= max; chunk = await body.read()) {
    chunks.push(chunk);
    size += chunk.length;
  }
  body.destroy();
  return Buffer.concat(chunks).toString("utf8");
}

/** The whole body as text. Throws RangeError beyond MAX_PART_BYTES. */
export async function readAll(body: AnswerBody): Promise<string> {
  const text = await readStart(body, MAX_PART_BYTES);
  if (text.length > MAX_PART_BYTES) throw new RangeError("the answer is too large");
  return text;
}

/**
 * Sends a request. Throws ProviderError on a status other than 2xx, the signal's reason, and what undici throws.
 * The signal must be the call's own: it is listened to for as long as it lives.
 */
export async function post(
  { url, headers, body }: VendorCall,
  failures: Failures,
  signal: AbortSignal,
): Promise<Answer> {
  // The whole call has its timeout in `withRetry`; undici's own would cut slow local models short.
  agent ??= openConnections({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 });
  const dispatcher = await agent;
  signal.throwIfAborted();
  const { origin, pathname, search } = url;
  const exchange = dispatch(dispatcher, { origin, path: pathname + search, method: "POST", headers, body });
  signal.addEventListener("abort", () => exchange.abort(signal.reason), { once: true });
  const answer = await exchange.answer;
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  throw failures.status(status, answer.headers, await readStart(answer.body, MAX_ERROR_BODY).catch(() => ""));
}

/** Where a provider is reached: its address without a trailing slash, and the failures that name it. */
export interface Endpoint {
  base: string;
  failures: Failures;
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
  return { base: url.href.replace(/\/+$/, ""), failures: createFailures(options, url) };
}
