// The MCP endpoint as a function from a request to a response, for both eras of the protocol: the 2026 one has no sessions, the 2025
// one may have. Loaded when the first MCP request comes: the SDK is large. Source: docs/mcp.md, "agentd as an MCP server"
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
} from "@modelcontextprotocol/server";
import type { Agent } from "../../domain/agent.js";
import type { Caller } from "../../domain/caller.js";
import { messageOf } from "../../domain/error.js";
import { type JsonValue, objectOf, parseJson } from "../../lib/json.js";
import type { Log } from "../../lib/log.js";
import { misplacedMode, ONLY_BY_HEADERS } from "../request/mode-headers.js";
import { HEARTBEAT_MS } from "../response/event-stream.js";
import type { McpExchange } from "./exchange.js";
import { HeldCalls } from "./held-calls.js";
import { createInstance, type InstanceContext } from "./instance.js";
import { McpSessions } from "./sessions.js";
import { createOffer } from "./tool-list.js";

/** Streams that wait for other tools at once, as many as there are readers of events. */
const MAX_SUBSCRIPTIONS = 1024;

/** An MCP endpoint. */
export interface McpEndpoint {
  /** `body` is the text of a POST. Its Content-Type has been checked, and the caller admitted. */
  answer(request: Request, body: string | undefined, exchange: McpExchange): Promise<Response>;
  /** Ends the sessions of callers that are not admitted any more. */
  revoke(isRevoked: (caller: Caller) => boolean): void;
  close(): Promise<void>;
}

/** A JSON-RPC error that belongs to no request that could be read. */
function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

/** The refusal of a call with a mode beside its arguments, alone or among others; undefined without one. */
function refuseMisplacedMode(body: JsonValue | undefined): Response | undefined {
  for (const message of [body ?? null].flat()) {
    const { method, params, id = null } = objectOf(message);
    const mode = method === "tools/call" && (misplacedMode(params) ?? misplacedMode(objectOf(params)["_meta"]));
    const error = { code: INVALID_PARAMS, message: `${String(mode)} is no parameter of a call: ${ONLY_BY_HEADERS}` };
    if (mode) return Response.json({ jsonrpc: "2.0", error, id }, { status: 400 });
  }
  return undefined;
}

/** Source: https://www.jsonrpc.org/specification, section 5.1 */
const INVALID_PARAMS = -32602;
const UNKNOWN_SESSION = "There is no such session here, or not any more; begin one with initialize.";

/** What an endpoint is made with. */
interface EndpointOptions {
  log: Log;
  redact(text: string): string;
  /** For tests. */
  heartbeatMs?: number | undefined;
}

/** The endpoint over an agent. */
export function createMcpEndpoint(
  agent: Agent,
  { log, redact, heartbeatMs = HEARTBEAT_MS }: EndpointOptions,
): McpEndpoint {
  const exchanges = new WeakMap<Request, McpExchange>();
  const held = new HeldCalls(agent);
  const context: InstanceContext = {
    agent,
    held,
    log,
    redact,
    heartbeatMs,
    offer: createOffer(agent),
    exchangeOf(request) {
      const exchange = request && exchanges.get(request);
      if (!exchange) throw new Error("an MCP message without the request it came with");
      return exchange;
    },
  };
  const create = () => createInstance(context);
  /** Whether it may take as long as a turn: HTTP clients and proxies give up an answer that does not begin, most within 5 minutes. */
  const isAsk = async (body: JsonValue | undefined): Promise<boolean> => {
    const { method, params } = objectOf(body);
    return method === "tools/call" && objectOf(params)["name"] === (await context.offer()).own.ask;
  };
  const onerror = (error: Error): void => log.debug({ cause: messageOf(error) }, "mcp");
  // The route keeps streams alive, those of either revision.
  const ofRevision2026 = { legacy: "reject", keepAliveMs: 0, onerror } as const;
  const modern = createMcpHandler(create, { ...ofRevision2026, maxSubscriptions: MAX_SUBSCRIPTIONS });
  const streaming = createMcpHandler(create, { ...ofRevision2026, responseMode: "sse" });
  const stateless = legacyStatelessFallback(create, onerror);
  const sessions = new McpSessions(create);
  const stopWatching = agent.onToolsChange(() => {
    modern.notify.toolsChanged();
    sessions.tellToolsChanged();
  });

  const answerLegacy = async (
    request: Request,
    parsedBody: JsonValue | undefined,
    { caller }: McpExchange,
  ): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null)
      return (await sessions.continue(id, request, { parsedBody, caller })) ?? rpcError(404, -32001, UNKNOWN_SESSION);
    if (request.method !== "POST" || parsedBody === undefined)
      return rpcError(400, -32000, "Mcp-Session-Id is missing: a session begins with initialize.");
    if (isInitializeRequest(parsedBody)) return sessions.begin(request, parsedBody, caller);
    return stateless(request, { parsedBody });
  };

  return {
    async answer(request, body, exchange) {
      exchanges.set(request, exchange);
      let parsedBody: JsonValue | undefined;
      try {
        parsedBody = body === undefined ? undefined : parseJson(body);
      } catch (error) {
        return rpcError(400, -32700, `Parse error: ${messageOf(error)}`);
      }
      const refused = refuseMisplacedMode(parsedBody);
      if (refused) return refused;
      if (await isLegacyRequest(request, parsedBody)) return answerLegacy(request, parsedBody, exchange);
      return ((await isAsk(parsedBody)) ? streaming : modern).fetch(request, { parsedBody });
    },
    revoke: (isRevoked) => void sessions.revoke(isRevoked),
    async close() {
      stopWatching();
      held.close();
      await Promise.all([modern.close(), streaming.close(), sessions.close()]);
    },
  };
}
