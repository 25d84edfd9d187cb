// One MCP server, for one request or one session of an older client: lists the tools, and makes calls through the agent.
// The SDK wants a fresh one each time. Source: docs/mcp.md, "agentd as an MCP server"
import { randomUUID } from "node:crypto";
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Agent, CallRequest } from "../../domain/agent.js";
import { messageOf } from "../../domain/error.js";
import { SESSION_ID, SESSION_ID_RULE } from "../../domain/session-id.js";
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonObject, objectOf, parseJson } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { clientLabel } from "../request/request.js";
import { QUESTION, questionFor } from "./ask-person.js";
import type { McpExchange } from "./exchange.js";
import { type AskOutcome, callIdFor, type HeldCalls, type PersonAnswer, saidOf, type Wanted } from "./held-calls.js";
import { type Progress, progressOf } from "./progress.js";
import { failure, toolResult } from "./results.js";
import { heldResult, type Running, runCall, runPrompt } from "./running.js";
import { foundTools, MAX_FOUND, type OfferedTools } from "./tool-list.js";

/** What every instance works with. */
export interface InstanceContext {
  agent: Agent;
  held: HeldCalls;
  offer(): Promise<OfferedTools>;
  /** What a request came with. */
  exchangeOf(request: Request | undefined): McpExchange;
  /** Milliseconds after which a client that wants progress has a sign of it. */
  heartbeatMs: number;
  log: Log;
  /** Takes known secrets out of the text of an unexpected error. */
  redact(text: string): string;
}

/** Milliseconds that a client may go on with a list of tools. */
const LIST_TTL_MS = 5_000;

/** The kind of a tool that is not there. */
const UNKNOWN = " ";

/** Characters of the name or title of an application. */
const MAX_NAME = 100;

/** One tools/call, understood. */
interface Called {
  exchange: McpExchange;
  wanted: Wanted;
  client: string;
  /** Whether the client can ask a person with a form. */
  canAsk: boolean;
  /** Whether it can send a person to a page. */
  canVisit: boolean;
  ctx: ServerContext;
}

function instructions(agent: Agent): string {
  // A title is a stranger's words among agentd's own.
  const names = agent
    .applicationNames()
    .map((name) => visible(name).slice(0, MAX_NAME).toWellFormed())
    .join(", ");
  return `Tools of ${names || "no application yet"}, under the safety modes of agentd; every call is recorded. A call that changes something may wait for a person's yes: nothing in its arguments gives it. "ask" hands over a whole task.`;
}

/** The name of the client, with its version. */
function labelOf(server: Server, { client }: McpExchange): string {
  const info = server.getClientVersion();
  const own = typeof info?.name === "string" ? `${info.name}/${String(info.version)}` : undefined;
  return clientLabel(client ?? own, "mcp");
}

/** What the person said, as the client brings it back. */
function saidIn(ctx: ServerContext): PersonAnswer {
  const view = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  return view.kind === "elicit" ? saidOf(view.action, view.content) : undefined;
}

function startCall(context: InstanceContext, called: Called): Running {
  const { exchange, wanted, client, canAsk } = called;
  const { caller, session_id, policy, page } = exchange;
  const { tool, arguments: args, kind } = wanted;
  const request: CallRequest = {
    tool,
    arguments: args,
    call_id: callIdFor(wanted),
    session_id,
    policy,
    client,
    caller,
  };
  return runCall(context.agent, request, { interactive: canAsk, kind, page });
}

/** Begins a turn, or says what is wrong with its arguments. */
function startPrompt(context: InstanceContext, called: Called): Running | CallToolResult {
  const { exchange, wanted, client, canAsk } = called;
  const { prompt, session_id = exchange.session_id, ...unknown } = wanted.arguments;
  if (typeof prompt !== "string" || prompt.trim() === "") return failure("invalid_arguments", "prompt must be a text.");
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    return failure("invalid_arguments", `${name} is no argument; there are prompt and session_id.`);
  if (typeof session_id !== "string" || (session_id !== "" && !SESSION_ID.test(session_id)))
    return failure("invalid_arguments", `session_id ${SESSION_ID_RULE}`);
  const { policy, caller } = exchange;
  const names = { session_id: session_id || randomUUID(), turn_id: randomUUID(), client, caller };
  return runPrompt(context.agent, { ...names, message: prompt, policy }, { interactive: canAsk, page: exchange.page });
}

/** The call that another tool's arguments name; undefined when they name none. */
function unwrapped({ name, arguments: args = {} }: JsonObject): { tool: string; args: JsonObject } | undefined {
  return typeof name === "string" && isObject(args) ? { tool: name, args } : undefined;
}

