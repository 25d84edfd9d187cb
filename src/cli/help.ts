// The text of --help, made by yargs from the same tables the arguments are parsed by. Loaded only when it is asked for.
import yargs from "yargs";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";
import { GLOBAL } from "./options.js";
import { columnsOf } from "./terminal/look.js";

/** Longest line of --help. */
const HELP_WIDTH = 110;
const EVERYWHERE = [...Object.keys(GLOBAL), "help", "version"];

/** The help of one command, or the list of all. Ends with a line break. */
export async function commandHelp(name: string | undefined, command: Command | undefined): Promise<string> {
  const parser = yargs([])
    .scriptName("agentd")
    .locale("en")
    .help()
    .alias("help", "h")
    .version("")
    .wrap(process.stdout.isTTY ? Math.min(HELP_WIDTH, columnsOf(process.stdout)) : HELP_WIDTH)
    .exitProcess(false);
  if (name === undefined || !command) {
    parser.usage("agentd <command>\n\nTalk to your own application, safely and on the record.");
    for (const [each, { summary }] of Object.entries(COMMANDS)) parser.command(each, summary);
    parser.epilogue("agentd <command> --help says more about each.");
  } else {
    parser.usage(`agentd ${name} ${command.positionals}`.trim().concat(`\n\n${COMMANDS[name]?.summary}`));
    for (const [word, { describe }] of Object.entries(command.positional))
      parser.positional(word, { describe: describe ?? "", type: "string" });
    parser.options(command.options).group(Object.keys(command.options), "Options:");
    for (const [example, what] of command.examples) parser.example(example, what);
  }
  const text = await parser.options(GLOBAL).group(EVERYWHERE, "Everywhere:").getHelp();
  return `${text.trimEnd()}\n`;
}
