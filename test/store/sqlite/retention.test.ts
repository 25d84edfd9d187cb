// What is kept for how long, and what becomes of its space, also where a clock was wrong.
// Source: docs/reference.md, "Retention".
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { createClockCheck } from "../../../src/store/clock-check.js";
import { startRounds } from "../../../src/store/rounds.js";
import { RETENTION_EVERY_MS, RETENTION_RETRY_MS } from "../../../src/store/rules.js";
import { rewriteRecord } from "../../../src/store/sqlite/compact.js";
import type { Store } from "../../../src/store/store.js";
import { shiftedBy } from "../../support/at-time.js";
import { collect } from "../../support/transcript.js";
import { until } from "../../support/until.js";
import { cleanUp, hold, intent, OK, open, peek, prune, tempDir, turn, verify, worker } from "./fixture.js";

const DAY_MS = 86_400_000;
const YEARS_MS = 70 * 365 * DAY_MS;

const ids = async (store: Store): Promise<number[]> =>
  (await store.history({ limit: 50 })).map(({ id }) => id).reverse();

/** A turn of a session, over or not, with a message of `chars` characters. */
async function talk(store: Store, session_id: string, { isOver = true, chars = 10 } = {}): Promise<void> {
  const turn_id = `${session_id}-${Math.random()}`;
  await store.beginTurn(turn({ session_id, turn_id }));
  const messages = [{ role: "assistant" as const, text: "x".repeat(chars), calls: [] }];
  if (isOver) await store.endTurn({ turn_id, status: "done", error: "", messages });
}

async function unused(store: Store): Promise<string[]> {
  const found: string[] = [];
  for await (const id of store.unusedSessions()) found.push(id);
  return found;
}

describe("history_keep_days where a clock was wrong", () => {
  afterEach(cleanUp);

  it("J18 deletes a row from years ahead with the next old one, and what is behind it", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (const offset of [-40 * DAY_MS, YEARS_MS, -39 * DAY_MS, YEARS_MS, -DAY_MS])
      await shiftedBy(offset, () => store.recordCall(intent(), OK));
    expect(await prune(dir, 30)).to.equal(3);
    expect(await ids(store)).to.deep.equal([4, 5]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 2 });
  });

  it("J18 keeps a row that was written after a young one, however old it says it is", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (const offset of [-DAY_MS, -YEARS_MS, 0]) await shiftedBy(offset, () => store.recordCall(intent(), OK));
    expect(await prune(dir, 30)).to.equal(0);
    expect(await ids(store)).to.deep.equal([1, 2, 3]);
  });

  it("J18 looks behind any number of rows from years ahead", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await shiftedBy(YEARS_MS, () => Promise.all(Array.from({ length: 1_200 }, () => store.recordCall(intent(), OK))));
    await shiftedBy(-40 * DAY_MS, () => store.recordCall(intent(), OK));
    await store.recordCall(intent(), OK);
    await store.close();
    const again = await open(dir, { historyKeepDays: 30 });
    await until(async () => (await again.history({ limit: 10 })).length === 1);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
  });

  it("J18 deletes nothing on the word of a clock that has just jumped ahead", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.recordCall(intent(), OK);
    await store.close();
    const warnings: string[] = [];
    await shiftedBy(YEARS_MS, async () => {
      const ahead = await open(dir, { historyKeepDays: 30, onWarning: (text) => warnings.push(text) });
      await new Promise((resolve) => setImmediate(resolve));
      expect(await ids(ahead)).to.deep.equal([1]);
      await ahead.close();
    });
    expect(warnings.join()).to.include("the clock may be ahead");
  });

  it("believes such a clock once it has stayed so for as long as lies between two rounds, and no try sooner", async () => {
    const { now } = performance;
    const check = createClockCheck({ keepDays: 30, newest: new Date().toISOString(), onWarning: () => {} });
    expect(check()).to.include.keys("cutoff", "now");
    try {
      await shiftedBy(2 * DAY_MS, async () => {
        expect(check()).to.equal(undefined);
        expect(check()).to.equal(undefined);
        performance.now = () => now.call(performance) + RETENTION_EVERY_MS;
      });
      await shiftedBy(2 * DAY_MS + RETENTION_EVERY_MS, async () => {
        expect(check()).to.include.keys("cutoff", "now");
      });
      expect(check()).to.include.keys("cutoff", "now");
    } finally {
      performance.now = now;
    }
  });
});

