// The writer: many writes in one commit, in order, each with an outcome of its own; and what runs beside the event loop.
import { rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { expect } from "chai";
import type { Store } from "../../../src/store/store.js";
import { compileDelay } from "../../support/slow-disk.js";
import { collect } from "../../support/transcript.js";
import { cleanUp, hold, intent, OK, open, peek, rejection, tempDir, turn, verify, worker } from "./fixture.js";

const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const frames = (dir: string): number =>
  peek(dir, (db) => (db.pragma("wal_checkpoint(NOOP)") as [{ log: number }])[0].log);

/** More than the log may have before it is copied. */
const LARGE_BYTES = 16 * 1024 * 1024;
const LARGE = { ...OK, result: "x".repeat(64 * 1024) };

describe("The writer", () => {
  afterEach(cleanUp);

  it("writes what is asked for at once in one commit, in the order it was asked for", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    const before = frames(dir);
    await store.recordCall(intent(), OK);
    const alone = frames(dir) - before;
    const given = await Promise.all(ids(50).map((n) => store.beginCall(intent({ call_id: `call_${n}` }))));
    expect(given).to.deep.equal(ids(50).map((n) => n + 1));
    expect(frames(dir) - before - alone).to.be.below(10 * alone);
    const rows = (await store.history({ limit: 50 })).reverse();
    expect(rows.map((row) => row.call_id)).to.deep.equal(ids(50).map((n) => `call_${n}`));
  });

  /** Twenty calls at once, each of which takes a step of so many milliseconds when it goes on: rounds of the event loop that saw one. */
  const roundsOf = async (store: Store, stepMs: number): Promise<number> => {
    let round = 0;
    const count = (): void => {
      round++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const rounds = new Set<number>();
    await Promise.all(
      ids(20).map(async () => {
        const row = await store.beginCall(intent());
        rounds.add(round);
        for (const began = performance.now(); performance.now() - began < stepMs; );
        await store.completeCall(row, OK);
      }),
    );
    clearImmediate(counting);
    return rounds.size;
  };

  it("lets those who wait for one commit go on one by one, a few in a round of the event loop", async () => {
    const store = await open(tempDir());
    await store.beginTurn(turn());
    expect(await roundsOf(store, 1.5)).to.be.at.least(8);
    // Long steps each have a round; of others that do next to nothing many share one, so that they are not held up by long rounds.
    expect(await roundsOf(store, 0)).to.be.below(15);
  });

  it("writes together what those ask for who go on one by one", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    const before = frames(dir);
    await roundsOf(store, 0);
    const together = frames(dir) - before;
    for (const _ of ids(2)) await store.recordCall(intent(), OK);
    expect(together).to.be.below(2 * (frames(dir) - before - together));
  });

  it("keeps the order of writes that depend on each other", async () => {
    const store = await open(tempDir());
    const end = { turn_id: "turn", status: "done" as const, error: "", messages: [] };
    const written = [
      store.beginTurn(turn()),
      store.beginCall(intent()),
      store.completeCall(1, OK),
      hold(store, "a"),
      store.claim({ id: "a", decision: "denied", reason: "because" }, null),
      store.endTurn(end),
    ];
    await Promise.all(written);
    expect((await store.history({ limit: 5 })).map((row) => row.status)).to.deep.equal(["denied", "ok"]);
    expect((await collect(store.transcript("session"))).map(({ status }) => status)).to.deep.equal(["done"]);
  });

  it("fails a write of a group alone, and nothing of it stays", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    const first = await store.beginCall(intent());
    const end = { turn_id: "turn", status: "done" as const, error: "", messages: [] };
    const [row, failed, completed, again, ended] = await Promise.allSettled([
      store.beginCall(intent()),
      store.endTurn({ ...end, turn_id: "unknown" }),
      store.completeCall(first, OK),
      store.beginCall(intent()),
      store.endTurn(end),
    ]);
    expect(row).to.deep.equal({ status: "fulfilled", value: 2 });
    expect(failed).to.have.nested.property("reason.code", "audit_unavailable");
    expect(completed).to.deep.equal({ status: "fulfilled", value: true });
    expect(again).to.deep.equal({ status: "fulfilled", value: 3 });
    expect(ended.status).to.equal("fulfilled");
    expect((await store.history({ limit: 5 })).map(({ id }) => id)).to.deep.equal([3, 2, 1]);
    await Promise.all([2, 3].map((id) => store.completeCall(id, OK)));
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
  });

  it("writes what waits before the record is closed, and nothing after", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const load = ids(100).map(() => store.recordCall(intent(), OK));
    await store.close();
    expect(await Promise.all(load)).to.deep.equal(ids(100));
    expect(await rejection(store.beginCall(intent()))).to.have.property("code", "audit_unavailable");
    expect(await (await open(dir)).history({ limit: 1_000 })).to.have.length(100);
  });

  it("refuses writes instead of keeping without bound what a disk that hangs does not take", async () => {
    const store = await open(tempDir());
    const load = Array.from({ length: 10_001 }, () => store.check());
    const failed = (await Promise.allSettled(load)).filter(({ status }) => status === "rejected");
    expect(failed).to.have.length(1);
    expect(failed[0]).to.have.nested.property("reason.code", "audit_unavailable");
    await store.recordCall(intent(), OK);
  });

  it("copies a log that has grown into the record, beside the writes @all", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const write = () => store.recordCall(intent(), LARGE);
    const sizeOf = (name: string): number => statSync(path.join(dir, name)).size;
    while (sizeOf("history.db") < LARGE_BYTES) await write();
    const logBytes = sizeOf("history.db-wal");
    // What was copied is written over.
    while (frames(dir) > 1_000) await write();
    expect(sizeOf("history.db-wal")).to.be.at.most(2 * logBytes);
  });

  it("J17 goes on when the thread that copies the log dies, and starts another @all", async () => {
    const dir = tempDir();
    const threads: Worker[] = [];
    const note = (thread: Worker): void => void threads.push(thread);
    process.on("worker", note);
    try {
      const store = await open(dir);
      while (threads.length === 0) await store.recordCall(intent(), LARGE);
      await threads[0]?.terminate();
      const size = (): number => statSync(path.join(dir, "history.db")).size;
      while (threads.length < 2 || size() < LARGE_BYTES) await store.recordCall(intent(), LARGE);
      await store.close();
      await open(dir);
      expect((await verify(dir)).ok).to.equal(true);
    } finally {
      process.off("worker", note);
    }
  });

  it("K14 refuses every further call when the disk does not keep what it was given, and says so once", async function () {
    this.timeout(60_000);
    const dir = tempDir();
    const library = process.platform === "linux" ? compileDelay(tempDir()) : undefined;
    if (!library) {
      console.log("    needs Linux and a C compiler");
      this.skip();
    }
    const broken = path.join(dir, "broken");
    const wrap = ["env", `LD_PRELOAD=${library}`, `SYNC_FAILS=${broken}`];
    const { line } = worker("unsynced", dir, { wrap });
    await line("ready");
    writeFileSync(broken, "");
    const { refused, warnings } = JSON.parse(await line("{")) as Record<string, string[]>;
    expect(refused).to.have.length(2);
    for (const message of refused ?? []) expect(message).to.contain("the record is unavailable");
    expect(warnings).to.have.length(1);
    expect(warnings?.[0]).to.contain("EIO").and.to.contain("restart agentd");
  });

  it("K13 shares a sync among many calls on a slow disk, and the event loop waits for none @all", async function () {
    this.timeout(60_000);
    const dir = tempDir();
    const library = process.platform === "linux" ? compileDelay(dir) : undefined;
    if (!library) {
      console.log("    needs Linux and a C compiler");
      this.skip();
    }
    // One by one, the 192 commits of 32 callers would take 10 seconds.
    const wrap = ["env", `LD_PRELOAD=${library}`, "SYNC_MS=50"];
    const { line } = worker("many", dir, { wrap });
    const { rows, tookMs, longestMs } = JSON.parse(await line("{")) as Record<string, number>;
    expect(rows).to.equal(96);
    expect(tookMs).to.be.below(5_000);
    expect(longestMs).to.be.below(1_000);
    rmSync(library);
  });

  it("K18 refuses no call while what the log holds goes into the record on a slow disk @all", async function () {
    this.timeout(60_000);
    const library = process.platform === "linux" ? compileDelay(tempDir()) : undefined;
    if (!library) {
      console.log("    needs Linux and a C compiler");
      this.skip();
    }
    const wrap = ["env", `LD_PRELOAD=${library}`, "SYNC_MS=500"];
    const { line } = worker("checkpoint", tempDir(), { wrap });
    expect(JSON.parse(await line("{"))).to.deep.equal({ refused: [], warnings: [] });
  });
});
