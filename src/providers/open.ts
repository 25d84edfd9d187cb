// The providers of a configuration: the one in use, and those that a prompt may choose instead. Each is made when it is first used
// with a model, but for the one in use, whose faults refuse the start.
import type { ConfiguredProvider } from "../config/provider.js";
import type { Settings } from "../config/settings.js";
import type { ModelChoice, OfferedProvider } from "../domain/model-choice.js";
import type { Price } from "../domain/usage.js";
import type { Log } from "../lib/log.js";
import type { Redactor } from "../lib/redact/redact.js";
import { createProvider, DEFAULT_MODELS, type PartialOptions, providerOptions } from "./create.js";
import type { Detected } from "./detect.js";
import type { Provider } from "./provider.js";

/** What a configuration offers. */
export interface Providers {
  /** The one in use where neither prompt nor session has a choice. */
  readonly inUse: Provider;
  /** All of them, the one in use first. */
  readonly offers: readonly OfferedProvider[];
  /** The largest `history_limit` of all. */
  readonly historyLimit: number;
  /** An offered one; the caller has checked that it is. Throws StartError for options that cannot work. */
  get(choice: ModelChoice): Promise<Provider>;
  /** What an offered model costs, where the operator says so. */
  price(choice: ModelChoice): Price | undefined;
  /** Names of offline providers whose changes no person confirms. */
  readonly acting: ReadonlySet<string>;
}

/** What an offered provider is made from. */
interface Entry {
  name: string;
  options: PartialOptions & Pick<ConfiguredProvider, "file" | "act">;
  prices: Pick<ConfiguredProvider, "price" | "prices">;
  /** The first is used when a prompt names the provider alone. */
  models: string[];
}

/** The one in use first. */
type Entries = readonly [Entry, ...Entry[]];

