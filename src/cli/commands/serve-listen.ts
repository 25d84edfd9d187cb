// Where `agentd serve` listens: the settings become a listening socket, and a port that is taken a sentence that says by whom.
// Source: docs/reference.md, "Starting and stopping".
import { join } from "node:path";
import type { Settings } from "../../config/settings.js";
import { runningDaemons } from "../../data-dir/running.js";
import type { Agent } from "../../domain/agent.js";
import type { Connector } from "../../domain/connector.js";
import { StartError } from "../../domain/error.js";
import type { LoggedError } from "../../lib/last-error.js";
import type { Log } from "../../lib/log.js";
import { isLoopback } from "../../lib/loopback.js";
import { packageRoot } from "../../lib/package.js";
import type { Redactor } from "../../lib/redact/redact.js";
import { type Listening, listen } from "../../server/listen.js";

const isPortTaken = (error: unknown): error is StartError =>
  error instanceof StartError &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "EADDRINUSE";

/** The sentence for a port that another daemon of this account has; undefined where none is known to. */
function takenByDaemon({ host, port }: Settings): string | undefined {
  const other = runningDaemons().find(({ address }) => {
    if (address.startsWith("unix:")) return false;
    const url = new URL(address);
    return Number(url.port || 80) === port && (url.hostname === host || isLoopback(url.hostname));
  });
  return (
    other &&
    `Port ${port} on ${host} is in use by the agentd of ${other.data_dir} (pid ${other.pid}). agentd status --data-dir ${other.data_dir} shows how it is. Use that one, stop it, or choose another port with --port (0 picks a free one).`
  );
}

/** What the interface tells of beside the agent. */
interface ListenContext {
  log: Log;
  redactor: Redactor;
  connector: Connector;
  /** The newest error in the log. */
  lastError(): LoggedError | undefined;
}

/** Serves the agent. Throws StartError when the address cannot be bound. */
export async function listenFor(
  agent: Agent,
  settings: Settings,
  { log, redactor, lastError, connector }: ListenContext,
): Promise<Listening> {
  const { port, listen: socketPath, basePath, token, tokens, allowedHosts, allowedOrigins } = settings;
  // Who reaches the socket is on this machine, and names it so.
  const host = socketPath === undefined ? settings.host : "localhost";
  const staticDir = join(packageRoot, "dist", "static");
  try {
    return await listen(agent, {
      host,
      port,
      ...(socketPath !== undefined && { socketPath }),
      basePath,
      token,
      tokens,
      allowedHosts,
      allowedOrigins,
      log,
      staticDir,
      redact: redactor.text,
      lastError,
      connector,
    });
  } catch (error) {
    const taken = isPortTaken(error) && takenByDaemon(settings);
    throw taken ? new StartError(taken, { cause: error }) : error;
  }
}
