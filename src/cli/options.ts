// The options several commands share: those that set a setting, made from the table of settings, and the global ones.
// Source: docs/reference.md, "Command line"
import type { Options } from "yargs";
import { camelCase } from "../config/merge.js";
import { type AnySetting, type Flag, type FlagGroup, rowsOf } from "../config/setting.js";
import type { Flags } from "../config/settings.js";
import { SETTINGS } from "../config/table.js";
import { usageError } from "../domain/error.js";

/** A whole number between two bounds, refused by name otherwise. */
export function parseWholeNumber(option: string, min: number, max: number): (value: unknown) => number | undefined {
  return (value) => {
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw usageError(`--${option} takes a whole number from ${min} to ${max}.`);
  };
}

/** The default as --help says it; a list or a switch goes without saying. */
function defaultNote(row: AnySetting): string {
  const { default: value, unit, defaultNote: note = "" } = row;
  if (typeof value !== "string" && typeof value !== "number") return "";
  return ` [default: ${typeof value === "number" ? value / (unit?.factor ?? 1) : value}${note}]`;
}

function toOption(row: AnySetting, flag: Flag): Options {
  const { type, array, min = 0, max = Number.MAX_SAFE_INTEGER } = row.kind.option;
  const option: Options = { type, describe: (flag.help ?? row.description) + defaultNote(row) };
  if (flag.alias !== undefined) option.alias = flag.alias;
  if (array) option.array = true;
  if (type === "number") option.coerce = parseWholeNumber(flag.name, min, max);
  return option;
}

const FLAGS = rowsOf(SETTINGS).flatMap(({ row }) => (row.flags ?? []).map((flag) => ({ row, flag })));

/** The first flag of a group among parsed arguments. */
export function firstGiven(name: FlagGroup, args: Flags): string | undefined {
  const given = args as Readonly<Record<string, unknown>>;
  return FLAGS.find(({ flag }) => flag.group === name && given[camelCase(flag.name)] !== undefined)?.flag.name;
}

/** Options for the flags of settings that pass. What they mean is in `Flags`, so their names are in no type here. */
function settingOptions(isWanted: (flag: Flag) => boolean): Record<never, Options> {
  return Object.fromEntries(
    FLAGS.filter(({ flag }) => isWanted(flag)).map(({ row, flag }) => [flag.name, toOption(row, flag)]),
  );
}

const group = (name: FlagGroup): Record<never, Options> => settingOptions((flag) => flag.group === name);

/** The option of one flag of a setting. */
export const option = (name: string): Record<never, Options> => settingOptions((flag) => flag.name === name);

/** Understood by every command. */
export const GLOBAL = {
  ...group("everywhere"),
  verbose: { type: "boolean", describe: "More in the log; stack traces with errors" },
} as const;

/** The safety modes. */
export const SAFETY = group("safety");

/** The token, for the daemon that demands it and for the commands that go through one. */
export const TOKEN = group("token");

/** Which provider and model. */
export const MODEL_FLAGS = group("model");

/** Which application. */
export const PARTS = group("parts");

/** How and where a daemon listens. */
export const LISTENER = group("listener");
