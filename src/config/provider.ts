// Which model provider is configured: an entry of config.json or a bare vendor name, its key resolved.
// Finding one when none is configured is not done here.
import { StartError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { isObject, type JsonObject, objectOf } from "../lib/json.js";
import { TEXT } from "./kinds.js";
import { findValue, resolveTable } from "./merge.js";
import { PROVIDER_SETTINGS, type ProviderType } from "./provider-table.js";
import { type Found, type Sources, setting, type ValuesOf } from "./setting.js";

/** The model provider in use, secrets resolved. */
type ConfiguredProvider = Partial<ValuesOf<typeof PROVIDER_SETTINGS>> & { name: string; type: ProviderType };

/** Names that need no entry, and what each stands for. Where an Ollama listens and which models it has is found out later. */
const BARE_TYPES: Readonly<Record<string, ProviderType>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  ollama: "openai-compatible",
  offline: "offline",
};

/** The row of `--model`, which wins over the model of the provider's entry. */
export const MODEL = setting({
  name: "model",
  notInFile: true,
  kind: TEXT,
  flags: [{ name: "model", group: "parts" }],
  variables: ["AGENTD_MODEL"],
  defaultText: "the provider's",
  description: "The model's name at the provider",
});

/** The entry of that name; a vendor's bare name is an entry without settings. */
function entryOf(
  { value: name, origin, place }: Found<string>,
  { file }: Sources,
): { entry: JsonObject; isBare: boolean } {
  const entries = objectOf(file["providers"]);
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (isObject(entry)) return { entry, isBare: false };
  const type = Object.hasOwn(BARE_TYPES, name) ? BARE_TYPES[name] : undefined;
  if (type !== undefined) return { entry: { type }, isBare: true };
  const known = [...Object.keys(entries), ...Object.keys(BARE_TYPES)];
  const isFlag = origin === "flag";
  throw new StartError(
    `the provider ${name} (${isFlag ? place : origin}) is not configured.${didYouMean(name, known)} Known: ${[...new Set(known)].join(", ")}.`,
    { exitCode: isFlag ? 2 : 1 },
  );
}

/** The provider of that name. Throws StartError for an unknown one, and for a missing key, address or file. */
export function resolveProvider(found: Found<string>, sources: Sources): ConfiguredProvider {
  const name = found.value;
  const { entry, isBare } = entryOf(found, sources);
  const prefix = `providers.${name}.`;
  const { type, base_url, file, act } = entry;
  if (type === "openai-compatible" && base_url === undefined && !isBare)
    throw new StartError(`${prefix}base_url is missing. An openai-compatible provider needs the address of its API.`);
  if (type !== "offline" && act !== undefined)
    throw new StartError(`${prefix}act is for the type offline only. Use safety.confirm to have changes confirmed.`);
  if (type === "scripted" && file === undefined)
    throw new StartError(`${prefix}file is missing. A scripted provider needs a file of turns.`);
  const values = resolveTable(PROVIDER_SETTINGS, {
    ...sources,
    flags: {},
    file: entry,
    prefix,
    hasDefaults: false,
    origins: {},
  });
  const model = findValue(MODEL, sources)?.value;
  if (model === undefined && values.model !== undefined) sources.origins[MODEL.name] = "config.json";
  // The schema of config.json demands a type.
  const configured = { name, ...values } as ConfiguredProvider;
  if (model !== undefined) configured.model = model;
  return configured;
}
