// What a kill, a crash and a torn file leave of the record. Each test kills a process of its own.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { collect } from "../../support/transcript.js";
import { until } from "../../support/until.js";
import { cleanUp, countingTarget, open, peek, START_MS, tempDir, verify, worker } from "./fixture.js";

const KILLS = 5;

describe("Limits and promises: no call without a row", function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  it("J1 every request the target saw has a row after kill -9 under load @all", async function () {
    this.timeout(90_000);
    const dir = tempDir();
    const target = await countingTarget();
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = target.seen.size;
        const { child, line, exit } = worker("load", dir, { port: target.port });
        await line("started");
        await until(() => target.seen.size > before + 10 * (kill + 1), START_MS);
        child.kill("SIGKILL");
        await exit;
      }
      const store = await open(dir);
      const rows = new Map((await store.history({ limit: 10_000 })).map((row) => [row.call_id, row.status]));
      expect([...target.seen].filter((id) => !rows.has(id))).to.deep.equal([]);
      expect(new Set(rows.values())).to.deep.equal(new Set(["ok", "interrupted"]));
      expect((await verify(dir)).ok).to.equal(true);
      expect(peek(dir, (db) => db.pragma("integrity_check", { simple: true }))).to.equal("ok");
    } finally {
      target.close();
    }
  });

  it("J2 a call killed after the target read it reads interrupted after the restart @all", async () => {
    const dir = tempDir();
    const killed = { now: () => {} };
    const target = await countingTarget(() => killed.now());
    try {
      const { child, exit } = worker("one", dir, { port: target.port });
      killed.now = () => child.kill("SIGKILL");
      await exit;
      expect([...target.seen]).to.deep.equal(["call_1"]);
      expect(peek(dir, (db) => db.prepare("SELECT status FROM history").pluck().all())).to.deep.equal(["pending"]);
      const [row] = await (await open(dir)).history({ limit: 1 });
      expect(row?.status).to.equal("interrupted");
      expect(row?.duration_ms).to.equal(null);
      expect(row?.result).to.have.property("error", "interrupted");
    } finally {
      target.close();
    }
  });

  it("J3 a completed call is final on disk before its result is delivered @all", async () => {
    const dir = tempDir();
    const target = await countingTarget();
    try {
      const { child, line, exit } = worker("one", dir, { port: target.port });
      await line("completed");
      child.kill("SIGKILL");
      await exit;
      expect((await (await open(dir)).history({ limit: 1 }))[0]).to.deep.include({ status: "ok", result: { id: 1 } });
    } finally {
      target.close();
    }
  });

  it("J4 the row is forced to the disk between its INSERT and the connection to the target", async function () {
    this.timeout(60_000);
    if (spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status !== 0) {
      console.log("    J4 needs strace, and leave to trace");
      this.skip();
    }
    const dir = tempDir();
    const log = path.join(dir, "strace.log");
    const target = await countingTarget();
    try {
      const wrap = ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync,pwrite64,connect,write", "-o", log];
      const { line, exit } = worker("one", dir, { port: target.port, wrap });
      const isSync = (call: string): boolean => /fsync|fdatasync/.test(call) && call.includes("history.db-wal>");
      // The worker itself: a killed strace would let it run on.
      const pid = Number((await line("completed")).split(" ")[1]);
      // The result follows within a second.
      await until(() => fs.readFileSync(log, "utf8").split("completed")[1]?.split("\n").some(isSync) ?? false);
      process.kill(pid, "SIGKILL");
      await exit;
      const calls = fs.readFileSync(log, "utf8").split("\n");
      const begin = calls.findIndex((call) => call.includes('"begin\\n"'));
      const connect = calls.findIndex((call) => call.includes("connect(") && call.includes(`htons(${target.port})`));
      const between = calls.slice(begin, connect).filter((call) => call.includes("history.db-wal>"));
      expect(begin).to.be.greaterThan(0);
      expect(connect).to.be.greaterThan(begin);
      expect(between[0]).to.contain("pwrite64(");
      expect(between.some(isSync)).to.equal(true);
    } finally {
      target.close();
    }
  });

  it("J6 an uncaught exception leaves its rows, which the next start recovers", async () => {
    const dir = tempDir();
    expect(await worker("fail", dir).exit).to.equal(1);
    const store = await open(dir);
    expect((await store.history({ limit: 5 })).map((row) => row.status)).to.deep.equal(["interrupted"]);
    expect((await collect(store.transcript("session"))).map((turn) => turn.status)).to.deep.equal(["interrupted"]);
  });

  it("J11 a torn write-ahead log gives back the rows committed before the tear @all", async () => {
    const dir = tempDir();
    const target = await countingTarget();
    try {
      const { child, exit } = worker("load", dir, { port: target.port });
      await until(() => target.seen.size > 30, START_MS);
      child.kill("SIGKILL");
      await exit;
    } finally {
      target.close();
    }
    const wal = path.join(dir, "history.db-wal");
    fs.truncateSync(wal, Math.floor(fs.statSync(wal).size * 0.6));
    const store = await open(dir);
    const ids = (await store.history({ limit: 10_000 })).map((row) => row.id).reverse();
    expect(ids.length).to.be.greaterThan(0);
    expect(ids).to.deep.equal(ids.map((_, index) => index + 1));
    expect((await verify(dir)).ok).to.equal(true);
    expect(peek(dir, (db) => db.pragma("integrity_check", { simple: true }))).to.equal("ok");
  });

  it("J13 a kill while a record is made leaves the old version or the new one @all", async function () {
    this.timeout(60_000);
    for (let kill = 0; kill < 3; kill++) {
      const dir = tempDir();
      const { child, line, exit } = worker("reopen", dir);
      await line("started");
      await until(() => fs.readdirSync(dir).length > 2, START_MS);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      child.kill("SIGKILL");
      await exit;
      const last = Math.max(...fs.readdirSync(dir).map(Number));
      const store = await open(path.join(dir, String(last)));
      expect(await store.history({ limit: 1 })).to.deep.equal([]);
    }
  });
});
