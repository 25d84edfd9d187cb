// The settings of one entry of `providers` in config.json: one row each. The daemon's own settings are in table.ts.
// A default counts for a provider that no entry configures, too, and so is filled in where providers are made.
import { resolve } from "node:path";
import { StartError } from "../domain/error.js";
import { checkUrl } from "./address.js";
import { readHeaders } from "./credentials.js";
import { MILLISECONDS, oneOf, SECRET, SECRETS, SWITCH, TEXT, wholeNumber } from "./kinds.js";
import { type Found, type Sources, setting } from "./setting.js";

/** Every kind of model provider a configuration can name. */
const PROVIDER_TYPES = ["openai", "openai-compatible", "anthropic", "google", "offline", "scripted"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** The variable each vendor's own tools read the key from. */
const VENDOR_KEYS: Readonly<Record<string, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
};

/** The reference to the key: the entry's own, or the vendor's usual variable. Throws StartError naming what is missing. */
function findApiKey({ env, file, prefix, isLenient }: Sources): Found<string> | undefined {
  const place = `${prefix}api_key`;
  const { type, api_key, base_url } = file;
  if (typeof api_key === "string") return { value: api_key, origin: "config.json", place };
  const variables = VENDOR_KEYS[String(type)] ?? [];
  const name = variables.find((variable) => env[variable]?.trim());
  if (name !== undefined) return { value: `env:${name}`, origin: name, place };
  if (variables.length === 0 || base_url !== undefined || isLenient) return undefined;
  throw new StartError(
    `${prefix.slice(0, -1)} needs a key: set ${variables[0]}, or write "api_key": "env:NAME" into its entry in config.json.`,
  );
}

/** The settings of a provider, by their names in the program. */
export const PROVIDER_SETTINGS = {
  type: setting({
    name: "type",
    isRequired: true,
    kind: oneOf(PROVIDER_TYPES),
    description: "The vendor's interface",
    more: PROVIDER_TYPES.map((type) => `\`${type}\``).join(", "),
  }),
  baseUrl: setting({
    name: "base_url",
    kind: TEXT,
    defaultText: "the vendor's",
    description: "The http or https address of the API",
    more: "needed for `openai-compatible`",
    resolve: checkUrl,
  }),
  model: setting({
    name: "model",
    kind: TEXT,
    defaultText: "an inexpensive one",
    description: "The model's name at the vendor",
  }),
  apiKey: setting({
    name: "api_key",
    kind: SECRET,
    defaultText: "the vendor's usual variable",
    description: "The key of the API",
    isSecret: true,
    find: findApiKey,
    resolve: ({ value, place }, { secrets }) => secrets.read(place, value),
  }),
  headers: setting({
    name: "headers",
    kind: SECRETS,
    default: {},
    description: "Sent with every model call",
    isSecret: true,
    resolve: readHeaders,
  }),
  historyLimit: setting({
    name: "history_limit",
    kind: wholeNumber(1, 10_000),
    default: 40,
    description: "Messages of a session the model is shown",
  }),
  maxTools: setting({
    name: "max_tools",
    kind: wholeNumber(1, 10_000),
    // Beyond this many tools the definitions crowd out the conversation and models choose worse.
    default: 64,
    description: "With more tools than this the model gets the best matching ones and a search",
  }),
  toolTokens: setting({
    name: "tool_tokens",
    kind: wholeNumber(500, 1_000_000),
    // A quarter of what the smallest models in use take in.
    default: 8_000,
    description: "Tokens that the definitions of all tools in one model call may take, estimated at four bytes a token",
  }),
  resultBudget: setting({
    name: "result_budget",
    kind: wholeNumber(200, 10_000_000),
    // About 6,000 tokens, so that several results fit beside the conversation.
    default: 24_000,
    description: "Characters of one tool result the model is shown",
  }),
  timeoutMs: setting({
    name: "timeout_ms",
    kind: MILLISECONDS,
    // Slow local models need most of it.
    default: 120_000,
    description: "One model call, from the request to the last byte",
    more: "local models may need more",
  }),
  maxRetries: setting({
    name: "max_retries",
    kind: wholeNumber(0, 10),
    // With the pauses between them about two seconds of a vendor's trouble.
    default: 2,
    description: "More attempts after a failure that may pass, as long as no text came",
  }),
  act: setting({
    name: "act",
    kind: SWITCH,
    default: false,
    description: "The `offline` planner's changes are made without a person's yes",
    more: "for tests and trusted scripts; no other type takes it",
  }),
  file: setting({
    name: "file",
    kind: TEXT,
    description: "The replies a scripted provider plays, relative to the data directory",
    more: "for tests and demonstrations",
    resolve: ({ value }, { dataDir }) => resolve(dataDir, value),
  }),
};
