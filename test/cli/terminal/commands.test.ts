// The lists and single pages of the command line on terminals of three widths and in a pipe, and a prompt with and without a terminal, by
// what is printed. Source: docs/reference.md, "Looking at the record" and "Text on a terminal".
import { expect } from "chai";
import stringWidth from "string-width";
import { allOnly } from "../../support/all.js";
import { PROGRAM } from "../../support/program.js";
import { agentd, dataDir, start, stopAll } from "../../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { itOnTerminal, onTerminal, typedTerminal } from "../../support/terminal.js";

const WORDS = "a name of so many words that no terminal has room for all of them ";
const HOSTILE = `${WORDS.repeat(3)}\u001b[31mred\u0007\u202e`;
const EXTENDED_ONLY = /"kind":"(?:session|usage|notice)"/;

describe("Commands on a terminal and in a pipe", function () {
  this.timeout(90_000);
  let home: ReturnType<typeof dataDir>;
  let target: RecordingTarget;

  before(async () => {
    target = await startTarget(() => json([{ id: 1, name: HOSTILE }]));
    home = dataDir({
      target: target.url,
      turns: [
        {
          prompt: "make",
          replies: [
            {
              calls: [
                { name: "list_pets", arguments: {} },
                { name: "create_pet", arguments: { name: HOSTILE } },
              ],
            },
            { text: `**Made** ${HOSTILE}` },
          ],
        },
        { prompt: "slow", replies: [{ text: "**Late**", delay_ms: 2500 }] },
      ],
    });
    const first = await agentd(["run", `make ${HOSTILE}`, "--session", "one", "--data-dir", home.dir]);
    expect(first.code, first.stderr).to.equal(0);
    // Held until somebody decides.
    await agentd(["run", "make more", "--confirm", "--session", "two", "--data-dir", home.dir]);
  });
  after(async () => {
    await stopAll();
    await target.close();
  });

  const LISTS = [["history"], ["history", "2"], ["tools"], ["sessions"], ["sessions", "one"], ["approvals"]];
  const PAGES = [["applications"], ["models"], ["run", "--help"], ["--help"]];
  for (const columns of [60, 80, 200])
    itOnTerminal(
      `fit ${columns} columns, without colours where none are wanted${allOnly(columns !== 60)}`,
      async () => {
        const size = { rows: 200, columns };
        for (const args of LISTS) {
          const running = start(onTerminal([...args, "--no-pager", "--data-dir", home.dir], size));
          const terminal = typedTerminal(running, size);
          expect((await terminal.ended).code, args.join(" ")).to.equal(0);
          const lines = running.stdout().split(/\r?\n/);
          expect(running.stdout(), args.join(" ")).to.not.match(/[\u001b\u0007\u202e]/);
          // A value in a page of its own stays whole, to be copied: the terminal breaks it.
          if (args.length > 1) continue;
          for (const line of lines) expect(stringWidth(line), `${args.join(" ")}: ${line}`).to.be.at.most(columns);
        }
      },
    );

  for (const columns of [60, 80])
    itOnTerminal(`fit what is there, and their help, in ${columns} columns @all`, async () => {
      const size = { rows: 200, columns };
      for (const args of PAGES) {
        const running = start(onTerminal([...args, "--data-dir", home.dir], size));
        expect((await running.ended).code, args.join(" ")).to.equal(0);
        for (const line of running.stdout().split(/\r?\n/))
          expect(stringWidth(line), `${args.join(" ")}: ${line}`).to.be.at.most(columns);
      }
    });

  for (const columns of [60, 80, 200])
    itOnTerminal(`show one call whole in ${columns} columns${allOnly(columns !== 80)}`, async () => {
      const size = { rows: 40, columns };
      const page = async (id: string): Promise<string> => {
        const env = { PAGER: "cat -" };
        const running = start(onTerminal(["history", id, "--data-dir", home.dir], size), { env });
        const terminal = typedTerminal(running, size);
        expect((await terminal.ended).code).to.equal(0);
        for (const line of terminal.lines()) expect(stringWidth(line), line).to.be.at.most(columns);
        return terminal.lines().join("").replaceAll(/\s/g, "");
      };
      const words = WORDS.repeat(3).replaceAll(" ", "");
      expect(await page("1")).to.include(`name${words}\\u{1b}[31mred`);
      const change = await page("2");
      const request = change.slice(change.indexOf("Request"), change.indexOf("Result"));
      expect(request).to.include('"method":"POST"').and.include(`"body":{"name":"${words}`);
    });

  itOnTerminal("have times in the zone of the terminal, which a time that stands alone names", async () => {
    const size = { rows: 60, columns: 120 };
    const { ts } = JSON.parse((await agentd(["history", "1", "--json", "--data-dir", home.dir])).stdout) as {
      ts: string;
    };
    // Half an hour beside whole ones, and no summer time.
    const own = new Date(Date.parse(ts) + 5.5 * 3_600_000).toISOString();
    const wanted = `${own.slice(0, 10)} ${own.slice(11, 19)} +05:30`;
    const shown = async (...args: string[]): Promise<string> => {
      const env = { TZ: "Asia/Kolkata", PAGER: "cat" };
      const running = start(onTerminal([...args, "--data-dir", home.dir], size), { env });
      return (await running.ended).stdout;
    };
    expect(await shown("history", "1")).to.include(`time         ${wanted}`);
    expect(await shown("approvals", "--long")).to.match(/until: [-\d]{10} [:\d]{8} \+05:30, \d min/);
    expect((await agentd(["history", "1", "--data-dir", home.dir])).stdout).to.include(`time         ${ts}`);
  });

  /** What a list shows on a terminal of so many columns. */
  const listed = async (columns: number, ...args: string[]): Promise<string[]> => {
    const size = { rows: 50, columns };
    const running = start(onTerminal([...args, "--no-pager", "--data-dir", home.dir], size));
    const terminal = typedTerminal(running, size);
    expect((await terminal.ended).code).to.equal(0);
    return terminal.lines();
  };

  for (const columns of [60, 80])
    itOnTerminal(`name calls and conversations in ${columns} columns @all`, async () => {
      const calls = await listed(columns, "history");
      expect(calls[0]).to.match(/^ID +TIME +STATUS +TOOL/);
      // A list that is made at midnight has the day in it.
      expect(calls[1]).to.match(/^ *\d +(\d{4}-\d\d-\d\d \d\d:\d\d|\d\d:\d\d:\d\d) +(ok|held) +[a-z]+_pets? /);
      const [heads = "", ...tools] = await listed(columns, "tools");
      expect(heads).to.match(/^TOOL +SAFETY .*DESCRIPTION$/);
      expect(tools.find((line) => line.startsWith("delete_pet"))).to.match(/^delete_pet +destructive /);
      const [headings, ...sessions] = await listed(columns, "sessions");
      expect(headings).to.match(/^SESSION +LAST USED +TITLE/);
      expect(sessions.find((line) => line.startsWith("two"))).to.match(/ (\d\d:\d\d:\d\d|-\d\d \d\d:\d\d) +make more/);
    });

  for (const columns of [60, 80])
    itOnTerminal(`follow calls a line each in ${columns} columns${allOnly(columns !== 60)}`, async () => {
      const size = { rows: 50, columns };
      const running = start(onTerminal(["history", "--follow", "--data-dir", home.dir], size));
      const terminal = typedTerminal(running, size);
      await terminal.shows(/^4 .*create_pet/m);
      terminal.type("\u0003");
      await terminal.ended;
      const lines = terminal.lines().filter((line) => line !== "" && line !== "^C");
      expect(lines[0]).to.match(/^ID +TIME +STATUS +TOOL/);
      expect(lines.slice(1).map((line) => /^\d /.exec(line)?.[0])).to.deep.equal(["1 ", "2 ", "3 ", "4 "]);
      for (const line of lines.slice(1))
        expect(line).to.match(/^\d +(\S+ )?\d\d:\d\d(:\d\d)? +\w+ +(list|create)_pets? /);
    });

  it("show control characters as their code points, and cut nothing in a pipe @all", async () => {
    const { stdout } = await agentd(["history", "2", "--data-dir", home.dir]);
    expect(stdout).to.include(`${WORDS.trim()} `).and.include("\\u001b[31mred\\u0007\\u202e");
    const long = "x".repeat(70);
    await agentd(["run", `say ${long}`, "--session", "three", "--data-dir", home.dir]);
    expect((await agentd(["sessions", "--data-dir", home.dir])).stdout).to.include(long);
    for (const args of [["history"], ["approvals"]])
      expect((await agentd([...args, "--data-dir", home.dir])).stdout).to.include(`${WORDS.trim()} \\u001b[31mred`);
    const follow = start([...PROGRAM, "history", "--follow", "--data-dir", home.dir]);
    await follow.prints(`${WORDS.trim()} \\u001b[31mred`);
    await follow.kill("SIGINT");
    for (const args of LISTS) {
      const ended = await agentd([...args, "--data-dir", home.dir], { env: { FORCE_COLOR: "0" } });
      expect(ended.code, ended.stderr).to.equal(0);
      expect(ended.stdout + ended.stderr).to.not.match(/[\u001b\u0007\u202e]/);
    }
  });

  it("run prints in a pipe what the model wrote, with --quiet nothing else, with --json the events @all", async () => {
    const run = (...more: string[]) => agentd(["run", "make", ...more, "--data-dir", home.dir]);
    const plain = await run();
    expect(plain.stdout).to.match(/^\*\*Made\*\* /);
    expect(plain.stderr).to.include("→ list_pets {}\n  ok, ");
    const quiet = await run("--quiet");
    expect(quiet).to.include({ stdout: plain.stdout, stderr: "" });
    const { stdout } = await run("--json");
    const kinds = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => kind !== "assistant_delta")).to.deep.equal([
      "user_prompt",
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
      "assistant_message",
      "done",
    ]);
    expect(stdout).to.not.match(EXTENDED_ONLY);
    expect(stdout).to.not.match(/[\u001b\u202e]/);
  });

  itOnTerminal("run counts the seconds on a terminal, takes them away, and renders the answer @all", async () => {
    const size = { rows: 30, columns: 60 };
    const running = start(onTerminal(["run", "slow", "--data-dir", home.dir], size));
    const terminal = typedTerminal(running, size);
    await terminal.shows(/waiting for the model [12] s/);
    expect((await terminal.ended).code).to.equal(0);
    expect(terminal.lines().join("\n").trim()).to.match(/^session \S+\nLate$/);
    const quiet = start(onTerminal(["run", "slow", "--quiet", "--data-dir", home.dir], size));
    expect((await quiet.ended).stdout).to.not.include("waiting");
  });
});
