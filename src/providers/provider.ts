// The interface to a model: messages and tools in, text deltas out, a complete reply at the end. A provider knows its
// vendor's API and nothing of the execution of tools, sessions or policy.

import type { OpenAiApi } from "../config/openai-api.js";
import type { Message, ToolCall } from "../domain/message.js";
import type { LocalTime } from "../domain/time-zone.js";
import type { Tool } from "../domain/tool.js";
import type { TokenCounts } from "../domain/usage.js";
import type { JsonObject } from "../lib/json.js";
import type { PrintedSecrets } from "./printed-secrets.js";

/** One call to the model. */
export interface ReplyRequest {
  system: string;
  /** Already trimmed and repaired: every tool call is followed by its answer. */
  messages: readonly Message[];
  tools: readonly Tool[];
  /** When the prompt was made, where the person is. It changes all the time, so it goes behind the prompt and not before it. */
  now?: LocalTime;
  /** How many replies the turn may still have, this one counted; for what plans them ahead. */
  repliesLeft?: number;
  /** Puts a prompt into the words of the applications; for what cannot be told them in the instructions. */
  translate?(prompt: string): string;
}

/**
 * Calls of one reply that are made: more than a task needs at once, and few enough for a model that has gone wrong. An adapter
 * need not keep more than one beyond; that one is where the model reads that it asked for too many.
 */
export const MAX_CALLS = 64;

/**
 * Characters of one reply's text, of the arguments of its calls together, and of what the vendor wants back: several times
 * what any model writes, and still something a session can carry on with.
 */
export const MAX_REPLY_CHARS = 1024 * 1024;

/** A piece of the reply's text or of what the model thinks aloud, as it arrives; or a notice for a person. */
export interface Delta {
  kind: "text" | "reasoning" | "notice";
  text: string;
}

/** Tokens counted by the vendor, whole numbers; 0 where it does not say. */
export type Usage = TokenCounts;

/** A vendor's count of tokens as a whole number; 0 for what is none. */
export function tokenCount(given: unknown): number {
  return Number.isSafeInteger(given) ? Math.max(0, given as number) : 0;
}

/** A count that a vendor need not give: missing where it is none. */
export function tokenCountIfAny(given: unknown): number | undefined {
  return given === undefined || given === null ? undefined : tokenCount(given);
}

/** A complete reply. `text` is exactly the deltas of kind `text` joined when any were yielded. */
export interface Reply {
  text: string;
  calls: ToolCall[];
  usage?: Usage;
  /** Why the model stopped; all but `stop`, and `tool_calls` with its calls, become a message for the person. */
  finish: "stop" | "tool_calls" | "length" | "content_filter" | "other";
  /** The vendor's word for `other`, where it has one. */
  stopReason?: string | undefined;
  /** What the model thought aloud, for a person to read; no part of the text. */
  reasoning?: string;
  /** Opaque, stored with the assistant message and handed back on the next call. */
  meta?: JsonObject;
}

/** A model behind one vendor's interface. */
export interface Provider {
  /** The name it has in the configuration. */
  readonly name: string;
  readonly model: string;
  /** Messages of a session that are sent to the model. */
  readonly historyLimit: number;
  /** With more tools than this, the best-matching ones and `search_tools` are offered to the model. */
  readonly maxTools: number;
  /** Tokens the definitions of all tools may take together, by estimate; no limit when missing. */
  readonly toolTokens?: number;
  /** Characters of one tool result that are sent to the model. */
  readonly resultBudget: number;
  /** Tokens beyond which its server cuts a request without a word, once that is known: an Ollama does. */
  readonly cutAt?: number | undefined;
  /** Whether a person confirms each of its calls that change something, whatever the modes. */
  readonly confirmsChanges?: boolean;
  /** Whether its replies cost nothing, because no model gives them: no limit on model calls counts them. */
  readonly asksNoModel?: boolean;
  /**
   * Before a turn: finds out what the model takes in where its server has to be asked, for a second at most; `toolTokens` and
   * `resultBudget` may be less then. Never throws.
   */
  prepare?(signal: AbortSignal): Promise<void>;
  /**
   * One call to the model. Yields text as it arrives, returns the whole reply.
   * Throws ProviderError on failure, and what `abortedWith` says when aborted; an abort reaches the vendor's socket at once.
   */
  reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void>;
}

/** A model call that failed. `message` is fit for a person and holds no secret. */
export class ProviderError extends Error {
  /** Whether the same call may work a moment later (429, 5xx, connection failures). */
  readonly retryable: boolean;
  /** Milliseconds the vendor asked to wait, when it did. */
  readonly retryAfterMs: number | undefined;
  /** Whether the conversation is longer than the model's context. */
  readonly overflows: boolean;
  /** What the vendor counted all the same, by all attempts. */
  usage: Usage | undefined;

  constructor(
    message: string,
    options: {
      retryable?: boolean | undefined;
      retryAfterMs?: number | undefined;
      overflows?: boolean | undefined;
      usage?: Usage | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ProviderError";
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.overflows = options.overflows ?? false;
    this.usage = options.usage;
  }
}

/** The failure with what the vendor had counted by then. */
export function withUsage(error: ProviderError, usage: Usage | undefined): ProviderError {
  error.usage = usage;
  return error;
}

/**
 * What an aborted call throws: the signal's reason, or, where the vendor had counted by then, a ProviderError with the count,
 * whose cause is the reason unless it is one itself.
 */
export function abortedWith({ reason }: AbortSignal, usage: Usage | undefined): unknown {
  if (usage === undefined) return reason;
  const error = reason instanceof ProviderError ? reason : new ProviderError("the call was ended", { cause: reason });
  return withUsage(error, usage);
}

/** What a provider is made of, from the configuration, secrets resolved. */
export interface ProviderOptions {
  name: string;
  model: string;
  baseUrl?: string;
  /** Which of OpenAI's APIs; by the address when missing. */
  api?: OpenAiApi;
  apiKey?: string;
  /** The key goes into `Authorization: Bearer`, where that is not the vendor's own way. */
  isBearer?: boolean;
  headers?: Record<string, string>;
  /** What commands print, in place of what stands in key and headers for it. */
  secrets?: PrintedSecrets;
  /** Added to the address of every call. */
  query?: Record<string, string>;
  /** Instructions after the daemon's own. */
  system?: string;
  temperature?: number;
  maxTokens?: number;
  /** In the vendor's words. */
  reasoningEffort?: string;
  /** Tokens the model takes in. */
  contextTokens?: number;
  /** The same for single models, by their names. */
  contexts?: Readonly<Record<string, number>>;
  /** Fields of the request body; none that an adapter writes itself. */
  extraBody?: JsonObject;
  /** Whether OpenAI's `stream_options` is sent; it is unless this is false. */
  streamOptions?: boolean;
  /** Whether the vendor's cache is told what to keep; it is unless this is false. */
  promptCache?: boolean;
  /** Removes the secrets of the whole configuration from what is quoted of a vendor; its own key and headers always go. */
  redact?: (text: string) => string;
  historyLimit: number;
  maxTools: number;
  toolTokens?: number;
  resultBudget: number;
  /** One model call, from the request to the last byte. */
  timeoutMs: number;
  /** Silence of the vendor that ends a call, in milliseconds; any number without it. */
  idleTimeoutMs?: number;
  /** Extra attempts after a retryable failure before anything was streamed. */
  maxRetries: number;
}
