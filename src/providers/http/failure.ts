// What a failed model call says: which provider, at which host, what happened and what to do. One place for every wire.
// Whatever a vendor or a library says is quoted short and with the key and header values taken out.

import { messageOf } from "../../domain/error.js";
import { isObject, type JsonValue, parseJson } from "../../lib/json.js";
import { type NetworkFailureKind, networkFailureOf } from "../../lib/network-failure.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { ProviderError, type ProviderOptions } from "../provider.js";

/** Longer quotes from a vendor are cut: an error page is not a sentence. */
const LONGEST_QUOTE = 300;
/** Statuses that mean "not now" (RFC 9110; 425 RFC 8470; 529 is Anthropic's "overloaded"). */
const BUSY = new Set([408, 409, 425, 429]);
/** What vendors call a fault of theirs inside a stream. */
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
  /** An HTTP status that is not 2xx, with what came in the body. */
  status(status: number, headers: Readonly<Record<string, unknown>>, body: string): ProviderError;
  /** An error object inside an answer or a stream. */
  reported(error: unknown): ProviderError;
  /** The stream ended before the answer did. */
  cut(): ProviderError;
  /** The answer is not what this wire sends; `seen` is the start of it. */
  unreadable(seen: string): ProviderError;
  /** Anything thrown underway: connection trouble, a library's complaint. A ProviderError passes as it is. */
  from(error: unknown): ProviderError;
}

/** How long a vendor asks to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date), in milliseconds. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const header = headers["retry-after"];
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const ms = Number.isFinite(Number(header)) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** What a vendor's error value says: `{ error: { message } }`, `{ message }`, `{ error: "…" }` or plain text. */
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

function thrownBefore(error: unknown): ProviderError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof ProviderError) return at;
  return undefined;
}

/** What the vendors' packages make of an answer they cannot read, or of an error object in mid-stream; undefined otherwise. */
function toldBy(error: Error): "unreadable" | object | undefined {
  const value = "value" in error ? error.value : undefined;
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(error.name))
    return isObject(value) && isObject(value["error"]) ? value["error"] : "unreadable";
  if (error.name !== "AI_APICallError") return undefined;
  if (error.message.startsWith("JSON parsing failed")) return "unreadable";
  const broken = "statusCode" in error && Number(error.statusCode) >= 500;
  return { message: error.message, type: broken ? "server_error" : "" };
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
  const quote = (text: string): string => {
    const flat = redactor.text(text).replace(/\s+/g, " ").trim();
    const short = flat.length > LONGEST_QUOTE ? `${flat.slice(0, LONGEST_QUOTE)}…` : flat;
    return short && `: ${short}${/[.!?…]$/.test(short) ? "" : "."}`;
  };
  const failures: Failures = {
    status(status, headers, body) {
      const said = quoteOf(parsed(body));
      const broke = NO_CREDIT.test(body);
      const what = status === 401 || status === 403 ? "refused the key" : "refused the call";
      const sentence = `${who} ${status >= 500 ? "failed" : what} with status ${status}${quote(said) || "."}`;
      return new ProviderError(`${sentence} ${advice(status, options.model)}`, {
        retryable: !broke && (BUSY.has(status) || status >= 500),
        ...(retryAfterMs(headers) !== undefined && { retryAfterMs: retryAfterMs(headers) }),
      });
    },
    reported(error) {
      const said = quoteOf(error);
      const words = `${said} ${isObject(error) ? `${error["type"]} ${error["code"]} ${error["status"]}` : ""}`;
      return new ProviderError(`${who} reported an error${quote(said) || "."}`, {
        retryable: BUSY_WORDS.test(words) && !NO_CREDIT.test(words),
      });
    },
    cut: () => new ProviderError(`${who} ended its answer before it was complete. Try again.`, { retryable: true }),
    unreadable: (seen) =>
      new ProviderError(
        `${who} answered something this wire does not know${quote(seen.slice(0, 120)) || "."} Check base_url and the type.`,
      ),
    from(error) {
      const before = thrownBefore(error);
      if (before) return before;
      const known = CONNECTION[networkFailureOf(error).kind]?.(url.origin);
      if (known) return new ProviderError(`Provider "${options.name}": ${known}`, { retryable: true, cause: error });
      const told = error instanceof Error && toldBy(error);
      if (told) return told === "unreadable" ? failures.unreadable("") : failures.reported(told);
      return new ProviderError(`${who} cannot be called${quote(messageOf(error)) || "."}`, { cause: error });
    },
  };
  return failures;
}
