// What may stand where on the command line, from the tables of the commands: the words themselves, or which names of the data
// directory. The scripts for the shells are made from it. Pure.
import type { Options } from "yargs";
import { Safety } from "../../domain/schema-document.js";
import type { Command, CommandEntry, OptionTable } from "../command.js";
import { GLOBAL } from "../options.js";

/** Names that only the data directory knows. */
export const NAME_KINDS = [
  "tools",
  "sessions",
  "applications",
  "providers",
  "models",
  "calls",
  "changes",
  "confirmations",
  "turns",
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** What may stand in one place: words, names or both; neither where a file or anything may. */
export interface Place {
  words: readonly string[];
  names: NameKind | undefined;
  /** Whether several words may stand there, separated by commas. */
  isList?: boolean;
}

/** A flag of a command. */
export interface FlagWords {
  /** As they are typed, dashes included. */
  spellings: readonly string[];
  describe: string;
  takesValue: boolean;
  value: Place;
}

/** A command; "" is what stands before one. */
export interface CommandWords {
  name: string;
  summary: string;
  flags: readonly FlagWords[];
  /** Its words in their order. */
  places: readonly Place[];
}

const NAMES_OF_FLAGS: Readonly<Record<string, NameKind>> = {
  session: "sessions",
  application: "applications",
  tool: "tools",
  provider: "providers",
};
/** Positions, and flags that are names in one command only. */
const NAMES_OF_WORDS: Readonly<Record<string, NameKind>> = {
  "sessions id": "sessions",
  "history action": "calls",
  "result id": "calls",
  "undo id": "changes",
  "approvals action": "confirmations",
  "approvals id": "confirmations",
  "run --follow": "turns",
  "undo --turn": "turns",
  "applications name": "applications",
  "login application": "applications",
  "logout application": "applications",
  "sync --name": "applications",
  "run --model": "models",
  "chat --model": "models",
};

/** Flags that take several words, separated by commas, so that they have no choices. */
const LISTS: Readonly<Record<string, readonly string[]>> = { "history --safety": Safety.options };

const OWN: OptionTable = {
  help: { type: "boolean", alias: "h", describe: "Show help" },
  version: { type: "boolean", describe: "Show version number" },
};

const placeOf = (choices: Options["choices"], names: NameKind | undefined): Place => ({
  words: (choices ?? []).map(String),
  names,
});

function flagsOf(command: string, options: OptionTable): FlagWords[] {
  return Object.entries(options).map(([name, { type, alias = [], describe = "", choices }]) => {
    const key = `${command} --${name}`;
    const list = LISTS[key];
    const off = describe.includes(`--no-${name}`) ? [`no-${name}`] : [];
    return {
      spellings: [name, ...off, alias].flat().map((word) => (word.length === 1 ? `-${word}` : `--${word}`)),
      describe,
      takesValue: type !== "boolean",
      value: list
        ? { words: list, names: undefined, isList: true }
        : placeOf(choices, NAMES_OF_WORDS[key] ?? NAMES_OF_FLAGS[name]),
    };
  });
}

function wordsOf(name: string, summary: string, { options, positional }: Command): CommandWords {
  const places = Object.entries(positional).map(([word, { choices }]) =>
    placeOf(choices, NAMES_OF_WORDS[`${name} ${word}`]),
  );
  return { name, summary, flags: flagsOf(name, { ...options, ...GLOBAL, ...OWN }), places };
}

/** What may be typed: before a command first, then of each command. */
export async function commandWords(commands: Readonly<Record<string, CommandEntry>>): Promise<CommandWords[]> {
  const first: Place = { words: Object.keys(commands), names: undefined };
  const all = Object.entries(commands).map(async ([name, { summary, load }]) => wordsOf(name, summary, await load()));
  return [
    { name: "", summary: "", flags: flagsOf("", { ...GLOBAL, ...OWN }), places: [first] },
    ...(await Promise.all(all)),
    // Taken, and not proposed.
    { name: "help", summary: "", flags: [], places: [first] },
  ];
}
