// The agent in this process: no daemon runs on the data directory, so this command holds its lock while it works.
import { randomUUID } from "node:crypto";
import type { Settings } from "../../config/settings.js";
import type { Agent } from "../../domain/agent.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import { StartError } from "../../domain/error.js";
import type { OfferedProvider } from "../../domain/model-choice.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { openAgent } from "../../open.js";
import { listProviders } from "../../providers/open.js";
import { createCommandLog } from "../terminal/command-log.js";
import { say } from "../terminal/output.js";
import { agentAside } from "./aside.js";
import type { AgentClient, ApprovalsClient, UndoClient } from "./client.js";
import { modesGiven } from "./modes-given.js";
import { MAX_WAITING, toWaiting } from "./waiting.js";

/** What the history calls this entry point. */
const CLIENT = "cli";

/** Opens an agent on the data directory. Throws StartError. */
export async function openHere(settings: Settings, verbose: boolean): Promise<Agent> {
  const redactor = createRedactor(settings.secrets);
  const log = createCommandLog(redactor, verbose);
  for (const warning of settings.warnings) log.warn({}, warning);
  const { agent, providerWhy } = await openAgent(settings, log, redactor);
  // A person who chose nothing should know what was chosen; the offline planner is no language model.
  if (settings.provider.configured) log.info({}, providerWhy);
  else say(`agentd: ${providerWhy}`);
  return agent;
}

/** Opens an agent for prompts; `choosesModel` says that flags did. Throws StartError. */
export async function openInProcess(
  settings: Settings,
  { verbose, choosesModel }: { verbose: boolean; choosesModel: boolean },
): Promise<AgentClient> {
  const agent = await openHere(settings, verbose);
  return {
    dataDir: settings.dataDir,
    modes: modesGiven(settings),
    aside: async () => (await import("./aside.js")).agentAside(agent),
    prompt: ({ interactive, modes = {}, ...prompt }, signal) =>
      agent.prompt(
        { ...prompt, turn_id: randomUUID(), policy: modes, client: CLIENT, caller: LOCAL_CALLER },
        { signal, interactive },
      ),
    async requested() {
      // The flags are part of the settings, and so what is the default now.
      const { default_provider: provider, model } = agent.config();
      return choosesModel ? { provider, model } : {};
    },
    providers: async () => agent.providers(),
    async detach() {
      throw new StartError("no daemon runs on this data directory, and a detached turn needs one: start agentd serve.");
    },
    async *follow(turn_id, signal) {
      if (!(await agent.turn(turn_id))) throw new StartError(`there is no turn ${turn_id} on record.`);
      for await (const { event } of agent.turnEvents(turn_id, { after: 0, signal })) yield event;
    },
    async decide(id, decision) {
      await agent.decide(id, decision, LOCAL_CALLER);
    },
    close: () => agent.close(),
  };
}

/** Opens an agent for decisions. Throws StartError. */
export async function openApprovalsInProcess(settings: Settings, verbose: boolean): Promise<ApprovalsClient> {
  const agent = await openHere(settings, verbose);
  return {
    waiting: async () => toWaiting(await agent.confirmations({ status: "pending", limit: MAX_WAITING })),
    decide: (id, decision) => agent.decide(id, decision, LOCAL_CALLER),
    extend: (id, seconds) => agent.extend(id, seconds, LOCAL_CALLER),
    close: () => agent.close(),
  };
}

/** Opens an agent for an undo. Throws StartError. */
export async function openUndoInProcess(settings: Settings, verbose: boolean): Promise<UndoClient> {
  const agent = await openHere(settings, verbose);
  const { history, undo, decide } = agentAside(agent);
  return { dataDir: settings.dataDir, history, undo, decide, close: () => agent.close() };
}

/** The providers of the configuration; no agent is opened for them. Throws StartError. */
export function configuredProviders(settings: Settings, verbose: boolean): Promise<OfferedProvider[]> {
  const redactor = createRedactor(settings.secrets);
  return listProviders(settings, { redactor, log: createCommandLog(redactor, verbose) });
}
