// Precedence: flags win over AGENTD_* variables, those over config.json, those over defaults.
// Every value picked is remembered with where it came from. Source: reference, section 9.
import { StartError } from "../domain/error.js";
import { didYouMean, nearest } from "../lib/did-you-mean.js";

/** Where a setting came from: a flag, the name of a variable, `config.json` or `default`. */
export type Origin = string;

/** How a variable's text becomes a value. Throws Error saying what is expected. */
export type Reader<T> = (text: string) => T;

/** Every environment variable the daemon reads. */
export const VARIABLES = [
  "AGENTD_DATA_DIR",
  "AGENTD_HOST",
  "AGENTD_PORT",
  "AGENTD_TOKEN",
  "AGENTD_TOKEN_FILE",
  "AGENTD_ALLOWED_HOSTS",
  "AGENTD_INSECURE_NO_TOKEN",
  "AGENTD_GRACE",
  "AGENTD_READ_ONLY",
  "AGENTD_DRY_RUN",
  "AGENTD_STRICT",
  "AGENTD_CONFIRM",
  "AGENTD_PROVIDER",
  "AGENTD_MODEL",
  "AGENTD_SCHEMA",
  "AGENTD_BASE_URL",
] as const;
export type Variable = (typeof VARIABLES)[number];

/** Any text. */
export const asText: Reader<string> = (text) => text;

/** true, 1, yes, on and their opposites, in any case. */
export const asBoolean: Reader<boolean> = (text) => {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new Error("expected true or false");
};

/** A number between two bounds. */
export function asNumber(least: number, most: number): Reader<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`expected a number from ${least} to ${most}`);
  };
}

/** Names separated by commas. */
export const asList: Reader<string[]> = (text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Picks values by precedence and remembers their origins. */
export class Layers {
  readonly origins: Record<string, Origin> = {};
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** The value of the setting called `name`, undefined when no layer has it. An empty variable counts as not set. */
  pick<T>(
    name: string,
    from: { flag?: T | undefined; env?: [Variable, Reader<T>]; file?: T | undefined },
  ): T | undefined {
    if (from.flag !== undefined) return this.#found(name, "flag", from.flag);
    if (from.env) {
      const [variable, read] = from.env;
      const text = this.#env[variable]?.trim();
      if (text) {
        try {
          return this.#found(name, variable, read(text));
        } catch (error) {
          throw new StartError(`${variable}=${text}: ${(error as Error).message}.`, { cause: error });
        }
      }
    }
    if (from.file !== undefined) return this.#found(name, "config.json", from.file);
    this.origins[name] = "default";
    return undefined;
  }

  #found<T>(name: string, origin: Origin, value: T): T {
    this.origins[name] = origin;
    return value;
  }
}

/**
 * Refuses variables that look like a misspelt one of ours: AGENTD_READONLY must not silently run unprotected.
 * Others that begin with AGENTD_ are left alone; cluster schedulers set such names for a service called agentd.
 */
export function refuseMisspeltVariables(env: NodeJS.ProcessEnv): void {
  const known: readonly string[] = VARIABLES.map((name) => name.slice("AGENTD_".length));
  const letters = (name: string): string => [...name].sort().join("");
  const swapped = new Set(known.map(letters));
  for (const name of Object.keys(env)) {
    const rest = /^AGENTD_(.+)$/.exec(name)?.[1];
    // Short names are near to too many others: AGENTD_HOME is not a slip for AGENTD_HOST.
    const slips = rest !== undefined && rest.length < 5 ? 1 : 2;
    if (rest === undefined || known.includes(rest)) continue;
    if (nearest(rest, known, slips) === undefined && !swapped.has(letters(rest))) continue;
    if (/^(SERVICE|PORT)_/.test(rest)) continue;
    const meant = didYouMean(rest, known).replace("mean ", "mean AGENTD_");
    throw new StartError(`the environment variable ${name} is not known.${meant} Rename or unset it.`);
  }
}
