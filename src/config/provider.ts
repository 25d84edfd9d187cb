// Which model provider is configured: an entry of config.json or a bare vendor name, its key resolved; and the further entries that
// a prompt may choose. Finding one when none is configured is not done here.
import { z } from "zod";
import { messageOf, StartError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { isObject, type JsonObject, objectOf } from "../lib/json.js";
import { byName, TEXT } from "./kinds.js";
import { findValue, resolveTable } from "./merge.js";
import { chosenEntry } from "./model-flag.js";
import { PROVIDER_SETTINGS, type ProviderType } from "./provider-table.js";
import { type Found, type Kind, rowsOf, type Sources, setting, type ValuesOf } from "./setting.js";
import { objectSchema } from "./shape.js";
import { entryFor, type KnownVendor, VENDORS, vendorIn } from "./vendors.js";

/** A model provider, secrets resolved. */
export type ConfiguredProvider = Partial<ValuesOf<typeof PROVIDER_SETTINGS>> & {
  name: string;
  type: ProviderType;
  /** The key goes into `Authorization: Bearer`, where that is not the vendor's own way. */
  isBearer?: boolean;
};

/** An entry that cannot be used as it is: no reason to refuse the start, as long as no other is asked for. */
interface UnusableProvider {
  name: string;
  type: ProviderType;
  /** Why, as a sentence. */
  error: string;
}

/** Names that need no entry and no key. Where an Ollama listens and which models it has is found out later. */
const BARE_TYPES: Readonly<Record<string, ProviderType>> = { ollama: "openai-compatible", offline: "offline" };

/** The row of `--model`, which wins over the model of the provider's entry. */
export const MODEL = setting({
  name: "model",
  notInFile: true,
  kind: TEXT,
  flags: [{ name: "model", alias: "m", group: "model" }],
  variables: ["AGENTD_MODEL"],
  defaultText: "the provider's",
  description: "The model's name at the provider",
  more: "or `PROVIDER/MODEL`",
});

/** Entries by name. */
const ENTRIES: Kind<Record<string, JsonObject>> = byName(
  z.record(z.string().min(1), objectSchema(PROVIDER_SETTINGS) as unknown as z.ZodType<JsonObject>),
);

interface Entry {
  entry: JsonObject;
  isBare: boolean;
  isBearer?: boolean;
}

/** The entry that the environment makes of a vendor's bare name. Throws StartError naming what is missing there. */
function bareEntry(vendor: KnownVendor, sources: Sources): Entry {
  const model = findValue(MODEL, sources)?.value;
  const found = vendorIn(sources.env, vendor, { model, isChosen: true });
  if (found === undefined || "lacks" in found) {
    if (sources.isLenient) return { entry: { type: vendor.type }, isBare: true };
    const [variable = ""] = vendor.keys;
    throw new StartError(
      found
        ? `the provider ${vendor.name} cannot be used: ${found.lacks}.`
        : `providers.${vendor.name} needs a key: set ${variable}, or write "api_key": "env:NAME" into its entry in config.json.`,
    );
  }
  return { entry: entryFor(vendor, found), isBare: true, isBearer: found.isBearer };
}

/** The entry of that name; a vendor's bare name is the entry that the environment makes. */
function entryOf({ value: name, origin, place }: Found<string>, sources: Sources): Entry {
  const entries = objectOf(sources.file["providers"]);
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (isObject(entry)) return { entry, isBare: false };
  const vendor = VENDORS.find((one) => one.name === name);
  if (vendor) return bareEntry(vendor, sources);
  const type = Object.hasOwn(BARE_TYPES, name) ? BARE_TYPES[name] : undefined;
  if (type !== undefined) return { entry: { type }, isBare: true };
  const known = [...Object.keys(entries), ...VENDORS.map((one) => one.name), ...Object.keys(BARE_TYPES)];
  const isFlag = origin === "flag";
  throw new StartError(
    `the provider ${name} (${isFlag ? place : origin}) is not configured.${didYouMean(name, known)} Known: ${[...new Set(known)].join(", ")}.`,
    { exitCode: isFlag ? 2 : 1 },
  );
}

/** Throws StartError for the first setting that a provider of this type does not take. */
function refuseOtherTypes(entry: JsonObject, prefix: string): void {
  for (const { row } of rowsOf(PROVIDER_SETTINGS)) {
    const { name, onlyTypes, otherwise } = row;
    if (onlyTypes === undefined || entry[name] === undefined || onlyTypes.includes(String(entry["type"]))) continue;
    const types = `${onlyTypes.length > 1 ? "the types" : "the type"} ${onlyTypes.join(", ")}`;
    throw new StartError(
      `${prefix}${name} is for ${types} only, not for ${entry["type"]}. ${otherwise ?? "Take it out."}`,
    );
  }
}

/** The values of an entry. Throws StartError for a missing key, address or file. */
function resolveEntry(name: string, { entry, isBare }: Entry, sources: Sources): ConfiguredProvider {
  const prefix = `providers.${name}.`;
  const { type, base_url, file } = entry;
  if (type === "openai-compatible" && base_url === undefined && !isBare)
    throw new StartError(`${prefix}base_url is missing. An openai-compatible provider needs the address of its API.`);
  refuseOtherTypes(entry, prefix);
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
  // The schema of config.json demands a type.
  return { name, ...values } as ConfiguredProvider;
}

/** The provider in use. Throws StartError for an unknown one, and for a missing key, address or file. */
export function resolveProvider(given: Found<string>, sources: Sources): ConfiguredProvider {
  const { found, model } = chosenEntry(given, findValue(MODEL, sources), sources.file);
  const entry = entryOf(found, sources);
  const configured = resolveEntry(found.value, entry, sources);
  if (model === undefined && configured.model !== undefined) sources.origins[MODEL.name] = "config.json";
  if (entry.isBearer) configured.isBearer = true;
  if (model === undefined) return configured;
  // The entry's own can be chosen all the same.
  const own = configured.model === undefined ? [] : [configured.model];
  const models = [...own, ...(configured.models ?? [])];
  return models.length === 0 ? { ...configured, model } : { ...configured, model, models };
}

/** Every entry of `providers`. One that cannot be used stands with the reason. */
function resolveProviders(
  { value: entries }: Found<Record<string, JsonObject>>,
  sources: Sources,
): (ConfiguredProvider | UnusableProvider)[] {
  return Object.entries(entries).map(([name, entry]) => {
    try {
      return resolveEntry(name, { entry, isBare: false }, sources);
    } catch (error) {
      return { name, type: entry["type"] as ProviderType, error: messageOf(error) };
    }
  });
}

/** The row of the entries. */
export const PROVIDERS = setting({
  name: "providers",
  kind: ENTRIES,
  default: {},
  description: "Model providers, by a name of your choice",
  more: "see [Models](#models)",
  resolve: resolveProviders,
  show: (providers) => providers.map(({ name }) => name),
});
