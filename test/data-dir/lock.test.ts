// One daemon per data directory: its holder, and how the lock ends.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { acquireLock, holderAdvice, readLock } from "../../src/data-dir/lock.js";
import { isAlive, type ProcessIdentity, stateOf, thisProcess } from "../../src/data-dir/process-identity.js";
import { StartError } from "../../src/domain/error.js";
import { packageRoot } from "../../src/lib/package.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { backup, cleanUp, open, peek, rejection, START_MS, tempDir, worker } from "../store/sqlite/fixture.js";
import { allOnly } from "../support/all.js";
import { until } from "../support/until.js";

describe("One daemon per data directory", function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  it("is refused to a second process with who has it and what to do, whatever holds it", () => {
    const holder = { pid: 7, address: "", auth: false };
    const said = (more: Partial<typeof holder & { command: string }>) => holderAdvice({ ...holder, ...more });
    expect(said({ address: "http://127.0.0.1:1" })).to.deep.equal({
      who: "agentd with pid 7",
      advice: '"agentd status" shows how it is, "agentd stop" ends it.',
    });
    expect(said({}).who).to.equal("agentd with pid 7, which does not listen: a command, or a daemon that is starting");
    expect(said({ command: "chat" }).who).to.equal('"agentd chat" (pid 7)');
    expect(said({ pid: 0 }).advice).to.equal("End it there.");
  });

  it("that cannot be written down is named with its file and what to do, at the start and later", async () => {
    const refusal = async (code: string, write: () => Promise<unknown>): Promise<Error> => {
      const { renameSync } = fs;
      fs.renameSync = () => {
        throw Object.assign(new Error(`${code}: not written`), { code });
      };
      try {
        return await rejection(write());
      } finally {
        fs.renameSync = renameSync;
      }
    };
    const dir = tempDir();
    const hints: [string, RegExp][] = [
      ["ENOSPC", /Is the disk full/],
      ["EDQUOT", /Is the disk full/],
      ["EACCES", /writable for this user/],
    ];
    for (const [code, hint] of hints) {
      const atStart = await refusal(code, () => acquireLock(dir));
      const lock = await acquireLock(dir);
      const later = await refusal(code, () => lock.setAddress({ pid: process.pid, address: "", auth: false }));
      lock.release();
      for (const error of [atStart, later]) {
        expect(error).to.be.instanceOf(StartError);
        expect(error.message).to.contain(path.join(dir, "daemon.json")).and.contain(code).and.match(hint);
      }
    }
  });

  it("J7 a second daemon is refused by the pid of the first and recovers none of its rows", async () => {
    const dir = tempDir();
    const first = worker("hold", dir);
    await first.line("holding");
    const error = await rejection(open(dir));
    expect(error).to.be.instanceOf(StartError);
    expect(error.message).to.contain(`pid ${first.child.pid}`).and.to.contain("--data-dir");
    expect(error.message).to.contain("agentd stop");
    const second = worker("open", dir);
    expect(await second.exit).to.equal(1);
    expect(second.errors()).to.contain(`pid ${first.child.pid}`);
    expect(peek(dir, (db) => db.prepare("SELECT status FROM history").pluck().all())).to.deep.equal(["pending"]);
  });

  it("J7 a second daemon is refused also when the lock file was deleted, and recovers nothing @all", async () => {
    const dir = tempDir();
    const first = worker("hold", dir);
    await first.line("holding");
    for (const file of ["lock.db", "daemon.json"]) fs.rmSync(path.join(dir, file));
    const second = worker("open", dir);
    expect(await second.exit).to.equal(1);
    expect(second.errors()).to.contain(`pid ${first.child.pid}`).and.to.contain("--data-dir");
    expect(second.errors()).to.contain("lock file was deleted");
    expect(peek(dir, (db) => db.prepare("SELECT status FROM history").pluck().all())).to.deep.equal(["pending"]);
    first.child.kill("SIGKILL");
    await first.exit;
    expect(await worker("open", dir).exit).to.equal(0);
  });

  it("J7 a start waits for the end of a process that is about to be gone @all", async () => {
    const dir = tempDir();
    const first = worker("hold", dir);
    await first.line("holding");
    for (const file of ["lock.db", "daemon.json"]) fs.rmSync(path.join(dir, file));
    const second = worker("open", dir);
    await until(() => fs.existsSync(path.join(dir, "lock.db")), START_MS);
    setTimeout(() => first.child.kill("SIGKILL"), 500);
    expect([await second.exit, second.errors()]).to.deep.equal([0, ""]);
  });

  it("J7 a killed process that its parent has not reaped holds nothing @all", async function () {
    if (!fs.existsSync("/proc/self/stat")) this.skip();
    const dir = tempDir();
    // Whoever took the shell's place waits for no child.
    const parent = worker("hold", dir, { wrap: ["sh", "-c", '"$@" & exec sleep 600', "sh"] });
    await parent.line("holding");
    const pid = readLock(dir)?.pid ?? 0;
    const owner = peek(dir, (db) => db.prepare("SELECT pid, started, boot, namespace, host FROM owner").get());
    expect([isAlive(pid), stateOf(owner as ProcessIdentity)]).to.deep.equal([true, "running"]);
    process.kill(pid, "SIGKILL");
    await open(dir);
    expect(fs.readFileSync(`/proc/${pid}/stat`, "utf8")).to.contain(") Z ");
    expect([isAlive(pid), stateOf(owner as ProcessIdentity)]).to.deep.equal([false, "gone"]);
  });

  it("waits for the lock while nothing that is alive is named as its holder @all", async () => {
    const dir = tempDir();
    const lock = await acquireLock(dir);
    await lock.setAddress({ pid: 2 ** 22 - 1, address: "", auth: false });
    setTimeout(() => lock.release(), 1_000);
    (await acquireLock(dir)).release();
  });

  /** What became of the next start when the record names another owner; `isUsed` while a process has the record open. */
  async function startAfter(owner: object, isUsed: boolean): Promise<unknown> {
    const dir = tempDir();
    await (await open(dir)).close();
    const other = new SqliteDatabase(path.join(dir, "history.db"));
    try {
      if (isUsed) other.prepare("SELECT count(*) FROM history").get();
      const file = String(fs.statSync(path.join(dir, "history.db")).ino);
      const named = { ...thisProcess(), pid: 1, started: "1", file, ...owner };
      const columns = Object.keys(named);
      peek(dir, (db) =>
        db
          .prepare(`INSERT INTO owner (id, ${columns.join()}) VALUES (1, ${columns.map((name) => `@${name}`).join()})`)
          .run(named),
      );
      if (!isUsed) other.close();
      return await open(dir).catch((error: unknown) => error);
    } finally {
      other.close();
    }
  }

  const owners: [what: string, owner: object, isUsed: boolean, isRespected: boolean][] = [
    ["whose pid is another process's by now", {}, true, false],
    ["whose pid is not used any more", { pid: 2 ** 22 - 1 }, true, false],
    ["of before the machine was started again", { boot: "before" }, true, false],
    ["of another container, while the record is in use", { namespace: "pid:[1]" }, true, true],
    ["of another container that is gone", { namespace: "pid:[1]" }, false, false],
    ["of another machine, while the record is in use", { boot: "other", host: "other" }, true, true],
    ["of another machine that is gone", { boot: "other", host: "other" }, false, false],
  ];
  for (const [what, owner, isUsed, isRespected] of owners)
    it(`J7 an owner ${what} is ${isRespected ? "respected" : "no obstacle"}${allOnly("host" in owner)}`, async function () {
      if (!fs.existsSync("/proc/self/stat")) this.skip();
      const outcome = await startAfter(owner, isUsed);
      expect(outcome instanceof StartError).to.equal(isRespected);
      // Which process uses it cannot be told, so nothing is said about the lock file.
      if (isRespected) expect(String(outcome)).to.contain("pid 1 on ").and.not.contain("lock file");
    });

  it("J7 a copy of the record has no owner @all", async () => {
    const dir = tempDir();
    const first = worker("hold", dir);
    await first.line("holding");
    const restored = tempDir();
    await backup(dir, path.join(restored, "history.db"));
    expect(await worker("open", restored).exit).to.equal(0);
  });

  it("J7 kill -9 frees the lock @all", async () => {
    const dir = tempDir();
    const { child, line, exit } = worker("hold", dir);
    await line("holding");
    expect(readLock(dir)).to.deep.include({ pid: child.pid, address: "", auth: false });
    child.kill("SIGKILL");
    await exit;
    expect(readLock(dir)).to.equal(undefined);
    expect((await (await open(dir)).history({ limit: 1 }))[0]?.status).to.equal("interrupted");
  });

  it("publishes where the daemon listens, until it is released @all", async () => {
    const dir = tempDir();
    expect(readLock(dir)).to.equal(undefined);
    const lock = await acquireLock(dir);
    const published = { pid: process.pid, address: "http://127.0.0.1:4242", auth: true };
    await lock.setAddress(published);
    const holder = { ...published, identity: thisProcess() };
    expect(readLock(dir)).to.deep.equal(holder);
    expect(JSON.parse(await worker("look", dir).line("{"))).to.deep.equal(holder);
    expect(readLock(dir)).to.deep.equal(holder);
    lock.release();
    lock.release();
    expect(readLock(dir)).to.equal(undefined);
    expect(fs.existsSync(path.join(dir, "daemon.json"))).to.equal(false);
  });

  it("waits for no pipe in the place of its files", async () => {
    const dir = tempDir();
    const lock = await acquireLock(dir);
    fs.rmSync(path.join(dir, "daemon.json"));
    execFileSync("mkfifo", [path.join(dir, "daemon.json")]);
    expect(readLock(dir)).to.deep.equal({ pid: 0, address: "", auth: false });
    lock.release();
    fs.rmSync(path.join(dir, "lock.db"));
    execFileSync("mkfifo", [path.join(dir, "lock.db")]);
    // A process of its own: what would wait for ever cannot be stopped from within.
    const reads = `import { readLock } from "./src/data-dir/lock.ts"; console.log(readLock(process.argv[1]))`;
    const { stdout } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", reads, dir], {
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
      cwd: packageRoot,
    });
    expect(stdout.trim()).to.equal("undefined");
  });

  it("says which command holds it, by a name and nothing else", async () => {
    const dir = tempDir();
    const lock = await acquireLock(dir);
    for (const [command, wanted] of [
      ["chat", "chat"],
      ["rm -rf /", undefined],
      [7, undefined],
    ] as const) {
      await lock.setAddress({ pid: process.pid, address: "", auth: false, command: command as string });
      expect(readLock(dir)?.command).to.equal(wanted);
    }
    lock.release();
  });

  it("is acquired by a store that was given none, and left to the caller by one that was", async () => {
    const dir = tempDir();
    await (await open(dir)).close();
    const lock = await acquireLock(dir);
    await (await open(dir, { lock })).close();
    expect(readLock(dir)?.pid).to.equal(process.pid);
    lock.release();
  });

  it("is freed when the record can't be opened", async () => {
    const dir = tempDir();
    fs.mkdirSync(path.join(dir, "history.db"));
    await rejection(open(dir));
    expect(readLock(dir)).to.equal(undefined);
  });
});
