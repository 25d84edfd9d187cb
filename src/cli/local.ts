// The agent in this process: no daemon runs on the data directory, so this command holds its lock while it works.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config.js";
import { openAgent } from "../open.js";
import { RECORD_FILE } from "../store/files.js";
import { openStore } from "../store/sqlite.js";
import { commandLog } from "./command-log.js";
import type { Desk, Records } from "./desk.js";
import { say } from "./output.js";

/** What the history calls this door. */
const CLIENT = "cli";

/** Opens an agent on the data directory. Throws StartError. */
export async function openLocalDesk(settings: Settings, verbose: boolean): Promise<Desk> {
  const log = commandLog(settings.secrets, verbose);
  for (const warning of settings.warnings) log.warn({}, warning);
  const { agent, providerWhy } = await openAgent(settings, log);
  // A person who chose nothing should know what was chosen; the offline planner is no language model.
  if (settings.provider.configured) log.info({}, providerWhy);
  else say(`agentd: ${providerWhy}`);
  return {
    prompt: ({ message, session_id, waits }, signal) =>
      agent.prompt({ message, session_id, policy: {}, client: CLIENT }, { signal, waits }),
    async decide(id, decision) {
      await agent.decide(id, { decision });
    },
    close: () => agent.close(),
  };
}

/** Opens the record alone, without a model or a schema document. A directory without one has nothing to tell. */
export async function openLocalRecords(settings: Settings): Promise<Records> {
  if (!existsSync(join(settings.dataDir, RECORD_FILE)))
    return { history: async () => [], sessions: async () => [], close: async () => {} };
  const store = await openStore({ dir: settings.dataDir, onWarning: (message) => say(`agentd: warning: ${message}`) });
  return {
    history: (query) => store.history(query),
    sessions: (limit) => store.sessions({ limit }),
    close: () => store.close(),
  };
}
