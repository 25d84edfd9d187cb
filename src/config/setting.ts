// What one row of a table of settings says, and what is known while its value is looked for.
// A table is an object of rows, nested like the settings made from it: the property is the name in the program.
import type { z } from "zod";
import type { JsonObject, JsonValue } from "../lib/json.js";
import type { SecretReader } from "./secret.js";

/** Where a value came from: `flag`, the name of a variable, `config.json` or `default`. */
export type Origin = string;

/**
 * The options of the command line that commands take as a group. `everywhere`: every command; `listener`: `serve` and `config`;
 * `token`: also the commands that go through a daemon; `safety`, `model` and `parts` (which application): `serve`, `run`, `chat` and
 * `config`.
 */
export type FlagGroup = "everywhere" | "listener" | "token" | "safety" | "model" | "parts";

/** One option of the command line that sets a setting. */
export interface Flag<Name extends string = string> {
  /** Without the dashes. */
  name: Name;
  alias?: string;
  group: FlagGroup;
  /** What --help says in place of the row's description. */
  help?: string;
}

/** How a value is written in each place where it can be. */
export interface Kind<Raw> {
  /** In config.json. */
  json: z.ZodType<Raw>;
  /** In a variable. Throws Error saying what is expected. */
  fromText(text: string): Raw;
  /** On the command line. */
  option: { type: "string" | "boolean" | "number"; array?: true; min?: number; max?: number };
  /** A record of values under names of the user's choice. */
  isRecord?: true;
}

/** A raw value where it was found. */
export interface Found<Raw> {
  value: Raw;
  origin: Origin;
  /** For messages: `--port`, `AGENTD_PORT`, `target.base_url`. */
  place: string;
}

/** Everything a value can be found in, or resolved with. */
export interface Sources {
  /** By camelCase names; absent means not given. */
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
  /** config.json, checked; or one entry of `providers` or `applications`. */
  file: JsonObject;
  /** What stands before a key of `file` in messages. */
  prefix: string;
  /** Absolute. */
  dataDir: string;
  secrets: SecretReader;
  /** A missing secret is a warning. */
  isLenient: boolean;
  /** Takes a sentence for the log. */
  warn(message: string): void;
  /** Whether the defaults of the table count; those of a provider are its own to fill in. */
  hasDefaults: boolean;
  /** By the rows' names behind the prefix, filled in on the way. */
  origins: Record<string, Origin>;
}

/** One setting. `Raw` is what is written, `Value` what the program works with. */
export interface Setting<Raw, Value = Raw, Name extends string = string> {
  /** Its path in config.json; `agentd config` shows it under this name. */
  name: string;
  /** Absent from config.json. */
  notInFile?: true;
  /** Demanded in config.json. */
  isRequired?: true;
  kind: Kind<Raw>;
  flags?: readonly Flag<Name>[];
  /** In the order of their precedence. */
  variables?: readonly string[];
  /** Flag and variable count in a larger unit: so many of the value's own. */
  unit?: { name: string; factor: number };
  default?: Raw;
  /** What is used when the default is no fixed value, for the documentation. */
  defaultText?: string;
  /** What --help appends to the default. */
  defaultNote?: string;
  /** One sentence without its full stop: for --help, editors and the documentation. */
  description: string;
  /** Markdown that docs/configuration.md appends. */
  more?: string;
  /** The types of provider that take it, in an entry of `providers`; every type without this. */
  onlyTypes?: readonly string[];
  /** What to do instead, for a type that does not take it. */
  otherwise?: string;
  /** A running daemon cannot put another value in force. */
  needsRestart?: true;
  /** Never shown: `agentd config` masks it. */
  isSecret?: true;
  /** Finds the raw value where precedence alone does not say how. */
  find?(sources: Sources): Found<Raw> | undefined;
  /** Checks and completes what was found; undefined leaves the setting out. Throws StartError naming the place. */
  resolve?(found: Found<Raw>, sources: Sources): Value | undefined;
  /** What `agentd config` shows in place of the value. */
  show?(value: Value): JsonValue;
}

export type AnySetting = Setting<unknown, unknown>;

/** Rows by property, in groups where the settings have groups. */
export type SettingTable = { readonly [property: string]: AnySetting | SettingTable };

/** A row; what it is a setting of is inferred. With a default there is always a value. */
export function setting<Raw, Value = Raw, const Name extends string = never>(
  row: Setting<Raw, Value, Name> & { default: Raw },
): Setting<Raw, Value, Name> & { default: Raw };
export function setting<Raw, Value = Raw, const Name extends string = never>(
  row: Setting<Raw, Value, Name>,
): Setting<Raw, Value | undefined, Name>;
export function setting(row: AnySetting): AnySetting {
  return row;
}

type ValueOf<Entry> = Entry extends Setting<infer _Raw, infer Value, infer _Name> ? Value : ValuesOf<Entry>;
type OptionalKey<Table> = {
  [K in keyof Table]: Table[K] extends Setting<infer _Raw, infer Value, infer _Name>
    ? undefined extends Value
      ? K
      : never
    : never;
}[keyof Table];

/** The settings that a table makes. */
export type ValuesOf<Table> = { [K in Exclude<keyof Table, OptionalKey<Table>>]: ValueOf<Table[K]> } & {
  [K in OptionalKey<Table>]?: ValueOf<Table[K]>;
};

type RowIn<Table> = Table extends AnySetting ? Table : { [K in keyof Table]: RowIn<Table[K]> }[keyof Table];
type CamelCase<Name> = Name extends `${infer Word}-${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;
type PropertyOf<Row> = Row extends Setting<infer _Raw, infer _Value, infer Name> ? CamelCase<Name> & string : never;
type RawOf<Row> = Row extends Setting<infer Raw, infer _Value, infer _Name> ? Raw : never;

/** What the command line can set, by camelCase names; absent means not given. */
export type FlagsOf<Table> = { [Row in RowIn<Table> as PropertyOf<Row>]?: RawOf<Row> };

/** The rows of a table in its order, each with the path of its property. */
export function rowsOf(table: SettingTable, path: readonly string[] = []): { path: string[]; row: AnySetting }[] {
  return Object.entries(table).flatMap(([property, entry]) =>
    isRow(entry) ? [{ path: [...path, property], row: entry }] : rowsOf(entry, [...path, property]),
  );
}

/** The same table below a key of config.json. */
export function under<Table extends SettingTable>(key: string, table: Table): Table {
  const entries = Object.entries(table).map(([property, entry]) => [
    property,
    isRow(entry) ? { ...entry, name: `${key}.${entry.name}` } : under(key, entry),
  ]);
  // Only the names are others.
  return Object.fromEntries(entries) as Table;
}

/** Whether an entry of a table is a row, not a group of rows. */
export function isRow(entry: AnySetting | SettingTable): entry is AnySetting {
  return "description" in entry && typeof entry.description === "string";
}
