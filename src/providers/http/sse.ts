// Server-sent events: bytes in, the data of each complete event out. Event names and ids are not kept; no vendor needs them.
// Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream".
import { StringDecoder } from "node:string_decoder";

/** A single line longer than this is refused: a stream without line ends would fill the memory. */
const MAX_LINE = 16 * 1024 * 1024;

/** Takes a stream's bytes as they come, cut anywhere, inside a character too. */
export interface SseParser {
  /** The data of the events these bytes complete, in order. Throws RangeError on an endless line. */
  push(bytes: Uint8Array): string[];
  /** The data of a last event whose closing blank line never came: vendors forget it, so it counts here. */
  end(): string[];
}

/** A parser for one stream. */
export function createSseParser(): SseParser {
  const decoder = new StringDecoder("utf8");
  let events: string[] = [];
  /** The start of a line whose end has not come. */
  let partial = "";
  /** The data lines of the event being read, joined; undefined before the first. */
  let data: string | undefined;
  let started = false;
  /** The last piece ended in CR: an LF that follows belongs to it. */
  let afterCr = false;

  const line = (text: string): void => {
    if (text === "") {
      if (data !== undefined) events.push(data);
      data = undefined;
    } else if (text.startsWith("data:")) {
      const value = text.slice(text.charCodeAt(5) === 32 ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (text === "data") data = data === undefined ? "" : `${data}\n`;
  };

  const feed = (text: string): void => {
    let from = afterCr && text.charCodeAt(0) === 10 ? 1 : 0;
    afterCr = false;
    let cr = text.indexOf("\r", from);
    for (;;) {
      const lf = text.indexOf("\n", from);
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      if (end < 0) break;
      line(partial === "" ? text.slice(from, end) : partial + text.slice(from, end));
      partial = "";
      from = end + 1;
      if (end !== cr) continue;
      if (from === text.length) afterCr = true;
      else if (text.charCodeAt(from) === 10) from++;
      cr = text.indexOf("\r", from);
    }
    // Only the new bytes are searched for a line end, so a long line in small pieces costs linear time.
    if (from < text.length) partial += from === 0 ? text : text.slice(from);
    if (partial.length > MAX_LINE) throw new RangeError(`a line of the stream is longer than ${MAX_LINE} characters`);
  };

  const take = (): string[] => {
    const out = events;
    events = [];
    return out;
  };

  return {
    push(bytes) {
      let text = decoder.write(bytes);
      if (text === "") return [];
      if (!started) {
        started = true;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      feed(text);
      return take();
    },
    end() {
      feed(`${decoder.end()}\n\n`);
      return take();
    },
  };
}
