// Precedence: flags win over AGENTD_* variables, those over config.json, those over defaults.
// A table and its sources come in, the values come out; the origin of each is noted. Source: docs/reference.md, "Precedence of settings"
import { StartError } from "../domain/error.js";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import {
  type AnySetting,
  type Found,
  isRow,
  type Setting,
  type SettingTable,
  type Sources,
  type ValuesOf,
} from "./setting.js";

/** The name of a flag among parsed arguments. */
export function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The value under a dotted path, undefined when there is none. */
function valueAt(file: JsonObject, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      file,
    );
}

function fromText<Raw>(row: Setting<Raw, unknown>, variable: string, text: string): Raw {
  try {
    return scaled(row, row.kind.fromText(text));
  } catch (error) {
    throw new StartError(`${variable}=${text}: ${(error as Error).message}.`, { cause: error });
  }
}

function scaled<Raw>({ unit }: Setting<Raw, unknown>, value: Raw): Raw {
  return unit ? ((Number(value) * unit.factor) as Raw) : value;
}

/** The raw value of a setting; undefined when it has none. An empty variable counts as not set. */
export function findValue<Raw>(row: Setting<Raw, unknown>, sources: Sources): Found<Raw> | undefined {
  if (row.find) return row.find(sources);
  for (const { name } of row.flags ?? []) {
    // Flags and file have passed the checks of the row's kind.
    const value = sources.flags[camelCase(name)] as Raw | undefined;
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    return { value: scaled(row, value), origin: "flag", place: `--${name}` };
  }
  for (const variable of row.variables ?? []) {
    const text = sources.env[variable]?.trim();
    if (text) return { value: fromText(row, variable, text), origin: variable, place: variable };
  }
  const place = sources.prefix + row.name;
  const value = row.notInFile ? undefined : (valueAt(sources.file, row.name) as Raw | undefined);
  if (value !== undefined) return { value, origin: "config.json", place };
  if (row.default === undefined || !sources.hasDefaults) return undefined;
  return { value: row.default, origin: "default", place };
}

function resolveRow(row: AnySetting, sources: Sources): unknown {
  const found = findValue(row, sources);
  const name = sources.prefix + row.name;
  if (found) sources.origins[name] = found.origin;
  const value = found && row.resolve ? row.resolve(found, sources) : found?.value;
  if (value === undefined) sources.origins[name] ??= "default";
  return value;
}

/** The values of a table; a setting without one is left out. Throws StartError naming where a bad value stands. */
export function resolveTable<Table extends SettingTable>(table: Table, sources: Sources): ValuesOf<Table> {
  const values: Record<string, unknown> = {};
  for (const [property, entry] of Object.entries(table)) {
    const value = isRow(entry) ? resolveRow(entry, sources) : resolveTable(entry, sources);
    if (value !== undefined) values[property] = value;
  }
  // Every property was made from the row of the same name.
  return values as ValuesOf<Table>;
}
