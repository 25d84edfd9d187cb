// A response as an answer: whole when the turn is over, at once for one that goes on by itself, or as a stream of its events.
// Source: docs/reference.md, "OpenAI-compatible routes".
import type { Response } from "express";
import { type JsonObject, toJson } from "../../lib/json.js";
import { EventStream, type StreamTimes } from "../response/event-stream.js";
import { sendJson } from "../response/respond.js";
import { MAX_UNREAD_BYTES } from "../run/event-sink.js";
import type { RunAnswer } from "../run/run-answer.js";
import type { ResponseReader } from "./response-reader.js";

/** The whole response when the turn is over, also of one that failed. */
export function createWholeResponse(res: Response, reader: ResponseReader): RunAnswer {
  return {
    wantsEvents: true,
    push: (event, seq) => {
      reader.read(seq, event);
    },
    onQueued: () => {},
    drained: async () => {},
    end: () => sendJson(res, toJson(reader.response())),
  };
}

/** The response as it is when its turn is accepted. */
export function createAcceptedResponse(res: Response, reader: ResponseReader): RunAnswer {
  const accept = (): void => {
    if (!res.headersSent && !res.destroyed) sendJson(res, toJson(reader.response()));
  };
  return {
    wantsEvents: false,
    push: accept,
    onQueued() {
      reader.queued();
      accept();
    },
    drained: async () => {},
    end: accept,
  };
}

/** Events as a stream of this format. */
interface ResponseStream {
  open(): void;
  send(events: readonly JsonObject[]): void;
  drained(): Promise<void>;
  end(): void;
}

/** A stream that says what it sends, in each event's name too. */
export function createResponseStream(res: Response, times: StreamTimes): ResponseStream {
  const stream = new EventStream(res, { ...times, type: "text/event-stream" });
  return {
    open: () => stream.open(),
    send(events) {
      for (const event of events) stream.write(`event: ${String(event["type"])}\ndata: ${toJson(event)}\n\n`);
    },
    drained: () => stream.drained(),
    end() {
      stream.write("data: [DONE]\n\n");
      stream.end();
    },
  };
}

/** The events as they happen. A client that lets too much pile up loses the connection; its background turn goes on. */
export function createLiveResponse(
  res: Response,
  reader: ResponseReader,
  { times, detach }: { times: StreamTimes; detach: boolean },
): RunAnswer {
  const stream = createResponseStream(res, times);
  return {
    wantsEvents: true,
    push(event, seq) {
      stream.send(reader.read(seq, event));
      if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
    },
    onQueued() {
      // A client that may leave is told the id at once; another one gets the status of a refusal, if it comes to that.
      if (detach) stream.send(reader.queued());
    },
    drained: () => stream.drained(),
    end: () => stream.end(),
  };
}
