// The settings as a person reads them: every effective value with where it came from, and no secret among them.
import { isObject, type JsonValue } from "../lib/json.js";
import { CommandSecret } from "./command-secret.js";
import { MODEL } from "./provider.js";
import { PROVIDER_SETTINGS } from "./provider-table.js";
import { type AnySetting, type Origin, rowsOf } from "./setting.js";
import type { Settings } from "./settings.js";
import { settingAt, settingValues } from "./values.js";

/** One line of `agentd config`. */
interface SettingLine {
  /** Its name in config.json. */
  name: string;
  value: JsonValue;
  from: Origin;
}

/** What stands for a secret. */
const SET = "[set]";

function shownValue(row: AnySetting, value: unknown): JsonValue {
  if (row.isSecret && isObject(value) && !(value instanceof CommandSecret))
    return Object.fromEntries(Object.keys(value).map((name) => [name, SET]));
  if (row.isSecret && value !== undefined) return SET;
  return ((row.show ? row.show(value) : value) ?? null) as JsonValue;
}

/** The settings of the provider in use. A detected one has the defaults. */
function providerLines({ provider, origins }: Settings): SettingLine[] {
  // The model has its own line, because a flag may have chosen it.
  const rows = rowsOf(PROVIDER_SETTINGS).filter(({ row }) => row.name !== MODEL.name);
  return rows.map(({ path, row }) => {
    const value = settingAt(provider.configured, path);
    return {
      name: `provider.${row.name}`,
      value: shownValue(row, value ?? row.default),
      from: value === undefined ? "default" : (origins["default_provider"] ?? "default"),
    };
  });
}

/** Every effective setting and its origin; secrets show as `[set]` only. */
export function describeSettings(settings: Settings): SettingLine[] {
  const { provider, origins } = settings;
  const effective = { ...settings, provider: { ...provider, model: provider.configured?.model ?? provider.model } };
  return settingValues(effective).flatMap(({ name, row, value }) => {
    const line = { name, value: shownValue(row, value), from: origins[name] ?? "default" };
    return name === "default_provider" ? [line, ...providerLines(settings)] : [line];
  });
}
