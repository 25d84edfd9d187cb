// What a chat shows and does beside its prompts: tools, recorded calls, conversations, undo. Of a daemon, or of the agent in this process.
import type { Settings } from "../../config/settings.js";
import type { Agent } from "../../domain/agent.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import type { Tool } from "../../domain/tool.js";
import { parseJson } from "../../lib/json.js";
import type { Aside, Daemon } from "./client.js";
import { openDaemonRecord } from "./daemon.js";
import { openDaemonUndo } from "./daemon-approvals.js";
import { openDaemonTools } from "./daemon-tools.js";

const CLIENT = "cli";

/** Through a daemon. */
export function daemonAside(daemon: Daemon, settings: Settings): Aside {
  const { sessions } = openDaemonRecord(daemon, settings);
  const { undo, decide, history } = openDaemonUndo(daemon, settings);
  const { tools } = openDaemonTools(daemon, settings);
  return {
    sessions,
    undo,
    decide,
    history,
    tools: () => tools(),
  };
}

/** Of the agent in this process. */
export function agentAside(agent: Agent): Aside {
  return {
    sessions: (limit) => agent.sessions({ limit }),
    history: (query) => agent.history({ ...query, results: "small" }),
    undo: (history_id, modes) =>
      agent.undo(
        { history_id, policy: { ...modes, confirm: true }, client: CLIENT, caller: LOCAL_CALLER },
        new AbortController().signal,
      ),
    decide: (id, decision) => agent.decide(id, decision, LOCAL_CALLER),
    tools: async () => parseJson(await agent.tools()) as unknown as Tool[],
  };
}
