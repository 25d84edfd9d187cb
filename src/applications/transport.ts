// The interface to the target application: an action and its arguments become a prepared call, a prepared call becomes an outcome.
// A transport knows one way of reaching a target; it knows nothing of models, policy or history.

import type { ApplicationCredential } from "../config/application-auth.js";
import type { Effect } from "../domain/effect.js";
import type { InputAnswer, InputRequest } from "../domain/input.js";
import type { Action } from "../domain/schema-document.js";
import type { ForeseenUndo } from "../domain/undo-state.js";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { Rows } from "../results/rows.js";

/** A program that is the server of an application, and speaks over its standard streams. */
export interface ServerProgram {
  /** With its arguments, run without a shell. */
  command: readonly string[];
  /** Where it runs. */
  folder: string;
  /** What it gets beside the few variables that every program needs; secrets. */
  environment: Readonly<Record<string, string>>;
}

/** Where the target is and what opens it; secrets are resolved values. */
export interface Target {
  /** Name of the application, "" for the one without a name; for messages that say where its settings are. */
  application: string;
  /**
   * Absolute address every request must stay under, without a trailing slash; "" when there is none. An operation that names
   * a server of its own may leave its path, never its origin.
   */
  baseUrl: string;
  /** Where a database or an MCP server is: an address or a file, secrets resolved; missing for what is reached by `baseUrl`. */
  location?: string;
  /** Why `location` is missing where there should be one, and what to do. */
  locationFault?: string;
  /** The MCP server of the application, where it is a program. */
  program?: ServerProgram;
  /** Whether free queries are permitted with a role of the database that may do anything. */
  allowsSuperuser?: boolean;
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
  /** False: nothing is kept to undo its calls. */
  undo?: boolean;
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
  /** The name that the target gives this state of what it answered with; missing without one that changes with every change. */
  etag?: string;
  /** What became of a call that was to change what had been shown: nothing was done, and this is what it would do now. */
  changed?: Preview;
}

/** What became of a credential that was refused. */
export type Renewal = { send: () => Promise<Outcome> } | { outcome: Outcome };

/** What a call would do. Nothing of it is redacted or cut. */
export interface Preview {
  effect: Effect;
  /** Of the rows and values that the effect is made of, whole; "" when there is nothing that execution could compare. */
  fingerprint: string;
  undo: ForeseenUndo;
}

/** What is known of a change when it is done and not yet final. Nothing of it is redacted or cut. */
export interface Evidence {
  effect: Effect;
  undo: ForeseenUndo;
  /** What `prepareUndo` of the same transport needs; missing where it is impossible. May hold whatever the rows hold. */
  images?: JsonObject;
  /** What `transactionStatus` can ask about after a crash. */
  transaction?: string;
}

/** How a call is executed; `expected`, `ifMatch` and `keep` are for what changes something. */
export interface ExecuteOptions {
  /** The fingerprint of what a person saw: when it is another now, nothing is done and the outcome has `changed`. */
  expected?: string | undefined;
  /** The state that what is changed must have, by the name the target gave it; the target refuses otherwise. */
  ifMatch?: string | undefined;
  /** Puts the evidence on record before the change becomes final; when it throws, nothing is done. */
  keep?(evidence: Evidence): Promise<void>;
  /**
   * Ends what only reads, where the transport can end it at its target: an outcome of status `error` then says `cancelled`. A
   * change that has begun, and what cannot be ended, is awaited.
   */
  signal?: AbortSignal | undefined;
  /**
   * Ends this call alone, one that changes something too: an outcome of status `error` then says `cancelled`, and of a change what
   * is known of it. What is becoming final, and what cannot be ended, is awaited.
   */
  stop?: AbortSignal | undefined;
  /**
   * Asks a person for what the target wants to know before it goes on; resolves when it is answered, when time is up, and when
   * nobody can be asked. Never rejects. The target's patience counts on meanwhile: `timeoutMs` does not.
   */
  ask?(request: InputRequest): Promise<InputAnswer>;
  /** Gets what the target says of how far it is; must not throw. */
  onProgress?(message: string): void;
}

/** One way of reaching a target. */
export interface Transport {
  readonly kind: string;
  /** Set when nothing leaves the daemon: the answers are its own and are not redacted again. */
  readonly isLocal?: boolean;
  /**
   * Set when a call may `ask` or tell of its progress. Such a call runs beside no other one of its turn: how many events it will have
   * is not known before. Only then are both given to `execute`.
   */
  readonly mayAsk?: boolean;
  /** Pure, no I/O. Throws CallError when the arguments cannot be expressed as a safe request. */
  prepare(action: Action, args: CallArguments, target: Target): PreparedCall;
  /**
   * Sends the call once; never retries by itself, never follows a redirect. Failures of the target or the network are outcomes of
   * status `error`, never exceptions. Once a change has been sent an abort of `signal` does not cut it short; one
   * of `stop` does.
   */
  execute(call: PreparedCall, target: Target, options?: ExecuteOptions): Promise<Outcome>;
  /**
   * What the call would do, found without doing it: it is run and rolled back. Missing where that is impossible; then nothing is sent.
   * An outcome instead, of status `error`, when the call would fail, or was ended by the signal.
   */
  preview?(
    call: PreparedCall,
    target: Target,
    options?: Pick<ExecuteOptions, "signal">,
  ): Promise<Preview | { outcome: Outcome }>;
  /** The call that takes back what the evidence tells of; pure. Throws CallError when the images cannot be used. */
  prepareUndo?(action: Action, images: JsonObject, target: Target): PreparedCall;
  /** What became of a transaction that the daemon ended in; undefined when the target cannot say any more. */
  transactionStatus?(transaction: string, target: Target): Promise<"committed" | "aborted" | undefined>;
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
