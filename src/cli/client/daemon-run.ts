// A prompt over POST /run, as the daemon's NDJSON with extended events: for a client that reads and answers no confirmation.
import type { IncomingMessage } from "node:http";
import { text as readAll } from "node:stream/consumers";
import type { Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { TurnEvent } from "../../domain/event.js";
import { type JsonObject, parseJson } from "../../lib/json.js";
import type { Daemon } from "./client.js";
import { type DaemonRequest, requestDaemon } from "./daemon-address.js";
import { headersFor, refusedBy, silent, unreachable } from "./daemon-http.js";

/** A prompt that waits behind others has its first sign of life, and the head of its answer, after 10 s. */
const HEAD_MS = 30_000;

async function post(
  daemon: Daemon,
  body: object,
  init: Pick<DaemonRequest, "headers" | "signal">,
): Promise<IncomingMessage> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), HEAD_MS);
  const signal = AbortSignal.any([init.signal, late.signal]);
  const asked = { ...init, signal, method: "POST", body: JSON.stringify(body) };
  const response = await requestDaemon(daemon.address, "/run", asked)
    .catch((error: unknown) => {
      throw late.signal.aborted ? silent(daemon, HEAD_MS) : unreachable(daemon, error);
    })
    .finally(() => clearTimeout(timer));
  if (response.statusCode !== 200) throw refusedBy(daemon, response.statusCode ?? 0, await readAll(response));
  return response;
}

/** The lines of a body as they come. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** The events of one turn. An abort closes the connection, which cancels the turn. Throws StartError before the first event only. */
export async function* streamRun(
  daemon: Daemon,
  { settings, body, signal }: { settings: Settings; body: object; signal: AbortSignal },
): AsyncGenerator<TurnEvent, void, void> {
  const headers = { ...headersFor(settings), "Content-Type": "application/json", Accept: "application/x-ndjson" };
  let failure = "the daemon closed the connection; agentd history shows what was done";
  try {
    const response = await post(daemon, { ...body, events: "extended" }, { headers, signal });
    for await (const line of linesOf(response)) {
      // Signs of life are spaces between two lines.
      if (line.trim() === "") continue;
      const { seq: _, ...event } = parseJson(line) as JsonObject;
      yield event as unknown as TurnEvent;
      if (event["kind"] === "done") return;
    }
  } catch (error) {
    if (error instanceof StartError && !signal.aborted) throw error;
    if (signal.aborted) failure = messageOf(signal.reason);
  }
  yield { kind: "error", message: failure };
  yield { kind: "done" };
}
