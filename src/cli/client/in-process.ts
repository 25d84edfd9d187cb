// The agent in this process: no daemon runs on the data directory, so this command holds its lock while it works.
import { randomUUID } from "node:crypto";
import type { Settings } from "../../config/settings.js";
import type { Agent } from "../../domain/agent.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import { StartError } from "../../domain/error.js";
import type { OfferedProvider } from "../../domain/model-choice.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { hasRecord, openAgent, openRecoveredReader } from "../../open.js";
import { listProviders } from "../../providers/open.js";
import { createCommandLog } from "../terminal/command-log.js";
import { say, warn } from "../terminal/output.js";
import { agentAside } from "./aside.js";
import type { AgentClient, ApprovalsClient, UndoClient } from "./client.js";
import { modesGiven } from "./modes-given.js";
import { MAX_WAITING, toWaiting } from "./waiting.js";

/** What the history calls this entry point. */
const CLIENT = "cli";

/** Opens an agent on the data directory; others are told which command holds it. Throws StartError. */
export async function openHere(
  settings: Settings,
  { verbose, command }: { verbose: boolean; command: string },
): Promise<Agent> {
  const redactor = createRedactor(settings.secrets);
  const log = createCommandLog(redactor, verbose);
  for (const warning of settings.warnings) log.warn({}, warning);
  const { agent, lock, providerWhy } = await openAgent(settings, log, redactor);
  await lock.setAddress({ pid: process.pid, address: "", auth: false, command });
  // A person who chose nothing should know what was chosen; the offline planner is no language model.
  if (settings.provider.configured) log.info({}, providerWhy);
  else say(`agentd: ${providerWhy}`);
  return agent;
}

/** Opens an agent for prompts; `choosesModel` says that flags did. Throws StartError. */
export async function openInProcess(
  settings: Settings,
  { verbose, command, choosesModel }: { verbose: boolean; command: string; choosesModel: boolean },
): Promise<AgentClient> {
  const agent = await openHere(settings, { verbose, command });
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

/** Reads the calls that wait from the record, beside whatever holds it; an agent is opened for a decision only. */
export function openApprovalsInProcess(settings: Settings, verbose: boolean): ApprovalsClient {
  const { known } = createRedactor(settings.secrets);
  let opened: Promise<Agent> | undefined;
  const agent = (): Promise<Agent> => (opened ??= openHere(settings, { verbose, command: "approvals" }));
  return {
    async waiting() {
      if (!(await hasRecord(settings.dataDir))) return [];
      const reader = await openRecoveredReader(settings.dataDir, warn);
      try {
        const held = await reader.waiting(MAX_WAITING);
        return toWaiting(held).map((one) => ({ ...one, arguments: known(one.arguments) }));
      } finally {
        await reader.close();
      }
    },
    decide: async (id, decision) => (await agent()).decide(id, decision, LOCAL_CALLER),
    extend: async (id, seconds) => (await agent()).extend(id, seconds, LOCAL_CALLER),
    close: async () => (await opened)?.close(),
  };
}

/** Opens an agent for an undo. Throws StartError. */
export async function openUndoInProcess(settings: Settings, verbose: boolean): Promise<UndoClient> {
  const agent = await openHere(settings, { verbose, command: "undo" });
  const { history, undo, decide } = agentAside(agent);
  return { dataDir: settings.dataDir, history, undo, decide, close: () => agent.close() };
}

/** The providers of the configuration; no agent is opened for them. Throws StartError. */
export function configuredProviders(settings: Settings, verbose: boolean): Promise<OfferedProvider[]> {
  const redactor = createRedactor(settings.secrets);
  return listProviders(settings, { redactor, log: createCommandLog(redactor, verbose) });
}
