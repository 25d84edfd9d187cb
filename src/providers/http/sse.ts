// Server-sent events: bytes in, the data of each complete event out. The parser is eventsource-parser's; here are the limits
// and what it leaves to its caller: decoding cut characters, the byte order mark, CR line ends at the end of a chunk.
// Ids are not kept, and of the names of events only that of an error counts; no vendor needs more.
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { isObject, jsonOrText, toJson } from "../../lib/json.js";
import { MAX_PART_BYTES } from "./client.js";

const BYTE_ORDER_MARK = "\ufeff";

/** The data of an event of the name `error`, as an object with a member of this name: some servers send what would stand in it. */
function errorData(data: string): string {
  const error = jsonOrText(data);
  return isObject(error) && error["error"] ? data : toJson({ error });
}

interface SseParser {
  /** The data of the events these bytes complete, in order, but of those that say nothing. Throws RangeError on an endless line or event. */
  push(bytes: Uint8Array): string[];
  /** The data of a last event without its closing blank line: some vendors leave it out, so it counts here. */
  end(): string[];
}

/** A parser for one stream, whose bytes may be cut anywhere, inside a character too. */
export function createSseParser(): SseParser {
  const decoder = new StringDecoder("utf8");
  let events: string[] = [];
  let isFirst = true;
  /** The text so far ended in CR: an LF that follows belongs to it. */
  let isAfterCr = false;
  const parser = createParser({
    maxBufferSize: MAX_PART_BYTES,
    onEvent({ event, data }) {
      if (data.trim() !== "") events.push(event === "error" ? errorData(data) : data);
    },
    onError({ type, field, value }) {
      // llama.cpp reports a failure in a field of its own, without the member around it.
      if (type === "unknown-field" && field === "error" && value) events.push(`{"error":${value}}`);
      if (type === "max-buffer-size-exceeded")
        throw new RangeError(`an event of the stream is longer than ${MAX_PART_BYTES} characters`);
    },
  });

  /** The parser holds a last CR back until the next chunk, and so would hold back an event that is complete. */
  const withLineFeeds = (text: string): string => {
    if (!isAfterCr && !text.includes("\r")) return text;
    const rest = isAfterCr && text.startsWith("\n") ? text.slice(1) : text;
    isAfterCr = text.endsWith("\r");
    return rest.replace(/\r\n?/g, "\n");
  };

  const feed = (text: string): string[] => {
    if (text === "") return [];
    parser.feed(withLineFeeds(isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
    isFirst = false;
    const complete = events;
    events = [];
    return complete;
  };

  return {
    push: (bytes) => feed(decoder.write(bytes)),
    end: () => feed(`${decoder.end()}\n\n`),
  };
}
