// POST /run: one prompt in, its turn out, as one JSON object or as a stream of the same events.
// Source: docs/reference.md, "Running a prompt".

import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Agent } from "../domain/agent.js";
import { Stopped } from "../domain/error.js";
import { finalText, type TurnEvent } from "../domain/event.js";
import { toJson } from "../lib/json.js";
import { queryOf } from "./access/admit.js";
import { readText } from "./body.js";
import { type EventSink, MAX_UNREAD_BYTES, runTurnInto } from "./event-sink.js";
import type { Metrics } from "./metrics.js";
import { parseQuery } from "./query.js";
import { clientLabel, parsePrompt } from "./request.js";
import { onResponseEnd, sendJson } from "./respond.js";

/** An answer made of events. */
interface ResponseSink extends Pick<EventSink, "push"> {
  /** Completes the answer, after the last event. */
  end(): void;
}

/** Everything at once, when the turn is over. */
function createBufferedSink(res: Response, session_id: string): ResponseSink {
  const events: TurnEvent[] = [];
  return {
    push: (event) => {
      events.push(event);
    },
    end: () => sendJson(res, toJson({ result: finalText(events), session_id, events })),
  };
}

const NDJSON = "application/x-ndjson";
const SSE = "text/event-stream";

/** Every event when it happens. A client that lets too much pile up loses the connection, and so its turn. */
function createStreamSink(res: Response, type: typeof SSE | typeof NDJSON): ResponseSink {
  const [before, after] = type === SSE ? ["data: ", "\n\n"] : ["", "\n"];
  return {
    push(event) {
      // Nothing is written before the first event, so that a turn that is refused still gets its own status.
      if (!res.headersSent) res.writeHead(200, { "Content-Type": type, "X-Accel-Buffering": "no" });
      if (res.destroyed) return;
      res.write(before + toJson(event) + after);
      if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
    },
    end() {
      res.end();
    },
  };
}

/** The form the client wants; JSON unless it names one of the streams. */
function createSink(req: Request, res: Response, session_id: string): ResponseSink {
  const accept = req.headers.accept;
  if (accept === undefined || !/event-stream|ndjson/i.test(accept)) return createBufferedSink(res, session_id);
  const type = req.accepts([SSE, NDJSON, "application/json"]);
  return type === SSE || type === NDJSON ? createStreamSink(res, type) : createBufferedSink(res, session_id);
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
    onResponseEnd(req, res, () => {
      if (!res.writableFinished) gone.abort(new Stopped("client_gone"));
    });
    const { push, end } = createSink(req, res, session_id);
    const request = { message, session_id, policy, client };
    // A client cannot answer a confirmation over a request that only listens: held calls end at once.
    await runTurnInto({ extended, push }, { agent, metrics, request, signal: gone.signal, interactive: false });
    if (!res.destroyed) end();
  };
}
