// `agentd run` in scripts: standard input, exit codes, extended events, closed pipes.
// Source: docs/reference.md, "Prompts in scripts".
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import type { JsonObject } from "../../src/lib/json.js";
import { allOnly } from "../support/all.js";
import { getJson } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { itOnTerminal, onTerminal } from "../support/terminal.js";

const call = (name: string, args: JsonObject) => ({ calls: [{ name, arguments: args }] });
const TURNS = [
  { prompt: "list", replies: [call("list_pets", {}), { text: "Two pets." }] },
  { prompt: "wrong", replies: [call("get_pet", { id: 404 }), { text: "There is none." }] },
  { prompt: "create", replies: [call("create_pet", { name: "Rex" }), { text: "Created." }] },
  { prompt: "slow", replies: [{ deltas: ["tick", "tock"], delay_ms: 60_000 }] },
];
type Event = Record<string, unknown> & { kind: string };

describe("Prompts in scripts", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(({ path }) => json([{ id: 1, name: "Rex" }], path.endsWith("/404") ? 404 : 200));
    home = dataDir({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const run = (args: string[], input = ""): Promise<Ended> =>
    agentd(["run", ...args, "--data-dir", home.dir], { input });
  const serveHere = (...args: string[]): Promise<Served> => serve([...args, "--data-dir", home.dir]);
  const events = ({ stdout }: Ended): Event[] =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
  const promptOf = (ended: Ended): unknown => events(ended)[0]?.["text"];

  describe("Standard output", () => {
    const into = (file: string, ...args: string[]): Promise<Ended> =>
      start(["sh", "-c", `"$@" >${file}`, "sh", ...PROGRAM, ...args, "--data-dir", home.dir], { input: "" }).ended;
    it("K11 fails with exit code 1 and one sentence where the answer cannot be written", async () => {
      const { code, stderr } = await into("/dev/full", "tools");
      expect(code).to.equal(1);
      expect(stderr).to.match(/^agentd: cannot write to stdout: ENOSPC.*\n$/);
    });
    it("K11 fails so for each command that answers, and ends no daemon @all", async () => {
      for (const args of [["run", "list"], ["run", "list", "--json"], ["config"], ["--help"], ["history", "--json"]]) {
        const { code, stderr } = await into("/dev/full", ...args);
        expect(code, args.join(" ")).to.equal(1);
        expect(stderr.split("cannot write to stdout")).to.have.length(2);
      }
      const words = ["sh", "-c", 'exec "$@" >/dev/full', "sh", ...PROGRAM, "serve", "--port", "0"];
      const full = start([...words, "--data-dir", home.dir]);
      await full.prints(/provider/);
      expect((await full.stop()).code).to.equal(0);
    });
  });

  describe("Standard input", () => {
    const cases: [what: string, args: string[], input: string, prompt: string][] = [
      ["the argument, then the input", ["sum", "this", "up"], "1\n2\n", "sum this up\n\n1\n2"],
      ["the input alone without an argument", [], "sum up:\n1\n", "sum up:\n1"],
      ["the input alone for -", ["-"], "sum up\r\n", "sum up"],
      ["the argument alone where the input is blank", ["sum up"], " \n", "sum up"],
    ];
    for (const [index, [what, args, input, prompt]] of cases.entries())
      it(`makes the prompt of ${what}${allOnly(index > 1)}`, async () => {
        const ended = await run([...args, "--json"], input);
        expect([ended.code, promptOf(ended)], ended.stderr).to.deep.equal([0, prompt]);
      });

    it("is not read where it is /dev/null @all", async () => {
      const argv = [...PROGRAM, "run", "hello", "--json", "--data-dir", home.dir];
      const ended = await start(["sh", "-c", 'exec "$@" </dev/null', "sh", ...argv]).ended;
      expect([ended.code, promptOf(ended)]).to.deep.equal([0, "hello"]);
    });

    itOnTerminal("is not read from a terminal @all", async () => {
      const ended = await start(onTerminal(["run", "list", "--data-dir", home.dir])).ended;
      expect(ended.code).to.equal(0);
      expect(ended.stdout).to.include("Two pets.");
    });

    it("is not waited for where a caller leaves a pipe open and writes nothing @all", async () => {
      const running = start([...PROGRAM, "run", "list", "--data-dir", home.dir]);
      const { code, stdout, stderr } = await running.ended;
      expect([code, stdout]).to.deep.equal([0, "Two pets.\n"]);
      expect(stderr).to.include("nothing came on standard input");
    });

    it("is waited for with - as the last word @all", async () => {
      const running = start([...PROGRAM, "run", "sum up", "-", "--json", "--data-dir", home.dir]);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      running.child.stdin?.end("1\n");
      expect(promptOf(await running.ended)).to.equal("sum up\n\n1");
    });

    const refused: [what: string, input: string | Buffer, message: string][] = [
      ["longer than a prompt can be", "x".repeat(1_100_000), "the prompt is over"],
      ["too long once it is JSON", "\n".repeat(600_000).concat("x"), "the prompt is over"],
      ["no text", Buffer.from([0xff, 0xfe, 0x00]), "is no UTF-8 text"],
    ];
    for (const [index, [what, input, message]] of refused.entries())
      it(`is refused with exit code 2 when it is ${what}${allOnly(index === 1)}`, async () => {
        const running = start([...PROGRAM, "run", "sum up", "--data-dir", home.dir]);
        running.child.stdin?.end(input);
        const { code, stdout, stderr } = await running.ended;
        expect([code, stdout]).to.deep.equal([2, ""]);
        expect(stderr).to.include(message);
      });

    it("reaches the daemon as large as it may be @all", async () => {
      await serveHere();
      const input = "x".repeat(1_040_000);
      const ended = await run(["sum up", "--json"], input);
      expect([ended.code, promptOf(ended)], ended.stderr.slice(0, 500)).to.deep.equal([0, `sum up\n\n${input}`]);
    });
  });

  describe("--fail", () => {
    for (const way of ["in process", "through a daemon"])
      it(`exits with 1 when a call failed or is held, and with 0 when all went well, ${way} @all`, async () => {
        if (way !== "in process") await serveHere();
        const codes: (number | null)[] = [];
        for (const args of [["list"], ["wrong"], ["create", "--confirm"], ["create", "--confirm", "--yes"]]) {
          codes.push((await run([...args])).code);
          codes.push((await run([...args, "--fail"])).code);
        }
        expect(codes).to.deep.equal([0, 0, 0, 1, 0, 1, 0, 0]);
      });
  });

  describe("--events extended", () => {
    for (const way of ["in process", "through a daemon"])
      it(`prints the extended events among the plain ones, and waits for no confirmation, ${way} @all`, async () => {
        if (way !== "in process") await serveHere();
        const plain = events(await run(["create", "--confirm", "--session", "s", "--json"]));
        const ended = await run(["create", "--confirm", "--session", "s", "--events", "extended"]);
        const all = events(ended);
        expect(ended.code).to.equal(0);
        expect(all.find(({ kind }) => kind === "session")).to.deep.include({ session_id: "s", resumed: true });
        const kinds = plain.map(({ kind }) => kind);
        expect(all.map(({ kind }) => kind).filter((kind) => kinds.includes(kind))).to.deep.equal(kinds);
        expect(all.every((event) => event["seq"] === undefined)).to.equal(true);
        expect(target.requests).to.have.length(0);
      });

    it("cancels the turn in the daemon on Ctrl-C @all", async () => {
      const daemon = await serveHere();
      const running = start([...PROGRAM, "run", "slow", "--events", "extended", "--data-dir", home.dir], { input: "" });
      await running.prints("user_prompt");
      running.child.kill("SIGINT");
      const ended = await running.ended;
      expect(ended.code).to.equal(1);
      expect(
        events(ended)
          .slice(-2)
          .map(({ kind }) => kind),
      ).to.deep.equal(["error", "done"]);
      await daemon.prints('"status":"cancelled"');
      const { turns } = await getJson<{ turns: object }>(`${daemon.url}/-/status`);
      expect(turns).to.deep.equal({ running: 0, waiting: 0 });
    });

    it("is refused with --detach, like --fail @all", async () => {
      for (const option of [["--fail"], ["--events", "extended"]]) {
        const { code, stderr } = await run(["list", "--detach", ...option]);
        expect(code).to.equal(2);
        expect(stderr).to.include("--follow TURN");
      }
    });
  });

  it("says nothing of a reader that closes the pipe, and comes to its end @all", async () => {
    const [program = "", ...args] = PROGRAM;
    for (const command of [["run", "list", "--json"], ["tools"], ["status"]]) {
      const child = spawn(program, [...args, ...command, "--data-dir", home.dir], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      expect([command[0], signal, code]).to.deep.equal([command[0], null, command[0] === "status" ? 3 : 0]);
      expect(stderr).to.not.match(/EPIPE|^\s+at /m);
    }
  });
});
