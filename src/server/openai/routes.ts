// The routes of agents and chat clients that speak OpenAI's formats, where the agent is the model. What handles them is loaded when
// one is asked for. Source: docs/reference.md, "OpenAI-compatible routes".
import { toJson } from "../../lib/json.js";
import { sendJson } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";
import type { RunContext } from "../run/answer-prompt.js";
import { OPENAI_PREFIX } from "./errors.js";
import { AGENT_MODEL, findModel, listModels, modelOf } from "./models.js";

/** The routes over an agent. */
export function createOpenAiRoutes(context: RunContext): Route[] {
  const { agent } = context;
  const chat = () => import("./chat.js");
  const responses = () => import("./responses.js");
  const models = `${OPENAI_PREFIX}/models`;
  const one = `${OPENAI_PREFIX}/responses/{id}`;
  return [
    {
      method: "get",
      path: models,
      handle: (_req, res) => sendJson(res, toJson({ object: "list", data: listModels(agent.providers()) })),
    },
    {
      method: "get",
      path: `${models}/{id}`,
      handle: (req, res) => sendJson(res, toJson(findModel(parameterOf(req), agent.providers()))),
    },
    {
      method: "get",
      // As clients ask that write the name into the address as it is.
      path: `${models}/${AGENT_MODEL}/{id}`,
      handle: (req, res) => sendJson(res, toJson(findModel(modelOf(parameterOf(req)), agent.providers()))),
    },
    {
      method: "post",
      path: `${OPENAI_PREFIX}/chat/completions`,
      // Its prompts run in read_only.
      forReadOnly: true,
      handle: async (req, res) => (await chat()).completeChat(context, req, res),
    },
    {
      method: "post",
      path: `${OPENAI_PREFIX}/responses`,
      forReadOnly: true,
      handle: async (req, res) => (await responses()).createResponse(context, req, res),
    },
    {
      method: "get",
      path: one,
      handle: async (req, res) => (await responses()).retrieveResponse(context, req, res),
    },
    {
      method: "get",
      path: `${one}/input_items`,
      handle: async (req, res) => (await responses()).listInputItems(context, req, res),
    },
    {
      method: "post",
      path: `${one}/cancel`,
      // It cancels its own turns there and no others.
      forReadOnly: true,
      handle: async (req, res) => (await responses()).cancelResponse(context, req, res),
    },
  ];
}
