// From a prompt that arrived over HTTP to its answer, whatever form that takes: the turn is run for its client and stopped when the
// client goes, unless it was detached; with an Idempotency-Key it is the turn of that key, whoever began it.
// Source: docs/reference.md, "Sending a prompt once" and "Turns that outlive their client".
import type { Request, Response } from "express";
import type { Agent, KeyedPrompt, PromptRequest } from "../../domain/agent.js";
import { isCancel, isShutdown, Stopped } from "../../domain/error.js";
import { isBasic } from "../../domain/event.js";
import type { Metrics } from "../metrics/metrics.js";
import type { StreamTimes } from "../response/event-stream.js";
import { onResponseEnd } from "../response/respond.js";
import { runTurnInto } from "./event-sink.js";
import type { KeyedRuns } from "./keyed-runs.js";
import type { Readers } from "./readers.js";
import type { AnswerNames, RunAnswer } from "./run-answer.js";

/** What runs and answers prompts. */
export interface RunContext {
  agent: Agent;
  metrics: Metrics;
  readers: Readers;
  times: StreamTimes;
  keyedRuns: KeyedRuns;
}

/** A prompt that arrived, how it is run, and what becomes of its events. */
export interface ArrivedPrompt {
  request: PromptRequest;
  /** Whether the turn goes on when its client goes away. */
  detach: boolean;
  /** Whether the answer is made of extended events, too. */
  extended: boolean;
  /** The key that its client gave it. */
  key?: Pick<KeyedPrompt, "key" | "scope" | "fingerprint"> | undefined;
  /** With a key it may be another turn than that of the request. */
  createAnswer(names: AnswerNames): RunAnswer;
}

/** A request with its answer. */
interface Exchange {
  req: Request;
  res: Response;
}

/** Unlike that of any key. */
const WAITING_SCOPE = " ";

/** A detached turn that waits, on record before its name is given out: what was promised is known to the next start. */
function createWaiting({ agent }: RunContext, request: PromptRequest) {
  const { message, session_id, turn_id, client, caller } = request;
  let isKept = false;
  return {
    async keep(): Promise<void> {
      isKept = true;
      const key = { scope: WAITING_SCOPE, key: turn_id, fingerprint: "" };
      await agent.claimKey({ ...key, message, session_id, turn_id, client, caller });
    },
    /** After it was refused or cancelled; what the end of the daemon refuses is for the next start to name. */
    async forget(why: unknown): Promise<void> {
      if (!isKept || isShutdown(why)) return;
      // What cannot be done reads as interrupted. Nobody waits for a cancelled turn to come behind those before it.
      if (isCancel(why)) return void agent.keepCancelled(request).catch(() => undefined);
      await agent.releaseKey(turn_id).catch(() => undefined);
    },
  };
}

/** Runs a turn for its client, and stops it when the client goes, unless it was detached. */
async function answerOwn(
  context: RunContext,
  { request, detach, extended, createAnswer }: ArrivedPrompt,
  { req, res }: Exchange,
): Promise<void> {
  const { agent, metrics } = context;
  const waiting = createWaiting(context, request);
  const gone = new AbortController();
  onResponseEnd(req, res, () => {
    if (!detach && !res.writableFinished) gone.abort(new Stopped("client_gone"));
  });
  const { push, onQueued: onAccepted, end } = createAnswer(request);
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
  { agent, readers }: RunContext,
  { arrived, turn }: { arrived: ArrivedPrompt; turn: Awaited<ReturnType<KeyedRuns["turnOf"]>> },
  { req, res }: Exchange,
): Promise<void> {
  const signal = readers.admit(req, res);
  if (turn.isReplayed) res.setHeader("Idempotency-Replayed", "true");
  const { wantsEvents, push, onQueued, drained, end } = arrived.createAnswer(turn);
  onQueued();
  // Accepted is all that such a client wants to know.
  if (!wantsEvents) return;
  for await (const { seq, event } of agent.turnEvents(turn.turn_id, { after: 0, signal })) {
    if (arrived.extended || isBasic(event)) push(event, seq);
    await drained();
  }
  // Cut short: what is out is not whole.
  if (signal.aborted) return void res.destroy();
  if (!res.headersSent) await turn.ended;
  end();
}

/** Runs a prompt, or finds the turn of its key, and answers with its events. Rejects with what refuses it before anything is sent. */
export async function answerArrived(context: RunContext, arrived: ArrivedPrompt, exchange: Exchange): Promise<void> {
  const { key, request, detach } = arrived;
  if (key === undefined) return answerOwn(context, arrived, exchange);
  const turn = await context.keyedRuns.turnOf({ key, request, interactive: detach });
  return answerKeyed(context, { arrived, turn }, exchange);
}
