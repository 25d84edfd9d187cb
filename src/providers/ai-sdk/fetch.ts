// The `fetch` the vendors' packages are given: the same undici request as everywhere, which costs a fraction of the global
// one. Failures become ProviderErrors; an abort or a cancelled body closes the vendor's socket.

import { type Answer, type AnswerBody, chunksOf } from "../../lib/http-exchange.js";
import { MAX_REPLY_BYTES, post } from "../http/client.js";
import type { Failures } from "../http/failure.js";
import { createSseParser } from "../http/sse.js";
import { decodeBigIntegersIn } from "./big-integers.js";

/** Rewrites the data of each server-sent event before the package sees it. */
type Rewrite = (data: string) => string;

async function* rewritten(body: AsyncIterable<Uint8Array>, rewrite: Rewrite): AsyncGenerator<Uint8Array, void, void> {
  const parser = createSseParser();
  const encoder = new TextEncoder();
  // A line break inside the data would end the field; JSON texts have none that matters.
  const event = (data: string): string => `data: ${rewrite(data).replaceAll("\n", " ")}\n\n`;
  for await (const chunk of body) {
    const events = parser.push(chunk);
    if (events.length > 0) yield encoder.encode(events.map(event).join(""));
  }
  const rest = parser.end();
  if (rest.length > 0) yield encoder.encode(rest.map(event).join(""));
}

function toStream(body: AnswerBody, rewrite: Rewrite | undefined): ReadableStream<Uint8Array> {
  const chunks = rewrite ? rewritten(chunksOf(body), rewrite) : chunksOf(body);
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      if ((bytes += value.length) > MAX_REPLY_BYTES) {
        body.destroy();
        throw new RangeError("its answer is too large");
      }
      controller.enqueue(value);
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

/** A fetch for POSTs of text bodies. Throws ProviderError for a status other than 2xx. */
export function createFetch(failures: Failures, rewrite?: Rewrite): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const headers = Object.fromEntries(new Headers(init?.headers));
    const call = { url: new URL(String(input)), headers, body: decodeBigIntegersIn(String(init?.body ?? "")) };
    const answer = await post(call, failures, signal);
    return new Response(toStream(answer.body, rewrite), {
      status: answer.status,
      headers: toHeaders(answer.headers),
    });
  };
}
