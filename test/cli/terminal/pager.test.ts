// What is longer than the screen goes through a pager; the record is searched, and shown whole.
import { expect } from "chai";
import { agentd, dataDir, serve, start, stopAll } from "../../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { itOnTerminal, onTerminal, typedTerminal } from "../../support/terminal.js";

describe("Looking at the record", () => {
  let home: ReturnType<typeof dataDir>;
  const here = (...args: string[]) => agentd([...args, "--data-dir", home.dir]);

  before(async () => {
    const calls = Array.from({ length: 30 }, (_, at) => ({ id: `c${at}`, name: "list_pets", arguments: {} }));
    home = dataDir({ turns: [{ prompt: "many", replies: [{ calls }, { text: "# Found\n\nSome **pets**." }] }] });
    await here("run", "many", "--dry-run", "--session", "one");
  });

  after(stopAll);

  it("shows one call, and one conversation, and finds both by their words", async () => {
    expect((await here("history", "3")).stdout)
      .to.match(/^call 3 {2}list_pets/)
      .and.include("\nArguments\n");
    expect((await here("history", "99")).stderr).to.include("there is no call 99");
    expect((await here("history", "--search", "pets", "--safety", "mutating")).stderr).to.include(
      "No recorded call fits.",
    );
    expect((await here("history", "--from", "soon")).code).to.equal(2);
    expect((await here("sessions", "one")).stdout).to.include("Some **pets**.");
    expect((await here("sessions", "--search", "SOME **pets")).stdout).to.include("one");
    expect((await here("sessions", "--search", "nothing")).stderr).to.include("No conversation fits.");
  });

  itOnTerminal("is paged where it is longer than the screen, by the pager that is named @all", async () => {
    const size = { rows: 20, columns: 60 };
    const list = async (env: Record<string, string>, ...more: string[]): Promise<string> => {
      const running = start(onTerminal(["history", "--limit", "30", "--data-dir", home.dir, ...more], size), { env });
      const terminal = typedTerminal(running, size);
      expect((await terminal.ended).code).to.equal(0);
      return terminal.lines().join("\n");
    };
    const whole = await list({ AGENTD_PAGER: "cat" });
    expect(whole).to.include("30  ").and.include("list_pets");
    expect(await list({ AGENTD_PAGER: "head -2" })).to.equal(`${whole.split("\n").slice(0, 2).join("\n")}\n`);
    expect(await list({ PAGER: "no-such-pager-here 2>/dev/null" })).to.equal(whole);
    expect(await list({ PAGER: "head -2" }, "--no-pager")).to.equal(whole);
  });
});

describe("A search of a record that is slow to look at", function () {
  this.timeout(240_000);
  // Each row begins to be the text at every of its characters, in each of the three spellings that the last one has.
  const LONG = "a".repeat(150_000);
  const TEXT = `${"a".repeat(199)}é`;
  let home: ReturnType<typeof dataDir>;
  let target: RecordingTarget;

  before(async () => {
    target = await startTarget(() => json([{ id: 1, name: LONG }]));
    const calls = Array.from({ length: 100 }, (_, at) => ({ id: `c${at}`, name: "list_pets", arguments: {} }));
    const first = { id: "first", name: "create_pet", arguments: { name: TEXT } };
    const replies = [{ calls: [first] }, { calls }, { calls }, { text: "Done." }];
    home = dataDir({ target: target.url, turns: [{ prompt: "many", replies }] });
  });
  after(async () => {
    await stopAll();
    await target.close();
  });

  it("goes on through a daemon until all of it was looked at, as it does without one @all", async () => {
    const daemon = await serve(["--data-dir", home.dir]);
    await agentd(["run", "many", "--data-dir", home.dir, "--quiet"]);
    const answer = await fetch(`${daemon.url}/history?q=${encodeURIComponent(TEXT)}`);
    expect(await answer.json()).to.deep.equal([]);
    expect(answer.headers.get("x-search-before")).to.match(/^\d+$/);
    const search = ["history", "--search", TEXT, "--json", "--data-dir", home.dir];
    const ids = async (...more: string[]): Promise<number[]> => {
      const { stdout, stderr } = await agentd([...search, ...more]);
      expect(stderr).to.equal("");
      return (JSON.parse(stdout) as { id: number }[]).map(({ id }) => id);
    };
    expect(await ids()).to.deep.equal([1]);
    expect(await ids("--after", "0", "--limit", "2")).to.deep.equal([1]);
    await daemon.stop();
    expect(await ids()).to.deep.equal([1]);
  });
});
