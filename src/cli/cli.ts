// The command line: arguments in, exit code out. Finds the command, checks and parses its options, runs it, and
// turns whatever goes wrong into one sentence on stderr.
import { AppError, messageOf, StartError, usageError } from "../domain/error.js";
import { didYouMean } from "../lib/did-you-mean.js";
import { visible } from "../lib/invisible-characters.js";
import { MissingAddon, missingAddonIn } from "../lib/missing-addon.js";
import { version } from "../lib/package.js";
import { checkArgv, parseArguments } from "./arguments.js";
import type { Command, CommandEntry } from "./command.js";
import { COMMANDS, HIDDEN } from "./commands.js";
import { GLOBAL } from "./options.js";
import { print, say } from "./terminal/output.js";

/** The help of a command, or of all; what renders it is loaded only here. */
async function helpOf(name: string | undefined, command: Command | undefined): Promise<string> {
  return (await import("./help.js")).commandHelp(name, command);
}

/** Words for what is no command here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  version: "agentd --version",
  rm: "agentd applications remove",
  remove: "agentd applications remove",
};

/** What may be meant by a word that is no command: the beginning of one, or one whose letters were swapped or mistaken. */
function commandMeant(word: string): string {
  const names = Object.keys(COMMANDS);
  const other = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
  const begun = word.length > 1 ? names.filter((name) => name.startsWith(word)) : [];
  const lettersOf = (text: string): string => [...text].sort().join("");
  const swapped = names.filter((name) => lettersOf(name) === lettersOf(word));
  const meant = other === undefined ? (begun.length > 0 ? begun : swapped) : [other];
  return meant.length > 0 ? ` Did you mean ${meant.join(" or ")}?` : didYouMean(word, names);
}

/** Where the first word stands that is neither an option nor the value of a global one; -1 when there is none. */
function commandPosition(argv: readonly string[]): number {
  return argv.findIndex((token, i) => !token.startsWith("-") && argv[i - 1] !== "--data-dir");
}

const entryOf = (name: string): CommandEntry | undefined =>
  [COMMANDS, HIDDEN].find((commands) => Object.hasOwn(commands, name))?.[name];

async function dispatch(argv: readonly string[]): Promise<number> {
  const at = commandPosition(argv);
  const name = argv[at];
  // As people say it elsewhere: "help run" for "run --help".
  if (name === "help") return dispatch([...argv.slice(at + 1, at + 2), "--help"]);
  const entry = name === undefined ? undefined : entryOf(name);
  if (name !== undefined && !entry)
    throw usageError(`unknown command ${name}.${commandMeant(name)} See agentd --help.`);
  const command = await entry?.load();
  const options = { ...GLOBAL, ...command?.options };
  const rest = argv.filter((_, i) => i !== at);
  const instead = checkArgv(rest, options);
  if (instead === "version") print(`${version}\n`);
  else if (instead === "help") print(await helpOf(name, command));
  else if (name !== undefined && command) return command.run(parseArguments(rest, name, command));
  else {
    say((await helpOf(undefined, undefined)).trimEnd());
    return 2;
  }
  return 0;
}

/** Runs a command line. Never throws; the sentence for what went wrong is on stderr. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (failure) {
    // Whatever could not be opened without it.
    const error = missingAddonIn(failure) ?? failure;
    const usage = error instanceof StartError && error.exitCode === 2;
    say(`agentd: ${visible(messageOf(error))}`);
    const expected = [StartError, AppError, MissingAddon].some((kind) => error instanceof kind);
    if (argv.includes("--verbose") && error instanceof Error) say(visible(error.stack ?? ""));
    else if (!expected) say("This should not happen. Run it again with --verbose for details.");
    return usage ? 2 : 1;
  }
}
