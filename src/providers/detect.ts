// Finds a provider when none is configured: a key in the environment, an Ollama on this machine, else the offline planner.
// Quick by design, since it runs before the daemon answers; sends requests to the local Ollama only.
import { get, request } from "node:http";
import { isObject, type JsonObject, parseJson } from "../lib/json.js";

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
  why: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const KEYS = [
  { variable: "OPENAI_API_KEY", type: "openai", base: "OPENAI_BASE_URL" },
  { variable: "ANTHROPIC_API_KEY", type: "anthropic", base: "ANTHROPIC_BASE_URL" },
  { variable: "GOOGLE_GENERATIVE_AI_API_KEY", type: "google", base: undefined },
  { variable: "GEMINI_API_KEY", type: "google", base: undefined },
] as const;

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

async function findOllama(env: Environment): Promise<Detected | undefined> {
  const url = ollamaUrl(env["OLLAMA_HOST"]);
  if (!url) return undefined;
  const root = url.href.replace(/\/+$/, "");
  const tags = await ask(`${root}/api/tags`, PROBE_MS);
  const list = Array.isArray(tags?.["models"]) ? tags["models"] : [];
  const models = list
    .flatMap((model) => (isObject(model) && typeof model["name"] === "string" ? [model["name"]] : []))
    .slice(0, MAX_CHECKED);
  const able = await Promise.all(models.map((model) => usesTools(root, model)));
  const model = models.find((_, at) => able[at]);
  if (model === undefined) return undefined;
  return {
    type: "openai-compatible",
    name: "ollama",
    model,
    baseUrl: `${root}/v1`,
    why: `Ollama answers at ${url.host}; ${model} is its first model that can use tools`,
  };
}

/** The first provider found. Never throws; `offline` is always there. */
export async function detectProvider(env: Environment): Promise<Detected> {
  for (const { variable, type, base } of KEYS) {
    const apiKey = env[variable]?.trim();
    if (!apiKey) continue;
    const baseUrl = base && env[base]?.trim();
    return { type, name: type, apiKey, baseUrl: baseUrl || undefined, why: `${variable} is set in the environment` };
  }
  const ollama = await findOllama(env);
  if (ollama) return ollama;
  return {
    type: "offline",
    name: "offline",
    why: "no key in the environment and no Ollama with a model that uses tools; the embedded planner works without a model",
  };
}
