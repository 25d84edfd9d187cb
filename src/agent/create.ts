// The front desk: every prompt from every door comes through here, and so do the doors' questions about tools, history,
// sessions and confirmations. How a prompt is run is in prompt.ts, how a held call is decided in decide.ts.

import type { Agent, PublicConfig } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import { type AgentParts, type Desk, withoutCredentials } from "./context.js";
import { decide } from "./decide.js";
import { createConfirmations } from "./held-calls.js";
import { prompt } from "./prompt.js";
import { createSessions } from "./sessions.js";
import { createLanes } from "./turn-queue.js";
import { createUnsaved } from "./unsaved-turns.js";

function publicConfig(desk: Desk): PublicConfig {
  const { provider, policy, version, maxIterations } = desk;
  return {
    default_provider: provider.name,
    sync_source: desk.schemaFile.current().catalogue.document.source,
    base_url: withoutCredentials(desk.target().baseUrl),
    read_only: policy.read_only,
    dry_run: policy.dry_run,
    strict: policy.strict,
    confirm_default: policy.confirm,
    version,
    model: provider.model,
    max_iterations: maxIterations,
    history_limit: provider.historyLimit,
  };
}

/** An agent from its parts. */
export async function createAgent(parts: AgentParts): Promise<Agent> {
  const { store, provider, redactor, schemaFile } = parts;
  const desk: Desk = {
    ...parts,
    lanes: createLanes(parts),
    sessions: createSessions(store, provider.historyLimit),
    confirmations: createConfirmations({ store, redactor, ttlMs: parts.confirmationTtlMs }),
    unsaved: createUnsaved(store, parts.log),
  };
  const { lanes, confirmations, sessions } = desk;
  await confirmations.resume();
  return {
    prompt: (request, io) => prompt(desk, request, io),
    config: () => publicConfig(desk),
    schema: () => schemaFile.current(),
    tools() {
      const { tools: list, json } = schemaFile.current().catalogue;
      return { list, json };
    },
    searchTools: (query, limit) => schemaFile.current().catalogue.search(query, limit),
    history: (query) => store.history(query),
    sessions: (query) => store.sessions(query),
    transcript: async (id) => ((await store.hasSession(id)) ? store.transcript(id) : undefined),
    async deleteSession(id) {
      if (lanes.isBusy(id)) throw new AppError("conflict", "A turn of this session is running; cancel it first.");
      const place = await lanes.enter(id, new AbortController().signal);
      try {
        sessions.forget(id);
        desk.unsaved.forget(id);
        return await store.deleteSession(id);
      } finally {
        place.leave();
      }
    },
    cancel: async (id) => lanes.stop(id, "cancelled") || ((await store.hasSession(id)) ? 0 : undefined),
    async confirmations(query) {
      const list = await store.confirmations(query);
      return list.map((held) => ({ ...held, arguments: redactor.known(held.arguments) }));
    },
    decide: (id, decision) => decide(desk, id, decision),
    backup: (file) => store.backup(file),
    load: () => lanes.load(),
    stats: () => store.stats(),
    drain: (graceMs) => lanes.drain(graceMs),
    async close() {
      confirmations.close();
      await desk.unsaved.close();
      await sessions.close();
      await store.close();
      await parts.onClose();
    },
  };
}
