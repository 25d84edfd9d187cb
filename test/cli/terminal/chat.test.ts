// A chat on a real terminal, by what its screen shows.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { dataDir, start, stopAll } from "../../support/spawn.js";
import { itOnTerminal, onTerminal, type TypedTerminal, typedTerminal } from "../../support/terminal.js";

const TABLE =
  "| id | name | note |\n|--|--|--|\n| 1 | Rex | a note that is so long that a narrow terminal has no room for all of it |\n";

describe("agentd chat on a terminal", () => {
  let home: ReturnType<typeof dataDir>;
  let chat: TypedTerminal;
  const state = (): string => join(home.dir, "state");
  const open = (columns: number): void => {
    const size = { rows: 30, columns };
    const env = { XDG_STATE_HOME: state() };
    chat = typedTerminal(start(onTerminal(["chat", "--session", "s", "--data-dir", home.dir], size), { env }), size);
  };

  beforeEach(() => {
    home = dataDir({
      turns: [
        { prompt: "one\ntwo", replies: [{ text: "**Both** lines came." }] },
        { prompt: "table", replies: [{ text: TABLE }] },
      ],
    });
  });

  afterEach(async () => {
    await stopAll();
    home.remove();
  });

  itOnTerminal("takes prompts of several lines, typed or pasted, and leaves with Ctrl-D", async () => {
    open(80);
    await chat.shows(/^>$/m);
    chat.type("one\\\rtwo\r");
    await chat.shows("Both lines came.\n>");
    chat.type("\u001b[200~one\ntwo\u001b[201~\r");
    await chat.shows(/Both lines[\s\S]*> one\n {2}two\nBoth lines came\.\n>$/);
    chat.type("\u0004");
    expect((await chat.ended).code).to.equal(0);
  });

  itOnTerminal(
    "completes commands and tools, keeps prompts but those that begin with a space, and leaves with Ctrl-C @all",
    async () => {
      open(80);
      await chat.shows(/^>$/m);
      chat.type("/to\tdelete\r");
      await chat.shows("delete_pet");
      chat.type("delete_\t");
      await chat.shows("> delete_pet");
      chat.type("\u0003");
      await chat.shows(/>$/);
      chat.type(" secret\r");
      await chat.shows("ok\n>");
      chat.type("kept\r");
      await chat.shows(/ok\n> kept\nok\n>$/);
      chat.type("\u001b[A");
      await chat.shows(/ok\n> kept$/);
      chat.type("\u0003\u0003");
      expect((await chat.ended).code).to.equal(130);
      const file = join(state(), "agentd", "prompts.txt");
      expect(readFileSync(file, "utf8")).to.equal('"/tools delete"\n"kept"\n');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    },
  );

  for (const columns of [60, 80, 200])
    itOnTerminal(`fits a table to ${columns} columns${columns === 60 ? "" : " @all"}`, async () => {
      open(columns);
      await chat.shows(/^>$/m);
      chat.type("table\r");
      await chat.shows(/Rex[\s\S]*\n>$/);
      const row = chat.lines().find((line) => line.includes("Rex")) ?? "";
      const note = "a note that is so long that a narrow terminal has no room for all of it";
      const room = columns - " 1  Rex   ".length;
      expect(row).to.equal(` 1  Rex   ${note.length > room ? `${note.slice(0, room - 1)}…` : note}`);
      chat.type("/mode dryrun on\r/mode dry-run on\r");
      await chat.shows("there is no mode dryrun. Did you mean dry_run?");
      await chat.shows("on in this chat: dry_run");
    });
});
