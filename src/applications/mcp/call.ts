// One call of a tool: sent once, asked about as often as the server wants to know more, ended by its answer, its time or its caller.
// Source: Model Context Protocol, "Tools" and "Multi round-trip requests".

import { setTimeout as sleep } from "node:timers/promises";
import { ProtocolError, SdkError, SdkHttpError, type Tool } from "@modelcontextprotocol/client";
import { messageOf } from "../../domain/error.js";
import type { InputAnswer } from "../../domain/input.js";
import { STOPPED_CALL } from "../../domain/stopped-call.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import type { ExecuteOptions, Outcome } from "../transport.js";
import { answerOutcome } from "./answer.js";
import { cleanText } from "./clean.js";
import { CallClock } from "./clock.js";
import { NO_TIMEOUT, type ServerConnection } from "./connection.js";
import { answerElicitation, type ElicitationAnswer, readElicitation } from "./elicitation.js";
import { failureOutcome, ServerFailure } from "./failures.js";
import { CALL_HEADER } from "./http-wire.js";
import { LOST } from "./message.js";

/** How often a server may ask for more before a call is given up. */
const MAX_ROUNDS = 10;
/** A server that wants nothing but to be asked again is not asked at once. */
const AGAIN_MS = 500;
/** Characters of what a server says of its progress. */
const MAX_PROGRESS = 200;
/** Where a request says what its client can do. */
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** What is sent. */
export interface McpCall {
  tool: string;
  arguments: JsonObject;
  /** Whether nothing is changed by it: then it may be ended before its answer. */
  isReading: boolean;
}

/** A call under way, for what the server asks meanwhile. */
export interface RunningCall {
  /** Asks the person behind the call. */
  elicit(params: JsonValue): Promise<ElicitationAnswer>;
}

interface RunContext {
  connection: ServerConnection;
  /** What the server says of the tool now. */
  tool: JsonObject;
  timeoutMs: number;
  options: ExecuteOptions;
  /** The calls of this connection that run, by their keys. */
  running: Map<string, RunningCall>;
}

const CANCELLED: Outcome = {
  status: "error",
  value: { error: "cancelled", message: "the call was cancelled before its answer" },
};

const STOPPED = new ServerFailure("cancelled", `${STOPPED_CALL} before its answer`, { mayBeDone: true });

/** Of progress in words: the server's own, or how much of how much. */
function progressText({
  message,
  progress,
  total,
}: {
  message?: string | undefined;
  progress: number;
  total?: number | undefined;
}): string {
  if (message) return cleanText(message, MAX_PROGRESS);
  return total === undefined ? String(progress) : `${progress} of ${total}`;
}

function createRunning({ options, connection }: RunContext, clock: CallClock): RunningCall {
  const { ask, onProgress } = options;
  const cancelled: InputAnswer = { action: "cancel" };
  return {
    async elicit(params) {
      const read = readElicitation(params);
      if ("refused" in read) {
        onProgress?.(
          `${connection.serverName || "the server"} wanted to ask a person, and was refused: ${read.refused}`,
        );
        return { action: "decline" };
      }
      const { request } = read;
      const answer = ask ? await clock.pause(() => ask(request)) : cancelled;
      return answerElicitation(request, answer);
    },
  };
}

/** The answers to what a server asks for in place of an answer. Throws ServerFailure for what no person can be asked. */
async function answersTo(requests: JsonObject, running: RunningCall): Promise<JsonObject> {
  const answers: JsonObject = {};
  for (const [key, request] of Object.entries(requests)) {
    const { method, params = {} } = objectOf(request);
    if (method !== "elicitation/create")
      throw new ServerFailure(
        "unsupported_request",
        `the tool wants ${cleanText(String(method), 60)} of agentd, which no server gets`,
      );
    answers[key] = { ...(await running.elicit(params)) } as JsonObject;
  }
  return answers;
}

/** What went wrong on the way of a request that was sent. */
function callFailure(error: unknown, { wire }: ServerConnection): ServerFailure {
  if (error instanceof ServerFailure) return error;
  if (error instanceof ProtocolError && error.code === LOST)
    return new ServerFailure("connection_closed", error.message, {
      mayBeDone: true,
    });
  if (error instanceof ProtocolError)
    return new ServerFailure("call_refused", `the server refused the call (${error.code}): ${error.message}`);
  if (error instanceof SdkHttpError)
    return new ServerFailure("server_error", error.message, { mayBeDone: (error.status ?? 500) >= 500 });
  const message = wire.fault ?? messageOf(error);
  if (wire.fault !== undefined || (error instanceof SdkError && error.code === "CONNECTION_CLOSED"))
    return new ServerFailure("connection_closed", `${message} before it answered`, { cause: error, mayBeDone: true });
  return new ServerFailure("invalid_response", message, { cause: error, mayBeDone: true });
}

let calls = 0;

/** Makes a call. Never throws. */
export async function callServerTool(call: McpCall, context: RunContext): Promise<Outcome> {
  const { connection, timeoutMs, options } = context;
  const { isReading } = call;
  const key = `call-${++calls}`;
  const clock = new CallClock(timeoutMs);
  const running = createRunning(context, clock);
  const signals = [
    clock.signal,
    ...(isReading && options.signal ? [options.signal] : []),
    ...(options.stop ? [options.stop] : []),
  ];
  const signal = AbortSignal.any(signals);
  context.running.set(key, running);
  try {
    return await converse(call, { ...context, key, clock, call: running, signal });
  } catch (error) {
    if (isReading && options.signal?.aborted) return CANCELLED;
    if (options.stop?.aborted) return failureOutcome(STOPPED, !isReading);
    if (!clock.signal.aborted) return failureOutcome(callFailure(error, connection), !isReading);
    const message = `the server did not answer within ${timeoutMs} ms`;
    return failureOutcome(new ServerFailure("timeout", message, { mayBeDone: true }), !isReading);
  } finally {
    context.running.delete(key);
    clock.stop();
  }
}

interface Conversation extends RunContext {
  key: string;
  clock: CallClock;
  call: RunningCall;
  signal: AbortSignal;
}

/** Sends the call, and sends it again with what it asks for, until it is answered. */
async function converse(
  { tool, arguments: args }: McpCall,
  { connection, options, key, clock, call, signal, tool: live }: Conversation,
): Promise<Outcome> {
  const { outputSchema: _, ...definition } = live;
  let more: JsonObject = {};
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // Only where somebody can be asked.
    const _meta = connection.era === "modern" && !options.ask ? { _meta: { [CAPABILITIES]: {} } } : {};
    const params = { name: tool, arguments: args, ...more, ..._meta };
    const result = (await connection.client.callTool(params as never, {
      signal,
      timeout: NO_TIMEOUT,
      allowInputRequired: true,
      toolDefinition: definition as unknown as Tool,
      headers: { [CALL_HEADER]: key },
      onprogress(progress) {
        clock.restart();
        options.onProgress?.(progressText(progress));
      },
    })) as unknown as JsonObject;
    if (result["resultType"] !== "input_required") return answerOutcome(result);
    const { inputRequests, requestState } = result;
    more = {};
    if (requestState !== undefined) more["requestState"] = requestState;
    if (isObject(inputRequests) && Object.keys(inputRequests).length > 0)
      more["inputResponses"] = await answersTo(inputRequests, call);
    else await sleep(AGAIN_MS, undefined, { signal });
    if (signal.aborted) throw signal.reason;
  }
  throw new ServerFailure("too_many_rounds", `the tool asked for more ${MAX_ROUNDS} times and was not content`);
}
