// Streams of events as a client that parses them itself reads them: server-sent events and lines of JSON, from any answer, as far
// as the client cares to read.
import type { TurnEvent } from "../../src/domain/event.js";

/** An event as it arrived. */
export interface Arrived {
  /** As its stream said it; 0 where it said none. */
  seq: number;
  /** "" where the stream did not say. */
  turn_id: string;
  event: TurnEvent;
}

/** What arrived, and what stood between the events. */
export interface ReadStream {
  events: Arrived[];
  /** Signs of life. */
  beats: number;
}

function fromServerSent(block: string): Arrived | undefined {
  const [, turn_id = "", seq = "0"] = /^id: (.*)\.(\d+)$/m.exec(block) ?? [];
  const [, data] = /^data: (.*)$/m.exec(block) ?? [];
  return data === undefined ? undefined : { seq: Number(seq), turn_id, event: JSON.parse(data) as TurnEvent };
}

function fromLine(line: string): Arrived | undefined {
  if (line.trim() === "") return undefined;
  const { seq = 0, ...event } = JSON.parse(line) as TurnEvent & { seq?: number };
  return { seq, turn_id: "", event };
}

/**
 * Reads a streamed answer to its end, or until `enough` says so; then the connection is closed. An answer without a body has no
 * events.
 */
export async function readStream(
  response: Response,
  enough: (read: ReadStream) => boolean = () => false,
): Promise<ReadStream> {
  const read: ReadStream = { events: [], beats: 0 };
  if (!response.body) return read;
  const isServerSent = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const [end, parse] = isServerSent ? (["\n\n", fromServerSent] as const) : (["\n", fromLine] as const);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const text = decoder.decode(bytes as Uint8Array, { stream: true });
    read.beats += isServerSent ? (text.match(/^:/gm)?.length ?? 0) : (/^ +/.exec(text)?.[0].length ?? 0);
    const pieces = (rest + text).split(end);
    rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      const arrived = parse(piece);
      if (arrived) read.events.push(arrived);
      if (enough(read)) return read;
    }
    if (enough(read)) return read;
  }
  return read;
}
