// Calls without a model and the actions that are saved of them. Handlers translate between HTTP and the agent, nothing more.
// Source: docs/reference.md, "Calling a tool" and "Saved actions".
import type { Request, Response } from "express";
import { z } from "zod";
import type { Agent } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import { AnyObject } from "../../domain/json-schemas.js";
import { MAX_ACTION_TITLE } from "../../domain/saved-action.js";
import { isObject, toJson } from "../../lib/json.js";
import { callerOf } from "../access/caller.js";
import { readJson } from "../request/body.js";
import { clientLabel, ModesBody, modesToPolicy } from "../request/request.js";
import { sessionHeader } from "../request/session-header.js";
import { goneSignal, sendJson } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";

/** The body of POST /-/tools/{name}/call. */
export const ToolCallBody = z.strictObject({ arguments: AnyObject.default({}), ...ModesBody.shape });

const Title = z
  .string()
  .max(MAX_ACTION_TITLE)
  .refine((text) => text.trim() !== "", "must not be empty");

/** The body of POST /-/actions. */
export const ActionBody = z.strictObject({
  title: Title,
  tool: z.string().min(1).max(200),
  arguments: AnyObject.default({}),
  pinned: z.boolean().default(false),
});

/** The body of PATCH /-/actions/{id}. */
export const ActionChangeBody = z.strictObject({
  title: Title.optional(),
  arguments: AnyObject.optional(),
  pinned: z.boolean().optional(),
});

/** The body of POST /-/providers/{name}/test. */
export const ProviderTestBody = z.strictObject({ model: z.string().min(1).max(300).optional() });

async function callTool(agent: Agent, req: Request, res: Response): Promise<void> {
  const tool = parameterOf(req, "name");
  const { arguments: args, ...modes } = await readJson(req, res, ToolCallBody);
  if (!agent.canCall(tool))
    throw new AppError("not_found", `There is no tool ${JSON.stringify(tool)}; GET /tools lists them.`);
  const request = {
    tool,
    arguments: args,
    session_id: sessionHeader(req.headers) ?? "",
    policy: modesToPolicy(modes),
    client: clientLabel(req.headers["x-agentd-client"], "http"),
    caller: callerOf(req),
  };
  const events = agent.call(request, { signal: goneSignal(req, res), interactive: false });
  for (;;) {
    const { done, value } = await events.next();
    if (!done) continue;
    const { confirmation, result } = value;
    const isHeld = confirmation !== undefined && isObject(result) && result["error"] === "confirmation_required";
    if (!res.destroyed) sendJson(res, toJson(value), isHeld ? 202 : 200);
    return;
  }
}

const unknownAction = (id: string): AppError =>
  new AppError("not_found", `There is no action ${JSON.stringify(id)}; GET /-/actions lists them.`);

function actionRoutes(agent: Agent): Route[] {
  const one = "/-/actions/{id}";
  return [
    {
      method: "get",
      path: "/-/actions",
      handle: async (_req, res) => sendJson(res, toJson(await agent.savedActions())),
    },
    {
      method: "post",
      path: "/-/actions",
      async handle(req, res) {
        const content = await readJson(req, res, ActionBody);
        sendJson(res, toJson(await agent.saveAction(content, callerOf(req))), 201);
      },
    },
    {
      method: "patch",
      path: one,
      async handle(req, res) {
        const id = parameterOf(req);
        const changed = await agent.changeAction(id, await readJson(req, res, ActionChangeBody));
        if (!changed) throw unknownAction(id);
        sendJson(res, toJson(changed));
      },
    },
    {
      method: "delete",
      path: one,
      async handle(req, res) {
        const id = parameterOf(req);
        if (!(await agent.deleteAction(id))) throw unknownAction(id);
        res.writeHead(204).end();
      },
    },
  ];
}

/** The routes over an agent. */
export function createToolRoutes(agent: Agent): Route[] {
  return [
    // Its calls run in read_only.
    {
      method: "post",
      path: "/-/tools/{name}/call",
      forReadOnly: true,
      handle: (req, res) => callTool(agent, req, res),
    },
    ...actionRoutes(agent),
    {
      method: "post",
      path: "/-/providers/{name}/test",
      async handle(req, res) {
        const { model } = await readJson(req, res, ProviderTestBody);
        const choice = { provider: parameterOf(req, "name"), model };
        const tested = await agent.testProvider(choice, goneSignal(req, res));
        if (!res.destroyed) sendJson(res, toJson(tested));
      },
    },
  ];
}
