// An agent from its parts: every entry point's prompts, calls and questions arrive here. How a prompt runs is in prompt.ts, a
// single call in direct-call.ts, a decision in decide.ts.

import type { Target } from "../applications/transport.js";
import type { Agent, KeyedPrompt, PublicConfig } from "../domain/agent.js";
import { type Caller, readOnlyRefusal } from "../domain/caller.js";
import { AppError } from "../domain/error.js";
import { FIRST_STEPS } from "../domain/first-steps.js";
import type { Confirmation } from "../domain/record.js";
import { toJson } from "../lib/json.js";
import { withoutCredentials } from "../lib/url.js";
import type { ApplicationSet } from "../tools/applications.js";
import { createArgumentChecks } from "../tools/arguments/check.js";
import { UNNAMED_APPLICATION } from "../tools/search/application-mentions.js";
import { createConfirmations } from "./confirmations.js";
import type { AgentContext, AgentParts, PrepareContext, ReloadableParts } from "./context.js";
import { decide } from "./decide.js";
import { deleteSession, retireSessions } from "./delete-session.js";
import { directCall } from "./direct-call.js";
import { prompt } from "./prompt.js";
import { createSessions } from "./sessions.js";
import { settleCalls } from "./settle.js";
import { createToolsWatch } from "./tools-watch.js";
import { sessionEvents, turnEvents, turnState } from "./turn-events.js";
import { TurnLog } from "./turn-log.js";
import { createTurnQueue } from "./turn-queue.js";
import { undo } from "./undo.js";
import { createUnsavedTurns } from "./unsaved-turns.js";
import { createUseLimits } from "./use-limits.js";

/** The kind of an application whose document says none, or cannot be used. */
const UNKNOWN_KIND = "unknown";

function publicApplications(context: AgentContext): PublicConfig["applications"] {
  return context.applications.current().applications.map((application) => {
    const { name, loaded, error } = application;
    const kind = loaded?.document.source ?? UNKNOWN_KIND;
    const base_url = withoutCredentials(context.target(application).baseUrl);
    return error === undefined ? { name, kind, base_url } : { name, kind, base_url, error };
  });
}

function applicationNames({ applications }: AgentContext): string[] {
  return applications
    .current()
    .applications.map(({ name, loaded }) => name || loaded?.document.title?.trim() || UNNAMED_APPLICATION);
}

function publicConfig(context: AgentContext): PublicConfig {
  const { policy, version, maxIterations } = context;
  const provider = context.providers.inUse;
  const applications = publicApplications(context);
  const [only] = applications;
  const isOne = applications.length === 1;
  return {
    default_provider: provider.name,
    sync_source: isOne && only ? only.kind : only ? "several" : UNKNOWN_KIND,
    base_url: isOne && only ? only.base_url : "",
    applications,
    first_steps: only ? [] : [...FIRST_STEPS],
    read_only: policy.read_only,
    dry_run: policy.dry_run,
    strict: policy.strict,
    confirm_default: policy.confirm,
    provider_confirm: provider.confirmsChanges ?? false,
    version,
    model: provider.model,
    max_iterations: maxIterations,
    history_limit: provider.historyLimit,
  };
}

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

/** The document of one application, or of all. Throws AppError invalid_query. */
function schemaOf(set: ApplicationSet, name: string | undefined): { bytes: Uint8Array; etag: string } {
  if (name === undefined) return set.served;
  const found = set.find(name);
  if (found?.loaded) return found.loaded;
  if (found)
    throw new AppError(
      "invalid_query",
      `The document of application ${JSON.stringify(name)} cannot be used: ${found.error}`,
    );
  const names = set.applications.map((one) => JSON.stringify(one.name)).join(", ");
  const known = names === "" ? "No application is connected." : `Known: ${names}.`;
  throw new AppError("invalid_query", `There is no application ${JSON.stringify(name)}. ${known}`);
}

/** The tools of one application, or all, serialised. */
function toolsOf({ applications }: AgentContext, application: string | undefined): string {
  const { catalogue } = applications.current();
  if (application === undefined) return catalogue.json;
  return toJson(catalogue.listed(catalogue.tools.filter((tool) => tool.application === application)));
}