function search(agent: Agent, { query, limit = MAX_FOUND }: JsonObject): CallToolResult {
  if (typeof query !== "string" || query.trim() === "") return failure("invalid_arguments", "query must be a text.");
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > MAX_FOUND)
    return failure("invalid_arguments", `limit must be a whole number from 1 to ${MAX_FOUND}.`);
  return toolResult(
    { tools: foundTools(agent, query, limit) as unknown as JsonObject[] },
    { isError: false, kind: "" },
  );
}

/** What goes to the client: the result, or what to ask a person. */
function toAnswer(
  outcome: AskOutcome,
  { exchange: { page }, canAsk, canVisit }: Called,
): CallToolResult | InputRequiredResult {
  if ("refused" in outcome) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.refused);
  if ("result" in outcome) return outcome.result;
  const { held, state } = outcome;
  const question = canAsk ? questionFor(held, { page, canVisit }) : undefined;
  if (!question) return heldResult(held, page);
  return inputRequired({ inputRequests: { [QUESTION]: question }, requestState: state });
}

const isRunning = (started: Running | CallToolResult): started is Running => typeof started["step"] === "function";

async function answerCall(context: InstanceContext, called: Called): Promise<CallToolResult | InputRequiredResult> {
  const { held } = context;
  const { wanted, ctx } = called;
  const state = ctx.mcpReq.requestState();
  if (typeof state === "string") return toAnswer(await held.resume(state, saidIn(ctx), wanted), called);
  const started =
    wanted.tool === (await context.offer()).own.ask && wanted.kind === ""
      ? startPrompt(context, called)
      : startCall(context, called);
  if (!isRunning(started)) return started;
  return toAnswer(await held.begin(started, wanted), called);
}

/** The sentence of a failure. */
function messageIn({ content }: CallToolResult | InputRequiredResult): string {
  const [block] = Array.isArray(content) ? (content as CallToolResult["content"]) : [];
  const value = block?.type === "text" ? parseJson(block.text) : null;
  return String(objectOf(value)["message"] ?? "there is no such tool");
}

async function callTool(
  context: InstanceContext,
  server: Server,
  { request, ctx, progress }: { request: CallToolRequest; ctx: ServerContext; progress: Progress | undefined },
): Promise<CallToolResult | InputRequiredResult> {
  const { agent } = context;
  const exchange = context.exchangeOf(ctx.http?.req);
  const { own, isSearched } = await context.offer();
  let { name: tool, arguments: args = {} } = request.params as { name: string; arguments?: JsonObject };
  if (isSearched && tool === own.search) return search(agent, args);
  if (isSearched && tool === own.call) {
    const inner = unwrapped(args);
    if (!inner) return failure("invalid_arguments", "name must be the name of a tool, and arguments an object.");
    ({ tool, args } = inner);
  }
  const elicitation = server.getClientCapabilities()?.elicitation;
  // Without saying how, it can do forms.
  const canAsk = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const kind = tool === own.ask ? "" : (agent.tool(tool)?.transport.kind ?? UNKNOWN);
  const { caller, page } = exchange;
  const { signal } = ctx.mcpReq;
  const onProgress = progress && ((message: string): void => progress.tell(message));
  const wanted: Wanted = { tool, arguments: args, caller, page, kind, signal, onProgress };
  const canVisit = elicitation?.url !== undefined;
  const isNamed = tool === request.params.name;
  const answer = await answerCall(context, {
    exchange,
    wanted,
    client: labelOf(server, exchange),
    canAsk,
    canVisit,
    ctx,
  });
  // It is on record like any other, and to the protocol it is no call.
  if (kind === UNKNOWN && isNamed) throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageIn(answer));
  return answer;
}

/** A server for one request, or one session. */
export function createInstance(context: InstanceContext): Server {
  const { agent, log, redact } = context;
  const server = new Server(
    { name: "agentd", title: "agentd", version: agent.config().version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: instructions(agent),
      cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
    },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is one page; leave the cursor out.");
    return { tools: (await context.offer()).tools };
  });
  server.setRequestHandler("tools/call", async (request, ctx) => {
    const progress = progressOf(ctx, context.heartbeatMs);
    try {
      const answer = await callTool(context, server, { request, ctx, progress });
      // In the 2025 revision the request goes on while the person is asked; in the 2026 one this answers it, which its signal tells.
      if ("resultType" in answer) return answer;
      progress?.end();
      return server.projectCallToolResult(answer as CallToolResult, undefined);
    } catch (error) {
      progress?.end();
      if (error instanceof ProtocolError) throw error;
      log.error({ cause: error instanceof Error ? error.stack : messageOf(error) }, "an MCP call failed");
      throw new ProtocolError(ProtocolErrorCode.InternalError, redact(messageOf(error)));
    }
  });
  return server;
}
