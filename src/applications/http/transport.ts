// The HTTP transport: an action and its arguments become one request to the target, its answer becomes an outcome.
// Preparing is pure. What is stored and displayed of a request is made of arguments without secrets; the request itself, with the
// arguments and the credentials as they are, only while it is sent.
import { tmpdir } from "node:os";
import { settingsKey } from "../../domain/application-name.js";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { createRedactor, REDACTED } from "../../lib/redact/redact.js";
import { withFields } from "../../lib/with-fields.js";
import {
  type CallArguments,
  CallError,
  type Outcome,
  type PreparedCall,
  type Renewal,
  type Target,
  type Transport,
} from "../transport.js";
import { createLongAnswer, type LongAnswer } from "./answer/long-answer.js";
import { outcomeOf } from "./answer/response.js";
import { CallStopped, CallTimeout, failureValue } from "./failure.js";
import { createHttpClient, Deadline, type HttpClient } from "./http-client.js";
import type { Secrets } from "./oauth/token-endpoint.js";
import { type Access, accessOf, type CredentialLocation, refuseWaiting } from "./request/auth.js";
import { bodyOf, type RequestBody } from "./request/body.js";
import {
  type CredentialSources,
  createCredentialSources,
  type ResolvedCredential,
} from "./request/credential-sources.js";
import { argumentHeaders, checkHeaders, onlyIfMatch } from "./request/headers.js";
import { renderBody } from "./request/multipart.js";
import { type HttpOperation, operationOf } from "./request/operation.js";
import { encode } from "./request/styles.js";
import { type Destination, destination } from "./request/url.js";

/** Reading an answer that is no long list stops here (decompressed bytes): more would not fit history, model or a small machine. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface HttpOptions {
  /** Learns the access tokens fetched for the target, so that they are never stored or displayed, and redacts what is quoted. */
  redact?: Secrets;
  /** Cap on an answer's decompressed bytes in memory; 8 MiB by default. */
  maxAnswerBytes?: number;
  /** Where the rows of long answers are set aside; the system's folder for temporary files by default. */
  spoolFolder?: string;
  /** Where sign-ins are kept; without it there are none. */
  dataDir?: string;
  /** Gets what the commands that give secrets complain about. */
  log?: Pick<Log, "warn">;
}

/** A request made of its arguments, before any credential. */
interface Draft {
  destination: Destination;
  headers: Record<string, string>;
  body: RequestBody | undefined;
}

/** An action, the target it goes to and the operator's credentials for it. */
interface CallContext {
  operation: HttpOperation;
  target: Target;
  access: Access;
}

/** What `execute` needs: the request itself is made when it is sent. */
interface HttpPlan {
  operation: HttpOperation;
  args: JsonObject;
  /** Arguments the operator supplies, by name, each with the name its value is configured under. */
  operatorArguments: Readonly<Record<string, string>>;
}

function readOperation(action: Action): HttpOperation {
  try {
    return operationOf(action);
  } catch (cause) {
    throw new CallError(`${action.name} cannot be called: ${messageOf(cause)}`, { cause });
  }
}

const withQuery = (url: string, name: string, value: string): string =>
  `${url}${url.includes("?") ? "&" : "?"}${encode(name)}=${value}`;

function createDraft(args: JsonObject, { operation, target, access }: CallContext): Draft {
  const taken = (where: CredentialLocation["in"]): Set<string> =>
    new Set(access.credentials.flatMap(({ location }) => (location.in === where ? [location.name] : [])));
  const to = destination(operation, args, { target, taken: taken("query") });
  const body = bodyOf(operation, args, target);
  const headers = {
    "user-agent": "agentd",
    accept: operation.accept,
    "accept-encoding": "gzip, br",
    ...argumentHeaders(operation, args, { taken: taken("cookie"), settings: settingsKey(target.application) }),
    ...(body && { "content-type": body.contentType }),
  };
  return { destination: to, headers, body };
}

