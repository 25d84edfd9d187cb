// Arguments to values, by yargs' own parser and the command's table. Looked at before they are parsed, because a misspelt
// safety flag must not run unprotected: every option must be known, be given once, and have the value it needs.
// yargs itself, which is slow to load, is left to --help. Source: docs/reference.md, "Command line"
import type { ArgumentsCamelCase, Options } from "yargs";
import parse from "yargs-parser";
import { usageError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { Command, OptionTable } from "./command.js";
import { GLOBAL } from "./options.js";

interface OptionForm {
  name: string;
  takesValue: boolean;
  repeats: boolean;
}

/** Understood without any command. */
const OWN: OptionTable = { help: { type: "boolean" }, version: { type: "boolean" } };

function formsOf(options: OptionTable): Map<string, OptionForm> {
  const known = new Map<string, OptionForm>();
  for (const [name, option] of Object.entries({ ...options, ...OWN })) {
    const form = { name, takesValue: option.type !== "boolean", repeats: option.array === true };
    known.set(name, form);
    for (const alias of [option.alias ?? []].flat()) known.set(alias, form);
  }
  return known;
}

function find(known: Map<string, OptionForm>, word: string): OptionForm {
  const form = known.get(word);
  if (form) return form;
  const positive = word.startsWith("no-") ? known.get(word.slice(3)) : undefined;
  if (positive && !positive.takesValue) return positive;
  const prefix = word.startsWith("no-") ? "--no-" : "--";
  const names = [...known]
    .filter(([name, { takesValue }]) => name.length > 1 && (prefix === "--" || !takesValue))
    .map(([name]) => prefix + name);
  throw usageError(
    `unknown option --${word}.${didYouMean(`--${word}`, names) || " --help lists those of this command."}`,
  );
}

const looksLikeOption = (token: string): boolean => /^-[^\d.]/.test(token);

/**
 * Checks every option among the arguments. Returns what was asked for instead of a run, if anything.
 * Throws StartError naming the option that is wrong.
 */
export function checkArgv(argv: readonly string[], options: OptionTable): "help" | "version" | undefined {
  const known = formsOf(options);
  const seen = new Set<string>();
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] ?? "";
    if (token === "--") break;
    if (token === "-h") seen.add("help");
    if (token === "-h" || !looksLikeOption(token)) continue;
    if (!token.startsWith("--") && !(token.length === 2 && known.has(token.slice(1))))
      throw usageError(`unknown option ${token}. Put -- before words that begin with a dash.`);
    const [, word = "", value] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(token) ?? [];
    const form = find(known, word);
    if (seen.has(form.name) && !form.repeats) throw usageError(`--${form.name} is given twice.`);
    seen.add(form.name);
    if (form.takesValue && value === undefined) {
      const next = argv[++i];
      if (next === undefined || looksLikeOption(next)) throw usageError(`${token} needs a value.`);
    }
    if (!form.takesValue && value !== undefined && !/^(true|false)$/.test(value))
      throw usageError(`--${word} is on or off; write --${word} or --no-${word}, not --${word}=${value}.`);
  }
  return seen.has("help") ? "help" : seen.has("version") ? "version" : undefined;
}

/** Words to the positional names of the usage line; the last name takes all that are left when it ends with "..". */
function positionals(name: string, usageLine: string, words: string[]): Record<string, string | string[]> {
  const parts = usageLine.split(" ").filter((part) => part !== "");
  const see = `See agentd ${name} --help.`;
  const missing = parts.filter((part) => part.startsWith("<"))[words.length];
  if (missing !== undefined) throw usageError(`agentd ${name} needs ${missing}. ${see}`);
  if (words.length > parts.length && !usageLine.includes(".."))
    throw usageError(`agentd ${name} does not know what to do with "${words[parts.length]}". ${see}`);
  return Object.fromEntries(
    parts.map((part, i): [string, string | string[]] => {
      const word = part.replaceAll(/[<>[\].]/g, "");
      return [word, part.includes("..") ? words.slice(i) : (words[i] ?? "")];
    }),
  );
}

/** The arguments with a single dash tied to the option it is the value of: the parser takes it for a word of its own. */
function withDashes(argv: readonly string[], options: OptionTable): string[] {
  const known = formsOf(options);
  const tied: string[] = [];
  for (const token of argv) {
    const last = tied.at(-1) ?? "";
    const isValue = token === "-" && !tied.includes("--") && known.get(last.slice(2))?.takesValue === true;
    if (isValue && last.startsWith("--")) tied[tied.length - 1] = `${last}=-`;
    else tied.push(token);
  }
  return tied;
}

/** The values of checked arguments, by camelCase names. Throws StartError for an invalid value. */
export function parseArguments(argv: readonly string[], name: string, command: Command): ArgumentsCamelCase {
  const options: OptionTable = { ...GLOBAL, ...command.options };
  const named = (test: (option: Options) => boolean): string[] =>
    Object.keys(options).filter((each) => options[each] && test(options[each]));
  const parsed = parse(withDashes(argv, options), {
    array: named((option) => option.array === true),
    boolean: named((option) => option.type === "boolean"),
    // Numbers too: the parser would read "" as 0 and 0x50 as 80; the option's own check is stricter.
    string: named((option) => option.type !== "boolean"),
    alias: Object.fromEntries(Object.entries(options).map(([each, option]) => [each, [option.alias ?? []].flat()])),
    configuration: { "greedy-arrays": false, "parse-positional-numbers": false, "dot-notation": false },
  });
  for (const [each, option] of Object.entries(options)) {
    const key = parse.camelCase(each);
    const value: unknown = parsed[key];
    if (value === undefined) continue;
    if (option.choices && !option.choices.includes(String(value)))
      throw usageError(
        `--${each} takes one of ${option.choices.join(", ")}.${didYouMean(String(value), option.choices.map(String))}`,
      );
    parsed[key] = option.coerce ? option.coerce(value) : value;
  }
  return { ...parsed, ...positionals(name, command.positionals, parsed._.map(String)), $0: "agentd" };
}
