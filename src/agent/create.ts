// An agent from its parts: every entry point's prompts, calls and questions arrive here. How a prompt runs is in prompt.ts, a
// single call in direct-call.ts, a decision in decide.ts.

import type { Target } from "../applications/transport.js";
import type { Agent, KeyedPrompt } from "../domain/agent.js";
import { type Caller, readOnlyRefusal } from "../domain/caller.js";
import { AppError } from "../domain/error.js";
import type { Confirmation } from "../domain/record.js";
import { createArgumentChecks } from "../tools/arguments/check.js";
import { cancelCall } from "./cancel-call.js";
import type { AgentContext, AgentParts, PrepareContext, ReloadableParts } from "./context.js";
import { decide } from "./decide.js";
import { deleteSession, retireSessions } from "./delete-session.js";
import { directCall } from "./direct-call.js";
import { extend } from "./extend.js";
import { keepCancelled } from "./keep-cancelled.js";
import { prompt } from "./prompt.js";
import { createResults } from "./results.js";
import { actionMethods } from "./saved-actions.js";
import { describingMethods } from "./self-description.js";
import { settleCalls } from "./settle.js";
import { shownTranscript } from "./shown-transcript.js";
import { ChangeFeed } from "./state/changes.js";
import { createConfirmations } from "./state/confirmations.js";
import { RunningCalls } from "./state/running-calls.js";
import { createSessions } from "./state/sessions.js";
import { createToolsWatch } from "./state/tools-watch.js";
import { TurnClocks } from "./state/turn-clocks.js";
import { TurnLog } from "./state/turn-log.js";
import { createTurnQueue } from "./state/turn-queue.js";
import { createUnsavedTurns } from "./state/unsaved-turns.js";
import { createUseLimits } from "./state/use-limits.js";
import { watchStore } from "./state/watch-store.js";
import { testProvider } from "./test-provider.js";
import { sessionEvents, turnEvents, turnState } from "./turn-events.js";
import { undo } from "./undo.js";

/** Cancels what runs and waits in a session, for a read-only token what it asked for itself; how many that stopped. */
function cancelTurns({ turnQueue, turnLog }: AgentContext, session_id: string, caller: Caller): number {
  if (!caller.readOnly) return turnQueue.stop(session_id, "cancelled");
  const own = turnLog.of(session_id).filter(({ asked_by, end }) => asked_by === caller.name && end === undefined);
  for (const turn of own) turn.cancel();
  return own.length;
}

function cancelTurn({ turnLog }: AgentContext, turn_id: string, caller: Caller): boolean {
  const turn = turnLog.get(turn_id);
  if (!turn || turn.end) return false;
  if (caller.readOnly && turn.asked_by !== caller.name) throw readOnlyRefusal(caller, "cancel turns of another token");
  turn.cancel();
  return true;
}

async function claimKey(
  { store }: AgentContext,
  { message, caller, ...claim }: KeyedPrompt,
): Promise<{ session_id: string; turn_id: string }> {
  const { session_id, turn_id, fingerprint } = await store.claimKey({
    ...claim,
    prompt: message,
    asked_by: caller.name,
  });
  if (fingerprint === claim.fingerprint) return { session_id, turn_id };
  throw new AppError(
    "idempotency_mismatch",
    "This Idempotency-Key was used for another prompt. Take a new key for each prompt.",
  );
}

/** What a call is prepared with by what is in force now. */
function prepareContext(context: AgentContext): PrepareContext {
  const { policy, isConfirmFirm, modes, argumentChecks, transport, store, redactor } = context;
  const set = context.applications.current();
  const target = (name: string): Target => context.target(set.find(name));
  const { catalogue } = set;
  return { catalogue, policy, isConfirmFirm, redactor, modes, target, argumentChecks, transport, store };
}

type SessionMethod = "sessions" | "session" | "renameSession" | "transcript";

/** What is read from the record, and the titles that people give. */
function recordMethods(
  context: AgentContext,
): Pick<Agent, "history" | "searchHistory" | "result" | "resultFile" | SessionMethod | "stats" | "check"> {
  const { store, redactor } = context;
  return {
    history: (query) => store.history(query),
    searchHistory: (query, search) => store.searchHistory(query, search),
    ...createResults(store),
    sessions: (query) => store.sessions(query),
    session: (id) => store.session(id),
    renameSession: async (id, title) =>
      (await store.renameSession(id, redactor.text(title))) ? store.session(id) : undefined,
    transcript: async (id) => ((await store.hasSession(id)) ? shownTranscript(context, id) : undefined),
    stats: () => store.stats(),
    check: () => store.check(),
  };
}

