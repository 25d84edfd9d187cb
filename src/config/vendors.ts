// The vendors that can be chosen by name or by a key in the environment: their usual variables, their addresses, a model.
// The environment comes in; an entry like those of `providers` goes out, or what it lacks. Sends nothing and resolves no secret.
import type { JsonObject } from "../lib/json.js";
import { withoutTrailing } from "../lib/trailing.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** A vendor and how the environment describes it. `{A|B}` in a text stands for the first of these variables that is set. */
export interface KnownVendor {
  name: string;
  type: "openai" | "openai-compatible" | "anthropic" | "google";
  /** The variables of its key, the first that is set counts. */
  keys: readonly string[];
  /** Variables that hold its key, too, and often another one: they are read once the vendor was chosen by name. */
  sharedKeys?: readonly string[];
  /** The one of `keys` that travels as `Authorization: Bearer`, for gateways. */
  bearerKey?: string;
  /** Where the type's own address is; absent where `address` has it. */
  host?: string;
  /** The variable of another address. */
  base?: string;
  /** Absent where the type has its own. */
  address?: string;
  /** An inexpensive model that is good with tools; absent where the type has its own, "" where only the person knows. */
  model?: string;
  /** It refuses `stream_options`. */
  refusesStreamOptions?: true;
}

/** In the order in which a key is looked for. */
export const VENDORS: readonly KnownVendor[] = [
  { name: "openai", type: "openai", keys: ["OPENAI_API_KEY"], host: "api.openai.com", base: "OPENAI_BASE_URL" },
  {
    name: "anthropic",
    type: "anthropic",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    bearerKey: "ANTHROPIC_AUTH_TOKEN",
    host: "api.anthropic.com",
    base: "ANTHROPIC_BASE_URL",
  },
  {
    name: "google",
    type: "google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    sharedKeys: ["GOOGLE_API_KEY"],
    host: "generativelanguage.googleapis.com",
  },
  {
    name: "azure",
    type: "openai",
    keys: ["AZURE_OPENAI_API_KEY"],
    address: "{AZURE_OPENAI_ENDPOINT}/openai/v1",
    model: "{AZURE_OPENAI_DEPLOYMENT|AZURE_OPENAI_DEPLOYMENT_NAME}",
  },
  {
    name: "bedrock",
    type: "openai-compatible",
    keys: ["AWS_BEARER_TOKEN_BEDROCK"],
    base: "AWS_BEDROCK_BASE_URL",
    address: "https://bedrock-runtime.{AWS_REGION|AWS_DEFAULT_REGION}.amazonaws.com/openai/v1",
    model: "openai.gpt-oss-120b-1:0",
  },
  {
    name: "openrouter",
    type: "openai-compatible",
    keys: ["OPENROUTER_API_KEY"],
    address: "https://openrouter.ai/api/v1",
    model: "openrouter/auto",
  },
  {
    name: "mistral",
    type: "openai-compatible",
    keys: ["MISTRAL_API_KEY"],
    address: "https://api.mistral.ai/v1",
    model: "mistral-small-latest",
    refusesStreamOptions: true,
  },
  {
    name: "groq",
    type: "openai-compatible",
    keys: ["GROQ_API_KEY"],
    address: "https://api.groq.com/openai/v1",
    model: "openai/gpt-oss-120b",
  },
  {
    name: "deepseek",
    type: "openai-compatible",
    keys: ["DEEPSEEK_API_KEY"],
    address: "https://api.deepseek.com",
    model: "deepseek-flash",
  },
  {
    name: "xai",
    type: "openai-compatible",
    keys: ["XAI_API_KEY"],
    address: "https://api.x.ai/v1",
    model: "grok-4.3",
  },
  {
    name: "litellm",
    type: "openai-compatible",
    keys: ["LITELLM_PROXY_API_KEY"],
    base: "LITELLM_PROXY_API_BASE",
    address: "http://127.0.0.1:4000",
    model: "",
  },
];

