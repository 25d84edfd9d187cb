// Carries MCP messages to the daemon that runs on the data directory.
import type { Settings } from "../../config/settings.js";
import { StartError } from "../../domain/error.js";
import type { Daemon } from "../client/client.js";
import { requestDaemon } from "../client/daemon-address.js";
import { headersFor } from "../client/daemon-http.js";
import type { Carrier } from "./carrier.js";

/** Where the endpoint is. */
const PATH = "/-/mcp";

/** What the daemon is told with every message. */
interface ToDaemon {
  settings: Settings;
  /** "" for none. */
  session_id: string;
  /** Finds it again, at another address maybe. */
  find(): Promise<Daemon | undefined>;
}

/** The modes that flags and variables ask for; those of config.json the daemon has read itself. */
function modeHeaders({ policy, origins }: Settings): Record<string, string> {
  const on = Object.entries(policy).filter(([mode, isOn]) => isOn && origins[`safety.${mode}`] !== "config.json");
  return Object.fromEntries(on.map(([mode]) => [`X-Agentd-${mode.replace("_", "-")}`, "true"]));
}

/** A carrier to a daemon. */
export function carryToDaemon(daemon: Daemon, { settings, session_id, find }: ToDaemon): Carrier {
  let reached = daemon;
  // The client's own name is in its messages.
  const { "X-Agentd-Client": _, ...token } = headersFor(settings);
  const own = { ...token, ...modeHeaders(settings), ...(session_id !== "" && { "X-Session-Id": session_id }) };
  return {
    async send({ method, headers, body, signal }) {
      const sent = { method, headers: { ...headers, ...own }, signal, ...(body !== undefined && { body }) };
      const response = await requestDaemon(reached.address, PATH, sent);
      const session = response.headers["mcp-session-id"];
      return {
        status: response.statusCode ?? 0,
        type: response.headers["content-type"] ?? "",
        session: typeof session === "string" ? session : undefined,
        chunks: response.setEncoding("utf8"),
      };
    },
    async again() {
      const found = await find();
      if (!found)
        throw new StartError(`the daemon at ${reached.address} (pid ${reached.pid}) is gone; start agentd serve.`);
      reached = found;
    },
    close: async () => undefined,
  };
}
