// A provider type and its options become a provider. Each adapter is loaded when it is chosen; the others cost nothing.

import type { CommandSecret } from "../config/command-secret.js";
import { OPENAI_URL, openAiApiOf } from "../config/openai-api.js";
import { PROVIDER_SETTINGS, type ProviderType } from "../config/provider-table.js";
import { StartError } from "../domain/error.js";
import { createContextFit } from "./context/fit.js";
import { createWindow } from "./context/window.js";
import { createPrintedSecrets, type SecretsContext } from "./printed-secrets.js";
import type { Provider, ProviderOptions } from "./provider.js";
import { withRetry } from "./retry.js";

/** The model used when none is named: a vendor's inexpensive one that is good with tools. */
export const DEFAULT_MODELS: Readonly<Record<ProviderType, string>> = {
  openai: "gpt-5-mini",
  "openai-compatible": "default",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-2.5-flash",
  offline: "planner",
  scripted: "script",
};

/** Options as a configuration has them: what is missing gets its default. */
export type PartialOptions = Pick<ProviderOptions, "name"> &
  Partial<Omit<ProviderOptions, "apiKey" | "headers">> & {
    type: ProviderType;
    apiKey?: string | CommandSecret;
    headers?: Record<string, string | CommandSecret>;
  };

/** Complete options for a provider of this type; `context` hears of what its commands print. */
export function providerOptions(partial: PartialOptions, context?: SecretsContext): ProviderOptions {
  const { type, apiKey, headers = {}, ...given } = partial;
  const secrets = createPrintedSecrets(context);
  const values = Object.entries(headers).map(([name, value]) => [name, secrets.standIn(value)]);
  return {
    ...given,
    ...(apiKey !== undefined && { apiKey: secrets.standIn(apiKey) }),
    headers: Object.fromEntries(values),
    secrets,
    model: partial.model ?? DEFAULT_MODELS[type],
    historyLimit: partial.historyLimit ?? PROVIDER_SETTINGS.historyLimit.default,
    maxTools: partial.maxTools ?? PROVIDER_SETTINGS.maxTools.default,
    toolTokens: partial.toolTokens ?? PROVIDER_SETTINGS.toolTokens.default,
    resultBudget: partial.resultBudget ?? PROVIDER_SETTINGS.resultBudget.default,
    timeoutMs: partial.timeoutMs ?? PROVIDER_SETTINGS.timeoutMs.default,
    maxRetries: partial.maxRetries ?? PROVIDER_SETTINGS.maxRetries.default,
  };
}

/**
 * Makes a provider of this type, with retries and a timeout around everything that can fail for a while.
 * Throws StartError for options the type cannot work with.
 */
export async function createProvider(
  type: ProviderType,
  options: ProviderOptions & { file?: string; act?: boolean },
): Promise<Provider> {
  const fitted = (provider: Provider): Provider =>
    withRetry(provider, options, createContextFit(createWindow(type, options), options));
  switch (type) {
    case "openai":
    case "openai-compatible": {
      const { createOpenAiCompatible } = await import("./openai-compatible/provider.js");
      const api = openAiApiOf({ type, api: options.api, base_url: options.baseUrl }) ?? "chat";
      const standard = type === "openai" ? OPENAI_URL : undefined;
      return fitted(createOpenAiCompatible(options, { standard, api }));
    }
    case "anthropic":
    case "google":
      return fitted((await import("./ai-sdk/provider.js")).createAiSdk(type, options));
    case "offline":
      return (await import("./planner.js")).createOfflineProvider(options);
    case "scripted": {
      const { file } = options;
      if (file === undefined) throw new StartError(`Provider "${options.name}" needs "file": the script it plays.`);
      return withRetry(await (await import("./scripted.js")).createScripted({ ...options, file }), options);
    }
    default:
      throw new StartError(
        `Provider "${options.name}" has the unknown type "${type satisfies never}". Known types: ${Object.keys(DEFAULT_MODELS).join(", ")}.`,
      );
  }
}
