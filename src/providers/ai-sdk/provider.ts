// Anthropic and Google through the AI SDK's provider packages, at the level of one streamed call. Each package is
// loaded at its first call. The packages know the APIs; connections and failures are ours.
import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { tokenCounts } from "../../domain/usage.js";
import type { JsonObject } from "../../lib/json.js";
import { createSlices } from "../../lib/slices.js";
import { type RawCall, toCalls } from "../calls.js";
import { withInstructions } from "../conversation.js";
import { type Endpoint, endpointOf } from "../http/client.js";
import type { Failures } from "../http/failure.js";
import {
  abortedWith,
  type Delta,
  MAX_CALLS,
  type Provider,
  type ProviderOptions,
  type Reply,
  type ReplyRequest,
  tokenCount,
  tokenCountIfAny,
  type Usage,
  withUsage,
} from "../provider.js";
import { createAnthropicEvents } from "./anthropic-event.js";
import { decodeBigIntegersIn } from "./big-integers.js";
import { withMarkedSystem, withMarkedTools } from "./cache-marks.js";
import { countsIn, usageOfCounts } from "./counts.js";
import { createFetch } from "./fetch.js";
import { createGoogleEvents } from "./google-event.js";
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
  { model, apiKey = NO_KEY, isBearer = false, headers = {}, extraBody }: ProviderOptions,
  endpoint: Endpoint,
): Promise<LanguageModelV3> {
  const settings = { baseURL: endpoint.base, headers };
  switch (vendor) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const key = isBearer ? { authToken: apiKey } : { apiKey };
      return createAnthropic({ ...settings, ...key, fetch: createFetch(endpoint, extraBody, createAnthropicEvents) })(
        model,
      );
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({
        ...settings,
        apiKey,
        fetch: createFetch(endpoint, extraBody, createGoogleEvents),
      })(model);
    }
    default:
      return vendor satisfies never;
  }
}

/** Anthropic's own tools append `/v1` to an address, so gateways are named without it; with it an address works, too. */
function withVersion(vendor: Vendor, endpoint: Endpoint): Endpoint {
  if (vendor !== "anthropic" || /\/v\d\w*$/.test(endpoint.base)) return endpoint;
  return { ...endpoint, base: `${endpoint.base}/v1` };
}

/** What each package is told beside the call: `reasoning_effort` where it takes it. */
function packageOptions(vendor: Vendor, effort: string | undefined): SharedV3ProviderOptions {
  // Calls are made once they are whole, and gateways refuse tools with a field for more than that.
  if (vendor === "anthropic") return { anthropic: { toolStreaming: false, ...(effort && { effort }) } };
  return effort ? { google: { thinkingConfig: { thinkingLevel: effort } } } : {};
}

function finishOf({ unified, raw }: LanguageModelV3FinishReason, hasCalls: boolean): Reply["finish"] {
  // The package takes a pause of Anthropic's own tools for an end.
  if (raw === "pause_turn") return "other";
  if (unified === "content-filter") return "content_filter";
  if (unified === "tool-calls") return "tool_calls";
  if (unified === "stop") return hasCalls ? "tool_calls" : "stop";
  return unified === "length" ? "length" : "other";
}

/** The packages make the totals include what is cached and what is thought. Zero is said where a vendor says nothing. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  return tokenCounts({
    input_tokens: tokenCount(inputTokens.total),
    output_tokens: tokenCount(outputTokens.total),
    cached_tokens: tokenCountIfAny(inputTokens.cacheRead || undefined),
    cache_write_tokens: tokenCountIfAny(inputTokens.cacheWrite || undefined),
    reasoning_tokens: tokenCountIfAny(outputTokens.reasoning || undefined),
  });
}

/** What a stream holds besides its text. */
interface Collected {
  text: string;
  calls: RawCall[];
  reasoning: Map<string, { text: string; notes: JsonObject }>;
  notes: JsonObject | undefined;
  end: { finish: LanguageModelV3FinishReason; usage: LanguageModelV3Usage } | undefined;
  /** The fields of every count of tokens that came, as the vendor calls them. */
  counts: JsonObject;
}

