// POST /-/history/{id}/undo: takes a recorded change back, as a call of its own. Source: docs/reference.md, "Undo".
import type { Agent } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import { toJson } from "../../lib/json.js";
import { callerOf } from "../access/caller.js";
import { readJson } from "../request/body.js";
import { clientLabel, ModesBody, modesToPolicy } from "../request/request.js";
import { sendJson } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";

const ROW_ID = /^[1-9]\d{0,14}$/;

/** The route over an agent. */
export function undoRoute(agent: Agent): Route {
  return {
    method: "post",
    path: "/-/history/{id}/undo",
    async handle(req, res) {
      const id = parameterOf(req);
      const policy = modesToPolicy(await readJson(req, res, ModesBody));
      if (!ROW_ID.test(id)) throw new AppError("not_found", `There is no call ${JSON.stringify(id)} on record.`);
      const client = clientLabel(req.headers["x-agentd-client"], "http");
      const request = { history_id: Number(id), policy, client, caller: callerOf(req) };
      // A client that goes away leaves it to be finished: half of it would be nothing that anyone asked for.
      const answer = await agent.undo(request, new AbortController().signal);
      sendJson(res, toJson(answer), answer.status === "held" ? 202 : 200);
    },
  };
}
