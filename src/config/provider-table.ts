// The settings of one entry of `providers` in config.json: one row each. The daemon's own settings are in table.ts.
// A default counts for a provider that no entry configures, too, and so is filled in where providers are made.
import { resolve } from "node:path";
import { z } from "zod";
import { StartError } from "../domain/error.js";
import { checkUrl } from "./address.js";
import { readSecretOrCommand, SECRET_OR_COMMAND, SECRETS_OR_COMMANDS } from "./command-entry.js";
import { readHeadersOrCommands, readQuery } from "./credentials.js";
import { checkExtraBody } from "./extra-body.js";
import { byName, decimal, MILLISECONDS, OBJECT, oneOf, SECRETS, SWITCH, TEXT, TEXTS, wholeNumber } from "./kinds.js";
import { OPENAI_APIS } from "./openai-api.js";
import { PRICE, PRICES } from "./price.js";
import { type Found, type Kind, type Sources, setting } from "./setting.js";
import { findApiKey } from "./usual-key.js";

/** Every kind of model provider a configuration can name. */
const PROVIDER_TYPES = ["openai", "openai-compatible", "anthropic", "google", "offline", "scripted"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** The types with a vendor's API behind them. */
export const MODEL_TYPES: readonly ProviderType[] = ["openai", "openai-compatible", "anthropic", "google"];

/** The types with one of OpenAI's APIs. */
const OPENAI_TYPES: readonly ProviderType[] = ["openai", "openai-compatible"];

/** Tokens that a model takes in. */
const CONTEXT = wholeNumber(1_000, 100_000_000);

/** The same by the names of models. */
const CONTEXTS: Kind<Record<string, number>> = byName(z.record(z.string().min(1), CONTEXT.json));

/** The words of the vendors that have a list of them; the others know which they take. */
const EFFORTS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["low", "medium", "high", "xhigh", "max"],
  google: ["minimal", "low", "medium", "high"],
};

function checkEffort({ value, place }: Found<string>, { file }: Sources): string {
  const words = EFFORTS[String(file["type"])];
  if (words === undefined || words.includes(value)) return value;
  throw new StartError(`${place}: the type ${file["type"]} knows ${words.join(", ")}, not "${value}".`);
}

function checkTemperature({ value, place }: Found<number>, { file }: Sources): number {
  if (file["type"] !== "anthropic" || value <= 1) return value;
  throw new StartError(`${place}: the type anthropic takes a temperature from 0 to 1, not ${value}.`);
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
  api: setting({
    name: "api",
    kind: oneOf(OPENAI_APIS),
    defaultText: "by the address",
    description: "Which of OpenAI's APIs is spoken",
    more: "`responses` at OpenAI's own address, `chat` at any other; [when which](models.md#openai)",
    onlyTypes: OPENAI_TYPES,
  }),
  model: setting({
    name: "model",
    kind: TEXT,
    defaultText: "an inexpensive one",
    description: "The model's name at the vendor",
  }),
  models: setting({
    name: "models",
    kind: TEXTS,
    default: [],
    description: "Further models that a prompt may choose",
    more: "[how](reference.md#choosing-a-model)",
  }),
  price: setting({
    name: "price",
    kind: PRICE,
    description: "What a million tokens cost, in the word of `currency`",
    more: "[usage and cost](reference.md#usage-and-cost)",
  }),
  prices: setting({
    name: "prices",
    kind: PRICES,
    default: {},
    description: "The same for single models, by their names",
  }),
  apiKey: setting({
    name: "api_key",
    kind: SECRET_OR_COMMAND,
    defaultText: "the vendor's usual variable",
    description: "The key of the API",
    more: "the variable counts at the vendor's own address only",
    isSecret: true,
    find: findApiKey,
    resolve: ({ value, place }, sources) => readSecretOrCommand(place, value, sources),
  }),
  headers: setting({
    name: "headers",
    kind: SECRETS_OR_COMMANDS,
    default: {},
    description: "Sent with every model call",
    isSecret: true,
    resolve: readHeadersOrCommands,
  }),
  query: setting({
    name: "query",
    kind: SECRETS,
    default: {},
    description: "Added to the address of every model call",
    more: "Azure's `api-version`, for example",
    isSecret: true,
    onlyTypes: MODEL_TYPES,
    resolve: readQuery,
  }),
  system: setting({
    name: "system",
    kind: TEXT,
    description: "Instructions for the model, after agentd's own",
    onlyTypes: MODEL_TYPES,
  }),
  temperature: setting({
    name: "temperature",
    kind: decimal(0, 2),
    defaultText: "the vendor's",
    description: "How freely the model chooses its words",
    more: "up to 1 for `anthropic`; some models refuse it",
    onlyTypes: MODEL_TYPES,
    resolve: checkTemperature,
  }),
  maxTokens: setting({
    name: "max_tokens",
    kind: wholeNumber(1, 10_000_000),
    defaultText: "the vendor's",
    description: "Tokens one reply may take, reasoning included",
    more: "sent as `max_completion_tokens` by `openai`, as `max_output_tokens` where `api` is `responses`",
    onlyTypes: MODEL_TYPES,
  }),
  reasoningEffort: setting({
    name: "reasoning_effort",
    kind: TEXT,
    defaultText: "the vendor's",
    description: "How much the model thinks before it answers, in the vendor's words",
    more: "[which](#settings-of-a-model)",
    onlyTypes: MODEL_TYPES,
    resolve: checkEffort,
  }),
  contextTokens: setting({
    name: "context_tokens",
    kind: CONTEXT,
    defaultText: "the model's",
    description: "Tokens the model takes in: tools, results and conversation are fitted into them",
    more: "[found out](models.md#context) without it",
    onlyTypes: MODEL_TYPES,
  }),
  contexts: setting({
    name: "contexts",
    kind: CONTEXTS,
    description: "The same for single models, by their names",
    onlyTypes: MODEL_TYPES,
  }),
  extraBody: setting({
    name: "extra_body",
    kind: OBJECT,
    description: "Further fields of the request body, merged into it",
    more: "[which](#settings-of-a-model)",
    onlyTypes: MODEL_TYPES,
    resolve: (found, { file }) => checkExtraBody(found, file),
  }),
  streamOptions: setting({
    name: "stream_options",
    kind: SWITCH,
    default: true,
    description: "Whether `stream_options` is sent, which asks for the count of tokens",
    more: "`false` for servers that refuse it; `responses` has none",
    onlyTypes: OPENAI_TYPES,
  }),
  promptCache: setting({
    name: "prompt_cache",
    kind: SWITCH,
    default: true,
    description: "Whether tools and instructions are marked for the vendor's cache",
    more: "`false` for gateways that refuse `cache_control`",
    onlyTypes: ["anthropic"],
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
  idleTimeoutMs: setting({
    name: "idle_timeout_ms",
    kind: MILLISECONDS,
    defaultText: "none",
    description: "Silence of the vendor during a model call, before its first byte and between any two",
    more: "`timeout_ms` counts beside it",
    onlyTypes: MODEL_TYPES,
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
    more: "for tests and trusted scripts",
    onlyTypes: ["offline"],
    otherwise: "Use safety.confirm to have changes confirmed.",
  }),
  file: setting({
    name: "file",
    kind: TEXT,
    description: "The replies a scripted provider plays, relative to the data directory",
    more: "for tests and demonstrations",
    onlyTypes: ["scripted"],
    resolve: ({ value }, { dataDir }) => resolve(dataDir, value),
  }),
};
