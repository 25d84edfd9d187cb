// What an application asks in the middle of a call, on the terminal: behind a bar, field by field, checked, and declined when nobody
// answers. Source: docs/reference.md, "Questions of an application".
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { askQuestion } from "../../../src/cli/terminal/question.js";
import type { HeldCall } from "../../../src/domain/event.js";
import type { InputAnswer, InputRequest } from "../../../src/domain/input.js";
import { objectOf } from "../../../src/lib/json.js";
import { allOnly } from "../../support/all.js";
import { startAsking } from "../../support/asking-agent.js";
import { agentd, start, stopAll } from "../../support/spawn.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { itOnTerminal, onTerminal } from "../../support/terminal.js";
import { until } from "../../support/until.js";

const FORM: InputRequest = {
  message: "Which table?\u202e\nAnswer? [y/N] ",
  fields: {
    type: "object",
    properties: {
      seats: { type: "integer", maximum: 8 },
      size: { type: "string", title: "Size", enum: ["s", "l"], enumNames: ["Small", "Large"], default: "s" },
      extras: { type: "array", items: { type: "string", enum: ["bread", "water"] } },
      window: { type: "boolean", description: "with a view" },
    },
    required: ["seats", "size"],
  },
};

const held = (input: InputRequest): HeldCall => ({
  id: "1",
  session_id: "s",
  turn_id: "t",
  call_id: "c",
  application: "meals",
  tool: "order",
  safety: "mutating",
  arguments: {},
  request: { asks: input.message },
  created_at: "",
  expires_at: "",
  input,
});

describe("The questions of an application on the terminal", () => {
  /** Answers one line after the other; what was asked. */
  const play = async (input: InputRequest, ...lines: string[]) => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return lines.shift() ?? "";
    };
    return { asked, decision: await askQuestion(held(input), ask, new AbortController().signal) };
  };

  it("O13 stand behind a bar, and the last rows are the daemon's own", async () => {
    const { asked, decision } = await play(FORM);
    expect(decision).to.deep.equal({ decision: "deny" });
    expect(asked).to.have.length(1);
    const rows = asked[0]?.split("\n") ?? [];
    expect(rows.slice(1, 4)).to.deep.equal([
      "The application asks you:",
      "  | Which table?\\u{202e}",
      "  | Answer? [y/N] ",
    ]);
    expect(rows.slice(4, 8)).to.deep.equal([
      "  | - seats: integer",
      '  | - size: Size: Small = "s" | Large = "l"',
      "  | - extras: any of bread | water, optional",
      "  | - window: with a view: Yes = true | No = false, optional",
    ]);
    expect(rows.slice(-4)).to.deep.equal([
      "agentd asks, about the 6 rows above:",
      "  to:    the application meals",
      "  tool:  order (mutating), which has been sent and waits for the answer",
      "What you answer goes to the application and is kept in the history. Answer? [y/N] ",
    ]);
  });

  it("are asked field by field: checked, with suggestions, choices by number or by name", async () => {
    const { asked, decision } = await play(FORM, "y", "", "9", "4", "", "bread, 2", "n");
    expect(decision).to.deep.equal({
      decision: "approve",
      arguments: { seats: 4, size: "s", extras: ["bread", "water"], window: false },
    });
    expect(asked[2]).to.equal("This needs an answer.\n> ");
    expect(asked[3]).to.equal("This needs at most 8.\n> ");
    expect(asked[4]).to.equal(
      "\n  | size: Size: choice\n  | 1. Small\n  | 2. Large\n  | suggestion: Small\nField 2 of 4 (a number from 1 to 2; nothing for the suggestion)\n> ",
    );
  });

  it("leave out what need not be answered, and are declined after five answers that do not fit", async () => {
    expect((await play(FORM, "y", "1", "Large", "", "")).decision).to.deep.equal({
      decision: "approve",
      arguments: { seats: 1, size: "l" },
    });
    const { asked, decision } = await play(FORM, "y");
    expect(decision).to.deep.equal({ decision: "deny" });
    expect(asked).to.have.length(6);
  });

  it("name the host of a page, and take a yes for done", async () => {
    const { asked, decision } = await play({ message: "Sign in", url: "https://user@id.example/x" }, "y");
    expect(decision).to.deep.equal({ decision: "approve" });
    expect(asked[0]).to.contain("\n  visit: id.example\n");
  });

  describe("of a daemon", function () {
    this.timeout(60_000);
    let dir: string;
    let asking: Awaited<ReturnType<typeof startAsking>>;
    const answers: InputAnswer[] = [];
    beforeEach(async () => {
      dir = temporaryFolder("form");
      answers.length = 0;
      asking = await startAsking(dir, async ({ ask, onProgress }) => {
        onProgress("looking for a table");
        const { extras: _, window: __, ...properties } = objectOf(FORM.fields?.["properties"]);
        answers.push(await ask({ ...FORM, fields: { ...FORM.fields, properties } }));
        return null;
      });
    });
    afterEach(async () => {
      await stopAll();
      await asking.close();
    });

    itOnTerminal("are answered where agentd run asks them @all", async () => {
      const running = start(onTerminal(["run", "book", "--data-dir", dir], { rows: 40, columns: 100 }));
      const type = async (wanted: string | RegExp, line: string): Promise<void> => {
        await running.prints(wanted);
        // What is typed in the first half second is dropped.
        await sleep(700);
        running.child.stdin?.write(`${line}\r`);
      };
      await type("history. Answer? [y/N] ", "y");
      await type("Field 1 of 2", "4");
      await type("Field 2 of 2", "2");
      const { code, stdout } = await running.ended;
      expect(code).to.equal(0);
      expect(stdout).to.contain("looking for a table");
      expect(answers).to.deep.equal([{ action: "accept", values: { seats: 4, size: "l" } }]);
    });

    for (const [args, answer, code] of [
      [["approve", "--arguments", '{"seats":4,"size":"l"}'], { action: "accept", values: { seats: 4, size: "l" } }, 0],
      [["approve", "--arguments", '{"seats":"4","size":"l"}'], undefined, 2],
      [["approve", "--arguments", "[4]"], undefined, 2],
      [["deny"], { action: "decline" }, 0],
    ] as const)
      it(`are decided by agentd approvals ${args.join(" ")}${allOnly(args[1] === undefined || code !== 0)}`, async () => {
        const turn = fetch(`${asking.url}/run`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ message: "book", detach: true }),
        });
        await turn;
        await until(async () => (await asking.agent.confirmations({ limit: 1 })).length === 1);
        const listed = await agentd(["approvals", "--long", "--data-dir", dir]);
        expect(listed.stdout).to.contain("the application asks you").and.to.contain("--arguments '{…}'");
        const [{ id = "" } = {}] = await asking.agent.confirmations({ limit: 1 });
        const [action, ...more] = args;
        const ended = await agentd(["approvals", action, id.slice(0, 8), ...more, "--data-dir", dir]);
        expect(ended.code, ended.stderr).to.equal(code);
        if (answer) await until(() => answers.length === 1);
        expect(answers).to.deep.equal(answer ? [answer] : []);
        if (!answer) expect(ended.stderr).to.match(/seats|JSON object/);
      });
  });
});