/** The arguments with placeholders for those that the operator supplies. */
function withPlaceholders(args: JsonObject, names: HttpPlan["operatorArguments"]): JsonObject {
  const own = Object.keys(names).map((argument) => [argument, REDACTED]);
  return own.length > 0 ? { ...args, ...Object.fromEntries(own) } : args;
}

/** The arguments with the operator's values. */
function withOperatorValues({ args, operatorArguments }: HttpPlan, target: Target): JsonObject {
  const own = Object.entries(operatorArguments).map(([argument, name]) => {
    const value = target.arguments?.[name];
    if (value === undefined)
      throw new CallError(`${settingsKey(target.application)}.arguments holds no ${name} any more; nothing was sent`);
    return [argument, value];
  });
  return own.length > 0 ? { ...args, ...Object.fromEntries(own) } : args;
}

/** What a request carries beside its arguments: the target's own headers and credentials. */
interface Own {
  headers: Readonly<Record<string, string>>;
  credentials: readonly ResolvedCredential[];
}

/** Path and headers of the request, with what it carries beside its arguments. */
function authorised(
  draft: Draft,
  { headers: own, credentials }: Own,
): { path: string; headers: Record<string, string> } {
  const headers = { ...draft.headers };
  let { path } = draft.destination;
  for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value;
  for (const { location, prefix, secret } of credentials)
    if (location.in === "query") path = withQuery(path, location.name, encode(secret));
    else if (location.in === "cookie") {
      const cookie = `${encode(location.name)}=${encode(secret)}`;
      headers["cookie"] = headers["cookie"] ? `${headers["cookie"]}; ${cookie}` : cookie;
    } else headers[location.name] = prefix + secret;
  return { path, headers };
}

/** What stands for a secret is readable, also where a request encodes it. */
const readable = (text: string): string => text.replaceAll(encode(REDACTED), REDACTED);

/** The request as it may be stored and displayed, short and whole: made of arguments without secrets, every credential redacted. */
function describe(draft: Draft, { operation, target, access }: CallContext): Pick<PreparedCall, "request" | "preview"> {
  const { method } = operation;
  const { origin, path } = draft.destination;
  const own: Own = {
    headers: Object.fromEntries(Object.keys(target.headers).map((name) => [name, REDACTED])),
    credentials: access.credentials.map(({ location }) => ({ location, prefix: "", secret: REDACTED })),
  };
  const whole = authorised(draft, own);
  const headers = Object.fromEntries(Object.entries(whole.headers).map(([name, value]) => [name, readable(value)]));
  return {
    request: { method, url: readable(origin + path) },
    preview: {
      method,
      url: readable(origin + whole.path),
      headers,
      ...(draft.body && { body: draft.body.preview }),
    },
  };
}

function prepare(action: Action, { sent, shown }: CallArguments, target: Target): PreparedCall {
  const operation = readOperation(action);
  const context = { operation, target, access: accessOf(operation, target) };
  const { operatorArguments = {} } = action;
  refuseWaiting(context.access, operatorArguments, target);
  // Only to find out whether it can be made. What is kept of it are the arguments.
  if (sent !== shown) createDraft(withPlaceholders(sent, operatorArguments), context);
  const draft = createDraft(withPlaceholders(shown, operatorArguments), context);
  const plan: HttpPlan = { operation, args: sent, operatorArguments };
  return withFields(describe(draft, context), { plan });
}

/** What the calls of one transport share. */
interface Connections extends Required<Pick<HttpOptions, "maxAnswerBytes" | "spoolFolder">> {
  client: HttpClient;
  sources: CredentialSources;
  cutText: Secrets["cutText"];
}

/** What belongs to one attempt. */
interface Exchange {
  target: Target;
  deadline: Deadline;
  long: LongAnswer;
  /** Whether another credential is asked for when this one is refused. */
  mayRenew: boolean;
  stop: AbortSignal | undefined;
}

