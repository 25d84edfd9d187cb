// Lines of standard input, bounded, and the data of server-sent events: where one message ends and the next begins.
import { MAX_BODY_BYTES } from "../../server/request/body.js";

/** A line, or that one was longer than any message may be. */
type Line = { text: string } | { tooLong: true };

/** The lines of a stream, without empty ones. */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Line, void, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (): Line | undefined => {
    const isTooLong = bytes > MAX_BODY_BYTES;
    const text = isTooLong ? "" : Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    bytes = 0;
    if (isTooLong) return { tooLong: true };
    return text === "" ? undefined : { text };
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); ; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end < 0 ? undefined : end);
      bytes += piece.length;
      if (bytes <= MAX_BODY_BYTES) parts.push(piece);
      if (end < 0) break;
      start = end + 1;
      const line = take();
      if (line) yield line;
    }
  }
  const last = take();
  if (last) yield last;
}

/** The data of server-sent events, one text an event. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function* eventData(chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of chunks) {
    const events = (rest + chunk).replaceAll("\r\n", "\n").split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
      if (data.length > 0 && data.join("") !== "") yield data.join("\n");
    }
  }
}
