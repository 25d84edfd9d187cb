// The errors of failed model calls: which provider, at which host, what happened and what to do. The same for every vendor.
// Messages of vendors and libraries are quoted short, without the key and header values.
import { HelperError } from "../../config/command-secret.js";
import { messageOf } from "../../domain/error.js";
import { isObject, type JsonObject, type JsonValue, jsonOrText } from "../../lib/json.js";
import { type NetworkFailureKind, networkFailureOf } from "../../lib/network-failure.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { ProviderError, type ProviderOptions } from "../provider.js";
import { adviceByWords, adviceFor, isOverflow } from "./advice.js";

/** Longer quotes from a vendor are cut: an error page is not a sentence. */
const MAX_QUOTE_CHARS = 300;
/** The beginning of what is no error at all. */
const MAX_UNREADABLE_CHARS = 120;
/** Of an error body, what is looked through for a type and a code. */
const MAX_WORDS_CHARS = 4_000;
/** Statuses that mean "not now" (RFC 9110; 425 RFC 8470; 529 is Anthropic's "overloaded"). */
const BUSY = new Set([408, 409, 425, 429]);
/** Words for a fault on the vendor's side inside a stream. */
const BUSY_WORDS = /overload|rate.?limit|(server|api)_error|internal|unavailable|timeout|try again|capacity/i;
/** Groq's word for a call that its model wrote wrong; the next attempt mostly does better. */
const MISWRITTEN = /tool_use_failed/;
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
  tls: (origin) =>
    `the certificate of ${origin} is not trusted, or it speaks no TLS. For an authority of your own, name its certificate in ca_file of config.json, or in NODE_EXTRA_CA_CERTS before the start; else check base_url.`,
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
  /** The answer ended with calls, by the vendor's word, and holds neither a call nor a text. */
  noCall(): ProviderError;
  /** The vendor sent nothing for so many milliseconds. */
  silent(ms: number): ProviderError;
  /** The answer is not in this API's format; `seen` is the start of it. */
  unreadable(seen: string): ProviderError;
  /** Anything thrown on the way: a network failure, a library's error. A ProviderError passes as it is. */
  from(error: unknown): ProviderError;
}

/** Google's pause, in the body of its refusal. */
const RETRY_DELAY = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/;

/**
 * How long a vendor asks to wait, from `retry-after-ms`, `retry-after` (seconds or an HTTP date) or the body of the refusal, in
 * milliseconds.
 */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>, body = ""): number | undefined {
  const given = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(given)) return Math.max(0, given);
  const header = headers["retry-after"];
  if (typeof header !== "string" || header.trim() === "") {
    const inBody = RETRY_DELAY.exec(body)?.[1];
    return inBody === undefined ? undefined : Number(inBody) * 1000;
  }
  const ms = Number.isFinite(Number(header)) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The message in a vendor's error value: `{ error: { message } }`, `{ message }`, `{ error: "…" }`, a list of `{ msg }` or plain text. */
function quoteOf(value: JsonValue | unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return quoteOf(value[0]);
  if (value instanceof Error) return value.message;
  if (!isObject(value)) return "";
  return quoteOf(value["message"] ?? value["error"] ?? value["detail"] ?? value["msg"]);
}

/** The first of a kind among an error and its causes. */
function thrownIn<T extends Error>(error: unknown, kind: abstract new (...args: never[]) => T): T | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof kind) return at;
  return undefined;
}

/** The vendors' packages throw these for an answer they cannot read and for an error object in a stream; undefined otherwise. */
function packageError(error: Error): "unreadable" | object | undefined {
  const value = "value" in error ? error.value : undefined;
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData)Error$/.test(error.name))
    return isObject(value) && isObject(value["error"]) ? value["error"] : "unreadable";
  if (error.name !== "AI_APICallError") return undefined;
  if (/^(JSON parsing|Type validation) failed/.test(error.message)) return "unreadable";
  const body = "responseBody" in error ? jsonOrText(String(error.responseBody)) : undefined;
  if (isObject(body)) return isObject(body["error"]) ? body["error"] : body;
  const isServerError = "statusCode" in error && Number(error.statusCode) >= 500;
  return { message: error.message, type: isServerError ? "server_error" : "" };
}

