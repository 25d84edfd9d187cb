// Requests to the daemon that runs on the data directory, and one sentence for each way they fail. Knows no route.
import type { IncomingHttpHeaders } from "node:http";
import type { Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import { isObject, parseJson } from "../../lib/json.js";
import type { Daemon } from "./client.js";
import { type DaemonRequest, requestDaemon } from "./daemon-address.js";

/** The daemon is on this machine; one that takes longer to accept a connection, or to go on with an answer, is stuck. */
export const SILENT_MS = 10_000;
const CLIENT = "cli";

/** The headers of every request to a daemon. */
export function headersFor({ token }: Pick<Settings, "token">): Record<string, string> {
  return { "X-Agentd-Client": CLIENT, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}

/** The message of the daemon's refusal, or the way out where this side knows one. */
export function refusedBy(daemon: Daemon, status: number, body: string): StartError {
  const refused = `the daemon at ${daemon.address} (pid ${daemon.pid}) refused`;
  if (status === 401)
    return new StartError(
      `${refused}: it needs its token, and got none or another one. Give it with --token, --token-file or AGENTD_TOKEN.`,
    );
  let message = `status ${status}`;
  try {
    const parsed = parseJson(body);
    if (isObject(parsed) && isObject(parsed["error"])) message = String(parsed["error"]["message"]);
  } catch {
    // Not our error body: something else answers there.
  }
  // What it does not take is what was typed.
  return new StartError(`${refused}: ${message}`, { exitCode: status === 400 ? 2 : 1 });
}

/** No connection, or one that broke. */
export function unreachable(daemon: Daemon, error: unknown): StartError {
  return new StartError(`cannot reach the daemon at ${daemon.address} (pid ${daemon.pid}): ${messageOf(error)}`, {
    cause: error,
  });
}

/** Connected, and nothing arrives: a stopped process, or one that is stuck. */
export function silent({ address, pid }: Daemon, ms = SILENT_MS): StartError {
  return new StartError(
    `the daemon at ${address} (pid ${pid}) does not answer: nothing came for ${ms / 1000} s. Is it stopped or stuck? End process ${pid} and start it again; nothing recorded is lost.`,
  );
}

/** A request whose answer may take longer to begin, where something is done before. */
interface PatientRequest extends Omit<DaemonRequest, "signal"> {
  silentMs?: number;
}

/** Status, text and headers of an answer that comes without long pauses, however long it is. Throws StartError. */
export async function ask(
  daemon: Daemon,
  path: string,
  { silentMs = SILENT_MS, ...init }: PatientRequest,
): Promise<[status: number, text: string, headers: IncomingHttpHeaders]> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), silentMs);
  try {
    const response = await requestDaemon(daemon.address, path, { ...init, signal: stop.signal });
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += String(chunk);
      timer.refresh();
    }
    return [response.statusCode ?? 0, text, response.headers];
  } catch (error) {
    if (stop.signal.aborted) throw silent(daemon);
    throw unreachable(daemon, error);
  } finally {
    clearTimeout(timer);
  }
}
