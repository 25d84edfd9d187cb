// POST requests to a vendor over undici, which is loaded at the first call. Answers other than 2xx become ProviderErrors
// here; the body of a good answer streams.
import type { Agent, Dispatcher } from "undici";
import { StartError } from "../../domain/error.js";
import type { ProviderOptions } from "../provider.js";
import { createFailures, type Failures } from "./failure.js";

/** An error body is read up to here; the sentence in it comes early. */
const MAX_ERROR_BODY = 64 * 1024;
/** No reply is this large; a stream that does not end must not fill the memory. */
export const MAX_REPLY_BYTES = 32 * 1024 * 1024;
/** A reachable host accepts a connection within this time. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A request to a vendor. */
interface VendorCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A good answer's head and its streaming body. */
export type VendorAnswer = Dispatcher.ResponseData;

interface Client {
  request: typeof import("undici").request;
  agent: Agent;
}

let client: Promise<Client> | undefined;

async function load(): Promise<Client> {
  const { Agent, request } = await import("undici");
  // The whole call has its timeout in `withRetry`; undici's own would cut slow local models short.
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 });
  return { request, agent };
}

async function readStart(body: VendorAnswer["body"], max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if ((size += chunk.length) > max) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The whole body as text. Throws RangeError beyond MAX_REPLY_BYTES. */
export async function readAll(body: VendorAnswer["body"]): Promise<string> {
  const text = await readStart(body, MAX_REPLY_BYTES);
  if (text.length > MAX_REPLY_BYTES) throw new RangeError("the answer is too large");
  return text;
}

/** Rejects as soon as `signal` aborts: undici checks it only once it is connected, and sends nothing then. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Sends a request. Throws ProviderError on a status other than 2xx; what undici throws otherwise passes through. */
export async function post(call: VendorCall, failures: Failures, signal: AbortSignal): Promise<VendorAnswer> {
  client ??= load();
  const { request, agent } = await client;
  const { url, headers, body } = call;
  signal.throwIfAborted();
  const answer = await abortable(request(url, { method: "POST", headers, body, signal, dispatcher: agent }), signal);
  const { statusCode } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  throw failures.status(statusCode, answer.headers, await readStart(answer.body, MAX_ERROR_BODY).catch(() => ""));
}

/** Where a provider is reached: its address without a trailing slash, and the failures that name it. */
export interface Endpoint {
  base: string;
  failures: Failures;
}

/** The endpoint of these options. Throws StartError when base_url is not an http(s) address. */
export function endpointOf(options: ProviderOptions, standard?: string): Endpoint {
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
