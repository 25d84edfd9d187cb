// `agentd completion`: a script that completes commands, flags and names in a shell, made from the tables of the commands.
// Source: docs/reference.md, "Command line"
import { usageError } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { type Command, type CommandEntry, defineCommand } from "../command.js";
import { commandWords } from "../completion/words.js";
import { print } from "../terminal/output.js";

const SCRIPTS = {
  bash: async () => (await import("../completion/bash.js")).bashScript,
  zsh: async () => (await import("../completion/zsh.js")).zshScript,
  fish: async () => (await import("../completion/fish.js")).fishScript,
} as const;
const SHELLS = ["bash", "zsh", "fish"] as const;

/** The command, for these commands. */
export function completionCommand(commands: Readonly<Record<string, CommandEntry>>): Command {
  return defineCommand({
    positionals: "<shell>",
    positional: { shell: { type: "string", choices: SHELLS, describe: `Which shell: ${SHELLS.join(", ")}` } },
    options: {},
    examples: [
      ["source <(agentd completion bash)", "in ~/.bashrc"],
      ["source <(agentd completion zsh)", "in ~/.zshrc, after compinit"],
      ["agentd completion fish > ~/.config/fish/completions/agentd.fish", ""],
    ],
    async run({ shell: given }) {
      const shell = SHELLS.find((one) => one === given);
      if (shell === undefined)
        throw usageError(
          `agentd completion has no script for "${given}".${didYouMean(String(given), [...SHELLS])} It has some for ${SHELLS.join(", ")}.`,
        );
      const script = await SCRIPTS[shell]();
      print(script(await commandWords(commands)));
      return 0;
    },
  });
}
