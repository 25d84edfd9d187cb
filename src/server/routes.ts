// Every route but the web UI, as one table: the app registers it, wrong methods and the OpenAPI document are checked
// against it. Handlers translate between HTTP and the agent, nothing more. Source: docs/reference.md, "Endpoints".

import type { Request, Response } from "express";
import type { Agent } from "../domain/agent.js";
import type { Connector } from "../domain/connector.js";
import { Decision, Extension, unknownHeldCall } from "../domain/decision.js";
import { AppError } from "../domain/error.js";
import type { Confirmation } from "../domain/record.js";
import { toJson } from "../lib/json.js";
import type { LoggedError } from "../lib/last-error.js";
import { type AccessRules, queryOf } from "./access/admit.js";
import { callerOf } from "./access/caller.js";
import type { Metrics } from "./metrics/metrics.js";
import { createOpenAiRoutes } from "./openai/routes.js";
import { readJson } from "./request/body.js";
import { parseQuery } from "./request/query.js";
import { createPacker, setCoding, vary } from "./response/compress.js";
import type { StreamTimes } from "./response/event-stream.js";
import { hasTag, sendJson } from "./response/respond.js";
import { parameterOf, type Route } from "./route.js";
import { createApplicationRoutes } from "./routes/application-routes.js";
import { changesRoute } from "./routes/changes.js";
import { historyRoute } from "./routes/history-route.js";
import { operatorRoutes } from "./routes/operator-routes.js";
import { resultRoute } from "./routes/result-route.js";
import { sessionRoutes } from "./routes/session-routes.js";
import { createToolRoutes } from "./routes/tool-routes.js";
import { createTurnRoutes } from "./routes/turn-routes.js";
import { undoRoute } from "./routes/undo-route.js";
import { KeyedRuns } from "./run/keyed-runs.js";
import type { Readers } from "./run/readers.js";
import { createRun } from "./run/run.js";

/** What the routes need. */
interface RouteContext {
  agent: Agent;
  metrics: Metrics;
  rules: AccessRules;
  /** Open /chat connections. */
  sockets(): number;
  readers: Readers;
  lastError(): LoggedError | undefined;
  /** What stands before every path; "" for nothing. */
  basePath: string;
  /** Of streamed answers. */
  times: StreamTimes;
  /** Connects applications; a daemon without it refuses to. */
  connector?: Connector | undefined;
  /** Those of the MCP endpoint. */
  mcp: readonly Route[];
}

/**
 * Sends documents: what the application is like, and what this daemon is. They are compressed, because they hold no secret and
 * nothing that another party could write there to find one out by the length of the answer. Everything else (turns, history,
 * transcripts, confirmations) brings confidential data together with text of others, and is sent as it is.
 */