function toReply(collected: Collected, failures: Failures): Reply {
  // The packages report a cut connection as a finish without a reason.
  if (!collected.end || collected.end.finish.raw === undefined) throw failures.cut();
  const { raw, unified } = collected.end.finish;
  // Google's model wrote a call that cannot be read; the next attempt mostly does better.
  if (unified === "error") throw failures.reported({ message: `the answer ended with ${raw}`, type: "server_error" });
  const calls = toCalls(collected.calls);
  const finish = finishOf(collected.end.finish, calls.length > 0);
  if (finish === "tool_calls" && calls.length === 0 && collected.text === "") throw failures.noCall();
  const signed = [...collected.reasoning.values()].filter(({ notes }) => Object.keys(notes).length > 0);
  const thoughts = [...collected.reasoning.values()].map(({ text }) => text).filter((text) => text !== "");
  const meta: MessageMeta = {
    ...(signed.length > 0 && { reasoning: signed }),
    ...(collected.notes && { notes: collected.notes }),
  };
  return {
    text: collected.text,
    calls,
    usage: usageOf(collected.end.usage),
    finish,
    stopReason: finish === "other" ? raw : undefined,
    meta: Object.keys(meta).length > 0 ? (meta as JsonObject) : undefined,
    reasoning: thoughts.length > 0 ? thoughts.join("\n\n") : undefined,
  };
}

const jsonNotes = (notes: Notes | undefined): JsonObject => (notes ?? {}) as JsonObject;

async function* readStream(
  stream: Awaited<ReturnType<LanguageModelV3["doStream"]>>["stream"],
  collected: Collected,
  failures: Failures,
): AsyncGenerator<Delta, Reply, void> {
  const reader = stream.getReader();
  // Parts that are no delta come in bursts, too.
  const slices = createSlices();
  try {
    for (;;) {
      if (slices.isOver()) await slices.pause();
      const { done, value: part } = await reader.read();
      if (done) return toReply(collected, failures);
      switch (part.type) {
        case "raw":
          Object.assign(collected.counts, countsIn(part.rawValue));
          break;
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
          if (part.type === "reasoning-delta" && part.delta !== "") yield { kind: "reasoning", text: part.delta };
          break;
        }
        case "tool-call": {
          // What a tool of the vendor's own did is done.
          if (part.providerExecuted || collected.calls.length > MAX_CALLS) break;
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
  const endpoint = withVersion(vendor, endpointOf(options, STANDARD[vendor]));
  const { failures } = endpoint;
  const { temperature, maxTokens: maxOutputTokens } = options;
  const providerOptions = packageOptions(vendor, options.reasoningEffort);
  const marksCache = vendor === "anthropic" && options.promptCache !== false;
  let loading: Promise<LanguageModelV3> | undefined;

  async function* reply(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<Delta, Reply, void> {
    signal.throwIfAborted();
    const collected: Collected = {
      text: "",
      calls: [],
      reasoning: new Map(),
      notes: undefined,
      end: undefined,
      counts: {},
    };
    try {
      loading ??= loadModel(vendor, options, endpoint);
      const language = await loading;
      const prompt = toPrompt(withInstructions(request, options.system));
      const tools = request.tools.map(toFunctionTool);
      const { stream } = await language.doStream({
        prompt: marksCache ? withMarkedSystem(prompt) : prompt,
        tools: tools.length === 0 ? undefined : marksCache ? withMarkedTools(tools) : tools,
        abortSignal: signal,
        includeRawChunks: true,
        temperature,
        maxOutputTokens,
        providerOptions,
      });
      return yield* readStream(stream, collected, failures);
    } catch (error) {
      const counted = usageOfCounts(collected.counts);
      throw signal.aborted ? abortedWith(signal, counted) : withUsage(failures.from(error), counted);
    }
  }

  return { name, model, historyLimit, maxTools, toolTokens, resultBudget, reply };
}
