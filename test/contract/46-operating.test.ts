// The commands that look after a daemon: status, stop, approvals.
// Source: docs/reference.md, "Status of a daemon", "Stopping a daemon" and "Confirmations".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import { version } from "../../src/lib/package.js";
import { allOnly } from "../support/all.js";
import { getJson, postJson } from "../support/entry-points.js";
import { agentd, dataDir, type Ended, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const CREATE = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
const TURNS = [
  { prompt: "create", replies: [CREATE, { text: "Created." }] },
  { prompt: "fail", replies: [{ error: "the model is away" }] },
  { prompt: "slow", replies: [{ deltas: ["tick", "tock"], delay_ms: 60_000 }] },
];

interface Status {
  turns: { running: number };
  confirmations_waiting: number;
  last_error: { ts: string; message: string } | null;
}

describe("Operating a daemon", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 7, name: "Rex" }));
    home = dataDir({ target: target.url, turns: TURNS, config: { safety: { confirm: true } } });
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  const here = (...args: string[]): Promise<Ended> => agentd([...args, "--data-dir", home.dir]);
  const serveHere = (...args: string[]): Promise<Served> => serve([...args, "--data-dir", home.dir]);
  const prompt = (daemon: Served, message: string): Promise<Response> => postJson(`${daemon.url}/run`, { message });
  const isRunning = (daemon: Served) => async (): Promise<boolean> =>
    (await getJson<Status>(`${daemon.url}/-/status`)).turns.running === 1;

  describe("Status of a daemon", () => {
    it("says with exit code 3 that none runs, and with 0 that one does and how it is doing", async () => {
      const none = await here("status");
      expect(none).to.deep.include({ code: 3, stdout: `agentd does not run on ${home.dir}\n`, stderr: "" });
      const daemon = await serveHere();
      await prompt(daemon, "fail");
      await prompt(daemon, "create");
      const { code, stdout, stderr } = await here("status");
      expect([code, stderr]).to.deep.equal([0, ""]);
      for (const row of [
        new RegExp(`^agentd runs on ${home.dir}\naddress +${daemon.url}\npid +${daemon.pid}\nversion +${version}\n`),
        /^uptime +\d+ s, since 2/m,
        /^provider +played \(played-1\)$/m,
        /^applications +- \(openapi\)$/m,
        /^sessions +0 running/m,
        /^confirmations +1 waiting/m,
        /^record +writable$/m,
        /^last error +\S+Z turn failed: the model is away$/m,
      ])
        expect(stdout).to.match(row);
      const asJson = JSON.parse((await here("status", "--json")).stdout) as object;
      const {
        uptime_s: _,
        started_at: __,
        ...route
      } = await getJson<Record<string, unknown>>(`${daemon.url}/-/status`);
      expect(asJson).to.deep.include({ running: true, data_dir: home.dir, address: daemon.url, ...route });
      await daemon.stop();
      expect(JSON.parse((await here("status", "--json")).stdout)).to.deep.equal({ running: false, data_dir: home.dir });
    });

    it("says that a daemon runs without its token; with it a broken config.json is named whole, and changes nothing @all", async () => {
      const token = "a-token-of-its-own-4711";
      const daemon = await serveHere("--token", token);
      const { code, stdout } = await here("status");
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/^problem +.*--token-file/m)
        .and.include(daemon.url);
      expect((await here("status", "--token", token)).stdout).to.match(/^last error +none$/m);
      writeFileSync(join(home.dir, "config.json"), '{ "prt": 1 }');
      const isTold = async (): Promise<boolean> =>
        /unknown key prt/.test((await here("status", "--token", token)).stdout);
      await until(isTold);
      expect((await here("status")).code).to.equal(0);
    });

    it("says with exit code 4 that a daemon does not answer @all", async () => {
      const daemon = await serveHere();
      daemon.child.kill("SIGSTOP");
      const { code, stdout } = await here("status");
      daemon.child.kill("SIGCONT");
      expect(code).to.equal(4);
      expect(stdout).to.match(/^agentd does not answer on .*\naddress .*\npid .*\nproblem +.* does not answer/);
    });

    it("keeps no secret of a failure @all", async () => {
      const secret = "sk-canary-4711-0815";
      home = dataDir({
        turns: [{ prompt: "fail", replies: [{ error: `refused ${secret}` }] }],
        config: { target: { headers: { "X-Key": "env:KEY" } } },
      });
      const daemon = await serve(["--data-dir", home.dir], { env: { KEY: secret } });
      await prompt(daemon, "fail");
      const { last_error } = await getJson<Status>(`${daemon.url}/-/status`);
      expect(last_error?.message).to.equal("turn failed: refused [redacted]");
    });
  });

  describe("Stopping a daemon", () => {
    it("asks the daemon to stop and waits until it has, without a token @all", async () => {
      const daemon = await serveHere("--token", "a-token-of-its-own-4711");
      const { code, stdout } = await here("stop");
      expect([code, stdout]).to.deep.equal([0, `stopped ${daemon.url} (pid ${daemon.pid})\n`]);
      expect((await daemon.ended).code).to.equal(0);
      expect(await here("stop")).to.deep.include({ code: 0, stderr: `No daemon runs on ${home.dir}.\n` });
    });

    it("gives running turns their time, also when it is asked twice, and says when that takes longer @all", async () => {
      const daemon = await serveHere("--grace", "600");
      const turn = prompt(daemon, "slow").catch(() => undefined);
      await until(isRunning(daemon));
      for (let i = 0; i < 2; i++) {
        const { code, stderr } = await here("stop", "--timeout", "1");
        expect(code).to.equal(1);
        expect(stderr).to.include("has not stopped within 1 s").and.include(`kill -9 ${daemon.pid}`);
        expect(daemon.isAlive()).to.equal(true);
      }
      await daemon.kill();
      await turn;
    });

    it("ends no process that has the pid of another one, and none of another container @all", async () => {
      const daemon = await serveHere();
      const other = start([process.execPath, "-e", "setInterval(() => {}, 1000); console.log('up')"]);
      await other.prints("up");
      const file = join(home.dir, "daemon.json");
      const published = JSON.parse(readFileSync(file, "utf8")) as { identity: object };
      const attempts: [object, RegExp][] = [
        [{ ...published, pid: other.pid }, /older version and does not say which process/],
        [
          { ...published, pid: other.pid, identity: { ...published.identity, pid: other.pid } },
          /is just taken over by another process/,
        ],
        [
          { ...published, pid: other.pid, identity: { ...published.identity, pid: other.pid, namespace: "pid:[1]" } },
          /in another container or on another machine/,
        ],
      ];
      if (process.platform === "linux")
        for (const [written, message] of attempts) {
          writeFileSync(file, JSON.stringify(written));
          const { code, stderr } = await here("stop");
          expect(code).to.equal(1);
          expect(stderr).to.match(message);
        }
      expect([other.isAlive(), daemon.isAlive()]).to.deep.equal([true, true]);
    });
  });

  describe("Confirmations: approvals", () => {
    const waiting = async (): Promise<Confirmation[]> =>
      JSON.parse((await here("approvals", "--json")).stdout) as Confirmation[];
    const history = async (): Promise<HistoryEntry[]> =>
      JSON.parse((await here("history", "--json")).stdout) as HistoryEntry[];

    for (const way of ["through the daemon", "in process"])
      it(`lists what waits, approves by the beginning of the id and prints the result, ${way}${allOnly(way === "in process")}`, async () => {
        const daemon = await serveHere();
        await prompt(daemon, "create");
        if (way === "in process") await daemon.stop();
        const [held] = await waiting();
        const id = held?.id.slice(0, 8) ?? "";
        const short = await here("approvals");
        expect([short.code, short.stdout.split("\n").length]).to.deep.equal([0, 3]);
        expect(short.stdout).to.match(
          new RegExp(`^ID .*\n${id}  create_pet  mutating  \\d min \\d+ s  {"name":"Rex"}\n$`),
        );
        const { code, stdout } = await here("approvals", id);
        expect([code, (await here("approvals", "--long")).stdout.replace(/\d min \d+ s left/, "")]).to.deep.equal([
          0,
          stdout.replace(/\d min \d+ s left/, ""),
        ]);
        expect(stdout).to.match(
          new RegExp(
            `^${id}: the model asks for this call\\n( {2}\\| .*\\n)+ {2}sends: POST ${target.url}/pets\\n {2}tool: {2}create_pet \\(mutating\\)\\n {2}asked: http, session \\S+ by played \\(played-1\\)\\n {2}until: \\S+Z, \\d min \\d+ s left; then it is denied\\n {2}yes: {3}agentd approvals approve ${id}\\n {2}no: {4}agentd approvals deny ${id}\\n$`,
          ),
        );
        expect(stdout).to.include('  |   "name": "Rex"');
        const approved = await here("approvals", "approve", id);
        expect([approved.code, JSON.parse(approved.stdout)]).to.deep.equal([0, { id: 7, name: "Rex" }]);
        expect(target.requests).to.have.length(1);
        expect((await history())[0]?.status).to.equal("ok");
        const again = await here("approvals", "approve", id);
        expect([again.code, again.stdout]).to.deep.equal([1, ""]);
        expect(again.stderr).to.include("no call waits whose id begins with");
        expect(target.requests).to.have.length(1);
      });

    it("denies with a reason, and exits with 1 when an approved call fails @all", async () => {
      const daemon = await serveHere();
      await prompt(daemon, "create");
      const [held] = await waiting();
      const denied = await here("approvals", "deny", held?.id ?? "", "--reason", "not today");
      expect(denied.code).to.equal(0);
      expect(denied.stderr).to.include("nothing was sent");
      expect(JSON.stringify((await history())[0])).to.include("not today");
      expect(target.requests).to.have.length(0);
      await prompt(daemon, "create");
      target.answer(() => json({ error: "full" }, 500));
      const [next] = await waiting();
      const failed = await here("approvals", "approve", next?.id ?? "", "--json");
      expect(failed.code).to.equal(1);
      expect(JSON.parse(failed.stdout)).to.have.nested.property("outcome.status", "error");
    });

    const wrong: [args: string[], message: RegExp][] = [
      [["aprove", "x"], /does not know what to do with "aprove"\. Did you mean approve\?/],
      [["approve"], /approve needs the id/],
      [["list", "--reason", "x"], /list has no use for --reason/],
    ];
    for (const [args, message] of wrong)
      it(`refuses "approvals ${args.join(" ")}" with exit code 2 @all`, async () => {
        const { code, stderr } = await here("approvals", ...args);
        expect(code).to.equal(2);
        expect(stderr).to.match(message);
      });

    it("names the calls that several ids begin with @all", async () => {
      const daemon = await serveHere();
      for (let i = 0; i < 17; i++) await prompt(daemon, "create");
      const first = (await waiting()).map(({ id }) => id.slice(0, 1));
      const shared = first.find((start, i) => first.indexOf(start) !== i) ?? "";
      const { code, stderr } = await here("approvals", "approve", shared);
      expect(code).to.equal(2);
      expect(stderr).to.include(`several calls wait whose id begins with "${shared}"`);
      expect(target.requests).to.have.length(0);
    });
  });
});
