// GET /-/status: how this daemon is doing, for `agentd status` and for whoever watches it.
// Source: docs/reference.md, "Health and metrics".
import type { Request, Response } from "express";
import type { z } from "zod";
import type { Agent } from "../../domain/agent.js";
import type { StatusSchema } from "../../domain/schemas/agent.js";
import { toJson } from "../../lib/json.js";
import type { LoggedError } from "../../lib/last-error.js";
import { sendJson } from "../response/respond.js";

/** The confirmations that are counted; there are more only where nobody decides. */
const MAX_COUNTED = 1000;

/** What the route reads. */
interface StatusContext {
  agent: Agent;
  /** The newest error in the log. */
  lastError: () => LoggedError | undefined;
}

async function countWaiting(agent: Agent): Promise<number> {
  const held = await agent.confirmations({ status: "pending", limit: MAX_COUNTED });
  return held.filter(({ expires_at }) => Date.parse(expires_at) > Date.now()).length;
}

async function isWritable(agent: Agent): Promise<boolean> {
  try {
    await agent.check();
    return true;
  } catch {
    return false;
  }
}

/** The handler of the route. */
export function createStatus({ agent, lastError }: StatusContext) {
  return async (_req: Request, res: Response): Promise<void> => {
    const { version, default_provider, model, applications } = agent.config();
    const uptime = process.uptime();
    const status: z.infer<typeof StatusSchema> = {
      pid: process.pid,
      version,
      started_at: new Date(Date.now() - uptime * 1000).toISOString(),
      uptime_s: Math.floor(uptime),
      default_provider,
      model,
      applications,
      turns: agent.load(),
      confirmations_waiting: await countWaiting(agent),
      limits: await agent.limitsToday(),
      record_writable: await isWritable(agent),
      last_error: lastError() ?? null,
    };
    sendJson(res, toJson(status));
  };
}
