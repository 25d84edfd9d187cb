// The calls that wait, read and decided through the daemon that runs on the data directory.
import type { Settings } from "../../config/settings.js";
import type { Decided, UndoAnswer } from "../../domain/agent.js";
import type { Confirmation } from "../../domain/record.js";
import { type JsonObject, parseJson, toJson } from "../../lib/json.js";
import type { ApprovalsClient, Daemon, UndoClient } from "./client.js";
import { openDaemonRecord } from "./daemon.js";
import { ask, headersFor, refusedBy } from "./daemon-http.js";
import { modesGiven } from "./modes-given.js";
import { MAX_WAITING, toWaiting } from "./waiting.js";

/** An approved call runs before the answer comes; the application may take as long as its timeout allows. */
const DECISION_MS = 300_000;

/** The daemon's undo, asked from this terminal. */
export function openDaemonUndo(daemon: Daemon, settings: Settings): UndoClient {
  const { history } = openDaemonRecord(daemon, settings);
  const { decide, close } = openDaemonApprovals(daemon, settings);
  return {
    dataDir: settings.dataDir,
    decide,
    close,
    history: (query) => history({ ...query, results: "small" }),
    async undo(history_id, modes) {
      const [status, body] = await ask(daemon, `/-/history/${history_id}/undo`, {
        method: "POST",
        headers: { ...headersFor(settings), "Content-Type": "application/json", "X-Agentd-Client": "cli" },
        body: JSON.stringify({ ...modesGiven(settings), ...modes, confirm: true }),
        silentMs: DECISION_MS,
      });
      if (status !== 200 && status !== 202) throw refusedBy(daemon, status, body);
      return parseJson(body) as unknown as UndoAnswer;
    },
  };
}

/** The daemon's confirmations. */
export function openDaemonApprovals(daemon: Daemon, settings: Settings): ApprovalsClient {
  const headers = headersFor(settings);
  return {
    async waiting() {
      const path = `/-/confirmations?status=pending&limit=${MAX_WAITING}`;
      const [status, body] = await ask(daemon, path, { headers });
      if (status !== 200) throw refusedBy(daemon, status, body);
      return toWaiting(parseJson(body) as unknown as Confirmation[]);
    },
    async decide(id, decision) {
      const [status, body] = await ask(daemon, `/-/confirmations/${encodeURIComponent(id)}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: toJson(decision as JsonObject),
        silentMs: DECISION_MS,
      });
      if (status !== 200) throw refusedBy(daemon, status, body);
      return parseJson(body) as unknown as Decided;
    },
    async extend(id, seconds) {
      const [status, body] = await ask(daemon, `/-/confirmations/${encodeURIComponent(id)}/extend`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ seconds }),
      });
      if (status !== 200) throw refusedBy(daemon, status, body);
      return parseJson(body) as unknown as Confirmation;
    },
    close: async () => {},
  };
}
