// What is different between the settings in force and those that were read again: names only, never a value.
import { toJson } from "../lib/json.js";
import type { AnySetting } from "./setting.js";
import type { Settings } from "./settings.js";
import { settingValues } from "./values.js";

/** Settings that changed, by their names in config.json. */
interface Changes {
  /** Those a running daemon can put in force. */
  reloaded: string[];
  /** Those that a restart alone puts in force. */
  waiting: string[];
}

/** Compares settings value by value. What an application that is only on one side does not have is the default. */
export function changesBetween(before: Settings, after: Settings): Changes {
  const [old, now] = [before, after].map((settings) => new Map(settingValues(settings).map((one) => [one.name, one])));
  const rows = new Map([...(old ?? []), ...(now ?? [])].map(([name, { row }]) => [name, row]));
  const textOf = (name: string, row: AnySetting, side: typeof old): string =>
    toJson(side?.get(name)?.value ?? row.default ?? null);
  const changed = [...rows].filter(([name, row]) => textOf(name, row, old) !== textOf(name, row, now));
  const names = (test: (row: AnySetting) => boolean): string[] =>
    changed.filter(([, row]) => test(row)).map(([name]) => name);
  return { reloaded: names((row) => !row.needsRestart), waiting: names((row) => row.needsRestart === true) };
}
