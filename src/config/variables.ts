// The environment variables the daemon reads, and those that look like a misspelt one of them.
import { StartError } from "../domain/error.js";
import { closestWord, didYouMean } from "../lib/did-you-mean.js";
import { rowsOf } from "./setting.js";
import { SETTINGS } from "./table.js";

const PREFIX = "AGENTD_";

/** Every environment variable the daemon reads. */
export const VARIABLES: readonly string[] = rowsOf(SETTINGS).flatMap(({ row }) => row.variables ?? []);

/**
 * Refuses variables that look like a misspelt one of ours: AGENTD_READONLY must not silently run unprotected.
 * Others that begin with AGENTD_ are left alone; cluster schedulers set such names for a service called agentd.
 */
export function refuseMisspeltVariables(env: NodeJS.ProcessEnv): void {
  const known = VARIABLES.map((name) => name.slice(PREFIX.length));
  const letters = (name: string): string => [...name].sort().join("");
  const swapped = new Set(known.map(letters));
  for (const name of Object.keys(env)) {
    const rest = /^AGENTD_(.+)$/.exec(name)?.[1];
    // Short names are near to too many others: AGENTD_HOME is not a slip for AGENTD_HOST.
    const slips = rest !== undefined && rest.length < 5 ? 1 : 2;
    if (rest === undefined || known.includes(rest)) continue;
    if (closestWord(rest, known, slips) === undefined && !swapped.has(letters(rest))) continue;
    if (/^(SERVICE|PORT)_/.test(rest)) continue;
    const meant = didYouMean(rest, known).replace("mean ", `mean ${PREFIX}`);
    throw new StartError(`the environment variable ${name} is not known.${meant} Rename or unset it.`);
  }
}
