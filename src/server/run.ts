// POST /run: one prompt in, its turn out, as one JSON object, as a stream of the same events, or, detached, as the names under
// which it can be followed. With an Idempotency-Key it is the turn of that key, whoever began it.
// Source: docs/reference.md, "Running a prompt", "Sending a prompt once" and "Turns that outlive their client".

import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Agent, PromptRequest } from "../domain/agent.js";
import { isShutdown, Stopped } from "../domain/error.js";
import { isBasic } from "../domain/event.js";
import { queryOf } from "./access/admit.js";
import { callerOf } from "./access/caller.js";
import { readText } from "./body.js";
import { runTurnInto } from "./event-sink.js";
import { type StreamTimes, streamTypeOf } from "./event-stream.js";
import { fingerprintOf, KEY_HEADER, keyScopeOf, parseKey } from "./idempotency-key.js";
import { KeyedRuns } from "./keyed-runs.js";
import type { Metrics } from "./metrics.js";
import { parseQuery } from "./query.js";
import type { Readers } from "./readers.js";
import { clientLabel, type Prompt, parsePrompt } from "./request.js";
import { onResponseEnd } from "./respond.js";
import { createAnswer } from "./run-answer.js";

/** What runs and answers prompts. */
interface RunContext {
  agent: Agent;
  metrics: Metrics;
  readers: Readers;
  times: StreamTimes;
}

/** A prompt that arrived, and how it is run. */
interface Arrived {
  prompt: Prompt;
  request: PromptRequest;
}

/** Unlike that of any key. */
const WAITING_SCOPE = " ";

/** A detached turn that waits, on record before its name is given out: what was promised is known to the next start. */
function createWaiting({ agent }: RunContext, { message, session_id, turn_id, client, caller }: PromptRequest) {
  let isKept = false;
  return {
    async keep(): Promise<void> {
      isKept = true;
      const key = { scope: WAITING_SCOPE, key: turn_id, fingerprint: "" };
      await agent.claimKey({ ...key, message, session_id, turn_id, client, caller });
    },
    /** After it was refused; what the end of the daemon refuses is for the next start to name. */
    async forget(why: unknown): Promise<void> {
      if (!isKept || isShutdown(why)) return;
      // What cannot be forgotten now reads as interrupted.
      await agent.releaseKey(turn_id).catch(() => undefined);
    },
  };
}

/** Runs a turn for its client, and stops it when the client goes, unless it was detached. */
async function answerPrompt(
  context: RunContext,
  { prompt, request }: Arrived,
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const { agent, metrics, times } = context;
  const { extended, detach } = prompt;
  const waiting = createWaiting(context, request);
  const gone = new AbortController();
  onResponseEnd(req, res, () => {
    if (!detach && !res.writableFinished) gone.abort(new Stopped("client_gone"));
  });
  const { push, onQueued: onAccepted, end } = createAnswer(req, res, { prompt, names: request, times });
  const onQueued = (): void => {
    if (detach) waiting.keep().then(onAccepted, (error: unknown) => gone.abort(error));
  };
  try {
    // A client cannot answer a confirmation over a request that only listens: without `detach` held calls end at once.
    await runTurnInto(
      { extended, push },
      { agent, metrics, request, signal: gone.signal, interactive: detach, onQueued },
    );
  } catch (error) {
    await waiting.forget(error);
    if (!res.headersSent) throw error;
    // Refused after it had waited: the status is out, so the client reads why.
    const reading = { after: 0, signal: gone.signal };
    for await (const { seq, event } of agent.turnEvents(request.turn_id, reading)) push(event, seq);
  }
  if (!res.destroyed) end();
}

/** Reads the turn of a key, which runs whether its clients stay or go. */
async function answerKeyed(
  { agent, readers, times }: RunContext,
  { prompt, turn }: { prompt: Prompt; turn: Awaited<ReturnType<KeyedRuns["turnOf"]>> },
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const signal = readers.admit(req, res);
  if (turn.isReplayed) res.setHeader("Idempotency-Replayed", "true");
  const { push, onQueued, drained, end } = createAnswer(req, res, { prompt, names: turn, times });
  onQueued();
  // Accepted is all that such a client wants to know.
  if (prompt.detach && !streamTypeOf(req)) return;
  for await (const { seq, event } of agent.turnEvents(turn.turn_id, { after: 0, signal })) {
    if (prompt.extended || isBasic(event)) push(event, seq);
    await drained();
  }
  // Cut short: what is out is not whole.
  if (signal.aborted) return void res.destroy();
  if (!res.headersSent) await turn.ended;
  end();
}

/** The handler of POST /run. */
export function createRun(context: RunContext): (req: Request, res: Response) => Promise<void> {
  const keyedRuns = new KeyedRuns(context.agent, context.metrics);
  return async (req, res) => {
    parseQuery("run", queryOf(req.url));
    const prompt = parsePrompt(await readText(req, res));
    const { message, policy, provider, model, time_zone } = prompt;
    const session_id = prompt.session_id ?? randomUUID();
    const client = clientLabel(req.headers["x-agentd-client"], "http");
    const names = { session_id, turn_id: randomUUID(), client, caller: callerOf(req) };
    const request = { ...names, message, policy, provider, model, time_zone };
    const key = parseKey(req.headers[KEY_HEADER]);
    if (key === undefined) return answerPrompt(context, { prompt, request }, { req, res });
    const turn = await keyedRuns.turnOf({
      key: { key, scope: keyScopeOf(prompt, request.caller), fingerprint: fingerprintOf(prompt, request.caller) },
      request,
      interactive: prompt.detach,
    });
    return answerKeyed(context, { prompt, turn }, { req, res });
  };
}
