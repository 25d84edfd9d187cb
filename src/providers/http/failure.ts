// The errors of failed model calls: which provider, at which host, what happened and what to do. The same for every vendor.
// Messages of vendors and libraries are quoted short, without the key and header values.

import { messageOf } from "../../domain/error.js";
import { isObject, type JsonValue, parseJson } from "../../lib/json.js";
import { type NetworkFailureKind, networkFailureOf } from "../../lib/network-failure.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { ProviderError, type ProviderOptions } from "../provider.js";

/** Longer quotes from a vendor are cut: an error page is not a sentence. */
const MAX_QUOTE_CHARS = 300;
/** The beginning of what is no error at all. */
const MAX_UNREADABLE_CHARS = 120;
/** Statuses that mean "not now" (RFC 9110; 425 RFC 8470; 529 is Anthropic's "overloaded"). */
const BUSY = new Set([408, 409, 425, 429]);
/** Words for a fault on the vendor's side inside a stream. */
const BUSY_WORDS = /overload|rate.?limit|server_error|internal|unavailable|timeout|try again|capacity/i;
/** A used-up quota looks like a rate limit but waiting does not help. */
const NO_CREDIT = /insufficient_quota|credit balance|billing/i;

/** What a failure of the network means for a call to a model; what is not here is quoted as it is. */
const CONNECTION: Partial<Record<NetworkFailureKind, (origin: string) => string>> = {
  refused: (origin) => `nothing answers at ${origin}. Is it running there? Otherwise correct base_url.`,
  unknown_host: (origin) => `there is no such host: ${origin}. Check base_url and the network.`,
  lookup_failed: (origin) => `the name of ${origin} cannot be looked up right now. Check the network.`,
  connect_timeout: (origin) => `${origin} does not take connections in time. Check base_url and the network.`,
  timeout: (origin) => `${origin} does not answer in time. Check base_url and the network.`,
  unreachable_host: (origin) => `${origin} cannot be reached. Check base_url and the network.`,
  unreachable_network: (origin) => `${origin} cannot be reached. Check the network.`,
  closed: (origin) => `${origin} closed the connection.`,
  cut_short: (origin) => `${origin} closed the connection.`,
};

/** Makes the errors of one provider. Every message holds the provider's name and host, and no secret. */
export interface Failures {
  /** An HTTP status that is not 2xx, with the body's text. */
  status(status: number, headers: Readonly<Record<string, unknown>>, body: string): ProviderError;
  /** An error object inside an answer or a stream. */
  reported(error: unknown): ProviderError;
  /** The stream ended before the answer did. */
  cut(): ProviderError;
  /** The answer is not in this API's format; `seen` is the start of it. */
  unreadable(seen: string): ProviderError;
  /** Anything thrown on the way: a network failure, a library's error. A ProviderError passes as it is. */
  from(error: unknown): ProviderError;
}

/** How long a vendor asks to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date), in milliseconds. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>): number | undefined {
  const given = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(given)) return Math.max(0, given);
  const header = headers["retry-after"];
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const ms = Number.isFinite(Number(header)) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The message in a vendor's error value: `{ error: { message } }`, `{ message }`, `{ error: "…" }` or plain text. */
function quoteOf(value: JsonValue | unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return quoteOf(value[0]);
  if (value instanceof Error) return value.message;
  if (!isObject(value)) return "";
  return quoteOf(value["message"] ?? value["error"] ?? value["detail"]);
}

function parsed(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch {
    return /^\s*</.test(body) ? "" : body;
  }
}

function providerErrorIn(error: unknown): ProviderError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof ProviderError) return at;
  return undefined;
}

/** The vendors' packages throw these for an answer they cannot read and for an error object in a stream; undefined otherwise. */
function packageError(error: Error): "unreadable" | object | undefined {
  const value = "value" in error ? error.value : undefined;
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(error.name))
    return isObject(value) && isObject(value["error"]) ? value["error"] : "unreadable";
  if (error.name !== "AI_APICallError") return undefined;
  if (error.message.startsWith("JSON parsing failed")) return "unreadable";
  const isServerError = "statusCode" in error && Number(error.statusCode) >= 500;
  return { message: error.message, type: isServerError ? "server_error" : "" };
}

/** What to do about a status. `model` is the configured one. */
function advice(status: number, model: string): string {
  if (status === 401 || status === 403) return "Check its api_key.";
  if (status === 404 || status === 405) return `Check the model name "${model}" and base_url.`;
  if (status === 413) return "The conversation is too long for it: start a new session or lower history_limit.";
  if (status === 429) return "Wait a little, or check the plan and its limits.";
  if (status >= 300 && status < 400) return "It points elsewhere: correct base_url.";
  if (status >= 500) return "The trouble is on its side: try again later.";
  return "Check the model name and the provider's settings.";
}

/** The failures of the provider with these options at this address. */
export function createFailures(options: ProviderOptions, url: URL): Failures {
  const redactor = createRedactor([options.apiKey ?? "", ...Object.values(options.headers ?? {})]);
  const who = `Provider "${options.name}" (${url.host})`;
  const { redact = (text: string) => text } = options;
  // Redacted before it is cut: a part of a secret is not recognised any more.
  const quote = (text: string, maxChars = MAX_QUOTE_CHARS): string => {
    const flat = redact(redactor.text(text)).replace(/\s+/g, " ").trim();
    const short = flat.length > maxChars ? `${flat.slice(0, maxChars)}…` : flat;
    return short && `: ${short}${/[.!?…]$/.test(short) ? "" : "."}`;
  };
  const failures: Failures = {
    status(status, headers, body) {
      const message = quoteOf(parsed(body));
      const isOutOfCredit = NO_CREDIT.test(body);
      const what = status === 401 || status === 403 ? "refused the key" : "refused the call";
      const sentence = `${who} ${status >= 500 ? "failed" : what} with status ${status}${quote(message) || "."}`;
      return new ProviderError(`${sentence} ${advice(status, options.model)}`, {
        retryable: !isOutOfCredit && (BUSY.has(status) || status >= 500),
        retryAfterMs: retryAfterMs(headers),
      });
    },
    reported(error) {
      const message = quoteOf(error);
      const words = `${message} ${isObject(error) ? `${error["type"]} ${error["code"]} ${error["status"]}` : ""}`;
      return new ProviderError(`${who} reported an error${quote(message) || "."}`, {
        retryable: BUSY_WORDS.test(words) && !NO_CREDIT.test(words),
      });
    },
    cut: () => new ProviderError(`${who} ended its answer before it was complete. Try again.`, { retryable: true }),
    unreadable: (seen) =>
      new ProviderError(
        `${who} answered something this wire does not know${quote(seen, MAX_UNREADABLE_CHARS) || "."} Check base_url and the type.`,
      ),
    from(error) {
      const own = providerErrorIn(error);
      if (own) return own;
      const known = CONNECTION[networkFailureOf(error).kind]?.(url.origin);
      if (known) return new ProviderError(`Provider "${options.name}": ${known}`, { retryable: true, cause: error });
      const reported = error instanceof Error && packageError(error);
      if (reported) return reported === "unreadable" ? failures.unreadable("") : failures.reported(reported);
      return new ProviderError(`${who} cannot be called${quote(messageOf(error)) || "."}`, { cause: error });
    },
  };
  return failures;
}
