// One prompt from its place in the queue to `done`: the turn is opened on disk, run, saved and closed.
import type { PromptOptions, PromptRequest } from "../domain/agent.js";
import { isShutdown, messageOf, Stopped } from "../domain/error.js";
import { RECOVERED_SEQ, type TurnEvent } from "../domain/event.js";
import { NO_APPLICATION } from "../domain/first-steps.js";
import type { Message } from "../domain/message.js";
import type { ModelChoice } from "../domain/model-choice.js";
import { withFields } from "../lib/with-fields.js";
import type { Provider } from "../providers/provider.js";
import type { TurnEnd } from "../store/store.js";
import { chooseProvider, requestedModel } from "./choose-provider.js";
import { checkApplication, chosenApplications } from "./chosen-application.js";
import { promptMessage } from "./client-context.js";
import type { AgentContext } from "./context.js";
import { continuedSession } from "./continue-from.js";
import { refuseForeignSession } from "./foreign-session.js";
import type { LiveTurn } from "./state/live-turn.js";
import type { Session } from "./state/sessions.js";
import type { TurnEnding } from "./state/turn-log.js";
import type { TurnPermit } from "./state/turn-queue.js";
import { runTurn } from "./turn.js";
import { createTurnContext, type OpenTurn } from "./turn-context.js";

/** How a turn ended, the reason redacted. */
type Ending = Pick<TurnEnd, "status" | "error">;

function endOf(error: unknown): Ending {
  if (!(error instanceof Stopped)) return { status: "failed", error: messageOf(error) };
  return { status: error.why === "timeout" ? "failed" : "cancelled", error: error.message };
}

/** The events of one turn between taking the prompt and `done`, and how it ended. */
async function* runLoop(context: AgentContext, turn: OpenTurn): AsyncGenerator<TurnEvent, Ending, void> {
  const { request, provider, turn_id, newMessages, signal } = turn;
  try {
    const set = chosenApplications(context.applications.current(), request);
    if (set.applications.length === 0 && request.tools !== "none") {
      newMessages.push({ role: "assistant", text: NO_APPLICATION, calls: [] });
      yield { kind: "assistant_message", text: NO_APPLICATION };
      return { status: "done", error: "" };
    }
    await provider.prepare?.(signal);
    const { turnContext, selection } = await createTurnContext(context, turn, set);
    yield* runTurn(turnContext, { selection, eventChars: 0 });
    return { status: "done", error: "" };
  } catch (thrown) {
    // An abort surfaces in many shapes (a vendor's, a socket's); the signal knows why.
    const end = endOf(signal.aborted ? signal.reason : thrown);
    const error = context.redactor.text(end.error);
    if (end.status === "failed") context.log.error({ turn_id, cause: error }, "turn failed");
    yield { kind: "error", message: error };
    return { ...end, error };
  }
}

/** A session with everything its earlier turns and decisions left; the caller must hold the session's permit. */
export async function openSession(
  context: AgentContext,
  session_id: string,
  { resultBudget }: Pick<Provider, "resultBudget">,
): Promise<Session> {
  await context.unsavedTurns.settle(session_id);
  const session = await context.sessions.open(session_id);
  const notices = await context.store.appendDecisionNotices(session_id, resultBudget);
  if (notices.length > 0) context.sessions.add(session, notices);
  return session;
}

/** What a prompt runs with beside its request. */
interface PromptRun {
  options: PromptOptions;
  permit: TurnPermit;
  live: LiveTurn;
  /** What its prompt asked for. */
  requested: ModelChoice | undefined;
  /** Filled as the turn goes on: what it adds to the session. */
  newMessages: Message[];
}

