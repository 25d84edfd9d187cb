// Secrets from a command: real helpers, what they print, how long it counts, and that none outlives its daemon.
// Source: docs/configuration.md, "Secrets from a command".
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { CommandSecret, HelperError } from "../../src/config/command-secret.js";
import { keptLog, petShop } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { agentd, dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { json, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const NODE = process.execPath;

describe("Secrets from a command", function () {
  this.timeout(60_000);
  let folder: string;
  let learned: string[];
  let log: ReturnType<typeof keptLog>;

  beforeEach(() => {
    folder = temporaryFolder("helper");
    learned = [];
    log = keptLog();
  });
  afterEach(stopAll);

  const secret = (command: readonly string[], timeoutMs = 20_000): CommandSecret =>
    new CommandSecret("target.auth.key", { command, timeoutMs, cwd: folder });
  /** A helper that runs this program and counts its runs. */
  const helper = (program: string): string[] => {
    const file = join(folder, "helper.cjs");
    writeFileSync(file, `require("node:fs").appendFileSync("runs", "x");${program}`);
    return [NODE, file];
  };
  const runs = (): number => readFileSync(join(folder, "runs"), "utf8").length;
  const text = (one: CommandSecret): Promise<string> =>
    one.text({ learn: (value) => void learned.push(value), log: log.log });
  const failure = async (one: CommandSecret): Promise<string> => {
    const error = await text(one).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(HelperError);
    return (error as Error).message;
  };

  it("takes a text as it is and keeps it until it is refused; callers at once share a run @all", async () => {
    const one = secret(helper('console.log("  s3cret value ")'));
    expect(await Promise.all([text(one), text(one)])).to.deep.equal(["s3cret value", "s3cret value"]);
    one.drop("another");
    await text(one);
    expect(runs()).to.equal(1);
    one.drop("s3cret value");
    await text(one);
    expect(runs()).to.equal(2);
    expect(learned).to.deep.equal(["s3cret value", "s3cret value"]);
  });

  it("takes token or value of an object, for as long as it says @all", async () => {
    const hour = new Date(Date.now() + 3_600_000).toISOString();
    const cases: [object, number][] = [
      [{ token: "t1" }, 1],
      [{ value: "t1", expires_in: 3600 }, 1],
      [{ token: "t1", expires_at: hour }, 1],
      [{ token: "t1", expires_at: Date.now() / 1000 + 3600 }, 1],
      [{ token: "t1", expires_in: 5 }, 2],
      [{ token: "t1", expires_at: "2020-01-01T00:00:00Z" }, 2],
    ];
    for (const [printed, expected] of cases) {
      rmSync(join(folder, "runs"), { force: true });
      const one = secret(helper(`console.log(${JSON.stringify(JSON.stringify(printed))})`));
      expect([await text(one), await text(one)], JSON.stringify(printed)).to.deep.equal(["t1", "t1"]);
      expect(runs(), JSON.stringify(printed)).to.equal(expected);
    }
  });

  it("says what a helper did wrong without what it printed, and logs what it complained of once its secret is known @all", async () => {
    const cases: [program: string, reason: string][] = [
      ['console.log("canary"); process.exit(3)', "it ended with 3"],
      ["", "it printed nothing"],
      ['console.log("{canary")', "not JSON"],
      ["console.log(JSON.stringify({ canary: 1 }))", 'without "token" or "value"'],
      ['console.log(JSON.stringify({ token: "canary", expires_at: "soon" }))', "is no time"],
    ];
    for (const [program, reason] of cases) {
      const message = await failure(secret(helper(program)));
      expect(message).to.include(reason).and.include("target.auth.key").and.not.include("canary");
    }
    expect(await failure(secret([join(folder, "missing")]))).to.include("it ended with 127");
    await text(secret(helper('console.error("careful: s3cret"); console.log("s3cret")')));
    expect(learned.at(-1)).to.equal("s3cret");
    expect(log.lines.at(-1)?.fields).to.deep.include({ stderr: "careful: s3cret" });
  });

  it("N20 passes arguments without a shell, and nothing of agentd's own environment", async () => {
    const command = helper(
      "console.log(JSON.stringify({ token: JSON.stringify([process.argv[2], Object.keys(process.env)]) }))",
    );
    process.env["AGENTD_TOKEN"] = "own-token";
    try {
      const [argument, names] = JSON.parse(await text(secret([...command, "$(touch made); `touch made` *"]))) as [
        string,
        string[],
      ];
      expect(argument).to.equal("$(touch made); `touch made` *");
      expect(names).to.include("PATH").and.not.include("AGENTD_TOKEN");
      expect(existsSync(join(folder, "made"))).to.equal(false);
    } finally {
      delete process.env["AGENTD_TOKEN"];
    }
  });

  const isRunning = (pid: number): boolean => {
    try {
      // One that ended and was not waited for yet still has a number.
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  /** A helper whose child holds its output open; both write their numbers. */
  const STUCK = `
    require("node:child_process").spawn(process.execPath, ["-e", "require('node:fs').writeFileSync('child', String(process.pid)); setInterval(() => {}, 1e6)"], { stdio: "inherit" });
    require("node:fs").writeFileSync("own", String(process.pid)); setInterval(() => {}, 1e6);`;
  const number = (name: string): number =>
    Number(existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8"));

  it("N20 ends a helper that takes too long, with all it started @all", async () => {
    const waiting = failure(secret(helper(STUCK), 10_000));
    await until(() => number("child") > 0 && number("own") > 0);
    expect(await waiting).to.include("within 10000 ms");
    await until(() => !isRunning(number("own")) && !isRunning(number("child")));
  });

  describe("in a daemon", () => {
    const TURNS = [{ prompt: "list", replies: [{ calls: [{ name: "list_pets", arguments: {} }] }, { text: "Done." }] }];
    const home = (target: string, credential: unknown): ReturnType<typeof dataDir> => {
      const shop = petShop(target) as { resources: { actions: { transport: object }[] }[] };
      for (const { transport } of shop.resources.flatMap(({ actions }) => actions))
        Object.assign(transport, { security: [{ key: [] }] });
      const schema = { ...shop, auth: { key: { type: "http", scheme: "basic" } } };
      return dataDir({ target, turns: TURNS, schema, config: { target: { auth: { key: credential } } } });
    };
    const run = async (served: Served): Promise<string> =>
      (await postJson(`${served.url}/run`, { message: "list" })).text();

    it("N19 N20 runs the helper when a call needs it and again after a 401, redacts old and new, and not for other commands", async () => {
      const seen: (string | undefined)[] = [];
      const target = await startTarget((request) => {
        seen.push(request.header("authorization"));
        return seen.length === 2
          ? json({}, 401)
          : json([{ id: 1, name: seen.length === 1 ? "pass-1-secret" : "pass-1-secret and pass-2-secret" }]);
      });
      const command = helper(
        'console.log("user:pass-" + require("node:fs").readFileSync("runs", "utf8").length + "-secret")',
      );
      const { dir } = home(target.url, `command:${command.join(" ")}`);
      writeFileSync(join(dir, "runs"), "");
      expect((await agentd(["tools", "--data-dir", dir])).code).to.equal(0);
      const served = await serve(["--data-dir", dir]);
      expect(readFileSync(join(dir, "runs"), "utf8")).to.equal("");
      await run(served);
      const answer = await run(served);
      const basic = (n: number): string => `Basic ${btoa(`user:pass-${n}-secret`)}`;
      expect(seen).to.deep.equal([basic(1), basic(1), basic(2)]);
      expect(answer).to.not.include("pass-1-secret").and.not.include("pass-2-secret");
      expect(JSON.stringify(await getJson(`${served.url}/history`))).to.not.include("-secret");
      await served.stop();
      await target.close();
    });

    it("N20 leaves no helper behind a daemon that is killed", async () => {
      const { dir } = home("http://127.0.0.1:9", { command: helper(STUCK), timeout_ms: 50_000 });
      folder = dir;
      const served = await serve(["--data-dir", dir]);
      void run(served).catch(() => "");
      await until(() => number("child") > 0 && number("own") > 0);
      await served.kill();
      await until(() => !isRunning(number("own")) && !isRunning(number("child")));
    });

    it("N20 P3 runs nothing that a directory names which was only found and is not trusted", async () => {
      const { dir } = home("http://127.0.0.1:9", { command: helper('console.log("x")') });
      const { renameSync } = await import("node:fs");
      renameSync(dir, join(folder, ".agentd"));
      const { code, stderr } = await agentd(["run", "list"], { cwd: folder });
      expect(code).to.equal(1);
      expect(stderr).to.include("agentd trust");
      expect(existsSync(join(folder, "runs"))).to.equal(false);
      expect(existsSync(join(folder, ".agentd", "runs"))).to.equal(false);
    });
  });
});
