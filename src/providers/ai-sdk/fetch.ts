// The `fetch` the vendors' packages are given: the same undici request as everywhere, which costs a fraction of the global
// one, and the same limits on events, which the packages parse whatever their size. Failures become ProviderErrors; an abort or
// a cancelled body closes the vendor's socket.
import { type Answer, type AnswerBody, chunksOf } from "../../lib/http-exchange.js";
import { checkJsonSize, isObject, type JsonObject, toJson } from "../../lib/json.js";
import { type Endpoint, MAX_REPLY_BYTES, post } from "../http/client.js";
import { createSseParser } from "../http/sse.js";
import { decodeBigIntegersIn } from "./big-integers.js";

/** What the package sees of the data of server-sent events; undefined for nothing. */
export interface EventFilter {
  event(data: string): string | undefined;
  /** What follows the last event. */
  end?(): string | undefined;
}

const EVERYTHING: EventFilter = { event: (data) => data };

/** The events of a stream, each filtered. Throws RangeError and SyntaxError for what is too large to be read. */
async function* filtered(body: AnswerBody, filter: EventFilter): AsyncGenerator<Uint8Array, void, void> {
  const parser = createSseParser();
  const encoder = new TextEncoder();
  let bytes = 0;
  // A line break inside the data would end the field; JSON texts have none that matters.
  const text = (data: string | undefined): string =>
    data === undefined ? "" : `data: ${data.replaceAll("\n", " ")}\n\n`;
  const event = (data: string): string => {
    checkJsonSize(data);
    return text(filter.event(data));
  };
  for await (const chunk of chunksOf(body)) {
    if ((bytes += chunk.length) > MAX_REPLY_BYTES) throw new RangeError("its answer is too large");
    const events = parser.push(chunk);
    if (events.length > 0) yield encoder.encode(events.map(event).join(""));
  }
  const rest = parser.end().map(event).join("") + text(filter.end?.());
  if (rest) yield encoder.encode(rest);
}

function toStream(body: AnswerBody, filter: EventFilter): ReadableStream<Uint8Array> {
  const chunks = filtered(body, filter);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      body.destroy();
    },
  });
}

function toHeaders(headers: Answer["headers"]): Headers {
  const out = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value ?? ""]) out.append(name, one);
  return out;
}

/** `body` with the fields of `extra`, which win; objects on both sides are merged. */
function merged(body: JsonObject, extra: JsonObject): JsonObject {
  const out = { ...body };
  for (const [key, value] of Object.entries(extra)) {
    const own = body[key];
    out[key] = isObject(own) && isObject(value) ? merged(own, value) : value;
  }
  return out;
}

/** The packages write no long integer as a number, so the platform's parser loses nothing. */
function withExtra(body: string, extra: JsonObject | undefined): string {
  return extra === undefined ? body : toJson(merged(JSON.parse(body) as JsonObject, extra));
}

/** A fetch for POSTs of JSON bodies, with further fields in them. Throws ProviderError for a status other than 2xx. */
export function createFetch(
  endpoint: Endpoint,
  extraBody: JsonObject | undefined,
  createFilter: () => EventFilter = () => EVERYTHING,
): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = decodeBigIntegersIn(withExtra(String(init?.body ?? ""), extraBody));
    const answer = await post({ url: new URL(String(input)), headers, body }, endpoint, signal);
    return new Response(toStream(answer.body, createFilter()), {
      status: answer.status,
      headers: toHeaders(answer.headers),
    });
  };
}