describe("Retention while another program locks the record", () => {
  const { setTimeout: real } = globalThis;
  let again: (() => void)[] = [];
  beforeEach(() => {
    again = [];
    const later = (run: () => void, ms?: number): NodeJS.Timeout => {
      if (ms === RETENTION_RETRY_MS) again.push(run);
      return real(run, ms);
    };
    globalThis.setTimeout = later as typeof setTimeout;
  });
  afterEach(async () => {
    globalThis.setTimeout = real;
    await cleanUp();
  });

  it("is told once, and tried again soon until it is done", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await shiftedBy(-40 * DAY_MS, () => store.recordCall(intent(), OK));
    await store.recordCall(intent(), OK);
    await store.close();
    const warnings: string[] = [];
    const locked = await open(dir, { historyKeepDays: 30, onWarning: (text) => warnings.push(text) });
    const other = new SqliteDatabase(path.join(dir, "history.db"));
    other.exec("BEGIN IMMEDIATE");
    await until(() => again.length === 1);
    again[0]?.();
    await until(() => again.length === 2);
    other.exec("COMMIT");
    other.close();
    expect(await ids(locked)).to.deep.equal([1, 2]);
    again[1]?.();
    await until(async () => (await ids(locked)).length === 1);
    await locked.close();
    expect(again).to.have.length(2);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain("was not deleted yet");
  });

  it("leaves no further try behind when the daemon stops", async () => {
    let tries = 0;
    let end = (): void => {};
    const stop = startRounds(async () => {
      tries++;
      await new Promise<void>((resolve) => (end = resolve));
      return false;
    });
    await until(() => tries === 1);
    stop();
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(again).to.deep.equal([]);
  });
});

describe("session_keep_days", () => {
  afterEach(cleanUp);

  it("names the sessions not used since, and none that runs or has a call that waits", async () => {
    const store = await open(tempDir(), { sessionKeepDays: 30 });
    await shiftedBy(-40 * DAY_MS, async () => {
      for (const id of ["old", "used again", "waits"]) await talk(store, id);
      await talk(store, "runs", { isOver: false });
      await hold(store, "held", 60_000, { session_id: "waits" });
    });
    await talk(store, "used again");
    await talk(store, "new");
    expect(await unused(store)).to.deep.equal(["old"]);
  });

  it("names none without the setting", async () => {
    const store = await open(tempDir());
    await shiftedBy(-40 * DAY_MS, () => talk(store, "old"));
    await talk(store, "new");
    expect(await unused(store)).to.deep.equal([]);
  });

  it("J18 is not misled by sessions from years ahead or years ago", async () => {
    const store = await open(tempDir(), { sessionKeepDays: 30 });
    await shiftedBy(-40 * DAY_MS, () => talk(store, "old 1"));
    await shiftedBy(YEARS_MS, () => talk(store, "ahead"));
    await shiftedBy(-39 * DAY_MS, () => talk(store, "old 2"));
    await talk(store, "new");
    await shiftedBy(-YEARS_MS, () => talk(store, "behind"));
    await talk(store, "newer");
    // The first look is on the day of the newest turn.
    expect(await unused(store)).to.deep.equal(["old 1", "ahead", "old 2"]);
  });
});

describe("Deleting a session", () => {
  afterEach(cleanUp);

  it("J19 erases in steps: a kill between two leaves nothing to see, and the next start goes on @all", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (let i = 0; i < 300; i++) await talk(store, "long", { chars: i === 7 ? 3_000_000 : 100 });
    await talk(store, "other");
    await store.close();
    const { line, exit } = worker("erase", dir);
    await line("hidden");
    await exit;
    const left = () =>
      peek(dir, (db) => db.prepare("SELECT count(*) FROM messages WHERE session = 1").pluck().get()) as number;
    expect(left()).to.be.within(1, 599);
    const again = await open(dir);
    expect((await again.sessions({ limit: 10 })).map(({ session_id }) => session_id)).to.deep.equal(["other"]);
    expect(await again.hasSession("long")).to.equal(false);
    await talk(again, "long");
    expect(await collect(again.transcript("long"))).to.have.length(1);
    // The row of the session goes last.
    await until(() => peek(dir, (db) => db.prepare("SELECT count(*) FROM sessions").pluck().get()) === 2);
    expect(left()).to.equal(0);
  });

  it("N8 leaves nothing of it in the file", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn({ prompt: "canary-41bd" }));
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    expect(await store.deleteSession("session")).to.equal(true);
    await store.close();
    expect(fs.readFileSync(path.join(dir, "history.db")).includes("canary-41bd")).to.equal(false);
  });
});

