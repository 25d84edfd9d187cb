// Failures of the network and of the target's HTTP, as codes and sentences a model and a person can act on. No secret, no stack.
import { messageOf } from "../../domain/error.js";
import { STOPPED_CALL } from "../../domain/stopped-call.js";
import type { JsonObject } from "../../lib/json.js";
import { type NetworkFailureKind, networkFailureOf } from "../../lib/network-failure.js";
import { SpoolError } from "./answer/long-answer.js";
import { AnswerError } from "./http-client.js";
import { TokenError } from "./oauth/token-endpoint.js";
import { UploadError } from "./request/multipart.js";

/** Reason of the signal that ends a call after its time. */
export class CallTimeout extends Error {}

/** Why a call ends that a person has stopped. */
export class CallStopped extends Error {}

interface Failure {
  code: string;
  message: string;
  /** Whether the request may have been carried out. */
  mayBeSent: boolean;
}

/** Of the parts of a call that fail in their own way; undefined for what comes from the network. */
function ownFailure(error: unknown, host: string): Failure | undefined {
  if (error instanceof CallTimeout) return { code: "timeout", message: `${host} ${error.message}`, mayBeSent: true };
  if (error instanceof CallStopped)
    return { code: "cancelled", message: `${STOPPED_CALL} before ${host} had answered it`, mayBeSent: true };
  if (error instanceof TokenError)
    return { code: "auth_failed", message: `${error.message}; nothing was sent to the target`, mayBeSent: false };
  if (error instanceof UploadError) return { code: "file_unreadable", message: error.message, mayBeSent: false };
  if (error instanceof AnswerError)
    return { code: "invalid_response", message: `${host}: ${error.message}`, mayBeSent: true };
  if (!(error instanceof SpoolError)) return undefined;
  const message = `${host} gave a long answer, which cannot be set aside on this machine: ${error.message}`;
  return { code: "no_space", message, mayBeSent: true };
}

function sentenceOf(kind: NetworkFailureKind, detail: string, host: string): [code: string, message: string] {
  switch (kind) {
    case "refused":
      return ["connection_refused", `nothing listens at ${host}; start the target or correct its address`];
    case "unknown_host":
    case "lookup_failed":
      return ["dns_failure", `the name in ${host} does not resolve; correct the target's address or check the network`];
    case "unreachable_host":
    case "unreachable_network":
    case "no_local_address":
      return ["unreachable", `${host} cannot be reached from here; check the network`];
    case "connect_timeout":
    case "timeout":
      return ["timeout", `${host} did not accept a connection in time`];
    case "tls":
      return [
        "tls_error",
        `no secure connection to ${host} (${detail}); check its certificate (one of your own authority: ca_file in config.json, or NODE_EXTRA_CA_CERTS before the start), or whether it speaks plain http`,
      ];
    case "cut_short":
    case "invalid_response":
      return ["invalid_response", `${host} answered with something that is not valid HTTP (${detail})`];
    case "closed":
      return ["connection_reset", `${host} closed the connection before its answer was complete`];
    case "invalid_request":
      return ["invalid_request", `the request cannot be sent: ${detail}`];
    case "proxy":
      return ["proxy_error", `the call to ${host} did not get there: ${detail}`];
    case "other":
      return ["network_error", `the call to ${host} failed (${detail})`];
    default:
      return kind satisfies never;
  }
}

function networkFailure(error: unknown, host: string): Failure {
  const { kind, code, mayBeSent } = networkFailureOf(error);
  // A code alone does not tell a person what to do; the error's own words may.
  const detail = kind === "invalid_request" || kind === "proxy" ? messageOf(error) : code || messageOf(error);
  const [name, message] = sentenceOf(kind, detail, host);
  return { code: name, message, mayBeSent };
}

/** The value of an outcome for a call that got no usable answer. `isSafe` when it changes nothing; `baseUrl` is the target's. */
export function failureValue(error: unknown, isSafe: boolean, baseUrl: string): JsonObject {
  const url = new URL(baseUrl);
  const host = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const { code, message, mayBeSent } = ownFailure(error, host) ?? networkFailure(error, host);
  const doubt = mayBeSent && !isSafe ? ". The request may have been carried out: check before sending it again" : "";
  return { error: code, message: message + doubt };
}