/** The events of a turn that has its permit. */
async function* runPrompt(
  context: AgentContext,
  request: PromptRequest,
  { options, permit, live, requested, newMessages }: PromptRun,
): AsyncGenerator<TurnEvent, TurnEnding, void> {
  const { store, sessions, unsavedTurns, log } = context;
  const start = performance.now();
  await refuseForeignSession(context, request);
  const origin = await continuedSession(context, request);
  const { provider, price, notice } = await chooseProvider(context, origin ?? request.session_id, requested);
  const session = await openSession(context, request.session_id, provider);
  const { message, client, turn_id, caller, continue_from } = request;
  const asked_by = caller.name;
  const names = { session_id: session.id, turn_id, provider: provider.name, model: provider.model, client, asked_by };
  const prompt = { prompt: message, context: request.context, choice: requested, continues: continue_from };
  const copied = await store.beginTurn(withFields(names, prompt));
  if (copied.length > 0) session.resumed = true;
  sessions.add(session, [...copied, promptMessage(message, request.context)]);
  yield { kind: "user_prompt", text: message };
  yield { kind: "session", session_id: session.id, turn_id, resumed: session.resumed };
  if (notice !== undefined) yield { kind: "notice", message: notice };
  const { signal } = permit;
  const turn: OpenTurn = { turn_id, request, session, provider, price, options, newMessages, signal, live };
  const end = yield* runLoop(context, turn);
  sessions.add(session, newMessages);
  const ended = { turn_id, ...end, messages: newMessages, events: live.toRecord(), usage: turn.usage };
  let isRecorded = true;
  try {
    await store.endTurn(ended);
  } catch (error) {
    isRecorded = false;
    log.error({ turn_id, cause: messageOf(error) }, "the turn's messages could not be saved yet; trying again");
    const text = "This turn could not be saved yet; a restart before that would lose its answer.";
    const unsaved: TurnEvent = { kind: "notice", message: text };
    ended.events.push([live.last + 1, unsaved]);
    unsavedTurns.add(session.id, ended);
    yield unsaved;
  }
  const duration_ms = Math.round(performance.now() - start);
  log.info(withFields(names, { status: end.status, messages: newMessages.length, duration_ms }), "turn");
  yield { kind: "done" };
  return { status: end.status, isRecorded };
}

/** A permit for an accepted prompt, and its turn in the log, which lists it while it waits, too. */
async function takeTurn(
  context: AgentContext,
  { turn_id, session_id, caller, message }: PromptRequest,
  { signal, onQueued }: PromptOptions,
): Promise<{ permit: TurnPermit; live: LiveTurn }> {
  const { turnQueue, turnLog } = context;
  let live: LiveTurn | undefined;
  const open = (stop: TurnPermit["stop"]): LiveTurn =>
    (live ??= turnLog.open({ turn_id, session_id, asked_by: caller.name, cancel: () => stop("cancelled") }));
  try {
    const permit = await turnQueue.acquire(session_id, signal, (stop) => {
      open(stop);
      onQueued?.();
    });
    return { permit, live: open(permit.stop) };
  } catch (error) {
    if (live) refuseTurn(context, live, { message, error });
    throw error;
  }
}

/** Ends a turn that has been accepted and could not begin. */
function refuseTurn(
  { turnLog, redactor }: AgentContext,
  live: LiveTurn,
  { message, error }: { message: string; error: unknown },
): void {
  // The next start may have a longer story of it, whose end has these numbers.
  if (isShutdown(error)) live.last = RECOVERED_SEQ - 1;
  else turnLog.append(live, { kind: "user_prompt", text: message }, []);
  turnLog.append(live, { kind: "error", message: redactor.text(messageOf(error)) }, []);
  turnLog.append(live, { kind: "done" }, []);
  turnLog.close(live, { status: endOf(error).status, isRecorded: false });
}

/** Every prompt, from every entry point. Order of events, and what throws: `Agent.prompt`. */
export async function* prompt(
  context: AgentContext,
  request: PromptRequest,
  options: PromptOptions,
): AsyncGenerator<TurnEvent, void, void> {
  const requested = await requestedModel(context, request);
  checkApplication(context.applications, request.application);
  await continuedSession(context, request);
  // Before it waits among the turns of another token; what such a turn changes meanwhile is looked at when it begins.
  if (request.caller.readOnly) await refuseForeignSession(context, request);
  const { permit, live } = await takeTurn(context, request, options);
  const { turnLog } = context;
  const endClock = context.turnClocks.start(request.turn_id, context.turnTimeoutMs, () => permit.stop("timeout"));
  const newMessages: Message[] = [];
  // A copy: a reload reaches the next turn, not this one.
  const events = runPrompt({ ...context }, request, { options, permit, live, requested, newMessages });
  let wasRead = false;
  let ending: TurnEnding = { status: "cancelled", isRecorded: false };
  try {
    for (let step = await events.next(); ; step = await events.next()) {
      if (step.done) {
        ending = step.value;
        break;
      }
      turnLog.append(live, step.value, newMessages);
      if (step.value.kind === "notice")
        context.log.info({ turn_id: request.turn_id, notice: context.redactor.text(step.value.message) }, "notice");
      yield step.value;
    }
    wasRead = true;
  } catch (error) {
    if (live.last === 0) refuseTurn(context, live, { message: request.message, error });
    throw error;
  } finally {
    endClock();
    if (!live.end) turnLog.close(live, ending);
    // A consumer that stops reading has gone away: nothing may go on waiting in its name.
    if (!wasRead) {
      permit.stop("client_gone");
      await events.return(ending);
    }
    permit.release();
  }
}
