// What is different between the settings in force and those that were read again: names only, never a value.
import { toJson } from "../lib/json.js";
import { type AnySetting, rowsOf } from "./setting.js";
import type { Settings } from "./settings.js";
import { SETTINGS } from "./table.js";

/** Settings that changed, by their names in config.json. */
interface Changes {
  /** Those a running daemon can put in force. */
  reloaded: string[];
  /** Those that a restart alone puts in force. */
  waiting: string[];
}

const valueAt = (settings: Settings, path: readonly string[]): string =>
  toJson(path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], settings) ?? null);

/** Compares settings value by value. */
export function changesBetween(before: Settings, after: Settings): Changes {
  const changed = rowsOf(SETTINGS).filter(({ path }) => valueAt(before, path) !== valueAt(after, path));
  const names = (test: (row: AnySetting) => boolean): string[] =>
    changed.filter(({ row }) => test(row)).map(({ row }) => row.name);
  return { reloaded: names((row) => !row.needsRestart), waiting: names((row) => row.needsRestart === true) };
}