/** The parts, with the state that starts with the agent. What is written to the record is told to the feed. */
function createContext(parts: AgentParts, feed: ChangeFeed): AgentContext {
  const store = watchStore(parts.store, (change) => feed.add(change));
  const context: AgentContext = {
    ...parts,
    store,
    turnQueue: createTurnQueue(parts),
    turnLog: new TurnLog(),
    turnClocks: new TurnClocks(),
    runningCalls: new RunningCalls(),
    sessions: createSessions(store, () => context.providers.historyLimit),
    confirmations: createConfirmations({
      store,
      redactor: parts.redactor,
      ttlMs: parts.confirmationTtlMs,
      onHeld: (held) => parts.notifier.tell(held),
    }),
    unsavedTurns: createUnsavedTurns(store, parts.log),
    argumentChecks: createArgumentChecks(),
    useLimits: createUseLimits(store, () => context.limits),
    contextNow: () => prepareContext(context),
  };
  return context;
}

/** An agent whose parts can be replaced while it runs. */
export interface ReloadableAgent extends Agent {
  /** What is taken from now on uses these; turns and calls under way end with what they began with, but for calls still held. */
  reload(parts: ReloadableParts): void;
}

/** An agent from its parts; the confirmations that an earlier run left held go on waiting. */
export async function createAgent(parts: AgentParts): Promise<ReloadableAgent> {
  const feed: ChangeFeed = new ChangeFeed(() => toolsWatch.listen(() => feed.add({ kind: "configuration" })));
  const context = createContext(parts, feed);
  const { store, redactor, turnQueue, turnLog, confirmations, sessions } = context;
  const shown = (held: Confirmation): Confirmation => ({ ...held, arguments: redactor.known(held.arguments) });
  await confirmations.resume();
  const stopRetiring = retireSessions(context);
  const stopSettling = settleCalls(context);
  const toolsWatch = createToolsWatch(() => context.applications.current().catalogue);
  return {
    prompt: (request, options) => prompt(context, request, options),
    claimKey: (keyed) => claimKey(context, keyed),
    releaseKey: (turn_id) => store.releaseKey(turn_id),
    keepCancelled: (request) => keepCancelled(context, request),
    call: (request, options) => directCall(context, request, options),
    ...describingMethods(context),
    onToolsChange: toolsWatch.listen,
    ...recordMethods(context),
    changes: (signal) => feed.read(signal),
    deleteSession: (id) => deleteSession(context, id),
    cancel: async (id, caller) => cancelTurns(context, id, caller) || ((await store.hasSession(id)) ? 0 : undefined),
    cancelTurn: (turn_id, caller) => cancelTurn(context, turn_id, caller),
    cancelCall: (turn_id, call_id, caller) => cancelCall(context, { turn_id, call_id }, caller),
    turn: (turn_id) => turnState(context, turn_id),
    turnEvents: (turn_id, options) => turnEvents(context, turn_id, options),
    sessionEvents: (session_id, options) => sessionEvents(context, session_id, options),
    confirmations: async (query) => (await store.confirmations(query)).map(shown),
    confirmation: (id) => store.confirmation(id).then((held) => held && shown(held)),
    reload(next) {
      Object.assign(context, next);
      feed.add({ kind: "configuration" });
    },
    undo: (request, signal) => undo(context, request, signal),
    decide: (id, decision, caller) => decide(context, id, { decision, caller }),
    extend: async (id, seconds, caller) => shown(await extend(context, id, { seconds, caller })),
    ...actionMethods(context),
    testProvider: (choice, signal) => testProvider(context, choice, signal),
    limitsToday: () => context.useLimits.today(),
    limitRefusals: () => context.useLimits.refusals(),
    load: () => turnQueue.load(),
    async drain(graceMs) {
      await turnQueue.drain(graceMs);
      turnLog.drain();
      feed.close();
    },
    async close() {
      feed.close();
      toolsWatch.close();
      await stopSettling();
      await stopRetiring();
      confirmations.close();
      parts.notifier.close();
      context.argumentChecks.close();
      await context.unsavedTurns.close();
      await sessions.close();
      await store.close();
      await parts.onClose();
    },
  };
}