interface OpenedProviders {
  providers: Providers;
  /** Which is in use and why, as a sentence for the person who starts the daemon. */
  why: string;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

function entryOf(configured: ConfiguredProvider): Entry {
  const { name, type, models = [], price, prices, ...options } = configured;
  const model = configured.model ?? DEFAULT_MODELS[type];
  return {
    name,
    options: { ...options, name, type, file: configured.file || undefined },
    prices: { price, prices },
    models: unique([model, ...models]),
  };
}

/** The configured provider in use. Throws StartError where an Ollama was chosen by its bare name and none answers. */
async function configuredEntry(configured: ConfiguredProvider): Promise<Entry> {
  // Only an Ollama chosen by its bare name has no address yet.
  const isOllama = configured.type === "openai-compatible" && configured.baseUrl === undefined;
  if (!isOllama) return entryOf(configured);
  const { chosenOllama } = await import("./detect.js");
  return entryOf({ ...configured, ...(await chosenOllama(process.env, configured.model)) });
}

/** The one that is found when none is configured, and the others that have a key. */
async function detectedEntries(settings: Settings, redactor: Redactor): Promise<{ entries: Entries; why: string }> {
  const { detectProvider } = await import("./detect.js");
  const { further, ...first } = await detectProvider(process.env, settings.provider.model);
  for (const { apiKey } of [first, ...further]) if (apiKey) redactor.learn(apiKey);
  const toEntry = ({ why: _, ...found }: Detected): Entry => entryOf(found);
  return { entries: [toEntry(first), ...further.map(toEntry)], why: first.why };
}

const offerOf = ({ name, options: { type }, models }: Entry, isInUse: boolean): OfferedProvider => ({
  name,
  type,
  model: models[0] ?? "",
  models,
  default: isInUse,
});

function priceOf({ prices: { price, prices } }: Entry, model: string, currency: string): Price | undefined {
  const own = prices?.[model] ?? price;
  return own && { ...own, currency };
}

/** What the providers of a configuration have in common. */
interface Common {
  settings: Settings;
  redactor: Redactor;
  log: Log;
  /** As in Providers. */
  acting: ReadonlySet<string>;
}

async function create(entry: Entry, model: string, { redactor, log, acting }: Common): Promise<Provider> {
  const { name, options } = entry;
  const complete = providerOptions({ ...options, model, redact: redactor.text }, { redactor, log });
  return createProvider(options.type, { ...complete, file: options.file, act: acting.has(name) });
}

/** The offline providers that may act: of those that are configured to, on a reload only the ones that did before. */
function actingIn(entries: Entries, { log, before }: Pick<OpenContext, "log" | "before">): ReadonlySet<string> {
  const wanted = entries.flatMap(({ name, options }) => (options.act ? [name] : []));
  const refused = before ? wanted.filter((name) => !before.acting.has(name)) : [];
  if (refused.length > 0)
    log.warn({ providers: refused }, "a reload does not let the offline provider act; restart agentd to do so");
  return new Set(wanted.filter((name) => !refused.includes(name)));
}

/** The providers of these entries. Throws StartError when the first cannot be used. */
async function createProviders(
  entries: Entries,
  offers: readonly OfferedProvider[],
  common: Common,
): Promise<Providers> {
  const [first] = entries;
  const made = new Map<string, Promise<Provider>>();
  const entryAt = (name: string): Entry => entries.find((one) => one.name === name) ?? first;
  const get = ({ provider: name, model }: ModelChoice): Promise<Provider> => {
    const key = JSON.stringify([name, model]);
    const known = made.get(key);
    if (known) return known;
    const making = create(entryAt(name), model, common);
    made.set(key, making);
    // What a file lacks may be there the next time.
    making.catch(() => made.delete(key));
    return making;
  };
  return {
    inUse: await get({ provider: first.name, model: first.models[0] ?? "" }),
    offers,
    historyLimit: Math.max(...entries.map(({ options }) => providerOptions(options).historyLimit)),
    get,
    price: ({ provider, model }) => priceOf(entryAt(provider), model, common.settings.currency),
    acting: common.acting,
  };
}

/** The entries of config.json beside the one in use, and what is offered of those that cannot be used. */
function furtherEntries(
  { provider: { configured, entries } }: Settings,
  log: Log,
): { usable: Entry[]; unusable: OfferedProvider[] } {
  const usable: Entry[] = [];
  const unusable: OfferedProvider[] = [];
  for (const one of entries.filter(({ name }) => name !== configured?.name)) {
    if (!("error" in one)) {
      usable.push(entryOf(one));
      continue;
    }
    const { name, type, error } = one;
    log.info({ provider: name, cause: error }, "a provider cannot be used");
    unusable.push({ name, type, model: "", models: [], default: false, error });
  }
  return { usable, unusable };
}

/** What the settings say, before anything is made of it. */
interface Collected {
  entries: Entries;
  unusable: OfferedProvider[];
  /** Which is the first, and why, as a sentence. */
  why: string;
}

async function collect(
  settings: Settings,
  { redactor, log }: Pick<OpenContext, "redactor" | "log">,
): Promise<Collected> {
  const { configured } = settings.provider;
  if (!configured) {
    const { entries, why } = await detectedEntries(settings, redactor);
    const [{ name, options, models }] = entries;
    return { entries, unusable: [], why: `provider ${name} (${options.type}, ${models[0]}): ${why}` };
  }
  const { usable, unusable } = furtherEntries(settings, log);
  const first = await configuredEntry(configured);
  const why = `provider ${configured.name} (${configured.type}, ${first.models[0]}), as configured`;
  return { entries: [first, ...usable], unusable, why };
}

const offersOf = ({ entries, unusable }: Collected): OfferedProvider[] => [
  ...entries.map((entry, at) => offerOf(entry, at === 0)),
  ...unusable,
];

interface OpenContext {
  redactor: Redactor;
  log: Log;
  /** Those in force until now. */
  before?: Providers | undefined;
}

/** The providers of a configuration, none of which is made. Throws StartError where an Ollama was chosen and none answers. */
export async function listProviders(
  settings: Settings,
  context: Pick<OpenContext, "redactor" | "log">,
): Promise<OfferedProvider[]> {
  return offersOf(await collect(settings, context));
}

/** Opens the providers of a configuration. Throws StartError when the one in use cannot be used. */
export async function openProviders(settings: Settings, context: OpenContext): Promise<OpenedProviders> {
  const collected = await collect(settings, context);
  const { entries, why } = collected;
  const { redactor, log } = context;
  const common = { settings, redactor, log, acting: actingIn(entries, context) };
  return { providers: await createProviders(entries, offersOf(collected), common), why };
}
