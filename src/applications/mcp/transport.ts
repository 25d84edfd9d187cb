// The transport of MCP servers: an action and its arguments become one call of a tool. Preparing is pure; what is stored and shown is
// made of arguments without secrets. A tool is called only while its server says of it what it said at the last sync.
// Source: docs/mcp.md, "Tools that change".
import { tmpdir } from "node:os";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { createDescriptionReader } from "../description-reader.js";
import type { TransportContext } from "../kind.js";
import type { CallArguments, ExecuteOptions, Outcome, PreparedCall, Target, Transport } from "../transport.js";
import { callServerTool, type McpCall } from "./call.js";
import { McpDescription } from "./description.js";
import { failureOutcome, ServerFailure } from "./failures.js";
import type { LiveTool } from "./listing.js";
import { createServers, type OpenServer, type Servers } from "./servers.js";

/** What `execute` needs. */
interface McpPlan {
  call: McpCall;
  description: McpDescription;
}

/** What a call is sent with. */
interface SendContext {
  options: ExecuteOptions;
  servers: Servers;
}

const descriptionOf = createDescriptionReader(McpDescription);

/** Arguments under the names that the server has for them. */
function ownNames(args: JsonObject, { arguments: names = {} }: McpDescription): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names[name] ?? name, value]));
}

/** What a person is told of where a call goes: an address as it is asked, without its query. */
function shownServer({ location, baseUrl }: Target): string {
  if (location === undefined || !URL.canParse(location)) return baseUrl;
  const { origin, pathname } = new URL(location);
  return origin + pathname;
}

function prepare(action: Action, { sent, shown }: CallArguments, target: Target): PreparedCall {
  const server = shownServer(target);
  const description = descriptionOf(action);
  const { tool } = description;
  const call: McpCall = { tool, arguments: ownNames(sent, description), isReading: action.safety === "read_only" };
  return {
    request: { server, tool },
    preview: { server, tool, arguments: ownNames(shown, description) },
    plan: { call, description } satisfies McpPlan,
  };
}

/** In words what of a tool is not what it was. */
function changeOf({ parts }: McpDescription, live: LiveTool): string {
  const names = new Set([...Object.keys(parts), ...Object.keys(live.parts)]);
  return [...names].filter((name) => parts[name] !== live.parts[name]).join(", ");
}

/** Why a tool must not be called; undefined when it may. */
function pinFault(description: McpDescription, live: LiveTool | undefined, application: string): string | undefined {
  const { tool, hash } = description;
  if (live?.hash === hash) return undefined;
  const again = `agentd sync${application === "" ? "" : ` --name ${application}`}`;
  const what = live
    ? `the server says of ${tool} what it did not say at the last sync (${changeOf(description, live)})`
    : `the server has no tool ${tool} any more`;
  return `${what}; nothing was sent. "${again}" shows the difference and takes it over`;
}

/** The server and its tools as they are now; a session that the server has ended is begun anew, as nothing was sent in it. */
async function openListed(
  target: Target,
  { era }: McpDescription,
  servers: Servers,
): Promise<OpenServer & { tools: ReadonlyMap<string, LiveTool> }> {
  const server = await servers.get(target, era);
  try {
    return { ...server, tools: await server.connection.tools() };
  } catch (error) {
    if (!(error instanceof ServerFailure) || error.code !== "session_expired") throw error;
    servers.drop(target.application);
    const next = await servers.get(target, era);
    return { ...next, tools: await next.connection.tools() };
  }
}

/** Makes a call, or says why it cannot be made. Failures are thrown. */
async function execute(
  { call, description }: McpPlan,
  target: Target,
  { options, servers }: SendContext,
): Promise<Outcome> {
  const { application, timeoutMs } = target;
  const { connection, running, tools } = await openListed(target, description, servers);
  const live = tools.get(description.tool);
  const fault = pinFault(description, live, application);
  if (fault !== undefined || !live) return { status: "error", value: { error: "tool_changed", message: fault ?? "" } };
  const outcome = await callServerTool(call, { connection, running, tool: live.tool, timeoutMs, options });
  const code = (outcome.value as { error?: string } | null)?.error;
  if (outcome.status === "ok" || code !== "session_expired") return outcome;
  servers.drop(application);
  return { ...outcome, renew: async () => ({ send: () => send({ call, description }, target, { options, servers }) }) };
}

/** Makes a call; what goes wrong is its outcome. */
async function send(plan: McpPlan, target: Target, { options, servers }: SendContext): Promise<Outcome> {
  try {
    if (plan.call.isReading && options.signal?.aborted)
      return { status: "error", value: { error: "cancelled", message: "the call was cancelled before it was sent" } };
    return await execute(plan, target, { options, servers });
  } catch (error) {
    if (error instanceof ServerFailure) return failureOutcome(error, false);
    return { status: "error", value: { error: "connection_failed", message: messageOf(error) } };
  }
}

/** A transport for actions of kind `mcp`. Keeps servers open; `close` ends them. */
export function createMcpTransport({
  redact = createRedactor([]),
  dataDir = tmpdir(),
  log = { debug() {}, info() {}, warn() {}, error() {} },
}: Partial<TransportContext> = {}): Transport {
  const servers = createServers({ redact, dataDir, log });
  return {
    kind: "mcp",
    mayAsk: true,
    prepare,
    execute: ({ plan }, target, options = {}) => send(plan as McpPlan, target, { options, servers }),
    close: () => servers.close(),
  };
}