/** An entry of `providers` as the environment has it. */
interface FoundVendor {
  /** The variable of the key. */
  variable: string;
  key: string;
  isBearer: boolean;
  baseUrl: string | undefined;
  model: string | undefined;
}

/** What a vendor lacks, as a sentence without its full stop. */
interface LackingVendor {
  lacks: string;
}

const textIn = (env: Environment, variable: string): string => env[variable]?.trim() ?? "";

/** What people write where a key belongs, in the files they copy. */
const PLACEHOLDER = /^(sk-)?(<.*>|\[.*\]|\.{3,}|x{3,}|(your|my|replace|change|insert|enter|add|put)[-_ ].*)$/i;

/** Why this can be no key, undefined when it can. */
export function keyFault(key: string): string | undefined {
  if (/[^\x21-\x7e]/.test(key)) return "holds a blank, a line break or another character that no key has";
  return PLACEHOLDER.test(key) ? "holds a placeholder" : undefined;
}

/** A text with its variables filled in, or the names of the ones that are not set. */
function filledIn(text: string, env: Environment): { text: string } | { missing: string } {
  let missing: string | undefined;
  const filled = text.replaceAll(/\{([^}]*)\}/g, (_, names: string) => {
    const variables = names.split("|");
    const found = variables.map((variable) => textIn(env, variable)).find((value) => value !== "");
    if (found === undefined) missing ??= variables[0];
    return withoutTrailing(found ?? "", "/");
  });
  return missing === undefined ? { text: filled } : { missing };
}

function addressOf({ base, address }: KnownVendor, env: Environment): { text?: string } | { missing: string } {
  const own = base === undefined ? "" : textIn(env, base);
  if (own !== "") return { text: own };
  if (address === undefined) return {};
  const filled = filledIn(address, env);
  // An endpoint of Azure is often copied with the path that is appended here.
  return "text" in filled ? { text: filled.text.replace(/(\/openai(\/v1)?)(?=\/openai\/v1$)/, "") } : filled;
}

/**
 * What the environment says of a vendor; undefined without a key for it. `model` is one that was named. With `isChosen` the
 * vendor was chosen by name, and variables that others use, too, count.
 */
export function vendorIn(
  env: Environment,
  vendor: KnownVendor,
  { model, isChosen = false }: { model?: string; isChosen?: boolean } = {},
): FoundVendor | LackingVendor | undefined {
  const variables = isChosen ? [...vendor.keys, ...(vendor.sharedKeys ?? [])] : vendor.keys;
  const variable = variables.find((one) => textIn(env, one) !== "");
  if (variable === undefined) return undefined;
  const key = textIn(env, variable);
  const fault = keyFault(key);
  if (fault !== undefined) return { lacks: `${variable} ${fault}` };
  const address = addressOf(vendor, env);
  if ("missing" in address) return { lacks: `${variable} is set, and ${address.missing} is not` };
  const named = model ?? vendor.model;
  if (named === "")
    return { lacks: `${variable} is set, and no model: name it with --provider ${vendor.name} --model` };
  const filled = named === undefined ? { text: undefined } : filledIn(named, env);
  if ("missing" in filled) return { lacks: `${variable} is set, and ${filled.missing} is not` };
  return { variable, key, isBearer: variable === vendor.bearerKey, baseUrl: address.text, model: filled.text };
}

/** The entry of `providers` for a vendor that was found, its key by reference. */
export function entryFor(vendor: KnownVendor, { variable, baseUrl, model }: FoundVendor): JsonObject {
  const entry: JsonObject = { type: vendor.type, api_key: `env:${variable}` };
  if (baseUrl !== undefined) entry["base_url"] = baseUrl;
  if (model !== undefined) entry["model"] = model;
  if (vendor.refusesStreamOptions) entry["stream_options"] = false;
  return entry;
}
