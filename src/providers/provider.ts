// The interface to a model: messages and tools in, text deltas out, a complete reply at the end. A provider knows its
// vendor's API and nothing of the execution of tools, sessions or policy.

import type { Message, ToolCall } from "../domain/message.js";
import type { Tool } from "../domain/tool.js";
import type { JsonObject } from "../lib/json.js";

/** One call to the model. */
export interface ReplyRequest {
  system: string;
  /** Already trimmed and repaired: every tool call is followed by its answer. */
  messages: readonly Message[];
  tools: readonly Tool[];
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

/** A piece of the reply's text, as it arrives. */
export interface Delta {
  kind: "text";
  text: string;
}

/** Tokens counted by the vendor, whole numbers; 0 where it does not say. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
}

/** A vendor's count of tokens as a whole number; 0 for what is none. */
export function tokenCount(given: unknown): number {
  return Number.isSafeInteger(given) ? Math.max(0, given as number) : 0;
}

/** A complete reply. `text` is exactly the deltas joined when any were yielded. */
export interface Reply {
  text: string;
  calls: ToolCall[];
  usage?: Usage;
  /** Why the model stopped; `length` and `content_filter` become a message for the person. */
  finish: "stop" | "tool_calls" | "length" | "content_filter" | "other";
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
  /** Whether a person confirms each of its calls that change something, whatever the modes. */
  readonly confirmsChanges?: boolean;
  /**
   * One call to the model. Yields text as it arrives, returns the whole reply.
   * Throws ProviderError on failure and the signal's reason when aborted; an abort reaches the vendor's socket at once.
   */
  reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void>;
}

/** A model call that failed. `message` is fit for a person and holds no secret. */
export class ProviderError extends Error {
  /** Whether the same call may work a moment later (429, 5xx, connection failures). */
  readonly retryable: boolean;
  /** Milliseconds the vendor asked to wait, when it did. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "ProviderError";
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a provider is made of, from the configuration, secrets resolved. */
export interface ProviderOptions {
  name: string;
  model: string;
  baseUrl?: string;
  apiKey?: string;
  headers?: Record<string, string>;
  /** Removes the secrets of the whole configuration from what is quoted of a vendor; its own key and headers always go. */
  redact?: (text: string) => string;
  historyLimit: number;
  maxTools: number;
  toolTokens?: number;
  resultBudget: number;
  /** One model call, from the request to the last byte. */
  timeoutMs: number;
  /** Extra attempts after a retryable failure before anything was streamed. */
  maxRetries: number;
}
