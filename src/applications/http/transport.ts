// The HTTP transport: an action and its arguments become one request to the target, its answer becomes an outcome.
// Preparing is pure; credentials are added only while sending, so that neither a plan nor a preview ever holds one.
import { tmpdir } from "node:os";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import { createRedactor, REDACTED } from "../../lib/redact/redact.js";
import { CallError, type Outcome, type PreparedCall, type Target, type Transport } from "../transport.js";
import { createLongAnswer, type LongAnswer } from "./answer/long-answer.js";
import { outcomeOf } from "./answer/response.js";
import { CallTimeout, failureValue } from "./failure.js";
import { createHttpClient, Deadline, type HttpClient } from "./http-client.js";
import { type Access, accessOf, type Credential, type CredentialLocation } from "./request/auth.js";
import { bodyOf, type RequestBody } from "./request/body.js";
import { argumentHeaders, isHeader } from "./request/headers.js";
import { renderBody } from "./request/multipart.js";
import { createTokens, type Secrets, type Tokens } from "./request/oauth.js";
import { type HttpOperation, operationOf } from "./request/operation.js";
import { encode } from "./request/styles.js";
import { type Destination, destination } from "./request/url.js";

/**
 * Reading an answer that is not a long list stops here (decompressed bytes): more would not fit the history, the model, or a
 * small machine's memory.
 */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface HttpOptions {
  /** Learns the access tokens fetched for the target, so that they are never stored or displayed, and redacts what is quoted. */
  redact?: Secrets;
  /** Cap on an answer's decompressed bytes in memory; 8 MiB by default. */
  maxAnswerBytes?: number;
  /** Where the rows of long answers are set aside; the system's folder for temporary files by default. */
  spoolFolder?: string;
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

/** What `execute` needs; without credentials. */
interface HttpPlan extends Draft {
  operation: HttpOperation;
  /** Set when the operator supplies arguments: the request is made anew with them while it is sent. */
  operatorArguments: OperatorArguments | undefined;
}

/** The model's arguments, and those of the operator by the name their value is configured under. */
interface OperatorArguments {
  args: JsonObject;
  names: Readonly<Record<string, string>>;
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

/** The preview's address and headers: every credential is there and redacted. */
function previewAuth(
  headers: Record<string, string>,
  redactedUrl: string,
  access: Access,
): { headers: JsonObject; url: string } {
  const all: JsonObject = { ...headers };
  let url = redactedUrl;
  for (const { location } of access.credentials)
    if (location.in === "query") url = withQuery(url, location.name, REDACTED);
    else all[location.in === "cookie" ? "cookie" : location.name] = REDACTED;
  return { headers: all, url };
}

function createDraft(args: JsonObject, { operation, target, access }: CallContext): Draft {
  const taken = (where: CredentialLocation["in"]): Set<string> =>
    new Set(access.credentials.flatMap(({ location }) => (location.in === where ? [location.name] : [])));
  const to = destination(operation, args, { target, taken: taken("query") });
  const body = bodyOf(operation, args, target);
  const headers = {
    "user-agent": "agentd",
    accept: operation.accept,
    "accept-encoding": "gzip, br",
    ...argumentHeaders(operation, args, taken("cookie")),
    ...(body && { "content-type": body.contentType }),
  };
  return { destination: to, headers, body };
}

/** The arguments with the operator's values; without a target the placeholders of a preview. */
function withOperatorArguments({ args, names }: OperatorArguments, target?: Target): JsonObject {
  const own = Object.entries(names).map(([argument, name]) => {
    if (!target) return [argument, REDACTED];
    const value = target.arguments?.[name];
    if (value === undefined) throw new CallError(`target.arguments holds no ${name} any more; nothing was sent`);
    return [argument, value];
  });
  return { ...args, ...Object.fromEntries(own) };
}

function prepare(action: Action, args: JsonObject, target: Target): PreparedCall {
  const operation = readOperation(action);
  const access = accessOf(operation, target);
  const operatorArguments = action.operatorArguments && { args, names: action.operatorArguments };
  const draft = createDraft(operatorArguments ? withOperatorArguments(operatorArguments) : args, {
    operation,
    target,
    access,
  });
  const { destination: to, headers, body } = draft;
  const operators = Object.fromEntries(Object.keys(target.headers).map((name) => [name.toLowerCase(), REDACTED]));
  const preview = previewAuth({ ...headers, ...operators }, to.redactedUrl, access);
  return {
    request: { method: operation.method, url: to.redactedUrl },
    preview: {
      method: operation.method,
      url: preview.url,
      headers: preview.headers,
      ...(body && { body: body.preview }),
    },
    plan: { operation, ...draft, operatorArguments } satisfies HttpPlan,
  };
}

/** Adds one credential to the request about to leave. */
function applyCredential(
  request: { path: string; headers: Record<string, string> },
  { location, prefix }: Credential,
  secret: string,
): void {
  const { headers } = request;
  if (location.in === "query") request.path = withQuery(request.path, location.name, encode(secret));
  else if (location.in === "cookie") {
    const own = `${encode(location.name)}=${encode(secret)}`;
    headers["cookie"] = headers["cookie"] ? `${headers["cookie"]}; ${own}` : own;
  } else headers[location.name] = prefix + secret;
}

/** What the calls of one transport share. */
interface Connections {
  client: HttpClient;
  tokens: Tokens;
  maxAnswerBytes: number;
}

/** What belongs to one call. */
interface Exchange {
  target: Target;
  deadline: Deadline;
  long: LongAnswer;
}

/** The request with the target's own headers and credentials. */
async function authorised(
  { destination: to, headers }: Draft,
  { credentials }: Access,
  { target, deadline, tokens }: Pick<Exchange, "target" | "deadline"> & Pick<Connections, "tokens">,
): Promise<{ path: string; headers: Record<string, string> }> {
  const request = { path: to.path, headers: { ...headers } };
  for (const [name, value] of Object.entries(target.headers)) request.headers[name.toLowerCase()] = value.trim();
  for (const one of credentials)
    applyCredential(request, one, typeof one.secret === "string" ? one.secret : await tokens.get(one.secret, deadline));
  for (const [name, value] of Object.entries(request.headers))
    if (!isHeader(name, value))
      throw new CallError(
        `the header ${JSON.stringify(name)} cannot be sent: check target.headers and target.auth for line breaks and non-ASCII text`,
      );
  return request;
}

async function send(plan: HttpPlan, { target, deadline, long }: Exchange, shared: Connections): Promise<Outcome> {
  const { operation, operatorArguments } = plan;
  const { client, tokens, maxAnswerBytes } = shared;
  const access = accessOf(operation, target);
  const draft = operatorArguments
    ? createDraft(withOperatorArguments(operatorArguments, target), { operation, target, access })
    : plan;
  const request = await authorised(draft, access, { target, deadline, tokens });
  const { body } = draft;
  let bytes: string | Buffer | undefined;
  if (body && "bytes" in body.content) bytes = body.content.bytes;
  else if (body) ({ bytes, contentType: request.headers["content-type"] } = await renderBody(body));
  const answer = await client.send({
    ...request,
    origin: draft.destination.origin,
    method: operation.method,
    body: bytes,
    signal: deadline,
    maxBytes: maxAnswerBytes,
    overflow: long,
  });
  if (answer.status === 401)
    for (const { secret } of access.credentials) if (typeof secret !== "string") tokens.drop(secret);
  return (await long.outcome()) ?? outcomeOf(answer, access.missing);
}

/** A transport for actions of kind `http`. Keeps connections and access tokens; `close` ends them. */
export function createHttpTransport({
  redact = createRedactor([]),
  maxAnswerBytes = MAX_ANSWER_BYTES,
  spoolFolder = tmpdir(),
}: HttpOptions = {}): Transport {
  const client = createHttpClient();
  const shared: Connections = { client, tokens: createTokens({ client, redact }), maxAnswerBytes };
  return {
    kind: "http",
    prepare,
    async execute(call, target) {
      const plan = call.plan as HttpPlan;
      const deadline = new Deadline(target.timeoutMs);
      const long = createLongAnswer(spoolFolder);
      try {
        return await send(plan, { target, deadline, long }, shared);
      } catch (error) {
        await long.discard();
        if (error instanceof CallError)
          return { status: "error", value: { error: "invalid_request", message: error.message } };
        const cause = deadline.aborted
          ? new CallTimeout(`did not answer completely within ${target.timeoutMs} ms`)
          : error;
        return { status: "error", value: failureValue(cause, plan.operation.method, plan.destination.origin) };
      } finally {
        deadline.stop();
      }
    },
    close: () => client.close(),
  };
}
