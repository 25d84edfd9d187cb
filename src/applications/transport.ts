// The interface to the target application: an action and its arguments become a prepared call, a prepared call becomes an outcome.
// A transport knows one way of reaching a target; it knows nothing of models, policy or history.

import type { ApplicationCredential } from "../config/application-auth.js";
import type { Action } from "../domain/schema-document.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { Rows } from "../results/rows.js";

/** Where the target is and what opens it; secrets are resolved values. */
export interface Target {
  /** Name of the application, "" for the one without a name; for messages that say where its settings are. */
  application: string;
  /**
   * Absolute address every request must stay under, without a trailing slash; "" when there is none. An operation that names
   * a server of its own may leave its path, never its origin.
   */
  baseUrl: string;
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** The document's security schemes by name, in OpenAPI's form. */
  schemes: Readonly<Record<string, JsonObject>>;
  /**
   * The operator's credential for a scheme, by the scheme's name: a key or token, `user:password` for basic,
   * `client_id:client_secret` for OAuth client credentials (with ` https://…/token` when the endpoint is not the target's); or
   * what gives one.
   */
  credentials: Readonly<Record<string, ApplicationCredential>>;
  /** Whether headers, credentials and arguments of the operator must not be sent: the operator has not named the address yet. */
  credentialsWait?: boolean;
  /** Values of arguments the model never sees, by the names that `Action.operatorArguments` refers to. */
  arguments?: Readonly<Record<string, string>>;
  /** One call, from connecting to the last byte, in milliseconds. */
  timeoutMs: number;
  /** Whether arguments may name files on this machine to be uploaded. */
  allowFiles: boolean;
}

/** The arguments of a call. */
export interface CallArguments {
  /** What the call is made with. */
  sent: JsonObject;
  /** The same object, or one with its secrets replaced: all that may be stored or displayed is made of these. */
  shown: JsonObject;
}

/** A call ready to go. Pure data: nothing has been sent. */
export interface PreparedCall {
  /** Short form for the history: `{ method, url }` for HTTP; null when nothing leaves the daemon. Made of the arguments shown. */
  request: JsonObject | null;
  /** The whole request as it would be sent (method, url, headers, body), made of the arguments shown, credentials redacted. */
  preview: JsonObject;
  /** What `execute` of the same transport needs; opaque to other callers. */
  plan: unknown;
}

/** The outcome of a call. */
export interface Outcome {
  status: "ok" | "error";
  /** The answer as a JSON value; for an error an object with at least `error` (a code) and `message`. */
  value: JsonValue;
  /**
   * The rows of an answer too long for memory; `value` then holds the first of them in their place. The receiver
   * must close them.
   */
  rows?: Rows;
  /**
   * Set when the target refused the call with 401 and another credential may be had. Gets it, sending nothing to the target, and
   * gives what sends the call once more, or the outcome when there is none.
   */
  renew?: () => Promise<Renewal>;
}

/** What became of a credential that was refused. */
export type Renewal = { send: () => Promise<Outcome> } | { outcome: Outcome };

/** One way of reaching a target. */
export interface Transport {
  readonly kind: string;
  /** Set when nothing leaves the daemon: the answers are its own and are not redacted again. */
  readonly isLocal?: boolean;
  /** Pure, no I/O. Throws CallError when the arguments cannot be expressed as a safe request. */
  prepare(action: Action, args: CallArguments, target: Target): PreparedCall;
  /**
   * Sends the call once; never retries by itself, never follows a redirect. Failures of the target or the network are outcomes of
   * status `error`, never exceptions. Once the request has been sent an abort does not cut it short.
   */
  execute(call: PreparedCall, target: Target): Promise<Outcome>;
  /** Ends connections and children. */
  close?(): Promise<void>;
}

/** The arguments cannot be sent as they are; the model reads the message and can do better. */
export class CallError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "CallError";
  }
}
