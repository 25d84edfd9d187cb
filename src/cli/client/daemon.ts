// Through the daemon that runs on the data directory: prompts over /chat with extended events, the record over HTTP.
// Knows the wire and nothing of agents; what arrives are the same events as in process.

import { on, once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import type { Settings } from "../../config/settings.js";
import { AppError, StartError } from "../../domain/error.js";
import type { TurnEvent } from "../../domain/event.js";
import { type ModelRequest, type OfferedProvider, parseModelName } from "../../domain/model-choice.js";
import type { HistoryEntry, SessionSummary, TranscriptTurn } from "../../domain/record.js";
import { ownTimeZone } from "../../domain/time-zone.js";
import { type JsonObject, type JsonValue, objectOf, parseJson, toJson } from "../../lib/json.js";
import type { AgentClient, Aside, ClientPrompt, Daemon, RecordClient } from "./client.js";
import { webSocketTo } from "./daemon-address.js";
import { ask, headersFor, refusedBy, SILENT_MS, silent, unreachable } from "./daemon-http.js";
import { streamRun } from "./daemon-run.js";
import { modesGiven } from "./modes-given.js";

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

/** Connects to /chat. Throws StartError with the daemon's own sentence when it refuses. */
async function connect(daemon: Daemon, settings: Settings, extended: boolean): Promise<WebSocket> {
  const { url, ...reach } = webSocketTo(daemon.address, `/chat${extended ? "?events=extended" : ""}`);
  const socket = new WebSocket(url, {
    ...reach,
    headers: headersFor(settings),
    handshakeTimeout: SILENT_MS,
    perMessageDeflate: false,
  });
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once("unexpected-response", (request, response: IncomingMessage) => {
      bodyOf(response).then(
        (body) => {
          reject(refusedBy(daemon, response.statusCode ?? 0, body));
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

/** A prompt with its modes. */
function bodyFor(
  { message, session_id, provider, model, modes: own = {} }: Omit<ClientPrompt, "interactive" | "extended">,
  settings: Settings,
): object {
  return { message, session_id, provider, model, time_zone: ownTimeZone(), ...modesGiven(settings), ...own };
}

/** The events of one turn, for a frame that asks for them; `onAbort` says what an abort does. */
async function* turn(
  socket: WebSocket,
  frame: object,
  { signal, onAbort: cancel }: { signal: AbortSignal; onAbort(): void },
): AsyncGenerator<TurnEvent, void, void> {
  const frames = on(socket, "message", { close: ["close"] });
  socket.send(JSON.stringify(frame));
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const [data] of frames) {
      // The daemon's own events: trusted to be what the reference says.
      const { seq: _, ...event } = parseJson(String(data)) as JsonObject;
      if (event["kind"] === "ping") continue;
      yield event as unknown as TurnEvent;
      if (event["kind"] === "done") return;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  // Left on purpose.
  if (signal.aborted && socket.readyState !== WebSocket.OPEN) return;
  yield { kind: "error", message: "the daemon closed the connection; agentd history shows what was done" };
  yield { kind: "done" };
}

/** What a client of a daemon is opened with. */
interface DaemonClientParts {
  flags: ModelRequest;
  aside(daemon: Daemon): Promise<Aside>;
  /** The daemon that runs now, which may have been started again elsewhere. */
  find(): Promise<Daemon | undefined>;
}

/** The agent behind the daemon's /chat; connects at the first prompt, stays connected, and goes on with the daemon that came after it. */
export function openDaemonClient(
  first: Daemon,
  settings: Settings,
  { flags, aside, find }: DaemonClientParts,
): AgentClient {
  let socket: WebSocket | undefined;
  let daemon = first;
  const isConnected = (): boolean => socket?.readyState === WebSocket.OPEN;
  const current = async (): Promise<Daemon> => {
    if (isConnected()) return daemon;
    const found = await find();
    if (!found)
      throw new StartError(
        `the daemon at ${daemon.address} (pid ${daemon.pid}) is gone, and no other runs on ${settings.dataDir}: start agentd serve again.`,
      );
    daemon = found;
    return daemon;
  };
  const providers = async (): Promise<OfferedProvider[]> => daemonProviders(await current(), settings);
  return {
    dataDir: settings.dataDir,
    modes: modesGiven(settings),
    aside: async () => aside(await current()),
    async requested() {
      const { provider, model } = flags;
      const isPlain = provider !== undefined || model === undefined;
      return isPlain ? flags : parseModelName(model, await providers());
    },
    providers,
    async *prompt(prompt, signal) {
      // On /chat a client with extended events is one that answers confirmations: the turn would wait for it.
      if (prompt.extended && !prompt.interactive)
        return yield* streamRun(await current(), { settings, body: bodyFor(prompt, settings), signal });
      const opened = socket && isConnected() ? socket : await connect(await current(), settings, prompt.interactive);
      socket = opened;
      const cancel = (): void => opened.send(JSON.stringify({ type: "cancel" }));
      yield* turn(opened, bodyFor(prompt, settings), { signal, onAbort: cancel });
    },
    async detach(prompt) {
      const body = JSON.stringify({ ...bodyFor(prompt, settings), detach: true });
      const headers = { ...headersFor(settings), "Content-Type": "application/json" };
      const [status, text] = await ask(await current(), "/run", { method: "POST", headers, body });
      if (status !== 202) throw refusedBy(daemon, status, text);
      return JSON.parse(text) as { turn_id: string; session_id: string };
    },
    async *follow(turn_id, signal) {
      const followed = (socket = await connect(await current(), settings, true));
      yield* turn(followed, { type: "resume", turn_id }, { signal, onAbort: () => followed.close() });
    },
    async decide(id, decision) {
      if (decision.arguments === undefined) {
        socket?.send(toJson({ type: "confirm", id, ...(decision as JsonObject) }));
        return;
      }
      // Values may not fit, which only this road tells the one who sent them.
      const [status, body] = await ask(daemon, `/-/confirmations/${encodeURIComponent(id)}`, {
        method: "POST",
        headers: { ...headersFor(settings), "Content-Type": "application/json" },
        body: toJson(decision as JsonObject),
      });
      const { message } = objectOf(objectOf(status === 200 ? {} : parseJson(body))["error"]);
      if (status === 400 || status === 409)
        throw new AppError(status === 400 ? "invalid_body" : "conflict", String(message));
      if (status !== 200) throw refusedBy(daemon, status, body);
    },
    async close() {
      socket?.close();
    },
  };
}

/** A resource of the daemon as JSON, and the headers of the answer. Throws StartError. */
async function getJson(
  daemon: Daemon,
  settings: Settings,
  path: string,
): Promise<{ value: JsonValue; headers: IncomingHttpHeaders }> {
  const [status, body, headers] = await ask(daemon, path, { headers: headersFor(settings) });
  if (status !== 200) throw refusedBy(daemon, status, body);
  return { value: parseJson(body), headers };
}

/** The providers of the daemon. */
export async function daemonProviders(daemon: Daemon, settings: Settings): Promise<OfferedProvider[]> {
  return (await getJson(daemon, settings, "/-/providers")).value as unknown as OfferedProvider[];
}

/** The record behind the daemon's HTTP routes. */
export function openDaemonRecord(daemon: Daemon, settings: Settings): RecordClient {
  const get = async (path: string, query: Record<string, unknown>): ReturnType<typeof getJson> => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return getJson(daemon, settings, `${path}?${search}`);
  };
  return {
    async history({ statuses, ...query }) {
      // An array becomes its values with commas between them.
      const status = statuses ?? query.status;
      const isForward = query.after !== undefined && query.before === undefined;
      const found: HistoryEntry[] = [];
      let place = {};
      // A search of a long record answers what it has found within its time, and where it goes on.
      for (;;) {
        const limit = query.limit - found.length;
        const { value, headers } = await get("/history", { ...query, ...place, limit, status });
        const entries = value as unknown as HistoryEntry[];
        if (isForward) found.unshift(...entries);
        else found.push(...entries);
        const next = headers[isForward ? "x-search-after" : "x-search-before"];
        if (next === undefined || found.length >= query.limit) return found;
        place = isForward ? { after: next } : { before: next };
      }
    },
    sessions: async (limit, q) => (await get("/-/sessions", { limit, q })).value as unknown as SessionSummary[],
    async conversation(session_id) {
      const path = `/-/sessions/${encodeURIComponent(session_id)}`;
      const headers = headersFor(settings);
      const [status, body] = await ask(daemon, path, { headers });
      if (status === 404) return undefined;
      if (status !== 200) throw refusedBy(daemon, status, body);
      const [, markdown] = await ask(daemon, path, { headers: { ...headers, Accept: "text/markdown" } });
      const json = parseJson(body);
      return { ...(json as unknown as { title: string; turns: readonly TranscriptTurn[] }), json, markdown };
    },
    close: async () => {},
  };
}