/** A JSON object that a vendor sent. Throws `unreadable` for anything else. */
export function readObject(data: string, { unreadable }: Pick<Failures, "unreadable">): JsonObject {
  const value = jsonOrText(data);
  if (!isObject(value)) throw unreadable(data);
  return value;
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
      const message = /^\s*</.test(body) ? "" : quoteOf(jsonOrText(body));
      const isOutOfCredit = status === 402 || NO_CREDIT.test(body);
      const what = status === 401 || status === 403 ? "refused the key" : "refused the call";
      const words = `${message}\n${body.slice(0, MAX_WORDS_CHARS)}`;
      const overflows = isOverflow(status, words);
      const sentence = `${who} ${status >= 500 ? "failed" : what} with status ${status}${quote(message) || "."}`;
      return new ProviderError(`${sentence} ${adviceFor(status, words, options.model)}`, {
        retryable: !overflows && !isOutOfCredit && (BUSY.has(status) || status >= 500 || MISWRITTEN.test(words)),
        retryAfterMs: retryAfterMs(headers, body),
        overflows,
      });
    },
    reported(error) {
      const message = quoteOf(error);
      const words = `${message} ${isObject(error) ? `${error["type"]} ${error["code"]} ${error["status"]}` : ""}`;
      // Gateways put the status that a vendor answered them with into the code.
      const status = isObject(error) ? Number(error["code"] ?? error["status"]) : Number.NaN;
      const overflows = isOverflow(status, words);
      const isBusy =
        BUSY_WORDS.test(words) || MISWRITTEN.test(words) || BUSY.has(status) || (status >= 500 && status < 600);
      const advice = adviceByWords(`${message}\n${words}`, options.model);
      return new ProviderError(`${who} reported an error${quote(message) || "."}${advice ? ` ${advice}` : ""}`, {
        retryable: isBusy && !overflows && !NO_CREDIT.test(words),
        overflows,
      });
    },
    cut: () => new ProviderError(`${who} ended its answer before it was complete. Try again.`, { retryable: true }),
    noCall: () =>
      new ProviderError(
        `${who} said that the model calls a tool, and sent no call. Try again, or choose a model whose calls it can read.`,
        { retryable: true },
      ),
    silent: (ms) =>
      new ProviderError(`${who} sent nothing for ${ms / 1000} s. Try again, or raise its idle_timeout_ms.`, {
        retryable: true,
      }),
    unreadable: (seen) =>
      new ProviderError(
        `${who} answered something this wire does not know${quote(seen, MAX_UNREADABLE_CHARS) || "."} Check base_url and the type.`,
      ),
    from(error) {
      const own = thrownIn(error, ProviderError);
      if (own) return own;
      const helper = thrownIn(error, HelperError);
      if (helper) {
        const said = quote(helper.stderr);
        return new ProviderError(`${who}: ${helper.message}.${said && ` It said${said}`}`, { cause: error });
      }
      const { kind } = networkFailureOf(error);
      const known = kind === "proxy" ? `${messageOf(error)}.` : CONNECTION[kind]?.(url.origin);
      // A certificate does not change by itself, nor does what a proxy lets through.
      const retryable = kind !== "tls" && kind !== "proxy";
      if (known) return new ProviderError(`Provider "${options.name}": ${known}`, { retryable, cause: error });
      const reported = error instanceof Error && packageError(error);
      if (reported) return reported === "unreadable" ? failures.unreadable("") : failures.reported(reported);
      return new ProviderError(`${who} cannot be called${quote(messageOf(error)) || "."}`, { cause: error });
    },
  };
  return failures;
}
