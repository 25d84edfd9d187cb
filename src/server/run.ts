// POST /run: one prompt in, its turn out, as one JSON object or as a stream of the same events.
// Source: reference, section 4.

import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Agent } from "../domain/agent.js";
import { Stopped } from "../domain/error.js";
import { finalText, type TurnEvent } from "../domain/event.js";
import { toJson } from "../lib/json.js";
import { queryOf } from "./access/admit.js";
import { readText } from "./body.js";
import { runTurnOut } from "./event-sink.js";
import type { Metrics } from "./metrics.js";
import { parseQuery } from "./query.js";
import { clientLabel, parsePrompt } from "./request.js";
import { onceOver, sendJson } from "./respond.js";

/** Bytes waiting for a client that does not read before it is given up. */
export const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** Where the events of a turn go. */
interface Sink {
  take(event: TurnEvent): void;
  end(): void;
}

/** Everything at once, when the turn is over. */
function buffered(res: Response, session_id: string): Sink {
  const events: TurnEvent[] = [];
  return {
    take: (event) => {
      events.push(event);
    },
    end: () => sendJson(res, toJson({ result: finalText(events), session_id, events })),
  };
}

const NDJSON = "application/x-ndjson";
const SSE = "text/event-stream";

/** Every event when it happens. A client that lets too much pile up loses the connection, and so its turn. */
function streamed(res: Response, type: typeof SSE | typeof NDJSON): Sink {
  const [before, after] = type === SSE ? ["data: ", "\n\n"] : ["", "\n"];
  return {
    take: (event) => {
      // Nothing is written before the first event, so that a turn that is refused still gets its own status.
      if (!res.headersSent) res.writeHead(200, { "Content-Type": type, "X-Accel-Buffering": "no" });
      if (res.destroyed) return;
      res.write(before + toJson(event) + after);
      if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
    },
    end: () => {
      res.end();
    },
  };
}

/** What the client wants; JSON unless it names one of the streams. */
function sinkFor(req: Request, res: Response, session_id: string): Sink {
  const accept = req.headers.accept;
  if (accept === undefined || !/event-stream|ndjson/i.test(accept)) return buffered(res, session_id);
  const type = req.accepts([SSE, NDJSON, "application/json"]);
  return type === SSE || type === NDJSON ? streamed(res, type) : buffered(res, session_id);
}

/** The handler of POST /run. */
export function createRun(agent: Agent, metrics: Metrics): (req: Request, res: Response) => Promise<void> {
  return async (req, res) => {
    parseQuery("run", queryOf(req.url));
    const prompt = parsePrompt(await readText(req, res));
    const { message, policy, extended, session_id = randomUUID() } = prompt;
    res.setHeader("X-Session-Id", session_id);
    const client = clientLabel(req.headers["x-agentd-client"], "http");
    const gone = new AbortController();
    onceOver(req, res, () => {
      if (!res.writableFinished) gone.abort(new Stopped("client_gone"));
    });
    const sink = sinkFor(req, res, session_id);
    const request = { message, session_id, policy, client };
    // Nobody can answer a confirmation over a request that only listens: held calls end at once.
    await runTurnOut(agent, metrics, { request, signal: gone.signal, interactive: false, extended, take: sink.take });
    if (!res.destroyed) sink.end();
  };
}
