// The answer of POST /run in the form its client wants: one JSON text, a stream of events, or the names of a turn that goes on by
// itself. Source: docs/reference.md, "Running a prompt" and "Streams of events".
import type { Request, Response } from "express";
import { toJson } from "../../lib/json.js";
import type { Prompt } from "../request/request.js";
import { EventList } from "../response/event-list.js";
import { EventStream, type StreamTimes, type StreamType, streamTypeOf } from "../response/event-stream.js";
import { sendJson } from "../response/respond.js";
import { type EventSink, MAX_UNREAD_BYTES } from "./event-sink.js";

/** The names of a turn, chosen when its prompt arrives. */
export interface AnswerNames {
  session_id: string;
  turn_id: string;
}

/** An answer made of events. */
export interface RunAnswer extends Pick<EventSink, "push"> {
  /** Whether the client wants more than the names of the turn. */
  wantsEvents: boolean;
  /** The turn waits for others of its session. */
  onQueued(): void;
  /** Resolves once the client has taken what was sent. */
  drained(): Promise<void>;
  /** Completes the answer, after the last event. */
  end(): void;
}

/** A prompt with what its answer is named by. */
interface Run {
  prompt: Prompt;
  names: AnswerNames;
  times: StreamTimes;
}

/** Everything at once, when the turn is over. */
function createBuffered(res: Response, session_id: string): RunAnswer {
  const list = new EventList();
  return {
    wantsEvents: true,
    push: (event) => list.add(event),
    onQueued: () => {},
    drained: async () => {},
    end: () => sendJson(res, list.toJson({ result: list.result, session_id })),
  };
}

/** The names alone, as soon as the turn is accepted. */
function createAccepted(res: Response, { turn_id, session_id }: AnswerNames): RunAnswer {
  const accept = (): void => {
    if (!res.headersSent && !res.destroyed) sendJson(res, toJson({ turn_id, session_id }), 202);
  };
  return { wantsEvents: false, push: accept, onQueued: accept, drained: async () => {}, end: () => {} };
}

/**
 * Every event when it happens. A client that lets too much pile up loses the connection. Nothing is written before the first event
 * or sign of life, so that a turn that is refused still gets its own status; a client that may leave is told the names at once.
 */
function createStream(res: Response, type: StreamType, { prompt, names, times }: Run): RunAnswer {
  const stream = new EventStream(res, { ...times, type, names: prompt.extended ? "seq" : undefined });
  return {
    wantsEvents: true,
    push(event, seq) {
      stream.send({ event, seq, turn_id: names.turn_id });
      if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
    },
    onQueued: () => (prompt.detach ? stream.open() : undefined),
    drained: () => stream.drained(),
    end: () => stream.end(),
  };
}

/** The form the client wants; JSON unless it names one of the streams. Sets the headers that name the turn. */
export function createAnswer(req: Request, res: Response, run: Run): RunAnswer {
  res.setHeader("X-Session-Id", run.names.session_id);
  res.setHeader("X-Turn-Id", run.names.turn_id);
  const type = streamTypeOf(req);
  if (type) return createStream(res, type, run);
  return run.prompt.detach ? createAccepted(res, run.names) : createBuffered(res, run.names.session_id);
}
