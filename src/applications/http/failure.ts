// Failures of the network and of the target's HTTP, as codes and sentences a model and a person can act on. No secret, no stack.
import { messageOf } from "../../domain/error.js";
import type { JsonObject } from "../../lib/json.js";
import { SpoolError } from "./answer/long-answer.js";
import { AnswerError } from "./http-client.js";
import { UploadError } from "./request/multipart.js";
import { TokenError } from "./request/oauth.js";

/** Reason of the signal that ends a call after its time. */
export class CallTimeout extends Error {}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|EPROTO)/;
const BAD_ANSWER =
  /^(HTTPParserError|HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR__ERROR)/;

function codeOf(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  // The HTTP parser's own errors do not always carry a code.
  if (error instanceof Error && error.name === "HTTPParserError") return error.name;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return cause instanceof Error ? codeOf(cause) : "";
}

function classify(error: unknown, host: string): [code: string, message: string, sent: boolean] {
  const code = codeOf(error);
  if (error instanceof TokenError) return ["auth_failed", `${error.message}; nothing was sent to the target`, false];
  if (error instanceof UploadError) return ["file_unreadable", error.message, false];
  if (error instanceof SpoolError)
    return [
      "no_space",
      `${host} gave a long answer, which cannot be set aside on this machine: ${error.message}`,
      true,
    ];
  if (error instanceof AnswerError) return ["invalid_response", `${host}: ${error.message}`, true];
  if (code === "ECONNREFUSED")
    return ["connection_refused", `nothing listens at ${host}; start the target or correct its address`, false];
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return [
      "dns_failure",
      `the name in ${host} does not resolve; correct the target's address or check the network`,
      false,
    ];
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "EADDRNOTAVAIL")
    return ["unreachable", `${host} cannot be reached from here; check the network`, false];
  if (code === "ETIMEDOUT" || code === "UND_ERR_CONNECT_TIMEOUT")
    return ["timeout", `${host} did not accept a connection in time`, false];
  if (TLS.test(code))
    return [
      "tls_error",
      `no secure connection to ${host} (${code}); check its certificate, or whether it speaks plain http`,
      false,
    ];
  if (BAD_ANSWER.test(code))
    return ["invalid_response", `${host} answered with something that is not valid HTTP (${code})`, true];
  if (code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET")
    return ["connection_reset", `${host} closed the connection before its answer was complete`, true];
  if (code === "UND_ERR_INVALID_ARG")
    return ["invalid_request", `the request cannot be sent: ${messageOf(error)}`, false];
  return ["network_error", `the call to ${host} failed (${code || messageOf(error)})`, true];
}

/** The value of an outcome for a call that got no usable answer. `origin` is the target's. */
export function failureValue(error: unknown, method: string, origin: string): JsonObject {
  const url = new URL(origin);
  const host = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const [code, text, sent] =
    error instanceof CallTimeout ? (["timeout", `${host} ${error.message}`, true] as const) : classify(error, host);
  const doubt =
    sent && !SAFE_METHODS.has(method) ? ". The request may have been carried out: check before sending it again" : "";
  return { error: code, message: text + doubt };
}
