// Plays a file of replies instead of asking a model: for tests, demos and recordings. No network, no key.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import type { Message } from "../domain/message.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../lib/json.js";
import { toCalls } from "./calls.js";
import {
  type Delta,
  type Provider,
  ProviderError,
  type ProviderOptions,
  type Reply,
  type ReplyRequest,
} from "./provider.js";

const Json: z.ZodType<JsonObject> = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const ScriptedReply = z.strictObject({
  /** Streamed as one delta. */
  text: z.string().optional(),
  /** What the model thought aloud. */
  reasoning: z.string().optional(),
  /** Streamed one by one; wins over text. */
  deltas: z.array(z.string()).optional(),
  /** Arguments as text are taken as the model's raw text, which may be malformed. */
  calls: z
    .array(
      z.strictObject({
        id: z.string().optional(),
        name: z.string(),
        arguments: z.union([z.string(), Json]).optional(),
      }),
    )
    .optional(),
  /** Milliseconds before the first and between deltas. */
  delay_ms: z.number().min(0).optional(),
  /** Fails after the deltas instead of ending. */
  error: z.union([z.string(), z.strictObject({ message: z.string(), retryable: z.boolean().optional() })]).optional(),
  usage: z
    .strictObject({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cached_tokens: z.number().optional(),
      cache_write_tokens: z.number().optional(),
      reasoning_tokens: z.number().optional(),
    })
    .optional(),
  finish: z.enum(["stop", "tool_calls", "length", "content_filter", "other"]).optional(),
});
const ScriptedTurn = z.strictObject({ prompt: z.string(), replies: z.array(ScriptedReply).min(1) });
const ScriptFile = z.union([
  z.array(ScriptedReply),
  z.strictObject({
    replies: z.array(ScriptedReply).optional(),
    turns: z.array(ScriptedTurn).optional(),
    repeat: z.boolean().optional(),
  }),
]);

/** One reply of a script. */
export type ScriptedReply = z.infer<typeof ScriptedReply>;

interface Script {
  replies: ScriptedReply[];
  turns: z.infer<typeof ScriptedTurn>[];
  repeat: boolean;
}

async function readScript(file: string): Promise<Script> {
  let value: JsonValue;
  try {
    value = parseJson(await readFile(file, "utf8"));
  } catch (error) {
    throw new StartError(
      `The script ${file} cannot be read: ${messageOf(error)}. Correct it or the provider's "file".`,
      { cause: error },
    );
  }
  const parsed = ScriptFile.safeParse(value);
  if (!parsed.success) {
    throw new StartError(`The script ${file} is not a list of replies: ${z.prettifyError(parsed.error)}`);
  }
  if (Array.isArray(parsed.data)) return { replies: parsed.data, turns: [], repeat: false };
  const { replies = [], turns = [], repeat = false } = parsed.data;
  return { replies, turns, repeat };
}

/** The newest prompt, and the number of replies to it so far. */
function newestPrompt(messages: readonly Message[]): { prompt: string; answered: number } {
  const at = messages.findLastIndex((message) => message.role === "user");
  const prompt = messages[at];
  return {
    prompt: prompt?.role === "user" ? prompt.text.toLowerCase() : "",
    answered: messages.slice(at + 1).filter((message) => message.role === "assistant").length,
  };
}

/**
 * Plays `file`, read now. It holds either a list of replies, used in order, or an object:
 * `{ "turns": [{ "prompt": "list", "replies": [...] }], "replies": [...], "repeat": true }`. A prompt that contains a turn's
 * `prompt` (in any case) gets that turn's replies from its first on, in every session and after every restart; any other
 * takes the next of `replies`, which start over when `repeat` is true. A reply is
 * `{ "text" | "deltas", "calls": [{ "name", "arguments" }], "delay_ms", "error", "usage", "finish", "reasoning" }`, all
 * optional.
 * Throws StartError when the file cannot be read or is not such a script; a used-up script is a ProviderError.
 */
export async function createScripted(options: ProviderOptions & { file: string }): Promise<Provider> {
  const { name, model, historyLimit, maxTools, toolTokens, resultBudget, file } = options;
  const script = await readScript(file);
  let used = 0;

  const next = (request: ReplyRequest): ScriptedReply => {
    const { prompt, answered } = newestPrompt(request.messages);
    const turn = script.turns.find((one) => prompt.includes(one.prompt.toLowerCase()));
    const { length } = script.replies;
    const reply = turn
      ? turn.replies[answered]
      : script.replies[script.repeat && length > 0 ? used++ % length : used++];
    if (!reply) throw new ProviderError(`The script ${file} has no reply left. Add one, or "repeat": true.`);
    return reply;
  };

  async function* reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
    signal.throwIfAborted();
    const { text, deltas = text ? [text] : [], calls = [], delay_ms = 0, error, ...rest } = next(request);
    const wait = async (): Promise<void> => {
      if (delay_ms > 0) await sleep(delay_ms, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    };
    await wait();
    for (const [at, delta] of deltas.entries()) {
      if (at > 0) await wait();
      yield { kind: "text", text: delta };
    }
    const { usage } = rest;
    if (typeof error === "string") throw new ProviderError(error, { usage });
    if (error) throw new ProviderError(error.message, { retryable: error.retryable, usage });
    const made = toCalls(
      calls.map(({ id, name, arguments: args = {} }) => ({
        id,
        name,
        text: typeof args === "string" ? args : toJson(args),
      })),
    );
    return {
      text: deltas.join(""),
      calls: made,
      finish: rest.finish ?? (made.length > 0 ? "tool_calls" : "stop"),
      usage,
      reasoning: rest.reasoning,
    };
  }

  return { name, model, historyLimit, maxTools, toolTokens, resultBudget, reply };
}
