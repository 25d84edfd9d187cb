// A chat on a real terminal, by what its screen shows.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { isAlive } from "../../../src/data-dir/process-identity.js";
import { allOnly } from "../../support/all.js";
import { PROGRAM } from "../../support/program.js";
import { dataDir, serve, start, stopAll } from "../../support/spawn.js";
import { itOnTerminal, onTerminal, onTerminalOf, type TypedTerminal, typedTerminal } from "../../support/terminal.js";
import { until } from "../../support/until.js";

const TABLE =
  "| id | name | note |\n|--|--|--|\n| 1 | Rex | a note that is so long that a narrow terminal has no room for all of it |\n";

describe("agentd chat on a terminal", () => {
  let home: ReturnType<typeof dataDir>;
  let chat: TypedTerminal;
  const state = (): string => join(home.dir, "state");
  const open = (columns: number, more: Record<string, string> = {}): void => {
    const size = { rows: 30, columns };
    const env = { XDG_STATE_HOME: state(), ...more };
    chat = typedTerminal(start(onTerminal(["chat", "--session", "s", "--data-dir", home.dir], size), { env }), size);
  };

  beforeEach(() => {
    home = dataDir({
      turns: [
        { prompt: "one\ntwo", replies: [{ text: "**Both** lines came." }] },
        { prompt: "table", replies: [{ text: TABLE }] },
        {
          prompt: "create",
          replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Done." }],
        },
        { prompt: "slow", replies: [{ text: "Late", delay_ms: 4000 }] },
      ],
    });
  });

  afterEach(stopAll);

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

  itOnTerminal("takes what was typed before it was ready, each line a prompt of its own", async () => {
    open(80);
    chat.type("first\rsecond\r");
    await chat.shows(/> first\nok\n> second\nok\n>$/);
  });

  itOnTerminal("gives back what was erased last", async () => {
    open(80);
    await chat.shows(/^>$/m);
    chat.type("one two\u0017\u0001\u0019\u0019\r");
    await chat.shows(/> twotwoone\nok\n>$/);
    chat.type("\u0019 again\u0001\u001bd\r");
    await chat.shows(/> {2}again\nok\n>$/);
  });

  itOnTerminal("leaves the editing of a line to a terminal that is dumb @all", async () => {
    open(80, { TERM: "dumb" });
    await chat.shows(/^>$/m);
    chat.type("wrong\u0015tabel\u007f\u007fle\r");
    await chat.shows(/Rex[\s\S]*\n>$/);
    chat.type("/mode confirm\r");
    await chat.shows(/on in this chat: confirm[\s\S]*\n>$/);
    // The beginning of a line that a question comes before is no part of the answer.
    chat.type("create\ry");
    await chat.reply("Run it? [y/N]", "n");
    await chat.shows(/refused[\s\S]*Done\.\n>$/);
    chat.type("\u0003");
    expect((await chat.ended).code).to.equal(130);
  });

  itOnTerminal(
    "completes commands and tools, keeps prompts but those that begin with a space, and leaves with Ctrl-C @all",
    async () => {
      open(80);
      await chat.shows(/^>$/m);
      chat.type("/to\tdelete\r");
      await chat.shows("delete_pet");
      chat.type("/mode \t");
      await chat.shows(/\nread_only {2}dry_run {2}strict {2}confirm\n> \/mode$/);
      chat.type("\u0015delete_\t");
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
    itOnTerminal(
      `searches the prompts typed before with Ctrl-R in ${columns} columns${allOnly(columns !== 80)}`,
      async () => {
        open(columns);
        await chat.shows(/^>$/m);
        chat.type("first prompt\rsecond prompt\rlast\r");
        await chat.shows(/> last\nok\n>$/);
        chat.type("kept\u0012PROMPT");
        await chat.shows(/> second prompt\nsearch: PROMPT$/);
        chat.type("\u0012");
        await chat.shows(/> first prompt\nsearch: PROMPT$/);
        chat.type("\u0012");
        await chat.shows(/> first prompt\nsearch, nothing found: PROMPT$/);
        chat.type("\u0003");
        await chat.shows(/> kept$/);
        chat.type("\u0012second\u0005 again\r");
        await chat.shows(/> second prompt again\nok\n>$/);
        chat.type("\u0012rst\r");
        await chat.shows(/> first prompt\nok\n>$/);
      },
    );

  itOnTerminal(
    "stops with Ctrl-Z as other programs do, at a prompt and in a turn, and goes on with fg @all",
    async () => {
      const size = { rows: 30, columns: 80 };
      const env = { XDG_STATE_HOME: state(), ENV: "" };
      const shell = typedTerminal(start(onTerminalOf(["sh", "-i"], size), { env }), size);
      await shell.shows(/[#$]$/);
      shell.type("PS1='shell$ '\n");
      await shell.shows(/\nshell\$$/);
      shell.type(`${[...PROGRAM, "chat", "--session", "s", "--data-dir", home.dir].join(" ")}\n`);
      await shell.shows(/^>$/m);
      for (const [typed, wanted] of [
        ["half a prompt", /\n> half a prompt$/],
        ["\u0003slow\r", /waiting for the model/],
      ] as const) {
        shell.type(typed);
        await shell.shows(wanted);
        shell.type("\u001a");
        await shell.shows(/\nshell\$$/);
        // Echoed by a terminal that is as the shell left it.
        shell.type("echo $((6 * 7))\n");
        await shell.shows(/echo \$\(\(6 \* 7\)\)\n42\nshell\$$/);
        shell.type("fg\n");
        await shell.shows(wanted);
      }
      await shell.shows(/Late\n>$/);
      shell.type("\u0004");
      await shell.shows(/shell\$$/);
      shell.type("exit\n");
      await shell.ended;
    },
  );

  const ways = [false, true].flatMap((hasDaemon) => ["", "slow", "create"].map((typed) => ({ hasDaemon, typed })));
  for (const { hasDaemon, typed } of ways) {
    const moment = { "": "at its prompt", slow: "during a turn", create: "before a question" }[typed];
    const title = `ends when its terminal is closed ${moment}, ${hasDaemon ? "with" : "without"} a daemon`;
    itOnTerminal(`${title}${allOnly(!hasDaemon || typed !== "create")}`, async () => {
      if (hasDaemon) await serve(["--confirm", "--data-dir", home.dir]);
      const size = { rows: 30, columns: 80 };
      const told = ["sh", "-c", 'echo "pid $$;" && exec "$@"', "sh", ...PROGRAM];
      const running = start(onTerminalOf([...told, "chat", "--confirm", "--data-dir", home.dir], size), {
        env: { XDG_STATE_HOME: state() },
      });
      const pid = Number(await running.prints(/pid (\d+);/));
      await running.prints(/list[s] what else[\s\S]*> /);
      if (typed !== "") running.child.stdin?.write(`${typed}\r`);
      if (typed === "slow") await running.prints("waiting for the model");
      if (typed === "create") await running.prints("Run it? [y/N]");
      // The other end of the terminal is gone with the program that made it.
      await running.kill();
      await until(() => !isAlive(pid));
    });
  }

  itOnTerminal("is ended by SIGTERM during a turn, without a word about Ctrl-C @all", async () => {
    const running = start(
      onTerminalOf(["sh", "-c", 'echo "pid $$;" && exec "$@"', "sh", ...PROGRAM, "chat", "--data-dir", home.dir]),
    );
    const pid = Number(await running.prints(/pid (\d+);/));
    await running.prints(/lists what else[\s\S]*> /);
    running.child.stdin?.write("slow\r");
    await running.prints("waiting for the model");
    process.kill(pid, "SIGTERM");
    const { code, stdout } = await running.ended;
    expect(code).to.equal(143);
    expect(stdout).to.include("stopping\r\n").and.include("error: cancelled");
    expect(stdout).to.not.include("Ctrl-C again");
  });

  itOnTerminal("goes on in its conversation with a daemon that was started again on another port @all", async () => {
    const first = await serve(["--data-dir", home.dir]);
    open(80);
    await chat.shows(/^>$/m);
    chat.type("hello\r");
    await chat.shows(/hello\nok\n>$/);
    await first.stop();
    chat.type("anyone?\r");
    await chat.shows(/is gone, and[\s\S]*serve\s+again\.[\s\S]*\n>$/);
    const second = await serve(["--data-dir", home.dir]);
    expect(second.port).to.not.equal(first.port);
    chat.type("again\r");
    await chat.shows(/> again\nok\n>$/);
    chat.type("/session list\r");
    await chat.shows(/\ns .* hello +2\b[\s\S]*>$/);
    await second.kill();
    const third = await serve(["--data-dir", home.dir]);
    expect(third.port).to.not.equal(second.port);
    chat.type("/tools pet\r");
    await chat.shows(/list_pets[\s\S]*>$/);
    chat.type("\u0004");
    expect((await chat.ended).code).to.equal(0);
  });

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
