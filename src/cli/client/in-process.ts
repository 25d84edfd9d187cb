// The agent in this process: no daemon runs on the data directory, so this command holds its lock while it works.
import type { Settings } from "../../config/settings.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { openAgent } from "../../open.js";
import { createCommandLog } from "../terminal/command-log.js";
import { say } from "../terminal/output.js";
import type { AgentClient } from "./client.js";

/** What the history calls this entry point. */
const CLIENT = "cli";

/** Opens an agent on the data directory. Throws StartError. */
export async function openInProcess(settings: Settings, verbose: boolean): Promise<AgentClient> {
  const redactor = createRedactor(settings.secrets);
  const log = createCommandLog(redactor, verbose);
  for (const warning of settings.warnings) log.warn({}, warning);
  const { agent, providerWhy } = await openAgent(settings, log, redactor);
  // A person who chose nothing should know what was chosen; the offline planner is no language model.
  if (settings.provider.configured) log.info({}, providerWhy);
  else say(`agentd: ${providerWhy}`);
  return {
    prompt: ({ message, session_id, interactive }, signal) =>
      agent.prompt({ message, session_id, policy: {}, client: CLIENT }, { signal, interactive }),
    async decide(id, decision) {
      await agent.decide(id, { decision });
    },
    close: () => agent.close(),
  };
}
