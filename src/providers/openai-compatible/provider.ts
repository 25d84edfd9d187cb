// OpenAI, and any server with its chat completions: Ollama, vLLM, llama.cpp, gateways. Written over undici, because this is the
// API most people use and the provider packages cost several times as much CPU for the same turn.
import type { Answer, AnswerBody } from "../../lib/http-exchange.js";
import { endpointOf, MAX_REPLY_BYTES, post, readAll } from "../http/client.js";
import type { Failures } from "../http/failure.js";
import { createSseParser } from "../http/sse.js";
import type { Delta, Provider, ProviderOptions, Reply, ReplyRequest } from "../provider.js";
import { bodyText } from "./body.js";
import { createReplyReader } from "./reply.js";

const DONE = "[DONE]";
/** Time for an answer to end after `[DONE]`, so that its connection can be used again. */
const END_MS = 100;

function isWhole(answer: Answer): boolean {
  return String(answer.headers["content-type"] ?? "").startsWith("application/json");
}

/** The data of every event of a stream up to `[DONE]`, a list for each chunk of bytes. */
interface Events {
  push(piece: Buffer): string[];
  end(): string[];
  readonly done: boolean;
}

function createEvents(failures: Failures): Events {
  const parser = createSseParser();
  let seen = 0;
  let bytes = 0;
  let done = false;
  const untilDone = (list: string[]): string[] => {
    seen += list.length;
    if (done) return [];
    const at = list.indexOf(DONE);
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
    get done() {
      return done;
    },
  };
}

/** Reads what follows the end of an answer; a server that holds its stream open loses the connection. */
async function drain(body: AnswerBody): Promise<void> {
  const timer = setTimeout(() => body.destroy(), END_MS);
  try {
    while (await body.read());
  } catch {
    // The answer was complete; how its stream ends changes nothing.
  } finally {
    clearTimeout(timer);
  }
}

/** Where OpenAI itself is reached. */
export const OPENAI_URL = "https://api.openai.com/v1";

/**
 * A provider for `options.baseUrl`, or `standard` without one. Throws StartError when there is no usable address, or no key for
 * `standard`. Makes one attempt per call.
 */
export function createOpenAiCompatible(options: ProviderOptions, standard?: string): Provider {
  const { base, failures } = endpointOf(options, standard);
  const { name, model, historyLimit, maxTools, toolTokens, resultBudget } = options;
  const url = new URL(`${base}/chat/completions`);
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
    toolTokens,
    resultBudget,
    // One generator without delegation: each step between a delta and its client costs CPU.
    async *reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
      signal.throwIfAborted();
      try {
        const answer = await post({ url, headers, body: bodyText(model, request) }, failures, signal);
        const reader = createReplyReader(failures);
        if (isWhole(answer)) {
          const text = reader.whole(await readAll(answer.body));
          if (text) yield { kind: "text", text };
          return reader.reply();
        }
        const { body } = answer;
        const events = createEvents(failures);
        try {
          for (let piece = await body.read(); piece; piece = await body.read()) {
            for (const data of events.push(piece)) {
              const text = reader.chunk(data);
              if (text) yield { kind: "text", text };
            }
            if (events.done) break;
          }
          for (const data of events.done ? [] : events.end()) {
            const text = reader.chunk(data);
            if (text) yield { kind: "text", text };
          }
          if (events.done) await drain(body);
        } finally {
          body.destroy();
        }
        if (!events.done && !reader.finished) throw failures.cut();
        return reader.reply();
      } catch (error) {
        throw signal.aborted ? signal.reason : failures.from(error);
      }
    },
  };
}
