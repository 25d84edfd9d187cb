// POST /run: one prompt in, its turn out, as one JSON object, as a stream of the same events, or, detached, as the names under
// which it can be followed. Source: docs/reference.md, "Running a prompt".

import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { callerOf } from "../access/caller.js";
import { readText } from "../request/body.js";
import { fingerprintOf, KEY_HEADER, keyScopeOf, parseKey } from "../request/idempotency-key.js";
import { clientLabel, parsePrompt } from "../request/request.js";
import { answerArrived, type RunContext } from "./answer-prompt.js";
import { createAnswer } from "./run-answer.js";

/** The handler of POST /run. */
export function createRun(context: RunContext): (req: Request, res: Response) => Promise<void> {
  const { times } = context;
  return async (req, res) => {
    const prompt = parsePrompt(await readText(req, res));
    const { message, policy, provider, model, time_zone, continue_from, application, detach, extended } = prompt;
    const session_id = prompt.session_id ?? randomUUID();
    const client = clientLabel(req.headers["x-agentd-client"], "http");
    const caller = callerOf(req);
    const names = { session_id, turn_id: randomUUID(), client, caller };
    const request = { ...names, message, policy, provider, model, time_zone, continue_from, application };
    const key = parseKey(req.headers[KEY_HEADER]);
    const claim = key && { key, scope: keyScopeOf(prompt, caller), fingerprint: fingerprintOf(prompt, caller) };
    return answerArrived(
      context,
      {
        request,
        detach,
        extended,
        key: claim || undefined,
        createAnswer: (turn) => createAnswer(req, res, { prompt, names: turn, times }),
      },
      { req, res },
    );
  };
}
