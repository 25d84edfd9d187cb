// Any server that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, gateways. Written by hand over undici, because
// this is the wire most people use and the provider packages cost several times as much for the same turn.

import type { Failures } from "./failure.js";
import { endpointOf, MAX_REPLY_BYTES, post, readAll, type VendorAnswer } from "./http.js";
import { bodyText } from "./openai-body.js";
import { createReplyReader } from "./openai-reply.js";
import type { Delta, Provider, ProviderOptions, Reply, ReplyRequest } from "./provider.js";
import { createSseParser } from "./sse.js";

const DONE = "[DONE]";

function isWhole(answer: VendorAnswer): boolean {
  return String(answer.headers["content-type"] ?? "").startsWith("application/json");
}

async function* readStream(answer: VendorAnswer, failures: Failures): AsyncGenerator<Delta, Reply, void> {
  const reader = createReplyReader(failures);
  if (isWhole(answer)) {
    const text = reader.whole(await readAll(answer.body));
    if (text) yield { kind: "text", text };
    return reader.reply();
  }
  const parser = createSseParser();
  let events = 0;
  let bytes = 0;
  let done = false;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if ((bytes += chunk.length) > MAX_REPLY_BYTES) throw new RangeError("its answer is too large");
    for (const data of parser.push(chunk)) {
      events++;
      if (data === DONE) done = true;
      if (done) continue;
      const text = reader.chunk(data);
      if (text) yield { kind: "text", text };
    }
  }
  for (const data of parser.end()) {
    events++;
    if (data === DONE) done = true;
    else if (!done) {
      const text = reader.chunk(data);
      if (text) yield { kind: "text", text };
    }
  }
  if (events === 0) throw bytes === 0 ? failures.cut() : failures.unreadable("no event came");
  if (!done && !reader.finished) throw failures.cut();
  return reader.reply();
}

/** A provider for `options.baseUrl`. Throws StartError when there is no usable address. Makes one attempt a call. */
export function createOpenAiCompatible(options: ProviderOptions): Provider {
  const { base, failures } = endpointOf(options);
  const { name, model, historyLimit, maxTools, resultBudget } = options;
  const url = `${base}/chat/completions`;
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
  return {
    name,
    model,
    historyLimit,
    maxTools,
    resultBudget,
    async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
      signal.throwIfAborted();
      try {
        const answer = await post({ url, headers, body: bodyText(model, request) }, failures, signal);
        return yield* readStream(answer, failures);
      } catch (error) {
        throw signal.aborted ? signal.reason : failures.from(error);
      }
    },
  };
}
