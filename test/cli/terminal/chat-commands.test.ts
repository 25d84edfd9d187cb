// A chat as a person has it on terminals of three widths: Markdown, calls, confirmations, its own commands, Tab and Ctrl-C, by what the
// screen shows. Source: docs/reference.md, "Chat" and "Text on a terminal".
import { join } from "node:path";
import { expect } from "chai";
import stringWidth from "string-width";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { allOnly } from "../../support/all.js";
import { agentd, dataDir, start, stopAll } from "../../support/spawn.js";
import { itOnTerminal, onTerminal, type TypedTerminal, typedTerminal } from "../../support/terminal.js";
import { until } from "../../support/until.js";

const COLUMNS = ["name", "origin", "roaster", "process", "taste", "packed", "farm", "weight", "grinder", "price"];
const CELLS = COLUMNS.map((name) => `the ${name} of it`);
const MARKDOWN = `# Coffees

Some **bold** words, and:

- one
- two

| ${COLUMNS.join(" | ")} |
|${COLUMNS.map(() => "--").join("|")}|
| ${CELLS.join(" | ")} |
`;
const CHANGE = { name: "warehouse_update_stock", arguments: { id: 1, quantity: 9 } };
const PROMPT = />$/;

describe("A chat on terminals of several widths", function () {
  this.timeout(90_000);
  let home: ReturnType<typeof dataDir>;
  let file: string;
  let chat: TypedTerminal;

  const quantity = (): unknown => {
    const database = new SqliteDatabase(file, { readonly: true });
    try {
      return database.prepare("SELECT quantity FROM stock WHERE id = 1").pluck().get();
    } finally {
      database.close();
    }
  };
  const screen = (): string => chat.lines().join("\n");
  const open = async (columns: number, ...more: string[]): Promise<void> => {
    const size = { rows: 60, columns };
    const env = { XDG_STATE_HOME: join(home.dir, "state") };
    chat = typedTerminal(
      start(onTerminal(["chat", "--session", "first", "--data-dir", home.dir, ...more], size), { env }),
      size,
    );
    await chat.shows(PROMPT);
  };
  /** No row is wider than the screen, and none was broken by it. */
  const expectFitted = (columns: number): void => {
    for (const line of chat.lines()) expect(stringWidth(line), line).to.be.at.most(columns);
  };

  beforeEach(async () => {
    home = dataDir({
      turns: [
        { prompt: "coffees", replies: [{ text: MARKDOWN }] },
        { prompt: "nine", replies: [{ calls: [CHANGE] }, { text: "It is nine now." }] },
        { prompt: "slowly", replies: [{ deltas: ["tick", "tock"], delay_ms: 60_000 }] },
      ],
    });
    file = join(home.dir, "warehouse.db");
    const database = new SqliteDatabase(file);
    database.exec(
      "CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT, quantity INTEGER); INSERT INTO stock VALUES (1, 'Huila', 2)",
    );
    database.close();
    const { code, stderr } = await agentd(["sync", "sql", file, "--name", "warehouse", "--data-dir", home.dir]);
    expect(code, stderr).to.equal(0);
  });
  afterEach(stopAll);

  for (const columns of [60, 80, 200]) {
    const all = allOnly(columns !== 80);

    itOnTerminal(`renders an answer, and holds a call with its rows, in ${columns} columns${all}`, async () => {
      await open(columns, "--confirm");
      chat.type("coffees\r");
      await chat.shows(/the name of it[\s\S]*>$/);
      const left = /not shown for want of width: ([^>]*)/.exec(screen())?.[1];
      const shown = COLUMNS.filter((name) =>
        (chat.lines().find((line) => line.includes("name  ")) ?? "").includes(name),
      );
      // Left out last to first, and named.
      expect(shown).to.deep.equal(COLUMNS.slice(0, shown.length));
      for (const name of COLUMNS.slice(shown.length)) expect(left).to.include(name);
      expect(left === undefined).to.equal(shown.length === COLUMNS.length);
      expect(screen()).to.not.match(/\*\*|^# /m);

      chat.type("nine\r");
      await chat.shows("Run it? [y/N]");
      expect(quantity()).to.equal(2);
      const asked = screen();
      expect(asked).to.match(/quantity[^\n]*2[^\n]*9/);
      const own = chat.lines().slice(chat.lines().findLastIndex((line) => line.startsWith("agentd asks")));
      expect(own.join("\n")).to.include("warehouse_update_stock (mutating)");
      expect(own.at(-1)).to.equal("Run it? [y/N]");
      await chat.reply("Run it? [y/N]", "yes");
      await chat.shows(/✓ warehouse_update_stock .*ok, [\d.]+ m?s\nIt is nine now\.\n>$/);
      expect(quantity()).to.equal(9);

      chat.type("/undo\r");
      await chat.reply(/\[y\/N\]$/, "yes");
      await chat.shows(PROMPT);
      await until(() => quantity() === 2);
      expectFitted(columns);
    });

    itOnTerminal(`takes nothing back where a mode forbids it, in ${columns} columns @all`, async () => {
      await open(columns, "--yes");
      chat.type("nine\r");
      await chat.shows(/It is nine now\.\n>$/);
      chat.type("/mode dry_run on\r/undo\r");
      await chat.shows(/nothing was undone[\s\S]*>$/);
      chat.type("/mode dry_run off\r/mode read_only on\r/undo\r");
      await chat.shows(/nothing was undone \(blocked\)[\s\S]*>$/);
      chat.type("\u0004");
      await chat.ended;
      await open(columns, "--read-only");
      chat.type("/mode read_only off\r/mode\r");
      await chat.shows(/read_only stays on[\s\S]*on in this chat: read_only[\s\S]*>$/);
      chat.type("/undo\r");
      await chat.shows(/nothing was undone \(blocked\)[\s\S]*>$/);
      expect(quantity()).to.equal(9);
      chat.type("\u0004");
      await chat.ended;
      await open(columns, "--dry-run");
      chat.type("nine\r");
      await chat.shows(/○ warehouse_update_stock .*dry run\n +nothing was sent; it would be/);
    });

    itOnTerminal(`has commands, and completes them, tools and conversations, in ${columns} columns${all}`, async () => {
      await open(columns);
      const after = async (typed: string, wanted: string | RegExp): Promise<void> => {
        chat.type(`${typed}\r`);
        await chat.shows(wanted);
        await chat.shows(PROMPT);
      };
      await after("hello", /ok\n>$/);
      await after("/tools stock quer", /No tool fits|warehouse_/);
      await after("/tools list stock", /warehouse_list_stock[\s\S]*>$/);
      await after("/history", "No call is recorded in this conversation.");
      await after("/session", "session first");
      await after("/session list", /SESSION +LAST USED[\s\S]*first /);
      await after("/session two", "session two, a new one.");
      await after("/model", /played\/?.*played-1|played-1/);
      await after("/model played/played-1", /from now on .*played/);
      await after("/model nothing", /agentd: /);
      await after("/mode read-only on", "on in this chat: read_only");
      await after("/mode read_only of", "it is /mode read_only on, or off");
      await after("/mode read_only off", "on in this chat: no mode");
      await after("/help", "/session [ID | new [NAME] | list]");
      await after("/hist0ry", "there is no command /hist0ry. Did you mean /history?");
      await after("/undo", /no|nothing/i);
      chat.type("/sess\tfi\t\r");
      await chat.shows(/> \/session first\nsession first: hello\n> hello\n {2}ok\n>$/);
      chat.type("/session \t");
      await chat.shows(/> \/session\nnew\nlist\nfirst {2}hello\n> \/session$/);
      chat.type("\u0003");
      await chat.shows(PROMPT);
      chat.type("warehouse_li\t");
      await chat.shows(/> warehouse_list_stock$/);
      chat.type("\u0003");
      await chat.shows(PROMPT);
      expectFitted(columns);
      chat.type("\u0004");
      expect((await chat.ended).code).to.equal(0);
    });

    itOnTerminal(
      `edits lines, keeps prompts, and Ctrl-C clears, stops, leaves, in ${columns} columns @all`,
      async () => {
        await open(columns);
        chat.type("first line\u001b\rsecond lime\u007f\u007fne");
        await chat.shows(/> first line\n {2}second line$/);
        chat.type("\r");
        await chat.shows(/second line\nok\n>$/);
        chat.type("to be dropped");
        await chat.shows("> to be dropped");
        chat.type("\u0003");
        await chat.shows(PROMPT);
        chat.type("slowly\r");
        await chat.shows(/waiting for the model|slowly\n/);
        await chat.shows(/⠋|⠙|⠹|⠸|⠼|⠴|⠦|⠧|⠇|⠏/);
        chat.type("\u0003");
        await chat.shows(/cancel|stop/i);
        await chat.shows(PROMPT);
        chat.type("\u0003");
        expect((await chat.ended).code).to.equal(130);
        expectFitted(columns);
        await open(columns);
        chat.type("\u001b[A\u001b[A");
        await chat.shows(/> first line\n {2}second line$/);
        chat.type("\u0003\u0003");
        expect((await chat.ended).code).to.equal(130);
      },
    );
  }
});
