// What a server of one's own says of the context of a model: vLLM, LM Studio, llama.cpp, Ollama, and the gateways that list it
// with their models. Each is asked in its own way, and whatever does not answer in that way is passed over.
// Source: Ollama's API reference (/api/show, /api/ps), the README of llama.cpp's server (/props), LM Studio's REST API.
import { HelperError } from "../../config/command-secret.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, parseJson } from "../../lib/json.js";
import { networkFailureOf } from "../../lib/network-failure.js";
import { type Endpoint, get, post, readAll } from "../http/client.js";
import { ProviderError } from "../provider.js";

/** What a server said. */
export interface ServerContext {
  /** Tokens of the context in force; missing where the server does not say yet. */
  tokens?: number;
  /** It is an Ollama: it cuts what is longer without a word, and knows the context in force once the model is loaded. */
  isOllama: boolean;
  /** It broke every question off, so that nothing is known of it yet. */
  brokeOff?: boolean;
}

interface Server {
  endpoint: Endpoint;
  headers: Record<string, string>;
  model: string;
}

/** A server that is being asked. */
interface AskedServer extends Server {
  /** Whether it answered anything at all, if only that it does not know. */
  answered?: boolean;
  /** Whether it took a question and broke the connection. */
  brokeOff?: boolean;
}

/** The field in a list of models, by vLLM; OpenRouter and Together; Groq; Mistral. */
const NAMES = ["max_model_len", "context_length", "context_window", "max_context_length"] as const;

const count = (value: JsonValue | undefined): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

/** A JSON object at an address beside the API's; undefined for anything else. Throws the signal's reason, and HelperError. */
async function read(
  server: AskedServer,
  path: string,
  { signal, body }: { signal: AbortSignal; body?: JsonObject },
): Promise<JsonObject | undefined> {
  const { endpoint, headers } = server;
  const root = path.startsWith("/v1") ? endpoint.base : endpoint.base.replace(/\/v1$/, "");
  const url = new URL(root + (path.startsWith("/v1") ? path.slice("/v1".length) : path));
  try {
    const call = { url, headers };
    const answer = await (body
      ? post({ ...call, body: JSON.stringify(body) }, endpoint, signal)
      : get(call, endpoint, signal));
    server.answered = true;
    const value = parseJson(await readAll(answer.body));
    return isObject(value) ? value : undefined;
  } catch (error) {
    signal.throwIfAborted();
    // Nothing was asked, and nothing else can be.
    if (error instanceof HelperError) throw error;
    if (error instanceof ProviderError) server.answered = true;
    else if (networkFailureOf(error).mayBeSent) server.brokeOff = true;
    return undefined;
  }
}

const entryOf = (list: JsonObject | undefined, model: string): JsonObject | undefined =>
  listOf(list?.["data"]).find((one): one is JsonObject => isObject(one) && one["id"] === model);

/** Beside the model in the list of models. */
async function fromModels(server: AskedServer, signal: AbortSignal): Promise<ServerContext | undefined> {
  const entry = entryOf(await read(server, "/v1/models", { signal }), server.model);
  const tokens = NAMES.map((name) => count(entry?.[name])).find((one) => one !== undefined);
  return tokens === undefined ? undefined : { tokens, isOllama: false };
}

/** LM Studio: the context the model was loaded with. */
async function fromLmStudio(server: AskedServer, signal: AbortSignal): Promise<ServerContext | undefined> {
  const entry = entryOf(await read(server, "/api/v0/models", { signal }), server.model);
  const tokens = count(entry?.["loaded_context_length"]);
  return tokens === undefined ? undefined : { tokens, isOllama: false };
}

/** llama.cpp: the context of one of its slots. */
async function fromLlamaCpp(server: AskedServer, signal: AbortSignal): Promise<ServerContext | undefined> {
  const props = await read(server, "/props", { signal });
  const tokens = count(objectOf(props?.["default_generation_settings"])["n_ctx"]);
  return tokens === undefined ? undefined : { tokens, isOllama: false };
}

const withTag = (model: string): string => (/:[^/]*$/.test(model) ? model : `${model}:latest`);

/** Ollama: the context of the model as it is loaded, else that of its Modelfile. */
async function fromOllama(server: AskedServer, signal: AbortSignal): Promise<ServerContext | undefined> {
  const shown = await read(server, "/api/show", { signal, body: { model: server.model } });
  if (!isObject(shown?.["model_info"]) && !isObject(shown?.["details"])) return undefined;
  const running = listOf((await read(server, "/api/ps", { signal }))?.["models"]);
  const loaded = running.find(
    (one): one is JsonObject => isObject(one) && withTag(String(one["name"])) === withTag(server.model),
  );
  const own = /^num_ctx\s+(\d+)/m.exec(String(shown?.["parameters"] ?? ""))?.[1];
  const tokens = count(loaded?.["context_length"]) ?? (own === undefined ? undefined : Number(own));
  return { tokens, isOllama: true };
}

/**
 * What the server says of the context, asked in every way there is until one has an answer; undefined while it cannot be reached.
 * Throws the signal's reason, and HelperError.
 */
export async function askServer(server: Server, signal: AbortSignal): Promise<ServerContext | undefined> {
  const asked: AskedServer = { ...server };
  for (const ask of [fromModels, fromOllama, fromLlamaCpp, fromLmStudio]) {
    const context = await ask(asked, signal);
    if (context) return context;
  }
  if (asked.answered) return { isOllama: false };
  return asked.brokeOff ? { isOllama: false, brokeOff: true } : undefined;
}

/** The same of a server that is known to be an Ollama: the model may have been loaded since. */
export const askOllama = fromOllama;
