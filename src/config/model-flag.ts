// What `--model` chooses beside the model: the one entry of `providers` that has it, or the one that is named, alone or before a
// slash.
// Without either it is a model of the default provider, whatever that has in its entry: the person at the command line says so.
import { StartError } from "../domain/error.js";
import { isObject, type JsonObject, listOf, objectOf } from "../lib/json.js";
import type { Found } from "./setting.js";

const hasModel = (entry: unknown, model: string): boolean =>
  isObject(entry) && (entry["model"] === model || listOf(entry["models"]).includes(model));

/**
 * The provider in use and the model that was named. A provider that a flag or a variable names is the one, whatever the model is
 * called. Throws StartError where several entries have the model and the default one is none of them.
 */
export function chosenEntry(
  given: Found<string>,
  asked: Found<string> | undefined,
  file: JsonObject,
): { found: Found<string>; model: string | undefined } {
  if (asked === undefined) return { found: given, model: undefined };
  const model = asked.value;
  const entries = objectOf(file["providers"]);
  if (given.origin !== "config.json" || hasModel(entries[given.value], model)) return { found: given, model };
  const holders = Object.keys(entries).filter((name) => hasModel(entries[name], model));
  const [only] = holders;
  if (holders.length > 1)
    throw new StartError(
      `${asked.place} ${model}: several providers have this model: ${holders.join(", ")}. Name one with --provider.`,
      { exitCode: asked.origin === "flag" ? 2 : 1 },
    );
  const entryAt = (name: string): Found<string> => ({ ...asked, value: name });
  if (only !== undefined) return { found: entryAt(only), model };
  if (Object.hasOwn(entries, model)) return { found: entryAt(model), model: undefined };
  const slash = model.indexOf("/");
  const [name, rest] = [model.slice(0, Math.max(0, slash)), model.slice(slash + 1)];
  if (rest !== "" && Object.hasOwn(entries, name)) return { found: entryAt(name), model: rest };
  return { found: given, model };
}
