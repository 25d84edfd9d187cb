// Every route but the web UI, as one table: the app registers it, wrong methods and the OpenAPI document are checked
// against it. Handlers translate between HTTP and the agent, nothing more. Source: docs/reference.md, "Endpoints".

import type { Request, Response } from "express";
import type { Agent } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import { type Confirmation, MAX_SMALL_RESULT_BYTES, type TranscriptTurn } from "../domain/record.js";
import { addUsage, type ModelUsage } from "../domain/usage.js";
import { toJson } from "../lib/json.js";
import type { LoggedError } from "../lib/last-error.js";
import { type AccessRules, queryOf, SIGN_IN_PATH } from "./access/admit.js";
import { callerOf } from "./access/caller.js";
import { createSignIn } from "./access/sign-in.js";
import { readText } from "./body.js";
import { createPacker, setCoding, vary } from "./compress.js";
import type { StreamTimes } from "./event-stream.js";
import { KeyedRuns } from "./keyed-runs.js";
import type { Metrics } from "./metrics.js";
import { createOpenAiRoutes } from "./openai/routes.js";
import { parseHistoryQuery, parseQuery } from "./query.js";
import type { Readers } from "./readers.js";
import { parseDecision } from "./request.js";
import { hasTag, sendJson } from "./respond.js";
import type { Route } from "./route.js";
import { createRun } from "./run.js";
import { createStatus } from "./status.js";
import { createTurnRoutes } from "./turn-routes.js";
import { undoRoute } from "./undo-route.js";

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
  /** Those of the MCP endpoint. */
  mcp: readonly Route[];
}

const idOf = (req: Request): string => String(req.params["id"]);

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
      handle(req, res) {
        const { name, application } = parseQuery("tools", queryOf(req.url));
        if (name === undefined && application === undefined) return sendTools(req, res, agent.tools());
        if (name === undefined) return sendSome(req, res, agent.tools(application));
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
        const { q, limit } = parseQuery("search", queryOf(req.url));
        return sendSome(req, res, toJson(agent.searchTools(q, limit)));
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

/** Both probes answer nothing but ok, so that they may be open to everyone. */
function sendOk(_req: Request, res: Response): void {
  res.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": 2 }).end("ok");
}

/** The turn as a list needs it; the results are in the history, too. */
function withoutLargeResults(turn: TranscriptTurn): TranscriptTurn {
  const messages = turn.messages.map((message) =>
    message.role === "tool" && message.text.length > MAX_SMALL_RESULT_BYTES
      ? { ...message, text: "", omitted_chars: message.text.length }
      : message,
  );
  return { ...turn, messages };
}

/** What the turns of a session took together. */
function usageOf(turns: readonly TranscriptTurn[]): ModelUsage | undefined {
  return turns.reduce<ModelUsage | undefined>((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), undefined);
}

/** What has been decided needs no reading again. */
function withoutDecidedDetails(one: Confirmation): Confirmation {
  if (one.status === "pending") return one;
  const brief = { ...one, arguments: {}, request: {} };
  return one.input ? { ...brief, input: { message: one.input.message } } : brief;
}

function unknownSession(id: string): AppError {
  return new AppError("not_found", `There is no session ${JSON.stringify(id)}; GET /-/sessions lists them.`);
}

function sessionRoutes(agent: Agent): Route[] {
  const one = "/-/sessions/{id}";
  return [
    {
      method: "get",
      path: "/-/sessions",
      async handle(req, res) {
        const { limit, before } = parseQuery("sessions", queryOf(req.url));
        sendJson(res, toJson(await agent.sessions({ limit, before })));
      },
    },
    {
      method: "get",
      path: one,
      async handle(req, res) {
        const { results } = parseQuery("transcript", queryOf(req.url));
        const turns = await agent.transcript(idOf(req));
        if (!turns) throw unknownSession(idOf(req));
        const listed = results === "small" ? turns.map(withoutLargeResults) : turns;
        sendJson(res, toJson({ session_id: idOf(req), turns: listed, usage: usageOf(turns) }));
      },
    },
    {
      method: "delete",
      path: one,
      async handle(req, res) {
        if (!(await agent.deleteSession(idOf(req)))) throw unknownSession(idOf(req));
        res.writeHead(204).end();
      },
    },
    {
      method: "post",
      path: `${one}/cancel`,
      // It cancels its own turns there and no others.
      forReadOnly: true,
      async handle(req, res) {
        const cancelled = await agent.cancel(idOf(req), callerOf(req));
        if (cancelled === undefined) throw unknownSession(idOf(req));
        sendJson(res, toJson({ cancelled }));
      },
    },
  ];
}

function confirmationRoutes(agent: Agent): Route[] {
  return [
    {
      method: "get",
      path: "/-/confirmations",
      async handle(req, res) {
        const { limit, status, details } = parseQuery("confirmations", queryOf(req.url));
        const list = await agent.confirmations({ limit, status });
        sendJson(res, toJson(details === "pending" ? list.map(withoutDecidedDetails) : list));
      },
    },
    {
      method: "post",
      path: "/-/confirmations/{id}",
      async handle(req, res) {
        const decision = parseDecision(await readText(req, res));
        sendJson(res, toJson(await agent.decide(idOf(req), decision, callerOf(req))));
      },
    },
  ];
}

function operatorRoutes({ agent, metrics, rules, sockets, lastError, basePath }: RouteContext): Route[] {
  return [
    { method: "get", path: "/-/status", handle: createStatus({ agent, lastError }) },
    { method: "get", path: "/-/healthz", handle: sendOk },
    {
      method: "get",
      path: "/-/readyz",
      async handle(req, res) {
        try {
          await agent.check();
        } catch {
          // Why is for the log: this route needs no token.
          throw new AppError("audit_unavailable", "The record cannot be written; the log says why.", { retryAfter: 5 });
        }
        sendOk(req, res);
      },
    },
    {
      method: "get",
      path: "/-/metrics",
      async handle(_req, res) {
        const levels = {
          ...agent.load(),
          ...(await agent.stats()),
          sockets: sockets(),
          limitRefusals: agent.limitRefusals(),
        };
        const { text, contentType } = await metrics.text(levels);
        res.writeHead(200, { "Content-Type": contentType }).end(text);
      },
    },
    { method: "post", path: SIGN_IN_PATH, forReadOnly: true, handle: createSignIn(rules, basePath) },
  ];
}

/** The whole table, the busiest route first. */
export function createRoutes(context: RouteContext): Route[] {
  const { agent, metrics, readers, times } = context;
  const runContext = { agent, metrics, readers, times, keyedRuns: new KeyedRuns(agent, metrics) };
  return [
    // Its prompts run in read_only.
    { method: "post", path: "/run", forReadOnly: true, handle: createRun(runContext) },
    {
      method: "get",
      path: "/history",
      handle: async (req, res) => sendJson(res, toJson(await agent.history(parseHistoryQuery(queryOf(req.url))))),
    },
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
    ...sessionRoutes(agent),
    ...createTurnRoutes(agent, readers, times),
    ...createOpenAiRoutes(runContext),
    ...confirmationRoutes(agent),
    undoRoute(agent),
    ...context.mcp,
  ];
}