/** What a call is prepared with by what is in force now. */
function prepareContext(context: AgentContext): PrepareContext {
  const { policy, isConfirmFirm, modes, argumentChecks, transport, store, redactor } = context;
  const set = context.applications.current();
  const target = (name: string): Target => context.target(set.find(name));
  const { catalogue } = set;
  return { catalogue, policy, isConfirmFirm, redactor, modes, target, argumentChecks, transport, store };
}

/** An agent whose parts can be replaced while it runs. */
export interface ReloadableAgent extends Agent {
  /** What is taken from now on uses these; turns and calls under way end with what they began with, but for calls still held. */
  reload(parts: ReloadableParts): void;
}

/** An agent from its parts; the confirmations that an earlier run left held go on waiting. */
export async function createAgent(parts: AgentParts): Promise<ReloadableAgent> {
  const { store, redactor } = parts;
  const context: AgentContext = {
    ...parts,
    turnQueue: createTurnQueue(parts),
    turnLog: new TurnLog(),
    sessions: createSessions(store, () => context.providers.historyLimit),
    confirmations: createConfirmations({
      store,
      redactor,
      ttlMs: parts.confirmationTtlMs,
      onHeld: (held) => parts.notifier.tell(held),
    }),
    unsavedTurns: createUnsavedTurns(store, parts.log),
    argumentChecks: createArgumentChecks(),
    useLimits: createUseLimits(store, () => context.limits),
    contextNow: () => prepareContext(context),
  };
  const { turnQueue, turnLog, confirmations, sessions } = context;
  const shown = (held: Confirmation): Confirmation => ({ ...held, arguments: redactor.known(held.arguments) });
  await confirmations.resume();
  const stopRetiring = retireSessions(context);
  const stopSettling = settleCalls(context);
  const toolsWatch = createToolsWatch(() => context.applications.current().catalogue);
  return {
    prompt: (request, options) => prompt(context, request, options),
    claimKey: (keyed) => claimKey(context, keyed),
    releaseKey: (turn_id) => store.releaseKey(turn_id),
    call: (request, options) => directCall(context, request, options),
    config: () => publicConfig(context),
    applicationNames: () => applicationNames(context),
    providers: () => context.providers.offers,
    schema: (application) => schemaOf(context.applications.current(), application),
    tools: (application) => toolsOf(context, application),
    toolCount: () => context.applications.current().catalogue.actions.length,
    tool: (name) => context.applications.current().catalogue.whole(name),
    onToolsChange: toolsWatch.listen,
    searchTools(query, limit) {
      const { catalogue } = context.applications.current();
      return catalogue.listed(catalogue.search(query, limit));
    },
    history: (query) => store.history(query),
    sessions: (query) => store.sessions(query),
    transcript: async (id) => ((await store.hasSession(id)) ? store.transcript(id) : undefined),
    deleteSession: (id) => deleteSession(context, id),
    cancel: async (id, caller) => cancelTurns(context, id, caller) || ((await store.hasSession(id)) ? 0 : undefined),
    cancelTurn: (turn_id, caller) => cancelTurn(context, turn_id, caller),
    turn: (turn_id) => turnState(context, turn_id),
    turnEvents: (turn_id, options) => turnEvents(context, turn_id, options),
    sessionEvents: (session_id, options) => sessionEvents(context, session_id, options),
    confirmations: async (query) => (await store.confirmations(query)).map(shown),
    confirmation: (id) => store.confirmation(id).then((held) => held && shown(held)),
    reload: (next) => void Object.assign(context, next),
    undo: (request, signal) => undo(context, request, signal),
    decide: (id, decision, caller) => decide(context, id, { decision, caller }),
    limitsToday: () => context.useLimits.today(),
    limitRefusals: () => context.useLimits.refusals(),
    stats: () => store.stats(),
    check: () => store.check(),
    load: () => turnQueue.load(),
    async drain(graceMs) {
      await turnQueue.drain(graceMs);
      turnLog.drain();
    },
    async close() {
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
