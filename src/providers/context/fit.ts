// Requests of one model fitted into its context: before they are sent, and once more when the vendor says that they are too long.
// What is left out is told in sentences for a person.
import type { Message } from "../../domain/message.js";
import { counted } from "../../lib/plural.js";
import type { ReplyRequest, Usage } from "../provider.js";
import { tokensOfMessages, tokensOfRest } from "./estimate.js";
import { leaveOut, type Shortened } from "./leave-out.js";
import type { Window } from "./window.js";

/** Of the context, at least this share is left for the reply, and no more than MAX_REPLY_TOKENS unless the operator says so. */
const REPLY_SHARE = 1 / 4;
const MAX_REPLY_TOKENS = 4_096;
/** Definitions of tools and a single result take at most this share each: instructions, conversation and reply need the rest. */
const PART_SHARE = 1 / 4;
const LEAST_TOOL_TOKENS = 500;
/** Characters of a result for each token of its share. */
const CHARS_A_TOKEN = 4;
/** A vendor's count is compared with the estimate where there is enough to be compared, and believed within reason. */
const LEAST_COMPARED = 500;
const MAX_FACTOR = 3;
/** What a vendor refused was longer than this much of it, as far as one can tell. */
const REFUSED_SHARE = 0.8;
/** So long it counts: gateways choose among models, servers are started with more, and some refuse for a minute's tokens. */
const REFUSED_MS = 60 * 60_000;
/** The second attempt: half of what was refused, so that an estimate which is far off still fits. */
const SECOND_SHARE = 0.5;
/** Contexts that people give an Ollama, in tokens. */
const USUAL_CONTEXTS = [8_192, 16_384, 32_768, 65_536, 131_072, 262_144];

/** A request as it can be sent. */
export interface Fitted {
  request: ReplyRequest;
  /** What was left out, when it has not been said of this prompt yet. */
  notice?: string;
}

/** Fits the requests of one model. */
export interface ContextFit {
  readonly toolTokens: number | undefined;
  readonly resultBudget: number;
  readonly cutAt: number | undefined;
  prepare(signal: AbortSignal): Promise<void>;
  fit(request: ReplyRequest): Fitted;
  /** After the vendor said that this request is too long: a shorter one, or undefined when nothing can be left out. */
  shorten(sent: ReplyRequest): Fitted | undefined;
  /** After a reply: compares the vendor's count with the estimate. What it returns is for a person to know. */
  check(sent: ReplyRequest, usage: Usage | undefined, signal: AbortSignal): Promise<string | undefined>;
}

/** What the operator allows at most, whatever the context. */
interface Limits {
  model: string;
  /** The provider's own instructions. */
  system?: string;
  maxTokens?: number;
  toolTokens?: number;
  resultBudget: number;
}

const inWords = (tokens: number): string => String(Math.round(tokens)).replace(/\B(?=(\d{3})+$)/g, ",");

function leftOut({ turns, results }: Pick<Shortened, "turns" | "results">): string {
  const parts = [
    ...(turns > 0 ? [turns === 1 ? "the oldest turn" : `the oldest ${turns} turns`] : []),
    ...(results > 0 ? [`${counted(results, "earlier result")} of this turn`] : []),
  ];
  return `${parts.join(" and ")} ${turns + results > 1 ? "were" : "was"} left out`;
}

/** How an Ollama is given more. */
function moreOfOllama(tokens: number): string {
  const enough = USUAL_CONTEXTS.find((one) => one >= tokens * 1.5) ?? Math.ceil(tokens * 2);
  return `Ollama sets it: start it with OLLAMA_CONTEXT_LENGTH=${enough}, or write "PARAMETER num_ctx ${enough}" into a Modelfile.`;
}

