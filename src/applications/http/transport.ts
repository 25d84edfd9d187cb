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
import { Clock, createWire, type Wire } from "./http-client.js";
import { type Access, accessOf, type Credential, type Slot } from "./request/auth.js";
import { type Body, bodyOf } from "./request/body.js";
import { argumentHeaders, isHeader } from "./request/headers.js";
import { render } from "./request/multipart.js";
import { createTokens, type Secrets, type Tokens } from "./request/oauth.js";
import { type Operation, operationOf } from "./request/operation.js";
import { encode } from "./request/styles.js";
import { type Destination, destination } from "./request/url.js";

/**
 * Reading an answer that is not a long list stops here (decompressed bytes): more would not fit the history, the model, or a
 * small machine's memory.
 */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface HttpOptions {
  /** Learns the access tokens fetched for the target, so that they are never stored or shown, and cleans what is quoted. */
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
  body: Body | undefined;
}

/** What `execute` needs; without credentials. */
interface HttpPlan extends Draft {
  operation: Operation;
  /** Set when the operator supplies arguments: the request is made anew with them while it is sent. */
  fill: { args: JsonObject; operatorArguments: Readonly<Record<string, string>> } | undefined;
}

function readOperation(action: Action): Operation {
  try {
    return operationOf(action);
  } catch (cause) {
    throw new CallError(`${action.name} cannot be called: ${messageOf(cause)}`, { cause });
  }
}

/** Where a hidden value stands in the preview. */
function previewAuth(
  headers: Record<string, string>,
  shown: string,
  access: Access,
): { headers: JsonObject; url: string } {
  const all: JsonObject = { ...headers };
  let url = shown;
  for (const { slot } of access.credentials)
    if (slot.in === "query") url += `${url.includes("?") ? "&" : "?"}${encode(slot.name)}=${REDACTED}`;
    else all[slot.in === "cookie" ? "cookie" : slot.name] = REDACTED;
  return { headers: all, url };
}

function draft(operation: Operation, args: JsonObject, target: Target, access: Access): Draft {
  const taken = (place: Slot["in"]): Set<string> =>
    new Set(access.credentials.flatMap(({ slot }) => (slot.in === place ? [slot.name] : [])));
  const to = destination(operation, args, target, taken("query"));
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

/** Arguments with the ones the operator supplies: their values, or what stands in their place where people and models look. */
function filled({ args, operatorArguments }: NonNullable<HttpPlan["fill"]>, target?: Target): JsonObject {
  const own = Object.entries(operatorArguments).map(([argument, name]) => {
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
  const fill = action.operatorArguments && { args, operatorArguments: action.operatorArguments };
  const made = draft(operation, fill ? filled(fill) : args, target, access);
  const { destination: to, headers, body } = made;
  const operators = Object.fromEntries(Object.keys(target.headers).map((name) => [name.toLowerCase(), REDACTED]));
  const { headers: shownHeaders, url } = previewAuth({ ...headers, ...operators }, to.shown, access);
  return {
    request: { method: operation.method, url: to.shown },
    preview: { method: operation.method, url, headers: shownHeaders, ...(body && { body: body.preview }) },
    plan: { operation, ...made, fill } satisfies HttpPlan,
  };
}

/** Adds one credential to the request about to leave. */
function applyCredential(
  request: { path: string; headers: Record<string, string> },
  { slot, prefix }: Credential,
  secret: string,
): void {
  const { headers } = request;
  if (slot.in === "query")
    request.path += `${request.path.includes("?") ? "&" : "?"}${encode(slot.name)}=${encode(secret)}`;
  else if (slot.in === "cookie") {
    const own = `${encode(slot.name)}=${encode(secret)}`;
    headers["cookie"] = headers["cookie"] ? `${headers["cookie"]}; ${own}` : own;
  } else headers[slot.name] = prefix + secret;
}

async function send(
  plan: HttpPlan,
  target: Target,
  wire: Wire,
  tokens: Tokens,
  signal: Clock,
  { maxBytes, long }: { maxBytes: number; long: LongAnswer },
): Promise<Outcome> {
  const { operation, fill } = plan;
  const access = accessOf(operation, target);
  const { destination: to, headers, body } = fill ? draft(operation, filled(fill, target), target, access) : plan;
  const request = { path: to.path, headers: { ...headers } };
  for (const [name, value] of Object.entries(target.headers)) request.headers[name.toLowerCase()] = value.trim();
  for (const one of access.credentials)
    applyCredential(request, one, typeof one.secret === "string" ? one.secret : await tokens.get(one.secret, signal));
  for (const [name, value] of Object.entries(request.headers))
    if (!isHeader(name, value)) {
      const message = `the header ${JSON.stringify(name)} cannot be sent: check target.headers and target.auth for line breaks and non-ASCII text`;
      return { status: "error", value: { error: "invalid_request", message } };
    }
  let bytes: string | Buffer | undefined;
  if (body && "bytes" in body.content) bytes = body.content.bytes;
  else if (body) ({ bytes, contentType: request.headers["content-type"] } = await render(body));
  const answer = await wire.send({
    ...request,
    origin: to.origin,
    method: operation.method,
    body: bytes,
    signal,
    maxBytes,
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
  const wire = createWire();
  const tokens = createTokens(wire, redact);
  return {
    kind: "http",
    prepare,
    async execute(call, target) {
      const plan = call.plan as HttpPlan;
      const clock = new Clock(target.timeoutMs);
      const long = createLongAnswer(spoolFolder);
      try {
        return await send(plan, target, wire, tokens, clock, { maxBytes: maxAnswerBytes, long });
      } catch (error) {
        await long.discard();
        if (error instanceof CallError)
          return { status: "error", value: { error: "invalid_request", message: error.message } };
        const cause = clock.aborted
          ? new CallTimeout(`did not answer completely within ${target.timeoutMs} ms`)
          : error;
        return { status: "error", value: failureValue(cause, plan.operation.method, plan.destination.origin) };
      } finally {
        clock.stop();
      }
    },
    close: () => wire.close(),
  };
}