describe("The space of what was deleted", () => {
  afterEach(cleanUp);

  const sizeOf = (dir: string): number => fs.statSync(path.join(dir, "history.db")).size;
  const isWhole = async (dir: string): Promise<void> => {
    expect(peek(dir, (db) => db.pragma("integrity_check", { simple: true }))).to.equal("ok");
    expect((await verify(dir)).ok).to.equal(true);
  };
  /** Old rows of 40 KB each and a new one. */
  async function largeRecord(dir: string, rows: number): Promise<void> {
    const store = await open(dir);
    const result = { text: "x".repeat(40_000) };
    await shiftedBy(-40 * DAY_MS, () =>
      Promise.all(Array.from({ length: rows }, () => store.recordCall(intent(), { ...OK, result }))),
    );
    await store.recordCall(intent(), OK);
    await store.close();
  }
  /** As a version before the setting left it. */
  const makeOlder = (dir: string): void =>
    peek(dir, (db) => {
      db.pragma("journal_mode = DELETE");
      db.pragma("auto_vacuum = NONE");
      db.exec("VACUUM");
      expect(db.pragma("auto_vacuum", { simple: true })).to.equal(0);
    });

  it("goes back to the disk while the daemon runs, and holds up no reader", async () => {
    const dir = tempDir();
    await largeRecord(dir, 200);
    expect(sizeOf(dir)).to.be.greaterThan(8_000_000);
    const store = await open(dir, { historyKeepDays: 30 });
    await until(async () => {
      await store.history({ limit: 10 });
      return sizeOf(dir) < 1_000_000;
    });
    expect(await ids(store)).to.deep.equal([201]);
    await isWhole(dir);
  });

  it("J19 survives a kill at any moment @all", async function () {
    this.timeout(120_000);
    const dir = tempDir();
    await largeRecord(dir, 400);
    for (let kill = 0; kill < 8; kill++) {
      const { child, line, exit } = worker("prune", dir);
      await line("started");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      child.kill("SIGKILL");
      await exit;
      await isWhole(dir);
    }
    const store = await open(dir, { historyKeepDays: 30 });
    await until(() => sizeOf(dir) < 1_000_000);
    await store.close();
    await isWhole(dir);
  });

  it("goes back in a small file of an older version, which is rewritten when it is opened", async () => {
    const dir = tempDir();
    await largeRecord(dir, 100);
    makeOlder(dir);
    const store = await open(dir, { historyKeepDays: 30 });
    expect(peek(dir, (db) => db.pragma("auto_vacuum", { simple: true }))).to.equal(2);
    await until(() => sizeOf(dir) < 1_000_000);
    await store.close();
    await isWhole(dir);
  });

  for (const kills of [1, 6])
    it(`J19 goes back in a large file of an older version by a rewrite, which survives ${kills} kill(s) @all`, async function () {
      this.timeout(120_000);
      const dir = tempDir();
      await largeRecord(dir, 500);
      makeOlder(dir);
      await (await open(dir)).close();
      expect(peek(dir, (db) => db.pragma("auto_vacuum", { simple: true }))).to.equal(0);
      await prune(dir, 30);
      for (let kill = 0; kill < kills; kill++) {
        const { child, line, exit } = worker("rewrite", dir);
        await line("started");
        if (kill > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
        child.kill("SIGKILL");
        await exit;
        await isWhole(dir);
      }
      // A kill can come too late.
      const isRewritten = peek(dir, (db) => db.pragma("auto_vacuum", { simple: true })) === 2;
      const { before, after } = rewriteRecord(dir, () => {});
      expect([before > after, after < 1_000_000]).to.deep.equal([!isRewritten, true]);
      await isWhole(dir);
    });
});
