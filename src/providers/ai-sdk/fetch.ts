// The `fetch` the vendors' packages are given: the same undici request as everywhere, which costs a fraction of the global
// one, and the same limits on events, which the packages parse whatever their size. Failures become ProviderErrors; an abort or
// a cancelled body closes the vendor's socket.
import type { Answer, AnswerBody } from "../../lib/http-exchange.js";
import { checkJsonSize, isObject, type JsonObject, jsonOrText, objectOf, toJson } from "../../lib/json.js";
import { drain, type Endpoint, isJsonAnswer, MAX_REPLY_BYTES, post, readAll } from "../http/client.js";
import { createSseParser } from "../http/sse.js";
import { decodeBigIntegersIn } from "./big-integers.js";

/** What the package sees of the data of server-sent events. */
export interface EventFilter {
  /** An event as those that stand for it. */
  event(data: string): string[];
  /** Whether the reply is whole by now, however its stream ends. */
  isComplete(): boolean;
  /** Whether nothing of the reply can follow. */
  isOver?(): boolean;
  /** What follows the last event. */
  end?(): string | undefined;
}

/** A stream to be read. */
interface Unread {
  body: AnswerBody;
  /** What has been read of it. */
  first: Buffer | undefined;
  signal: AbortSignal;
}

/** An event of a stream. A line break inside the data would end the field; JSON texts have none that matters. */
const eventText = (data: string): string => `data: ${data.replaceAll("\n", " ")}\n\n`;

/** The events of a stream, each filtered. Throws ProviderError for none, RangeError and SyntaxError for what is too large to be read. */
async function* filtered(
  { body, first, signal }: Unread,
  filter: EventFilter,
  { unreadable }: Endpoint["failures"],
): AsyncGenerator<Uint8Array, void, void> {
  const parser = createSseParser();
  const encoder = new TextEncoder();
  let bytes = 0;
  let seen = 0;
  const event = (data: string): string => {
    seen++;
    checkJsonSize(data);
    return filter.event(data).map(eventText).join("");
  };
  // A connection that is lost behind the last word has lost nothing.
  const next = async (): Promise<Buffer | undefined> =>
    body.read().catch((error: unknown) => {
      if (filter.isComplete() && !signal.aborted) return undefined;
      throw error;
    });
  try {
    for (let chunk = first; chunk; chunk = await next()) {
      if ((bytes += chunk.length) > MAX_REPLY_BYTES) throw new RangeError("its answer is too large");
      const events = parser.push(chunk).map(event).join("");
      if (events) yield encoder.encode(events);
      if (filter.isOver?.()) return await drain(body);
    }
    const end = filter.end?.();
    const rest = parser.end().map(event).join("") + (end === undefined ? "" : eventText(end));
    if (seen === 0 && bytes > 0) throw unreadable("no event came");
    if (rest) yield encoder.encode(rest);
  } finally {
    body.destroy();
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array, void, void>, body: AnswerBody): ReadableStream<Uint8Array> {
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

/**
 * The events that stand for an answer that is one JSON text: a whole reply, or a list of all events of one. Throws ProviderError for
 * an error with the status of a success, and for what was not asked for.
 */
function wholeAnswer(text: string, filter: EventFilter, { reported, unreadable }: Endpoint["failures"]): string {
  const value = jsonOrText(text);
  const parts = Array.isArray(value) ? value : [value];
  const failed = parts.map((part) => objectOf(part)["error"]).find(Boolean);
  if (failed) throw reported(failed);
  const events = parts.flatMap((part) => filter.event(toJson(part)));
  if (!filter.isComplete()) throw unreadable(text);
  return events.map(eventText).join("");
}

/** A fetch for POSTs of JSON bodies, with further fields in them. Throws ProviderError for a status other than 2xx. */
export function createFetch(
  endpoint: Endpoint,
  extraBody: JsonObject | undefined,
  createFilter: () => EventFilter,
): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = decodeBigIntegersIn(withExtra(String(init?.body ?? ""), extraBody));
    const answer = await post({ url: new URL(String(input)), headers, body }, endpoint, signal);
    const first = await answer.body.read();
    const filter = createFilter();
    const { failures } = endpoint;
    const events = isJsonAnswer(answer, first)
      ? wholeAnswer(await readAll(answer.body, first), filter, failures)
      : toStream(filtered({ body: answer.body, first, signal }, filter, failures), answer.body);
    return new Response(events, { status: answer.status, headers: toHeaders(answer.headers) });
  };
}
