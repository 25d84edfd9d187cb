// Server-sent events of an answer, within bounds. Source: HTML Living Standard, "Server-sent events".
import { type AnswerBody, chunksOf } from "../../lib/http-exchange.js";
import { FloodError, type FloodGate } from "./flood.js";
import { createLines } from "./lines.js";
import { MAX_MESSAGE_BYTES } from "./message.js";

/** One event; `retry` is what the stream said last of when to come back, in milliseconds. */
interface ServerEvent {
  id: string | undefined;
  type: string;
  data: string;
  retry: number | undefined;
}

/** The events of a body, in order. Throws what breaks the connection, RangeError for an event that is too long, and FloodError. */
export async function* serverEvents(body: AnswerBody, gate: FloodGate): AsyncGenerator<ServerEvent, void, void> {
  const done: ServerEvent[] = [];
  let event: ServerEvent = { id: undefined, type: "message", data: "", retry: undefined };
  let isTooLong = false;
  const onLine = (line: string): void => {
    if (line === "") {
      if (event.data !== "" || event.id !== undefined || event.retry !== undefined) done.push(event);
      event = { id: undefined, type: "message", data: "", retry: undefined };
      return;
    }
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === "data") event.data += event.data === "" ? value : `\n${value}`;
    else if (field === "id" && !value.includes("\0")) event.id = value;
    else if (field === "event") event.type = value;
    else if (field === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
    if (event.data.length > MAX_MESSAGE_BYTES) isTooLong = true;
  };
  const take = createLines({
    maxBytes: MAX_MESSAGE_BYTES,
    onLine,
    onTooLong() {
      isTooLong = true;
    },
  });
  for await (const chunk of chunksOf(body)) {
    if (gate.bytes(chunk.length)) throw new FloodError();
    take(chunk);
    yield* done.splice(0);
    if (isTooLong) throw new RangeError(`it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
  }
}
