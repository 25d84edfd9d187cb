// How many tokens a model takes in: what the operator set, what its server says, or what is known of its name; undefined when
// nobody knows. Corrected by what vendors count and by what they refuse.
import type { ProviderType } from "../../config/provider-table.js";
import { endpointOf } from "../http/client.js";
import type { ProviderOptions } from "../provider.js";
import { askOllama, askServer, type ServerContext } from "./ask-server.js";
import { knownWindow } from "./known-windows.js";

/** A person waits: what comes later counts from the next turn on. */
const WAIT_MS = 1_000;
/** A server that does not answer within this time is asked again with the next turn. */
const ASK_MS = 10_000;
/** One that takes questions and breaks them off, but takes prompts, is not asked with every turn: four new connections each time. */
const PAUSE_MS = 60_000;

/** The context of one model. */
export interface Window {
  /** Tokens it takes in; undefined when that is not known. */
  readonly tokens: number | undefined;
  /** Whether it is an Ollama, which cuts what is longer without a word. */
  readonly isOllama: boolean;
  /** The context in force there; undefined while it is not known, and for another server. */
  readonly cutAt: number | undefined;
  /** Asks the server, where there is one to be asked. Never throws. */
  ask(signal: AbortSignal): Promise<void>;
}

/** The first `ms` of a wait, until the signal at most; what it waits for goes on. Never throws. */
async function wait(awaited: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const ended = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    onAbort = resolve;
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await Promise.race([awaited, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** The window of the model of these options. Only servers with OpenAI's API are asked: the others are the vendors' own. */
export function createWindow(type: ProviderType, options: ProviderOptions): Window {
  const { model, contexts } = options;
  const contextTokens = contexts?.[model] ?? options.contextTokens;
  const known = knownWindow(model);
  let said: ServerContext | undefined;
  let asking: Promise<void> | undefined;
  let askedAt = 0;
  const isSettled = (): boolean =>
    said !== undefined && !said.isOllama && !(said.brokeOff && performance.now() - askedAt > PAUSE_MS);

  async function askOnce(): Promise<void> {
    const { apiKey, headers = {} } = options;
    const endpoint = { ...endpointOf(options), idleTimeoutMs: undefined };
    const authorization = apiKey && { authorization: `Bearer ${apiKey}` };
    const server = { endpoint, model, headers: { "content-type": "application/json", ...authorization, ...headers } };
    const ask = said?.isOllama ? askOllama : askServer;
    try {
      // Of an Ollama that is busy the last answer goes on.
      said = (await ask(server, AbortSignal.timeout(ASK_MS))) ?? said;
      askedAt = performance.now();
    } catch {
      // It took too long, or there is no key: the call itself says so.
    }
  }

  return {
    get tokens() {
      return contextTokens ?? said?.tokens ?? known;
    },
    get isOllama() {
      return said?.isOllama ?? false;
    },
    get cutAt() {
      return said?.isOllama ? said.tokens : undefined;
    },
    async ask(signal) {
      if (type !== "openai-compatible" || isSettled()) return;
      asking ??= askOnce().finally(() => {
        asking = undefined;
      });
      await wait(asking, WAIT_MS, signal);
    },
  };
}
