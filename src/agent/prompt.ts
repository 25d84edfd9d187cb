// One prompt from its place in the queue to `done`: the turn is opened on disk, run, saved and closed.
import { randomUUID } from "node:crypto";
import { createBuiltinTransport } from "../applications/builtin.js";
import type { PromptOptions, PromptRequest } from "../domain/agent.js";
import { messageOf, Stopped } from "../domain/error.js";
import type { TurnEvent } from "../domain/event.js";
import type { Message } from "../domain/message.js";
import { tighten } from "../domain/policy.js";
import { withoutCredentials } from "../lib/url.js";
import type { TurnEnd } from "../store/store.js";
import { createToolSelection } from "../tools/selection.js";
import type { AgentContext } from "./context.js";
import type { Session } from "./sessions.js";
import { systemPrompt } from "./system-prompt.js";
import { runTurn } from "./turn.js";
import type { TurnPermit } from "./turn-queue.js";

/** How a turn ended, the reason redacted. */
type Ending = Pick<TurnEnd, "status" | "error">;

/** A turn under way. */
interface OpenTurn {
  turn_id: string;
  request: PromptRequest;
  session: Session;
  options: PromptOptions;
  newMessages: Message[];
  signal: AbortSignal;
}

function endOf(error: unknown): Ending {
  if (!(error instanceof Stopped)) return { status: "failed", error: messageOf(error) };
  return { status: error.why === "timeout" ? "failed" : "cancelled", error: error.message };
}

/** The events of one turn between taking the prompt and `done`, and how it ended. */
async function* runLoop(context: AgentContext, turn: OpenTurn): AsyncGenerator<TurnEvent, Ending, void> {
  const { request, session, turn_id, newMessages, signal } = turn;
  const { provider, redactor } = context;
  const { catalogue } = context.schemaFile.current();
  const policy = tighten(tighten(context.policy, request.policy), { confirm: provider.confirmsChanges ?? false });
  const target = context.target();
  const selection = createToolSelection({
    catalogue,
    prompt: request.message,
    earlierMessages: session.messages,
    maxTools: provider.maxTools,
    maxTokens: provider.toolTokens,
    offersReading: session.results.size > 0,
  });
  const builtinTransport = createBuiltinTransport({
    search: selection.search,
    keptResult: session.results.get,
    resultBudget: provider.resultBudget,
    signal,
  });
  const turnContext = {
    catalogue,
    policy,
    target,
    transport: context.transport,
    argumentChecks: context.argumentChecks,
    builtinTransport,
    store: context.store,
    redactor,
    confirmations: context.confirmations,
    signal,
    session_id: session.id,
    turn_id,
    provider: provider.name,
    model: provider.model,
    client: request.client,
    interactive: turn.options.interactive,
    onModelCall: turn.options.onModelCall,
    modelProvider: provider,
    systemPrompt: systemPrompt({
      policy,
      application: withoutCredentials(target.baseUrl),
      today: new Date().toISOString().slice(0, 10),
    }),
    prompt: request.message,
    earlierMessages: session.messages,
    newMessages,
    results: session.results,
    maxIterations: context.maxIterations,
  };
  try {
    yield* runTurn(turnContext, { selection, eventChars: 0 });
    return { status: "done", error: "" };
  } catch (thrown) {
    // An abort surfaces in many shapes (a vendor's, a socket's); the signal knows why.
    const end = endOf(signal.aborted ? signal.reason : thrown);
    const error = redactor.text(end.error);
    if (end.status === "failed") context.log.warn({ turn_id, cause: error }, "turn failed");
    yield { kind: "error", message: error };
    return { ...end, error };
  }
}

/** A session with everything its earlier turns and decisions left; the caller must hold the session's permit. */
export async function openSession(context: AgentContext, session_id: string): Promise<Session> {
  await context.unsavedTurns.settle(session_id);
  const session = await context.sessions.open(session_id);
  const notices = await context.store.appendDecisionNotices(session_id, context.provider.resultBudget);
  if (notices.length > 0) context.sessions.add(session, notices);
  return session;
}

async function* runPrompt(
  context: AgentContext,
  request: PromptRequest,
  { options, permit }: { options: PromptOptions; permit: TurnPermit },
): AsyncGenerator<TurnEvent, void, void> {
  const { store, provider, sessions, unsavedTurns, log } = context;
  const start = performance.now();
  const turn_id = randomUUID();
  const session = await openSession(context, request.session_id);
  const { message, client } = request;
  const names = { session_id: session.id, turn_id, provider: provider.name, model: provider.model, client };
  await store.beginTurn({ ...names, prompt: message });
  sessions.add(session, [{ role: "user", text: message }]);
  yield { kind: "user_prompt", text: message };
  yield { kind: "session", session_id: session.id, turn_id, resumed: session.resumed };
  const newMessages: Message[] = [];
  const end = yield* runLoop(context, {
    turn_id,
    request,
    session,
    options,
    newMessages,
    signal: permit.signal,
  });
  sessions.add(session, newMessages);
  const ended = { turn_id, ...end, messages: newMessages };
  try {
    await store.endTurn(ended);
  } catch (error) {
    unsavedTurns.add(session.id, ended);
    log.error({ turn_id, cause: messageOf(error) }, "the turn's messages could not be saved yet; trying again");
    yield { kind: "notice", message: "This turn could not be saved yet; a restart before that would lose its answer." };
  }
  const duration_ms = Math.round(performance.now() - start);
  log.info({ ...names, status: end.status, messages: newMessages.length, duration_ms }, "turn");
  yield { kind: "done" };
}

/** Every prompt, from every entry point. Order of events, and what throws: `Agent.prompt`. */
export async function* prompt(
  context: AgentContext,
  request: PromptRequest,
  options: PromptOptions,
): AsyncGenerator<TurnEvent, void, void> {
  const permit = await context.turnQueue.acquire(request.session_id, options.signal);
  const clock = setTimeout(() => permit.stop("timeout"), context.turnTimeoutMs);
  let wasRead = false;
  try {
    // A copy: a reload reaches the next turn, not this one.
    yield* runPrompt({ ...context }, request, { options, permit });
    wasRead = true;
  } finally {
    clearTimeout(clock);
    // A consumer that stops reading has gone away: nothing may go on waiting in its name.
    if (!wasRead) permit.stop("client_gone");
    permit.release();
  }
}
