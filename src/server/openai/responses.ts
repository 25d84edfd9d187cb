// The routes of responses: a turn is begun, looked at, followed from any of its events, also after a restart, and cancelled. A
// response is a turn under another name, so nothing of it is kept but the turn. Source: docs/reference.md, "OpenAI-compatible routes".
import type { Request, Response } from "express";
import type { Agent } from "../../domain/agent.js";
import type { TranscriptTurn } from "../../domain/record.js";
import type { TurnState } from "../../domain/turn-reading.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { callerOf } from "../access/caller.js";
import { readText } from "../request/body.js";
import { parseQuery } from "../request/query.js";
import { sendJson } from "../response/respond.js";
import { parameterOf } from "../route.js";
import { answerArrived, type RunContext } from "../run/answer-prompt.js";
import { arrive, madeAt, nowInSeconds, turnIdOf, unknownResponse } from "./arrive.js";
import { parseFields, ResponsesBody } from "./fields.js";
import { inputItems } from "./input-items.js";
import { AGENT_MODEL, modelOf } from "./models.js";
import { readInput } from "./prompt.js";
import {
  createAcceptedResponse,
  createLiveResponse,
  createResponseStream,
  createWholeResponse,
} from "./response-answer.js";
import type { ResponseNames } from "./response-object.js";
import { ResponseReader } from "./response-reader.js";

/** Milliseconds that a cancel waits for the end: a call that was sent is waited for, and a client may look again. */
const CANCEL_MS = 2_000;

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** POST /-/v1/responses. */
export async function createResponse(context: RunContext, req: Request, res: Response): Promise<void> {
  const { agent, times } = context;
  const body = parseFields(ResponsesBody, await readText(req, res));
  const prompt = readInput(body.input, body.instructions);
  const detach = body.background === true;
  const instructions = body.instructions || null;
  const arrived = await arrive(agent, req, {
    body,
    prompt,
    inSession: instructions === null ? [] : [{ role: "system", text: instructions }],
    form: "responses",
    detach,
  });
  const { model, previous_response_id } = arrived;
  await answerArrived(
    context,
    {
      ...arrived,
      createAnswer({ turn_id, session_id }) {
        res.setHeader("X-Session-Id", session_id);
        res.setHeader("X-Turn-Id", turn_id);
        const created = madeAt(turn_id) ?? nowInSeconds();
        const names = { turn_id, session_id, model, created, background: detach, instructions, previous_response_id };
        const reader = new ResponseReader(names);
        if (body.stream === true) return createLiveResponse(res, reader, { times, detach });
        return detach ? createAcceptedResponse(res, reader) : createWholeResponse(res, reader);
      },
    },
    { req, res },
  );
}

/** The turn of the response that a path names. Rejects with ApiError not_found. */
async function stateOf(agent: Agent, req: Request): Promise<TurnState> {
  const id = parameterOf(req);
  const state = await agent.turn(turnIdOf(id));
  if (!state) throw unknownResponse(id);
  return state;
}

/** What a turn of the past, or of another request, is called. */
function namesOf(agent: Agent, { turn_id, session_id, begun }: TurnState): ResponseNames {
  const isOther = begun !== undefined && begun.provider !== agent.config().default_provider;
  return {
    turn_id,
    session_id,
    model: isOther ? modelOf(begun.provider) : AGENT_MODEL,
    created: madeAt(turn_id) ?? (begun ? secondsOf(begun.started_at) : nowInSeconds()),
    completed: begun?.ended_at ? secondsOf(begun.ended_at) : undefined,
    // Whether it was is not kept; it can be followed like one that was.
    background: true,
    instructions: null,
    previous_response_id: null,
  };
}

/** Sends a response as it is, or as it is once the signal aborts or its turn is over. */
async function sendResponse(
  { agent, readers }: RunContext,
  { req, res }: { req: Request; res: Response },
  patience?: AbortSignal,
): Promise<void> {
  const state = await stateOf(agent, req);
  const reader = new ResponseReader(namesOf(agent, state));
  if (state.status === "waiting") reader.queued();
  const gone = readers.admit(req, res);
  const signal = patience ? AbortSignal.any([gone, patience]) : gone;
  const events = agent.turnEvents(state.turn_id, { after: 0, follow: patience !== undefined, signal });
  for await (const { seq, event } of events) reader.read(seq, event);
  // It is gone, or its token is.
  if (gone.aborted) return void res.destroy();
  res.setHeader("X-Session-Id", state.session_id);
  res.setHeader("X-Turn-Id", state.turn_id);
  sendJson(res, toJson(reader.response()));
}

/** GET /-/v1/responses/{id}: as it is, or with `stream` its events behind `starting_after` and those to come. */
export async function retrieveResponse(context: RunContext, req: Request, res: Response): Promise<void> {
  const { agent, readers, times } = context;
  const { stream: isStreamed, starting_after = -1 } = parseQuery("response", queryOf(req.url));
  if (isStreamed !== "true") return sendResponse(context, { req, res });
  const state = await stateOf(agent, req);
  const reader = new ResponseReader(namesOf(agent, state), starting_after);
  const signal = readers.admit(req, res);
  res.setHeader("X-Session-Id", state.session_id);
  res.setHeader("X-Turn-Id", state.turn_id);
  const stream = createResponseStream(res, times);
  stream.open();
  if (req.method === "HEAD") return stream.end();
  if (state.status === "waiting") stream.send(reader.queued());
  for await (const { seq, event } of agent.turnEvents(state.turn_id, { after: 0, signal })) {
    stream.send(reader.read(seq, event));
    await stream.drained();
  }
  if (signal.aborted) return void res.destroy();
  stream.end();
}

async function findTurn(agent: Agent, session_id: string, turn_id: string): Promise<TranscriptTurn | undefined> {
  for await (const turn of (await agent.transcript(session_id)) ?? []) if (turn.turn_id === turn_id) return turn;
  return undefined;
}

/** GET /-/v1/responses/{id}/input_items: all of them at once. */
export async function listInputItems({ agent }: RunContext, req: Request, res: Response): Promise<void> {
  const { order } = parseQuery("inputItems", queryOf(req.url));
  const { turn_id, session_id } = await stateOf(agent, req);
  sendJson(res, toJson(inputItems(turn_id, await findTurn(agent, session_id, turn_id), order)));
}

/** POST /-/v1/responses/{id}/cancel: the response, cancelled unless it was over. */
export async function cancelResponse(context: RunContext, req: Request, res: Response): Promise<void> {
  const { turn_id } = await stateOf(context.agent, req);
  context.agent.cancelTurn(turn_id, callerOf(req));
  await sendResponse(context, { req, res }, AbortSignal.timeout(CANCEL_MS));
}
