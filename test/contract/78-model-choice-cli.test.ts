// The choice of a model by the command line, in this process and through a daemon: what is listed, taken, refused and recorded.
// Source: docs/reference.md, "Choosing a model".
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { OfferedProvider } from "../../src/domain/model-choice.js";
import type { SessionSummary } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { agentd, dataDir, type Ended, type SpawnOptions, serve, stopAll } from "../support/spawn.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const KEY = "canary-of-the-choice";

/** Runs a command on the data directory of the test. */
type Run = (args: string[], options?: SpawnOptions) => Promise<Ended>;

function configure(base_url: string): Record<string, unknown> {
  const api = { type: "openai-compatible", base_url, api_key: KEY };
  return {
    default_provider: "first",
    providers: {
      first: { ...api, model: "f-1", models: ["both"] },
      second: { ...api, model: "s-1", models: ["both"] },
      broken: { ...api, api_key: "env:CHOICE_KEY", model: "b-1" },
    },
  };
}

/** `-m` and `--provider`, and the model that is asked. */
const CHOICES: readonly [flags: string[], model: string][] = [
  [[], "f-1"],
  [["-m", "s-1"], "s-1"],
  [["-m", "second/both"], "both"],
  [["-m", "second"], "s-1"],
  [["--provider", "second"], "s-1"],
  [["--provider", "second", "-m", "both"], "both"],
];

