// Anthropic and Google through the AI SDK's provider packages, at the level of one streamed call. Each package is
// loaded at its first call. The packages know the APIs; connections and failures are ours.
import type { LanguageModelV3, LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json.js";
import { type RawCall, toCalls } from "../calls.js";
import { type Endpoint, endpointOf } from "../http/client.js";
import type { Failures } from "../http/failure.js";
import {
  type Delta,
  MAX_CALLS,
  type Provider,
  type ProviderOptions,
  type Reply,
  type ReplyRequest,
  tokenCount,
  type Usage,
} from "../provider.js";
import { decodeBigIntegersIn } from "./big-integers.js";
import { createFetch } from "./fetch.js";
import { toGoogleEvent } from "./google-event.js";
import { type MessageMeta, type Notes, toFunctionTool, toPrompt } from "./prompt.js";

/** The vendors reached through a package of theirs. */
export type Vendor = "anthropic" | "google";

const STANDARD: Record<Vendor, string> = {
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/** Stands in for a key at an address that needs none; the packages insist on one. */
const NO_KEY = "none";

async function loadModel(
  vendor: Vendor,
  { model, apiKey = NO_KEY, headers = {} }: ProviderOptions,
  { base, failures }: Endpoint,
): Promise<LanguageModelV3> {
  const settings = { apiKey, baseURL: base, headers };
  switch (vendor) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...settings, fetch: createFetch(failures) })(model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ ...settings, fetch: createFetch(failures, toGoogleEvent) })(model);
    }
    default:
      return vendor satisfies never;
  }
}

function finishOf({ unified }: LanguageModelV3FinishReason, hasCalls: boolean): Reply["finish"] {
  if (unified === "content-filter") return "content_filter";
  if (unified === "tool-calls") return "tool_calls";
  if (unified === "stop") return hasCalls ? "tool_calls" : "stop";
  return unified === "length" ? "length" : "other";
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  return { input_tokens: tokenCount(inputTokens.total), output_tokens: tokenCount(outputTokens.total) };
}

/** What a stream holds besides its text. */
interface Collected {
  text: string;
  calls: RawCall[];
  reasoning: Map<string, { text: string; notes: JsonObject }>;
  notes: JsonObject | undefined;
  end: { finish: LanguageModelV3FinishReason; usage: LanguageModelV3Usage } | undefined;
}

function toReply(collected: Collected, failures: Failures): Reply {
  // The packages report a cut connection as a finish without a reason.
  if (!collected.end || collected.end.finish.raw === undefined) throw failures.cut();
  const calls = toCalls(collected.calls);
  const signed = [...collected.reasoning.values()].filter(({ notes }) => Object.keys(notes).length > 0);
  const meta: MessageMeta = {
    ...(signed.length > 0 && { reasoning: signed }),
    ...(collected.notes && { notes: collected.notes }),
  };
  return {
    text: collected.text,
    calls,
    usage: usageOf(collected.end.usage),
    finish: finishOf(collected.end.finish, calls.length > 0),
    meta: Object.keys(meta).length > 0 ? (meta as JsonObject) : undefined,
  };
}

const jsonNotes = (notes: Notes | undefined): JsonObject => (notes ?? {}) as JsonObject;

async function* readStream(
  stream: Awaited<ReturnType<LanguageModelV3["doStream"]>>["stream"],
  failures: Failures,
): AsyncGenerator<Delta, Reply, void> {
  const collected: Collected = { text: "", calls: [], reasoning: new Map(), notes: undefined, end: undefined };
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) return toReply(collected, failures);
      switch (part.type) {
        case "text-delta":
        case "text-end":
          if (part.providerMetadata) collected.notes = { ...collected.notes, ...jsonNotes(part.providerMetadata) };
          if (part.type === "text-end" || part.delta === "") break;
          collected.text += part.delta;
          yield { kind: "text", text: part.delta };
          break;
        case "reasoning-start":
        case "reasoning-delta":
        case "reasoning-end": {
          const thought = collected.reasoning.get(part.id) ?? { text: "", notes: {} };
          if (part.type === "reasoning-delta") thought.text += part.delta;
          Object.assign(thought.notes, jsonNotes(part.providerMetadata));
          collected.reasoning.set(part.id, thought);
          break;
        }
        case "tool-call": {
          if (collected.calls.length > MAX_CALLS) break;
          const meta = part.providerMetadata && { notes: jsonNotes(part.providerMetadata) };
          collected.calls.push({
            id: part.toolCallId,
            name: part.toolName,
            text: decodeBigIntegersIn(part.input),
            meta,
          });
          break;
        }
        case "finish":
          collected.end = { finish: part.finishReason, usage: part.usage };
          break;
        case "error":
          throw part.error instanceof Error ? failures.from(part.error) : failures.reported(part.error);
      }
    }
  } finally {
    // Also after an early return: this closes the vendor's socket. Nothing happens when all was read.
    void reader.cancel().catch(() => {});
  }
}

/** A provider for one vendor. Throws StartError without a key for the vendor's own address. Makes one attempt per call. */
export function createAiSdk(vendor: Vendor, options: ProviderOptions): Provider {
  const { name, model, historyLimit, maxTools, toolTokens, resultBudget } = options;
  const endpoint = endpointOf(options, STANDARD[vendor]);
  const { failures } = endpoint;
  let loading: Promise<LanguageModelV3> | undefined;

  async function* reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
    signal.throwIfAborted();
    try {
      loading ??= loadModel(vendor, options, endpoint);
      const language = await loading;
      const { stream } = await language.doStream({
        prompt: toPrompt(request),
        tools: request.tools.length > 0 ? request.tools.map(toFunctionTool) : undefined,
        abortSignal: signal,
      });
      return yield* readStream(stream, failures);
    } catch (error) {
      throw signal.aborted ? signal.reason : failures.from(error);
    }
  }

  return { name, model, historyLimit, maxTools, toolTokens, resultBudget, reply };
}
