// One daemon per data directory: its holder, and how the lock ends.
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { acquireLock, readLock } from "../../src/data-dir/lock.js";
import { StartError } from "../../src/domain/error.js";
import { cleanUp, open, peek, rejection, tempDir, worker } from "../store/sqlite/fixture.js";

describe("One daemon per data directory", () => {
  afterEach(cleanUp);

  it("J7 a second daemon is refused by the pid of the first and recovers none of its rows", async () => {
    const dir = tempDir();
    const first = worker("hold", dir);
    await first.line("holding");
    const error = await rejection(open(dir));
    expect(error).to.be.instanceOf(StartError);
    expect(error.message).to.contain(`pid ${first.child.pid}`).and.to.contain("--data-dir");
    const second = worker("open", dir);
    expect(await second.exit).to.equal(1);
    expect(second.errors()).to.contain(`pid ${first.child.pid}`);
    expect(peek(dir, (db) => db.prepare("SELECT status FROM history").pluck().all())).to.deep.equal(["pending"]);
  });

  it("J7 kill -9 frees the lock", async () => {
    const dir = tempDir();
    const { child, line, exit } = worker("hold", dir);
    await line("holding");
    expect(readLock(dir)).to.deep.equal({ pid: child.pid, address: "", auth: false });
    child.kill("SIGKILL");
    await exit;
    expect(readLock(dir)).to.equal(undefined);
    expect((await (await open(dir)).history({ limit: 1 }))[0]?.status).to.equal("interrupted");
  });

  it("publishes where the daemon listens, until it is released", async () => {
    const dir = tempDir();
    expect(readLock(dir)).to.equal(undefined);
    const lock = await acquireLock(dir);
    const holder = { pid: process.pid, address: "http://127.0.0.1:4242", auth: true };
    await lock.setAddress(holder);
    expect(readLock(dir)).to.deep.equal(holder);
    expect(JSON.parse(await worker("look", dir).line("{"))).to.deep.equal(holder);
    expect(readLock(dir)).to.deep.equal(holder);
    lock.release();
    lock.release();
    expect(readLock(dir)).to.equal(undefined);
    expect(fs.existsSync(path.join(dir, "daemon.json"))).to.equal(false);
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
