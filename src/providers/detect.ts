// Finds a provider when none is configured: a key in the environment, an Ollama on this machine, else the offline planner.
// Quick by design, since it runs before the daemon answers. Sends requests to an Ollama only, and to none on this machine that
// another person's account runs: whatever answers there would read every prompt and decide every call.
import { get, request } from "node:http";
import { VENDORS, vendorIn } from "../config/vendors.js";
import { StartError } from "../domain/error.js";
import { isObject, type JsonObject, listOf, parseJson } from "../lib/json.js";
import { isLoopback } from "../lib/loopback.js";
import { withoutTrailing } from "../lib/trailing.js";
import { accountsListening, isOwnOrSystem } from "./listener-account.js";

/** How long an Ollama may take to answer. Where nothing listens, the connection is refused at once. */
const PROBE_MS = 300;
/** A running Ollama may read a model's details from disk first. */
const DETAILS_MS = 1_000;
/** How many models are checked for tool use. */
const MAX_CHECKED = 8;
const OLLAMA_PORT = "11434";

/** A provider found. `why` is a sentence for the person who starts the daemon. */
export interface Detected {
  type: "openai" | "anthropic" | "google" | "openai-compatible" | "offline";
  name: string;
  /** Absent where the default of the type is used. */
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  /** The key goes into `Authorization: Bearer`, where that is not the vendor's own way. */
  isBearer?: boolean;
  streamOptions?: boolean;
  why: string;
}

/** What is used, and the other vendors that have a key. */
interface Detection extends Detected {
  further: Detected[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Ollama listens. OLLAMA_HOST is `host`, `host:port` or an address, and may be 0.0.0.0, which only a server can use. */
export function ollamaUrl(host: string | undefined): URL | undefined {
  const text = host?.trim() || "127.0.0.1";
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  // The parser drops a port 80 that was written out; only an address without any means Ollama's own.
  if (url.port === "" && url.protocol === "http:" && !/:80(\/|$)/.test(address)) url.port = OLLAMA_PORT;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  return url.protocol === "http:" ? url : undefined;
}

/** A JSON answer, or undefined for anything else. Never throws. */
function ask(url: string, ms: number, body?: JsonObject): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ms);
    const send = body ? request(url, { method: "POST", signal, agent: false }) : get(url, { signal, agent: false });
    send.on("error", () => resolve(undefined));
    send.on("response", async (response) => {
      try {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        const value = response.statusCode === 200 ? parseJson(text) : undefined;
        resolve(isObject(value) ? value : undefined);
      } catch {
        resolve(undefined);
      }
    });
    send.end(body && JSON.stringify(body));
  });
}

/** Whether a model can use tools. One without a list of capabilities counts: older versions send none. */
async function usesTools(root: string, model: string): Promise<boolean> {
  const details = await ask(`${root}/api/show`, DETAILS_MS, { model });
  const capabilities = details?.["capabilities"];
  return !Array.isArray(capabilities) || capabilities.includes("tools");
}

/** The first model that can use tools; undefined when nothing answers as an Ollama that has one. */
async function firstModel(root: string): Promise<string | undefined> {
  const tags = await ask(`${root}/api/tags`, PROBE_MS);
  const models = listOf(tags?.["models"])
    .flatMap((model) => (isObject(model) && typeof model["name"] === "string" ? [model["name"]] : []))
    .slice(0, MAX_CHECKED);
  const able = await Promise.all(models.map((model) => usesTools(root, model)));
  return models.find((_, at) => able[at]);
}

const rootOf = (url: URL): string => withoutTrailing(url.href, "/");

/** What is known of the account that listens there; `foreign` when it may not become the model without having been chosen. */
function listenerOf(url: URL): { who: string; foreign?: number } {
  if (!isLoopback(url.hostname)) return { who: "the host OLLAMA_HOST names" };
  const accounts = accountsListening(Number(url.port || 80));
  if (accounts === undefined || accounts.length === 0)
    return { who: "this system does not tell which account runs it" };
  const foreign = accounts.find((account) => !isOwnOrSystem(account));
  return { who: "run by this account or the system", foreign };
}

/** An Ollama that may be taken without having been chosen, or a sentence on why there is none. */
async function findOllama(env: Environment): Promise<Detected | string> {
  const url = ollamaUrl(env["OLLAMA_HOST"]);
  const none = "no Ollama with a model that uses tools";
  if (!url) return none;
  const { who, foreign } = listenerOf(url);
  if (foreign !== undefined)
    return `what listens at ${url.host} is not used, because another account (${foreign}) runs it; --provider ollama chooses it all the same`;
  const model = await firstModel(rootOf(url));
  if (model === undefined) return none;
  return {
    type: "openai-compatible",
    name: "ollama",
    model,
    baseUrl: `${rootOf(url)}/v1`,
    why: `Ollama answers at ${url.host} (${who}); ${model} is its first model that can use tools. It was not chosen by name: --provider does that`,
  };
}

/** The Ollama that was chosen by name; its first model that can use tools unless one was named, too. Throws StartError without one. */
export async function chosenOllama(
  env: Environment,
  model: string | undefined,
): Promise<{ baseUrl: string; model: string }> {
  const url = ollamaUrl(env["OLLAMA_HOST"]);
  const root = url && rootOf(url);
  const found = model ?? (root && (await firstModel(root)));
  if (root && found) return { baseUrl: `${root}/v1`, model: found };
  throw new StartError(
    `no Ollama with a model that uses tools answers at ${url?.host ?? env["OLLAMA_HOST"]}. Start it, set OLLAMA_HOST to where it listens, or name a model with --model.`,
  );
}

/** The vendors with a key that can be used, and why each other key that was found cannot. */
function findKeys(env: Environment, model: string | undefined): { found: Detected[]; unusable: string[] } {
  const unusable: string[] = [];
  const found: Detected[] = [];
  for (const vendor of VENDORS) {
    // A model that was named is one of the vendor in use.
    const values = vendorIn(env, vendor, found.length === 0 && model ? { model } : {});
    if (!values) continue;
    if ("lacks" in values) {
      unusable.push(values.lacks);
      continue;
    }
    const { name, type } = vendor;
    const { variable, key: apiKey, isBearer, baseUrl } = values;
    const streamOptions = vendor.refusesStreamOptions ? false : undefined;
    const why = `${variable} is set in the environment`;
    found.push({ type, name, apiKey, isBearer, baseUrl, model: values.model, streamOptions, why });
  }
  return { found, unusable };
}

/**
 * The first provider found, with the model that was named, and the others that a prompt may choose. Never throws; `offline` is
 * always there, with its own.
 */
export async function detectProvider(env: Environment, model?: string): Promise<Detection> {
  const { found, unusable } = findKeys(env, model);
  const notUsed = unusable.length > 0 ? `. Not used: ${unusable.join("; ")}` : "";
  const noKey = unusable.length > 0 ? "no usable key" : "no key";
  const [first = await withoutKey(env, noKey, model), ...further] = found;
  return { ...first, why: first.why + notUsed, further };
}

async function withoutKey(env: Environment, noKey: string, model: string | undefined): Promise<Detected> {
  const ollama = await findOllama(env);
  if (typeof ollama !== "string") return model ? { ...ollama, model } : ollama;
  return {
    type: "offline",
    name: "offline",
    why: `${noKey} in the environment and ${ollama}; the embedded planner works without a model, and each of its changes waits for a yes`,
  };
}
