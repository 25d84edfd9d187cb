// The command line: arguments in, exit code out. Finds the command, checks its options, lets yargs parse and explain them,
// runs it, and turns whatever goes wrong into one sentence on stderr.
import { AppError, messageOf, StartError } from "../error.js";
import { didYouMean } from "../nearest.js";
import { version } from "../package.js";
import { visible } from "../visible.js";
import { checkArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";
import { GLOBAL } from "./options.js";
import { print, say } from "./output.js";

/** Longest line of --help. */
const HELP_WIDTH = 110;

const EVERYWHERE = [...Object.keys(GLOBAL), "help", "version"];

/** Where the first word stands that is neither an option nor the value of a global one; -1 when there is none. */
function commandPosition(argv: readonly string[]): number {
  return argv.findIndex((token, i) => !token.startsWith("-") && argv[i - 1] !== "--data-dir");
}

async function builder(name: string, command: Command | undefined) {
  const { default: yargs } = await import("yargs");
  const parser = yargs()
    .scriptName("agentd")
    .parserConfiguration({ "greedy-arrays": false, "parse-positional-numbers": false })
    .help()
    .alias("help", "h")
    .version(version)
    .options(GLOBAL)
    .wrap(HELP_WIDTH)
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      throw new StartError(error?.message ?? message, { exitCode: 2, cause: error });
    });
  if (!command) {
    parser.usage("agentd <command>\n\nTalk to your own application, safely and on the record.");
    for (const [each, { summary }] of Object.entries(COMMANDS)) parser.command(each, summary);
    return parser.group(EVERYWHERE, "Everywhere:").epilogue("agentd <command> --help says more about each.");
  }
  const usage = ["$0", command.positionals].join(" ").trim();
  parser.usage(`agentd ${name} ${command.positionals}\n\n${COMMANDS[name]?.summary}`.trim());
  parser.command(usage, false, (inner) => {
    for (const [each, options] of Object.entries(command.positional)) inner.positional(each, options);
    return inner
      .options(command.options)
      .group(Object.keys(command.options), "Options:")
      .group(EVERYWHERE, "Everywhere:");
  });
  for (const [example, what] of command.examples) parser.example(example, what);
  return parser;
}

/** Refuses a missing or a surplus word. */
function checkWords(name: string, { positionals }: Command, words: readonly string[]): void {
  const asked = positionals.split(" ").filter((part) => part !== "");
  const missing = asked.filter((part) => part.startsWith("<"))[words.length];
  const see = `See agentd ${name} --help.`;
  if (missing !== undefined) throw new StartError(`agentd ${name} needs ${missing}. ${see}`, { exitCode: 2 });
  if (words.length > asked.length && !positionals.includes(".."))
    throw new StartError(`agentd ${name} does not know what to do with "${words[asked.length]}". ${see}`, {
      exitCode: 2,
    });
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const at = commandPosition(argv);
  const name = argv[at];
  const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (name !== undefined && !entry)
    throw new StartError(`unknown command ${name}.${didYouMean(name, Object.keys(COMMANDS))} See agentd --help.`, {
      exitCode: 2,
    });
  const command = await entry?.load();
  const rest = argv.filter((_, i) => i !== at);
  const { words, asksForText } = checkArguments(rest, { ...GLOBAL, ...command?.options });
  if (name !== undefined && command && !asksForText) checkWords(name, command, words);
  const parser = await builder(name ?? "", command);
  // With a callback yargs hands its text over instead of printing it and ending the process.
  let text = "";
  const args = await parser.parseAsync([...rest], {}, (_error: unknown, _args: unknown, output: string) => {
    text = output;
  });
  if (text !== "") {
    print(`${text}\n`);
    return 0;
  }
  if (command) return command.run(args);
  say(await parser.getHelp());
  return 2;
}

/** Runs a command line. Never throws; the sentence for what went wrong is on stderr. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    const usage = error instanceof StartError && error.exitCode === 2;
    say(`agentd: ${visible(messageOf(error))}`);
    const expected = error instanceof StartError || error instanceof AppError;
    if (argv.includes("--verbose") && error instanceof Error) say(visible(error.stack ?? ""));
    else if (!expected) say("This should not happen. Run it again with --verbose for details.");
    return usage ? 2 : 1;
  }
}
