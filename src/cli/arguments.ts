// Looks at the arguments before yargs does, because a misspelt safety flag must not run unprotected: every option must be
// known, be given once, and have the value it needs. Source: reference, section 9.
import { StartError } from "../error.js";
import { didYouMean } from "../nearest.js";
import type { OptionTable } from "./command.js";

interface Kind {
  name: string;
  takesValue: boolean;
  repeats: boolean;
}

/** Options yargs itself understands. */
const OWN: OptionTable = { help: { type: "boolean" }, version: { type: "boolean" } };

function usage(message: string): StartError {
  return new StartError(message, { exitCode: 2 });
}

function kinds(options: OptionTable): Map<string, Kind> {
  const known = new Map<string, Kind>();
  for (const [name, option] of Object.entries({ ...options, ...OWN })) {
    const kind = { name, takesValue: option.type !== "boolean", repeats: option.array === true };
    known.set(name, kind);
    for (const alias of [option.alias ?? []].flat()) known.set(alias, kind);
  }
  return known;
}

function find(known: Map<string, Kind>, word: string): Kind {
  const kind = known.get(word);
  if (kind) return kind;
  const positive = word.startsWith("no-") ? known.get(word.slice(3)) : undefined;
  if (positive && !positive.takesValue) return positive;
  const names = [...known.keys()].map((name) => `--${name}`);
  throw usage(`unknown option --${word}.${didYouMean(`--${word}`, names)}`);
}

const looksLikeOption = (token: string): boolean => /^-[^\d.]/.test(token);

/** What is left when the options are taken out. */
export interface Checked {
  words: string[];
  /** --help or --version: nothing will be done. */
  asksForText: boolean;
}

/** Checks every option among the arguments. Throws StartError naming the one that is wrong. */
export function checkArguments(argv: readonly string[], options: OptionTable): Checked {
  const known = kinds(options);
  const seen = new Set<string>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] ?? "";
    if (token === "--") {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (token === "-h") {
      seen.add("help");
      continue;
    }
    if (!looksLikeOption(token)) {
      words.push(token);
      continue;
    }
    if (!token.startsWith("--")) throw usage(`unknown option ${token}. Put -- before words that begin with a dash.`);
    const [, word = "", value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(token) ?? [];
    const kind = find(known, word);
    if (seen.has(kind.name) && !kind.repeats) throw usage(`--${kind.name} is given twice.`);
    seen.add(kind.name);
    if (kind.takesValue && value === undefined) {
      const next = argv[++i];
      if (next === undefined || looksLikeOption(next)) throw usage(`--${word} needs a value.`);
    }
    if (!kind.takesValue && value !== undefined && !/^(true|false)$/.test(value))
      throw usage(`--${word} is on or off; write --${word} or --no-${word}, not --${word}=${value}.`);
  }
  return { words, asksForText: seen.has("help") || seen.has("version") };
}