function documentRoutes(agent: Agent, basePath: string): Route[] {
  const packSchema = createPacker();
  const packOne = createPacker();
  const sender = () => {
    const pack = createPacker();
    return async (req: Request, res: Response, text: string) => {
      const { body, coding } = await pack(req, text);
      setCoding(res, coding);
      sendJson(res, body);
    };
  };
  const [sendTools, sendSome, sendOpenApi] = [sender(), sender(), sender()];
  return [
    {
      method: "get",
      path: "/schema",
      async handle(req, res) {
        const { application } = parseQuery("schema", queryOf(req.url));
        const { bytes, etag } = agent.schema(application);
        const { body, coding } = await (application === undefined ? packSchema : packOne)(req, bytes);
        // A strong tag is one form's only: RFC 9110, section 8.8.3.3.
        const tag = coding ? etag.replace(/"$/, `-${coding.name}"`) : etag;
        res.setHeader("ETag", tag);
        res.setHeader("Cache-Control", "no-cache");
        vary(res, "Accept-Encoding");
        if (hasTag(req.headers["if-none-match"], tag)) {
          res.writeHead(304).end();
          return;
        }
        setCoding(res, coding);
        sendJson(res, body);
      },
    },
    {
      method: "get",
      path: "/tools",
      async handle(req, res) {
        const { name, application } = parseQuery("tools", queryOf(req.url));
        if (name === undefined && application === undefined) return sendTools(req, res, await agent.tools());
        if (name === undefined) return sendSome(req, res, await agent.tools(application));
        // A name that no tool has is a filter that lets none through, and so is an application that has none of this name.
        const found = [agent.tool(name)].filter((tool) => tool !== undefined);
        const isWanted = application === undefined || found[0]?.application === application;
        return sendSome(req, res, toJson(isWanted ? found : []));
      },
    },
    {
      method: "get",
      path: "/-/tools/search",
      handle(req, res) {
        const { q, limit, application } = parseQuery("search", queryOf(req.url));
        return sendSome(req, res, toJson(agent.searchToolsClosely(q, limit, application)));
      },
    },
    {
      method: "get",
      path: "/-/openapi.json",
      async handle(req, res) {
        // Loaded when asked for: no daemon pays for it at its start.
        const { openApi } = await import("./openapi/document.js");
        await sendOpenApi(req, res, openApi(agent.config().version, basePath));
      },
    },
  ];
}

/** What has been decided needs no reading again. */
function withoutDecidedDetails(one: Confirmation): Confirmation {
  if (one.status === "pending") return one;
  const brief = { ...one, arguments: {}, request: {} };
  return one.input ? { ...brief, input: { message: one.input.message } } : brief;
}

function confirmationRoutes(agent: Agent): Route[] {
  return [
    {
      method: "get",
      path: "/-/confirmations",
      async handle(req, res) {
        const { details, ...query } = parseQuery("confirmations", queryOf(req.url));
        const list = await agent.confirmations(query);
        sendJson(res, toJson(details === "pending" ? list.map(withoutDecidedDetails) : list));
      },
    },
    {
      method: "get",
      path: "/-/confirmations/{id}",
      async handle(req, res) {
        const held = await agent.confirmation(parameterOf(req));
        if (!held) throw unknownHeldCall();
        sendJson(res, toJson(held));
      },
    },
    {
      method: "post",
      path: "/-/confirmations/{id}",
      async handle(req, res) {
        const decision = await readJson(req, res, Decision);
        sendJson(res, toJson(await agent.decide(parameterOf(req), decision, callerOf(req))));
      },
    },
    {
      method: "post",
      path: "/-/confirmations/{id}/extend",
      async handle(req, res) {
        const { seconds } = await readJson(req, res, Extension);
        sendJson(res, toJson(await agent.extend(parameterOf(req), seconds, callerOf(req))));
      },
    },
  ];
}

/** The whole table, the busiest route first. */
export function createRoutes(context: RouteContext): Route[] {
  const { agent, metrics, readers, times } = context;
  const runContext = { agent, metrics, readers, times, keyedRuns: new KeyedRuns(agent, metrics) };
  return [
    // Its prompts run in read_only.
    { method: "post", path: "/run", forReadOnly: true, handle: createRun(runContext) },
    historyRoute(agent, times),
    ...documentRoutes(agent, context.basePath),
    { method: "get", path: "/-/providers", handle: (_req, res) => sendJson(res, toJson(agent.providers())) },
    { method: "get", path: "/config/public", handle: (_req, res) => sendJson(res, toJson(agent.config())) },
    {
      method: "get",
      path: "/chat",
      handle: () => {
        throw new AppError("upgrade_required", "/chat speaks WebSocket: connect to it with ws:// or wss://.");
      },
    },
    ...operatorRoutes(context),
    ...sessionRoutes(agent, times),
    ...createTurnRoutes(agent, readers, times),
    changesRoute(agent, readers, times),
    ...createOpenAiRoutes(runContext),
    ...confirmationRoutes(agent),
    undoRoute(agent),
    resultRoute(agent, times),
    ...createToolRoutes(agent),
    ...createApplicationRoutes(context.connector),
    ...context.mcp,
  ];
}