/** The fit of a model with this window. */
export function createContextFit(window: Window, limits: Limits): ContextFit {
  const { model, system = "", maxTokens } = limits;
  /** What a vendor counted for each token of the estimate; less than one is not believed: some count no tokens of a cache. */
  let factor = 1;
  /** Estimated tokens beyond which the vendor refused a request, and until when that counts. */
  let refused = { tokens: Number.POSITIVE_INFINITY, until: 0 };
  /** What was said of a prompt, so that it is said once in a turn. */
  const said = new WeakMap<Message, string>();

  const estimate = (request: ReplyRequest): number =>
    tokensOfRest(request, system) + tokensOfMessages(request.messages);
  const part = (): number => (window.tokens ?? Number.POSITIVE_INFINITY) * PART_SHARE;

  const refusedTokens = (): number => (performance.now() < refused.until ? refused.tokens : Number.POSITIVE_INFINITY);

  /** Tokens, by estimate, that a request may take. */
  function budget(): number {
    const tokens = window.tokens ?? Number.POSITIVE_INFINITY;
    const reply = Math.min(maxTokens ?? MAX_REPLY_TOKENS, tokens * (maxTokens ? 1 / 2 : REPLY_SHARE));
    return Math.min((tokens - reply) / factor, refusedTokens());
  }

  function once(messages: readonly Message[], notice: string): string | undefined {
    const prompt = messages.findLast(({ role }) => role === "user");
    if (prompt && said.get(prompt) === notice) return undefined;
    if (prompt) said.set(prompt, notice);
    return notice;
  }

  const cut = (request: ReplyRequest, tokens: number): Shortened =>
    leaveOut(request.messages, tokens - tokensOfRest(request, system));

  return {
    get toolTokens() {
      const { toolTokens = Number.POSITIVE_INFINITY } = limits;
      const most = Math.min(toolTokens, Math.max(LEAST_TOOL_TOKENS, Math.floor(part())));
      return Number.isFinite(most) ? most : undefined;
    },
    get resultBudget() {
      return Math.min(limits.resultBudget, Math.floor(part()) * CHARS_A_TOKEN);
    },
    get cutAt() {
      return window.cutAt;
    },
    prepare: (signal) => window.ask(signal),
    fit(request) {
      const shortened = cut(request, budget());
      if (shortened.turns + shortened.results === 0) return { request };
      const own = window.cutAt === undefined ? "" : ` ${moreOfOllama(estimate(request) * factor)}`;
      const context = window.tokens === undefined ? "" : ` of ${inWords(window.tokens)} tokens`;
      const notice = `The conversation is longer than the context${context} of ${model}: ${leftOut(shortened)}.${own}`;
      return { request: { ...request, messages: shortened.messages }, notice: once(request.messages, notice) };
    },
    shorten(sent) {
      const tokens = estimate(sent);
      refused = {
        tokens: Math.min(refusedTokens(), tokens * REFUSED_SHARE),
        until: performance.now() + REFUSED_MS,
      };
      const shortened = cut(sent, Math.min(tokens * SECOND_SHARE, budget()));
      if (shortened.turns + shortened.results === 0) return undefined;
      const notice = `${model} refused the conversation as longer than its context: ${leftOut(shortened)}, and it is asked once more.`;
      return { request: { ...sent, messages: shortened.messages }, notice };
    },
    async check(sent, usage, signal) {
      const tokens = estimate(sent);
      if (usage && tokens >= LEAST_COMPARED) factor = Math.min(MAX_FACTOR, Math.max(1, usage.input_tokens / tokens));
      // A model that was not loaded is now.
      if (window.isOllama && window.cutAt === undefined) await window.ask(signal);
      const { cutAt } = window;
      if (cutAt === undefined || tokens * factor <= cutAt) return undefined;
      const notice = `This prompt takes about ${inWords(tokens * factor)} tokens, and Ollama runs ${model} with a context of ${inWords(cutAt)}: it left out the beginning, tools first. ${moreOfOllama(tokens * factor)}`;
      return once(sent.messages, notice);
    },
  };
}