describe("Choosing a model on the command line", function () {
  this.timeout(60_000);
  let vendor: Vendor;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    vendor = await startVendor(() => ({ deltas: ["Hel", "lo"], usage: { input: 7, output: 2 } }));
    home = dataDir({ config: configure(vendor.url) });
  });
  afterEach(async () => {
    await stopAll();
    await vendor.close();
  });

  const asked = (): unknown[] => vendor.requests.map(({ body }) => body["model"]);
  const here: Run = async (args, options) => {
    const ended = await agentd([...args, "--data-dir", home.dir], options);
    expect(ended.stdout + ended.stderr).to.not.include(KEY);
    return ended;
  };
  const sessions = async (): Promise<SessionSummary[]> =>
    JSON.parse((await here(["sessions", "--json"])).stdout) as SessionSummary[];

  for (const isServed of [false, true])
    describe(isServed ? "through a daemon" : "in this process", () => {
      beforeEach(async () => {
        if (isServed) await serve(["--data-dir", home.dir]);
      });

      it(`lists what can be chosen, as a table and as JSON, and what cannot be used${allOnly(isServed)}`, async () => {
        const table = await here(["models"]);
        expect(table.code, table.stderr).to.equal(0);
        const rows = table.stdout.split("\n").map((row) => row.trim().split(/\s{2,}/));
        expect(rows.slice(0, 5)).to.deep.equal([
          ["PROVIDER", "MODEL", "TYPE"],
          ["first", "f-1", "openai-compatible", "default"],
          ["first", "both", "openai-compatible"],
          ["second", "s-1", "openai-compatible"],
          ["second", "both", "openai-compatible"],
        ]);
        expect(table.stdout).to.match(/^broken cannot be used: .*CHOICE_KEY/m);
        const { stdout } = await here(["models", "--json"]);
        const offers = JSON.parse(stdout) as OfferedProvider[];
        expect(offers.map(({ name, models, default: isDefault }) => [name, models, isDefault])).to.deep.equal([
          ["first", ["f-1", "both"], true],
          ["second", ["s-1", "both"], false],
          ["broken", [], false],
        ]);
        expect(asked()).to.deep.equal([]);
      });

      it(`runs with the model of -m NAME/MODEL, says what it took with --verbose, and the session keeps both${allOnly(!isServed)}`, async () => {
        const { code, stdout, stderr } = await here([
          "run",
          "hello",
          "--session",
          "s",
          "-m",
          "second/both",
          "--verbose",
        ]);
        expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Hello\n" });
        expect(stderr).to.match(/^ {2}both: 7 in, 2 out$/m);
        expect(asked()).to.deep.equal(["both"]);
        const { stdout: table } = await here(["sessions"]);
        expect(table).to.match(/^SESSION +LAST USED +TURNS +STATUS +MODEL +TOKENS +TITLE\n/);
        expect(table).to.match(/^s +\S+ +1 +done +both +7 in, 2 out +hello\n/m);
        expect((await sessions()).map(({ provider, model }) => [provider, model])).to.deep.equal([["second", "both"]]);
      });

      it("takes a model, a provider and both, and goes on with the session's choice @all", async () => {
        for (const [flags] of CHOICES) expect((await here(["run", "hello", ...flags])).code).to.equal(0);
        expect(asked()).to.deep.equal(CHOICES.map(([, model]) => model));
        await here(["run", "one", "--session", "kept", "-m", "s-1"]);
        await here(["run", "two", "--session", "kept"]);
        expect(asked().slice(CHOICES.length)).to.deep.equal(["s-1", "s-1"]);
      });

      it("refuses what is not configured, naming what there is, and asks no model @all", async () => {
        const refused: [flags: string[], named: RegExp][] = [
          [["--provider", "secnod"], /second/],
          [["--provider", "broken"], /CHOICE_KEY/],
        ];
        // Without a daemon the operator may name any model at the terminal.
        const refusedByDaemon: typeof refused = [
          [["-m", "s-2"], /"s-2".*s-1, both/],
          [["-m", "both"], /"both": first, second/],
          [["-m", "second/f-1"], /"second" has no model "f-1"/],
        ];
        for (const [flags, named] of [...refused, ...(isServed ? refusedByDaemon : [])]) {
          const { code, stdout, stderr } = await here(["run", "hello", ...flags]);
          expect(code, flags.join(" ")).to.be.oneOf(isServed ? [2] : [1, 2]);
          expect(stdout, flags.join(" ")).to.equal("");
          expect(stderr, flags.join(" ")).to.match(named);
        }
        expect(asked()).to.deep.equal([]);
        expect(await sessions()).to.deep.equal([]);
      });

      it(`says on stderr that a session's choice is gone, to scripts too, and --json stays as it is @all`, async () => {
        await here(["run", "one", "--session", "s", "--provider", "second"]);
        await stopAll();
        const { providers, ...rest } = configure(vendor.url);
        const { second: _, ...others } = providers as Record<string, unknown>;
        writeFileSync(join(home.dir, "config.json"), JSON.stringify({ ...rest, providers: others }));
        if (isServed) await serve(["--data-dir", home.dir]);
        const notice = /^This session's choice, second with s-1, .*: first with f-1 answers\.$/m;
        const ran = await here(["run", "two", "--session", "s"]);
        expect([ran.code, ran.stdout]).to.deep.equal([0, "Hello\n"]);
        expect(ran.stderr).to.match(notice);
        const json = await here(["run", "three", "--session", "s", "--json"]);
        const kinds = json.stdout
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { kind: string }).kind);
        expect(new Set(kinds)).to.deep.equal(new Set(["user_prompt", "assistant_delta", "assistant_message", "done"]));
        expect(json.stderr).to.not.match(notice);
      });

      it(`lists and takes models in a chat, and goes on after a refusal @all`, async () => {
        const lines = ["/model", "one", "/model s-1", "two", "/model nothing", "/mdoel", "/model first/both", "three"];
        const input = lines.map((line) => `${line}\n`).join("");
        const { code, stdout, stderr } = await here(["chat", "--session", "s"], { input });
        expect({ code, stdout }).to.deep.equal({ code: 0, stdout: "Hello\n".repeat(3) });
        expect(stderr).to.include("first/f-1 (default)\n  first/both\n  second/s-1\n  second/both\n");
        expect(stderr).to.include("from now on s-1 of second\n").and.include("from now on both of first\n");
        expect(stderr).to.match(/^agentd: No provider has the model "nothing"/m);
        expect(stderr).to.match(/^agentd: there is no command \/mdoel\. Did you mean \/model\? \/help lists them\./m);
        expect(asked()).to.deep.equal(["f-1", "s-1", "both"]);
        expect((await sessions()).map(({ provider, model }) => [provider, model])).to.deep.equal([["first", "both"]]);
      });
    });
});
