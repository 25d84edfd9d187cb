// docs/cli.md is the output of --help, and no page names a flag or command that does not exist. UPDATE_DOCS=1 writes it anew.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { OptionTable } from "../../src/cli/command.js";
import { COMMANDS } from "../../src/cli/commands.js";
import { commandHelp } from "../../src/cli/help.js";
import { GLOBAL } from "../../src/cli/options.js";
import { packageRoot } from "../../src/lib/package.js";
import { anchors, blocks, PAGES, prose, read, sorted, ticked } from "../support/docs.js";

const CLI = "docs/cli.md";

/** All options of the command line, by the names they are typed by. */
async function flags(): Promise<string[]> {
  const found = new Set(["help", "version"]);
  for (const { load } of Object.values(COMMANDS)) {
    const options: OptionTable = { ...GLOBAL, ...(await load()).options };
    for (const [name, { alias = [] }] of Object.entries(options))
      for (const spelling of [name, alias].flat()) if (spelling.length > 1) found.add(spelling);
  }
  return sorted(found).map((name) => `--${name}`);
}

async function cliPage(): Promise<string> {
  const sections = [["agentd", await commandHelp(undefined, undefined)]];
  for (const [name, { load }] of Object.entries(COMMANDS))
    sections.push([`agentd ${name}`, await commandHelp(name, await load())]);
  return [
    "# Command line",
    "What `--help` prints, command by command. Settings without a flag are in [configuration.md](configuration.md).",
    "When a daemon runs on the data directory, `run`, `chat`, `history`, `sessions` and `approvals` go through it; otherwise they work on\n" +
      "the directory themselves. The exit code is 0, 1 when something failed or a turn ended in an error, and 2 when the command\n" +
      "line is wrong. A call that was refused, held or failed is part of an answer and no failure of the command: a script reads the\n" +
      "status of each `tool_result` in `agentd run --json`, or asks with `--fail`. A turn that Ctrl-C or SIGTERM stopped ended in an error, too:\n" +
      "its `error` event says `cancelled`, and so does the record; a second signal ends the command with 128 and its number. Answers go to\n" +
      "stdout, everything else to stderr.",
    "A shell completes commands, flags and names once it has read what `agentd completion` prints: [how to install\n" +
      "it](reference.md#completion-in-a-shell).",
    ...sections.map(([title, help]) => `## ${title}\n\n\`\`\`text\n${help}\`\`\``),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

describe("docs/cli.md", () => {
  it("is what --help prints; UPDATE_DOCS=1 writes it anew", async () => {
    const page = await cliPage();
    if (process.env["UPDATE_DOCS"]) writeFileSync(join(packageRoot, CLI), page);
    expect(read(CLI)).to.equal(page);
  });

  it("has every flag, and no page names a flag that is not there", async () => {
    const known = await flags();
    const inHelp: readonly string[] = read(CLI).match(/--[a-z][a-z-]*/g) ?? [];
    expect(known.filter((flag) => !inHelp.includes(flag))).to.deep.equal([]);
    // Of Claude Code, of HTTPie, of the demonstration, of npm, of systemd, of docker, of llama.cpp and of vLLM.
    const foreign = ["--jinja", "--enable-auto-tool-choice", "--tool-call-parser"];
    const managers = ["--user", "--unit", "--build"];
    const others = ["--transport", "--ignore-stdin", "--once", "--save-exact", ...managers, ...foreign];
    const mentioned = PAGES.flatMap((page) => read(page).match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []);
    const isKnown = (flag: string): boolean => known.includes(flag) || known.includes(flag.replace("--no-", "--"));
    expect([...new Set(mentioned)].filter((flag) => !isKnown(flag) && !others.includes(flag))).to.deep.equal([]);
  });

  it("has every command, and no page names a command that is not there", () => {
    const known = Object.keys(COMMANDS);
    expect(anchors(read(CLI))).to.include.members(known.map((name) => `agentd-${name}`));
    const mentioned = PAGES.flatMap((page) => {
      const code = [...ticked(prose(read(page))), ...blocks(read(page)).flatMap(({ text }) => text.split("\n"))];
      return code.flatMap((line) => /^ *agentd ([a-z]+)/.exec(line)?.[1] ?? []);
    });
    expect([...new Set(mentioned)].filter((name) => !known.includes(name) && name !== "listening")).to.deep.equal([]);
  });
});
