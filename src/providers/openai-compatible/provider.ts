// OpenAI, and any server with its chat completions or its responses: Ollama, vLLM, llama.cpp, gateways. Written over undici,
// because these are the APIs most people use and the provider packages cost several times as much CPU for the same turn.
import type { OpenAiApi } from "../../config/openai-api.js";
import type { Answer } from "../../lib/http-exchange.js";
import { drain, endpointOf, isJsonAnswer, MAX_REPLY_BYTES, post, readAll } from "../http/client.js";
import type { Failures } from "../http/failure.js";
import { createSseParser } from "../http/sse.js";
import {
  abortedWith,
  type Delta,
  type Provider,
  type ProviderOptions,
  type Reply,
  type ReplyRequest,
  withUsage,
} from "../provider.js";
import { createApi } from "./api.js";

const DONE = "[DONE]";

/** The data of every event of a stream up to `[DONE]`, a list for each chunk of bytes. */
interface Events {
  push(piece: Buffer): string[];
  end(): string[];
  isDone(): boolean;
}

function createEvents(failures: Failures): Events {
  const parser = createSseParser();
  let seen = 0;
  let bytes = 0;
  let done = false;
  const untilDone = (list: string[]): string[] => {
    seen += list.length;
    if (done) return [];
    const at = list.findIndex((data) => data.trim() === DONE);
    done = at >= 0;
    return done ? list.slice(0, at) : list;
  };
  return {
    push(piece) {
      if ((bytes += piece.length) > MAX_REPLY_BYTES) throw new RangeError("its answer is too large");
      return untilDone(parser.push(piece));
    },
    end() {
      const rest = untilDone(parser.end());
      if (seen === 0) throw bytes === 0 ? failures.cut() : failures.unreadable("no event came");
      return rest;
    },
    isDone: () => done,
  };
}

/**
 * A provider that speaks `api` at `options.baseUrl`, or at `standard` without one. Throws StartError when there is no usable
 * address, or no key for `standard`. Makes one attempt per call.
 */
export function createOpenAiCompatible(
  options: ProviderOptions,
  { standard, api: apiName = "chat" }: { standard?: string | undefined; api?: OpenAiApi } = {},
): Provider {
  const endpoint = endpointOf(options, standard);
  const { base, failures } = endpoint;
  const { name, model, historyLimit, maxTools, toolTokens, resultBudget } = options;
  const api = createApi(apiName, options, { failures, isOpenAi: standard !== undefined });
  const url = new URL(`${base}/${api.path}`);
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
  const send = (request: ReplyRequest, signal: AbortSignal): Promise<Answer> =>
    post({ url, headers, body: api.bodyText(request) }, endpoint, signal);
  return {
    name,
    model,
    historyLimit,
    maxTools,
    toolTokens,
    resultBudget,
    // One generator without delegation: each step between a delta and its client costs CPU.
    async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
      signal.throwIfAborted();
      const reader = api.createReader();
      try {
        const answer = await send(request, signal).catch((error: unknown) => {
          if (api.adapts(error)) return send(request, signal);
          throw error;
        });
        const { body } = answer;
        const first = await body.read();
        if (isJsonAnswer(answer, first)) {
          const text = reader.whole(await readAll(body, first));
          if (text) yield { kind: "text", text };
          return reader.reply();
        }
        const events = createEvents(failures);
        const isOver = (): boolean => events.isDone() || reader.isEnded();
        try {
          // A connection that is lost behind the last word has lost nothing.
          const next = (): Promise<Buffer | undefined> =>
            body.read().catch((error: unknown) => {
              if (reader.isFinished() && !signal.aborted) return undefined;
              throw error;
            });
          for (let piece = first; piece; piece = await next()) {
            for (const data of events.push(piece)) {
              const text = reader.chunk(data);
              const thoughts = reader.thoughts();
              if (thoughts) yield { kind: "reasoning", text: thoughts };
              if (text) yield { kind: "text", text };
            }
            if (isOver()) break;
          }
          for (const data of isOver() ? [] : events.end()) {
            const text = reader.chunk(data);
            if (text) yield { kind: "text", text };
          }
          if (isOver()) await drain(body);
        } finally {
          body.destroy();
        }
        if (!events.isDone() && !reader.isFinished()) throw failures.cut();
        const rest = reader.rest();
        const thoughts = reader.thoughts();
        if (thoughts) yield { kind: "reasoning", text: thoughts };
        if (rest) yield { kind: "text", text: rest };
        return reader.reply();
      } catch (error) {
        throw signal.aborted ? abortedWith(signal, reader.usage()) : withUsage(failures.from(error), reader.usage());
      }
    },
  };
}
