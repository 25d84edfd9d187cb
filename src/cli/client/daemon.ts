// Through the daemon that runs on the data directory: prompts over /chat with extended events, the record over HTTP.
// Knows the wire and nothing of agents; what arrives are the same events as in process.

import { on, once } from "node:events";
import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import type { Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { TurnEvent } from "../../domain/event.js";
import type { HistoryEntry, SessionSummary } from "../../domain/record.js";
import { isObject, type JsonValue, parseJson } from "../../lib/json.js";
import type { AgentClient, ClientPrompt, Daemon, RecordClient } from "./client.js";

/** The daemon is on this machine; one that takes longer to accept a connection, or to go on with an answer, is stuck. */
const SILENT_MS = 10_000;
const CLIENT = "cli";

function headersFor(settings: Settings): Record<string, string> {
  const token = settings.token;
  return { "X-Agentd-Client": CLIENT, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}

/** The message of the daemon's refusal, and the way out where this side knows one. */
function refusal(daemon: Daemon, status: number, body: string): StartError {
  let message = `status ${status}`;
  try {
    const parsed = parseJson(body);
    if (isObject(parsed) && isObject(parsed["error"])) message = String(parsed["error"]["message"]);
  } catch {
    // Not our error body: something else answers there.
  }
  const hint = status === 401 ? " Give it with --token, --token-file or AGENTD_TOKEN." : "";
  return new StartError(`the daemon at ${daemon.address} (pid ${daemon.pid}) refused: ${message}${hint}`);
}

function unreachable(daemon: Daemon, error: unknown): StartError {
  return new StartError(`cannot reach the daemon at ${daemon.address} (pid ${daemon.pid}): ${messageOf(error)}`, {
    cause: error,
  });
}

/** Connected, and nothing arrives: a stopped process, or one that is stuck. */
function silent({ address, pid }: Daemon): StartError {
  return new StartError(
    `the daemon at ${address} (pid ${pid}) does not answer: nothing came for ${SILENT_MS / 1000} s. Is it stopped or stuck? End process ${pid} and start it again; nothing recorded is lost.`,
  );
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

/** Connects to /chat. Throws StartError with the daemon's own sentence when it refuses. */
async function connect(daemon: Daemon, settings: Settings, extended: boolean): Promise<WebSocket> {
  const url = `${daemon.address.replace(/^http/, "ws")}/chat${extended ? "?events=extended" : ""}`;
  const socket = new WebSocket(url, {
    headers: headersFor(settings),
    handshakeTimeout: SILENT_MS,
    perMessageDeflate: false,
  });
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once("unexpected-response", (request, response: IncomingMessage) => {
      bodyOf(response).then(
        (body) => {
          reject(refusal(daemon, response.statusCode ?? 0, body));
          request.destroy();
        },
        (error: unknown) => reject(unreachable(daemon, error)),
      );
    });
    socket.once("error", (error) => {
      // The library has no code for it.
      const isSilent = error.message.includes("handshake has timed out");
      reject(isSilent ? silent(daemon) : unreachable(daemon, error));
    });
  });
  await Promise.race([once(socket, "open"), refused]);
  refused.catch(() => {});
  // From here on an error is followed by `close`, which is what the reader of frames waits for.
  socket.on("error", () => {});
  return socket;
}

/** The modes this process asks for; a request can only turn modes on. */
function frameOf(prompt: ClientPrompt, settings: Settings): string {
  const modes = Object.entries(settings.policy).filter(([, on]) => on);
  return JSON.stringify({ message: prompt.message, session_id: prompt.session_id, ...Object.fromEntries(modes) });
}

async function* turn(socket: WebSocket, frame: string, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void> {
  const cancel = (): void => socket.send(JSON.stringify({ type: "cancel" }));
  const frames = on(socket, "message", { close: ["close"] });
  socket.send(frame);
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const [data] of frames) {
      // The daemon's own events: trusted to be what the reference says.
      const event = parseJson(String(data)) as unknown as TurnEvent;
      yield event;
      if (event.kind === "done") return;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  yield { kind: "error", message: "the daemon closed the connection; agentd history shows what was done" };
  yield { kind: "done" };
}

/** The agent behind the daemon's /chat; connects at the first prompt and stays connected. */
export function openDaemonClient(daemon: Daemon, settings: Settings): AgentClient {
  let socket: WebSocket | undefined;
  return {
    async *prompt(prompt, signal) {
      if (socket?.readyState !== WebSocket.OPEN) socket = await connect(daemon, settings, prompt.interactive);
      yield* turn(socket, frameOf(prompt, settings), signal);
    },
    async decide(id, decision) {
      socket?.send(JSON.stringify({ type: "confirm", id, decision }));
    },
    async close() {
      socket?.close();
    },
  };
}

/** Status and text of an answer that comes without long pauses, however long it is. Throws StartError. */
async function ask(daemon: Daemon, path: string, headers: Record<string, string>): Promise<[number, string]> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SILENT_MS);
  try {
    const response = await fetch(daemon.address + path, { headers, signal: stop.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      timer.refresh();
    }
    return [response.status, text];
  } catch (error) {
    if (stop.signal.aborted) throw silent(daemon);
    throw unreachable(daemon, error instanceof Error ? (error.cause ?? error) : error);
  } finally {
    clearTimeout(timer);
  }
}

/** The record behind the daemon's HTTP routes. */
export function openDaemonRecord(daemon: Daemon, settings: Settings): RecordClient {
  const get = async (path: string, query: Record<string, unknown>): Promise<JsonValue> => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const [status, body] = await ask(daemon, `${path}?${search}`, headersFor(settings));
    if (status !== 200) throw refusal(daemon, status, body);
    return parseJson(body);
  };
  return {
    history: async (query) => (await get("/history", { ...query })) as unknown as HistoryEntry[],
    sessions: async (limit) => (await get("/-/sessions", { limit })) as unknown as SessionSummary[],
    close: async () => {},
  };
}
