// An agent from its parts: every entry point's prompts, calls and questions arrive here. How a prompt runs is in prompt.ts, a
// single call in direct-call.ts, a decision in decide.ts.
import type { Agent, PublicConfig } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import { withoutCredentials } from "../lib/url.js";
import { createArgumentChecks } from "../tools/arguments/check.js";
import { createConfirmations } from "./confirmations.js";
import type { AgentContext, AgentParts, ReloadableParts } from "./context.js";
import { decide } from "./decide.js";
import { directCall } from "./direct-call.js";
import { prompt } from "./prompt.js";
import { createSessions } from "./sessions.js";
import { createTurnQueue } from "./turn-queue.js";
import { createUnsavedTurns } from "./unsaved-turns.js";

function publicConfig(context: AgentContext): PublicConfig {
  const { provider, policy, version, maxIterations } = context;
  return {
    default_provider: provider.name,
    sync_source: context.schemaFile.current().catalogue.document.source,
    base_url: withoutCredentials(context.target().baseUrl),
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

async function deleteSession({ turnQueue, sessions, unsavedTurns, store }: AgentContext, id: string): Promise<boolean> {
  if (turnQueue.isBusy(id)) throw new AppError("conflict", "A turn of this session is running; cancel it first.");
  const permit = await turnQueue.acquire(id, new AbortController().signal);
  try {
    sessions.forget(id);
    unsavedTurns.forget(id);
    return await store.deleteSession(id);
  } finally {
    permit.release();
  }
}

/** An agent whose parts can be replaced while it runs. */
export interface ReloadableAgent extends Agent {
  /** What is taken from now on uses these; turns and calls under way end with what they began with. */
  reload(parts: ReloadableParts): void;
}

/** An agent from its parts; the confirmations that an earlier run left held go on waiting. */
export async function createAgent(parts: AgentParts): Promise<ReloadableAgent> {
  const { store, redactor } = parts;
  const context: AgentContext = {
    ...parts,
    turnQueue: createTurnQueue(parts),
    sessions: createSessions(store, () => context.provider.historyLimit),
    confirmations: createConfirmations({ store, redactor, ttlMs: parts.confirmationTtlMs }),
    unsavedTurns: createUnsavedTurns(store, parts.log),
    argumentChecks: createArgumentChecks(),
  };
  const { turnQueue, confirmations, sessions } = context;
  await confirmations.resume();
  return {
    prompt: (request, options) => prompt(context, request, options),
    call: (request, options) => directCall(context, request, options),
    config: () => publicConfig(context),
    schema: () => context.schemaFile.current(),
    tools() {
      const { catalogue } = context.schemaFile.current();
      return {
        list: catalogue.tools,
        get json() {
          return catalogue.json;
        },
      };
    },
    tool: (name) => context.schemaFile.current().catalogue.whole(name),
    searchTools(query, limit) {
      const { catalogue } = context.schemaFile.current();
      return catalogue.listed(catalogue.search(query, limit));
    },
    history: (query) => store.history(query),
    sessions: (query) => store.sessions(query),
    transcript: async (id) => ((await store.hasSession(id)) ? store.transcript(id) : undefined),
    deleteSession: (id) => deleteSession(context, id),
    cancel: async (id) => turnQueue.stop(id, "cancelled") || ((await store.hasSession(id)) ? 0 : undefined),
    async confirmations(query) {
      const list = await store.confirmations(query);
      return list.map((held) => ({ ...held, arguments: redactor.known(held.arguments) }));
    },
    reload: (next) => void Object.assign(context, next),
    decide: (id, decision) => decide(context, id, decision),
    stats: () => store.stats(),
    check: () => store.check(),
    load: () => turnQueue.load(),
    drain: (graceMs) => turnQueue.drain(graceMs),
    async close() {
      confirmations.close();
      context.argumentChecks.close();
      await context.unsavedTurns.close();
      await sessions.close();
      await store.close();
      await parts.onClose();
    },
  };
}
