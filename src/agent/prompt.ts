// One prompt from its place in the queue to `done`: the turn is opened on disk, run, saved and closed.

import { randomUUID } from "node:crypto";
import type { PromptOptions, PromptRequest } from "../domain/agent.js";
import { messageOf, Stopped } from "../domain/error.js";
import type { TurnEvent } from "../domain/event.js";
import type { Message } from "../domain/message.js";
import { tighten } from "../domain/policy.js";
import type { TurnStatus } from "../domain/record.js";
import { type Desk, withoutCredentials } from "./context.js";
import type { Session } from "./sessions.js";
import { instructions } from "./system-prompt.js";
import { runTurn } from "./turn.js";
import type { Place } from "./turn-queue.js";

/** How a turn that threw is told and kept. */
function ending(error: unknown): { status: Exclude<TurnStatus, "running">; message: string } {
  if (!(error instanceof Stopped)) return { status: "failed", message: messageOf(error) };
  return { status: error.why === "timeout" ? "failed" : "cancelled", message: error.message };
}

/** The events of one turn between taking the prompt and `done`, and how it ended. */
async function* takeTurn(
  desk: Desk,
  turn: {
    request: PromptRequest;
    io: PromptOptions;
    session: Session;
    turn_id: string;
    said: Message[];
    signal: AbortSignal;
  },
): AsyncGenerator<TurnEvent, { status: Exclude<TurnStatus, "running">; error: string }, void> {
  const { request, session, turn_id, said, signal } = turn;
  const { provider } = desk;
  const policy = tighten(desk.policy, request.policy);
  const { catalogue } = desk.schemaFile.current();
  const target = desk.target();
  const today = new Date().toISOString().slice(0, 10);
  try {
    yield* runTurn({
      ...{ catalogue, policy, target, signal, said, turn_id },
      ...{ store: desk.store, redactor: desk.redactor, confirmations: desk.confirmations, transport: desk.transport },
      ...{ session_id: session.id, provider: provider.name, model: provider.model, client: request.client },
      interactive: turn.io.interactive,
      onModelCall: turn.io.onModelCall,
      model_provider: provider,
      system: instructions({ policy, application: withoutCredentials(target.baseUrl), today }),
      prompt: request.message,
      before: session.messages,
      results: session.results,
      maxIterations: desk.maxIterations,
    });
    return { status: "done", error: "" };
  } catch (error) {
    // An abort surfaces in many shapes (a vendor's, a socket's); the signal knows why.
    const { status, message } = ending(signal.aborted ? signal.reason : error);
    const told = desk.redactor.text(message);
    if (status === "failed") desk.log.warn({ turn_id, cause: told }, "turn failed");
    yield { kind: "error", message: told };
    return { status, error: told };
  }
}

/** The corridor: every prompt from every door. Source of order and of what throws: `Agent.prompt`. */
export async function* prompt(
  desk: Desk,
  request: PromptRequest,
  io: PromptOptions,
): AsyncGenerator<TurnEvent, void, void> {
  const place = await desk.lanes.enter(request.session_id, io.signal);
  const clock = setTimeout(() => place.stop("timeout"), desk.turnTimeoutMs);
  try {
    yield* inPlace(desk, request, io, place);
  } finally {
    clearTimeout(clock);
    place.leave();
  }
}

/** A session as it is now, with everything its earlier turns and decisions left; only for whoever has its lane. */
export async function openSession(desk: Desk, session_id: string): Promise<Session> {
  await desk.unsaved.settle(session_id);
  const session = await desk.sessions.open(session_id);
  const news = await desk.store.tellDecided(session_id, desk.provider.resultBudget);
  if (news.length > 0) desk.sessions.add(session, news);
  return session;
}

async function* inPlace(
  desk: Desk,
  request: PromptRequest,
  io: PromptOptions,
  place: Place,
): AsyncGenerator<TurnEvent, void, void> {
  const { store, provider, sessions } = desk;
  const start = performance.now();
  const turn_id = randomUUID();
  const session = await openSession(desk, request.session_id);
  const { message, client } = request;
  const names = { session_id: session.id, turn_id, provider: provider.name, model: provider.model, client };
  await store.beginTurn({ ...names, prompt: message });
  sessions.add(session, [{ role: "user", text: message }]);
  yield { kind: "user_prompt", text: message };
  yield { kind: "session", session_id: session.id, turn_id, resumed: session.resumed };
  const said: Message[] = [];
  const end = yield* takeTurn(desk, { request, io, session, turn_id, said, signal: place.signal });
  sessions.add(session, said);
  const over = { turn_id, ...end, messages: said };
  try {
    await store.endTurn(over);
  } catch (error) {
    desk.unsaved.add(session.id, over);
    desk.log.error({ turn_id, cause: messageOf(error) }, "the turn's messages could not be saved yet; trying again");
    yield { kind: "notice", message: "This turn could not be saved yet; a restart before that would lose its answer." };
  }
  const duration_ms = Math.round(performance.now() - start);
  desk.log.info({ ...names, status: end.status, messages: said.length, duration_ms }, "turn");
  yield { kind: "done" };
}