async function send(plan: HttpPlan, exchange: Exchange, shared: Connections): Promise<Outcome> {
  const { operation } = plan;
  const { target, deadline, long } = exchange;
  const { client, sources, maxAnswerBytes } = shared;
  const access = accessOf(operation, target);
  refuseWaiting(access, plan.operatorArguments, target);
  const draft = createDraft(withOperatorValues(plan, target), { operation, target, access });
  const credentials = await sources.resolve(access.credentials, deadline);
  const headers = Object.entries(target.headers).map(([name, value]) => [name, value.trim()]);
  const request = authorised(draft, { headers: Object.fromEntries(headers), credentials });
  const settings = settingsKey(target.application);
  checkHeaders(request.headers, settings);
  const { body } = draft;
  let bytes: string | Buffer | undefined;
  if (body && "bytes" in body.content) bytes = body.content.bytes;
  else if (body) ({ bytes, contentType: request.headers["content-type"] } = await renderBody(body));
  const answer = await client.send({
    origin: draft.destination.origin,
    method: operation.method,
    body: bytes,
    signal: deadline,
    maxBytes: maxAnswerBytes,
    overflow: long,
    ...request,
  });
  const { missing } = access;
  const outcome = (await long.outcome()) ?? (await outcomeOf(answer, { missing, settings, cutText: shared.cutText }));
  if (answer.status !== 401 || !exchange.mayRenew || !sources.canRenew(access.credentials)) return outcome;
  return {
    ...outcome,
    renew: () => renew(plan, { outcome, target, access, used: credentials, stop: exchange.stop }, shared),
  };
}

/** A call that was refused, and what it carried. */
interface Refused {
  outcome: Outcome;
  target: Target;
  access: Access;
  used: readonly ResolvedCredential[];
  stop: AbortSignal | undefined;
}

/** Another credential for a call that was refused with 401, and how to send it once more with that. */
async function renew(
  plan: HttpPlan,
  { outcome, target, access, used, stop }: Refused,
  shared: Connections,
): Promise<Renewal> {
  const deadline = new Deadline(target.timeoutMs);
  try {
    const isOther = await shared.sources.renew(access.credentials, used, deadline);
    return isOther ? { send: () => attempt(plan, { target, mayRenew: false, stop }, shared) } : { outcome };
  } catch (error) {
    const message = `the application refused the credential (401), and no other could be had: ${messageOf(error)}`;
    return { outcome: { status: "error", value: { error: "auth_failed", message } } };
  } finally {
    deadline.stop();
  }
}

/** Sends a call once. */
async function attempt(
  plan: HttpPlan,
  { target, mayRenew, stop }: Pick<Exchange, "target" | "mayRenew" | "stop">,
  shared: Connections,
): Promise<Outcome> {
  const deadline = new Deadline(target.timeoutMs);
  stop?.addEventListener("abort", deadline.end, { once: true });
  const long = createLongAnswer(shared.spoolFolder);
  try {
    return await send(plan, { target, deadline, long, mayRenew, stop }, shared);
  } catch (error) {
    await long.discard();
    if (error instanceof CallError)
      return { status: "error", value: { error: "invalid_request", message: error.message } };
    const late = deadline.aborted ? new CallTimeout(`did not answer completely within ${target.timeoutMs} ms`) : error;
    const cause = stop?.aborted ? new CallStopped() : late;
    return { status: "error", value: failureValue(cause, plan.operation.isSafe, target.baseUrl) };
  } finally {
    stop?.removeEventListener("abort", deadline.end);
    deadline.stop();
  }
}

/** A transport for actions of kind `http`. Keeps connections and access tokens; `close` ends them. */
export function createHttpTransport({
  redact = createRedactor([]),
  maxAnswerBytes = MAX_ANSWER_BYTES,
  spoolFolder = tmpdir(),
  dataDir,
  log = { warn() {} },
}: HttpOptions = {}): Transport {
  const client = createHttpClient();
  const sources = createCredentialSources({ client, redact, dataDir, log });
  const shared: Connections = { client, sources, maxAnswerBytes, spoolFolder, cutText: redact.cutText };
  return {
    kind: "http",
    prepare,
    execute: ({ plan }, target, { ifMatch, stop } = {}) =>
      attempt(plan as HttpPlan, { target: onlyIfMatch(target, ifMatch), mayRenew: true, stop }, shared),
    close: () => client.close(),
  };
}
