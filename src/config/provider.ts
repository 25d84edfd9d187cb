// Which model provider somebody asked for: an entry of config.json or a bare vendor name, its key resolved.
// Finding one when nobody asked is not done here.
import { resolve } from "node:path";
import { StartError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { PROVIDER_TYPES, type ProviderEntry, type ProviderType } from "./file.js";
import { checkUrl, type Load, readHeaders } from "./input.js";
import { asText } from "./layers.js";

/** The variable each vendor's own tools read the key from. */
const VENDOR_KEYS: Partial<Record<ProviderType, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
};

/** The model provider somebody asked for, secrets resolved. */
export interface ConfiguredProvider {
  name: string;
  type: ProviderType;
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  headers?: Record<string, string>;
  historyLimit?: number;
  maxTools?: number;
  toolTokens?: number;
  resultBudget?: number;
  timeoutMs?: number;
  maxRetries?: number;
  /** Absolute path of a scripted provider's file of turns. */
  file?: string;
}

/** `configured` is absent when nobody chose one; `model` is what was asked for on top of the choice. */
export interface ProviderChoice {
  configured?: ConfiguredProvider;
  model?: string;
}

/** The provider asked for. Throws StartError for an unknown name, a missing key, address or file. */
export function pickProvider(load: Load): ProviderChoice {
  const { layers, flags, file } = load;
  const entries = file.providers ?? {};
  const model = layers.pick("model", { flag: flags.model, env: ["AGENTD_MODEL", asText] });
  const name =
    layers.pick("default_provider", {
      flag: flags.provider,
      env: ["AGENTD_PROVIDER", asText],
      file: file.default_provider ?? Object.keys(entries)[0],
    }) ?? undefined;
  const asked = model === undefined ? {} : { model };
  if (name === undefined) return asked;
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  const bare = PROVIDER_TYPES.find((type) => type === name && type !== "openai-compatible" && type !== "scripted");
  if (entry) return { ...asked, configured: toProvider(load, name, entry, model) };
  if (bare) return { ...asked, configured: toProvider(load, name, { type: bare }, model) };
  const known = [...Object.keys(entries), "openai", "anthropic", "google", "offline"];
  const origin = layers.origins["default_provider"];
  throw new StartError(
    `the provider ${name} (${origin === "flag" ? "--provider" : origin}) is not configured.${didYouMean(name, known)} Known: ${[...new Set(known)].join(", ")}.`,
    { exitCode: origin === "flag" ? 2 : 1 },
  );
}

function toProvider(load: Load, name: string, entry: ProviderEntry, model: string | undefined): ConfiguredProvider {
  const place = `providers.${name}`;
  const chosen = model ?? entry.model;
  if (model === undefined && entry.model !== undefined) load.layers.origins["model"] = "config.json";
  const apiKey = pickApiKey(load, place, entry);
  if (entry.type === "openai-compatible" && entry.base_url === undefined)
    throw new StartError(`${place}.base_url is missing. An openai-compatible provider needs the address of its API.`);
  if (entry.type === "scripted" && entry.file === undefined)
    throw new StartError(`${place}.file is missing. A scripted provider needs a file of turns.`);
  return {
    name,
    type: entry.type,
    ...(chosen !== undefined && { model: chosen }),
    ...(entry.base_url !== undefined && { baseUrl: checkUrl(entry.base_url, `${place}.base_url`) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(entry.headers && { headers: readHeaders(load.secrets, `${place}.headers`, entry.headers) }),
    ...(entry.history_limit !== undefined && { historyLimit: entry.history_limit }),
    ...(entry.max_tools !== undefined && { maxTools: entry.max_tools }),
    ...(entry.tool_tokens !== undefined && { toolTokens: entry.tool_tokens }),
    ...(entry.result_budget !== undefined && { resultBudget: entry.result_budget }),
    ...(entry.timeout_ms !== undefined && { timeoutMs: entry.timeout_ms }),
    ...(entry.max_retries !== undefined && { maxRetries: entry.max_retries }),
    ...(entry.file !== undefined && { file: resolve(load.dataDir, entry.file) }),
  };
}

/** The key of the provider in use: its own, or the vendor's usual variable. Throws StartError naming what is missing. */
function pickApiKey({ secrets, env, lenient }: Load, place: string, entry: ProviderEntry): string | undefined {
  if (entry.api_key !== undefined) return secrets.read(`${place}.api_key`, entry.api_key);
  const variables = VENDOR_KEYS[entry.type] ?? [];
  const name = variables.find((variable) => env[variable]?.trim());
  if (name !== undefined) return secrets.read(`${place}.api_key`, `env:${name}`);
  if (variables.length === 0 || entry.base_url !== undefined || lenient) return undefined;
  throw new StartError(
    `${place} needs a key: set ${variables[0]}, or write "api_key": "env:NAME" into its entry in config.json.`,
  );
}
