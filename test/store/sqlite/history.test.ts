// The history as callers see it: rows before and after a call, filters, order, and what is deleted.

import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { HistoryStatus } from "../../../src/domain/history-status.js";
import type { HistoryQuery } from "../../../src/domain/record.js";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import { conditionsOf, lookSql } from "../../../src/store/sqlite/queries/search-history.js";
import { until } from "../../support/until.js";
import { cleanUp, hold, intent, OK, open, peek, prune, tempDir, verify } from "./fixture.js";

describe("History entry", () => {
  afterEach(cleanUp);

  it("J15 is committed, for other processes to see, when beginCall resolves", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const other = new SqliteDatabase(path.join(dir, "history.db"), { readonly: true });
    const status = other.prepare("SELECT status FROM history WHERE id = ?").pluck();
    const id = await store.beginCall(intent());
    expect(status.get(id)).to.equal("pending");
    await store.completeCall(id, OK);
    expect(status.get(id)).to.equal("ok");
    other.close();
  });

  it("comes back as it was given, with every digit of a large integer", async () => {
    const store = await open(tempDir());
    const call = intent({ arguments: { id: 12345678901234567890n, text: "ä\u0000\u2028'\"" }, request: null });
    const id = await store.beginCall(call);
    const [pending] = await store.history({ limit: 1 });
    expect(pending).to.deep.include({ ...call, id, status: "pending", result: null, duration_ms: null });
    await store.completeCall(id, { status: "error", result: [2n ** 60n, null], duration_ms: 12.4 });
    const [entry] = await store.history({ limit: 1 });
    expect(entry).to.deep.equal({ ...pending, status: "error", result: [2n ** 60n, null], duration_ms: 12.4 });
    expect(entry?.ts).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("is completed once: a final row is left alone", async () => {
    const store = await open(tempDir());
    const id = await store.beginCall(intent());
    expect(await store.completeCall(id, OK)).to.equal(true);
    expect(await store.completeCall(id, { ...OK, status: "error" })).to.equal(false);
    expect(await store.completeCall(99, OK)).to.equal(false);
    expect((await store.history({ limit: 5 })).map((row) => row.status)).to.deep.equal(["ok"]);
  });

  it("is one row for a call that never leaves", async () => {
    const store = await open(tempDir());
    await store.recordCall(intent(), { status: "blocked", result: { error: "read_only" }, duration_ms: 0 });
    expect((await store.history({ limit: 5 })).map((row) => row.status)).to.deep.equal(["blocked"]);
  });
});

describe("Record stats", () => {
  afterEach(cleanUp);

  it("count the rows that are kept, open ones included, and the bytes of the file", async () => {
    const dir = tempDir();
    const store = await open(dir);
    expect((await store.stats()).historyRows).to.equal(0);
    const first = await store.beginCall(intent());
    await hold(store, "held");
    for (let i = 0; i < 3; i++) await store.recordCall(intent(), OK);
    expect((await store.stats()).historyRows).to.equal(5);
    await prune(dir, 0);
    expect((await store.stats()).historyRows).to.equal(2);
    await store.completeCall(first, OK);
    const { historyRows, fileBytes } = await store.stats();
    expect(historyRows).to.equal(2);
    expect(fileBytes).to.be.above(4096);
  });
});

describe("GET /history: filters and order", () => {
  afterEach(cleanUp);

  it("J9 is newest first by id when the clock jumps back an hour", async () => {
    const store = await open(tempDir());
    const clock = globalThis.Date;
    await store.beginCall(intent());
    try {
      globalThis.Date = class extends clock {
        constructor() {
          super(clock.now() - 3_600_000);
        }
      } as DateConstructor;
      await store.beginCall(intent());
    } finally {
      globalThis.Date = clock;
    }
    const rows = await store.history({ limit: 5 });
    expect(rows.map((row) => row.id)).to.deep.equal([2, 1]);
    expect(Date.parse(rows[0]?.ts ?? "")).to.be.lessThan(Date.parse(rows[1]?.ts ?? ""));
  });

  it("J10 never gives an id twice, also when the newest row was deleted", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginCall(intent());
    await store.beginCall(intent());
    await store.close();
    peek(dir, (db) => db.exec("DELETE FROM history WHERE id = 2"));
    expect(await (await open(dir)).beginCall(intent())).to.equal(3);
  });

  it("filters by each field and by all together, page by page", async () => {
    const store = await open(tempDir());
    for (let i = 0; i < 24; i++) {
      const status: HistoryStatus = i % 3 === 0 ? "error" : "ok";
      const call = intent({ session_id: `s${i % 2}`, tool: `t${i % 4}` });
      await store.recordCall(call, { ...OK, status });
    }
    const ids = async (query: Partial<HistoryQuery>) =>
      (await store.history({ limit: 100, ...query })).map((row) => row.id);
    const all = Array.from({ length: 24 }, (_, i) => 24 - i);
    expect(await ids({})).to.deep.equal(all);
    expect(await ids({ session_id: "s0" })).to.deep.equal(all.filter((id) => (id - 1) % 2 === 0));
    expect(await ids({ tool: "t3" })).to.deep.equal(all.filter((id) => (id - 1) % 4 === 3));
    expect(await ids({ status: "error" })).to.deep.equal(all.filter((id) => (id - 1) % 3 === 0));
    expect(await ids({ before: 10, after: 5 })).to.deep.equal([9, 8, 7, 6]);
    expect(await ids({ before: 10, after: 5, limit: 2 })).to.deep.equal([9, 8]);
    expect(await ids({ after: 10, limit: 3 })).to.deep.equal([13, 12, 11]);
    expect(await ids({ after: 13, limit: 3, tool: "t3" })).to.deep.equal([24, 20, 16]);
    expect(await ids({ after: 0, limit: 2 })).to.deep.equal([2, 1]);
    expect(await ids({ after: 24 })).to.deep.equal([]);
    expect(await ids({ session_id: "s0", tool: "t2", status: "ok", before: 20, limit: 2 })).to.deep.equal([15, 11]);
    expect(await ids({ session_id: undefined, tool: "none" })).to.deep.equal([]);
  });

  it("searches by text, part of a name, safety, several statuses and time, alone and together", async () => {
    const store = await open(tempDir());
    for (let i = 0; i < 12; i++) {
      const safety = i % 2 === 0 ? "read_only" : "destructive";
      const call = intent({
        tool: i % 3 === 0 ? "list_pets" : "delete_pet",
        safety,
        arguments: { note: `say "${i}"`, ä: "ÄRGER" },
      });
      await store.recordCall(call, { ...OK, status: i % 4 === 0 ? "error" : "ok", result: { name: `100%_${i}` } });
    }
    const [newest] = await store.history({ limit: 1 });
    const time = newest?.ts ?? "";
    const ids = async (query: Partial<HistoryQuery>) => {
      const { entries, left } = await store.searchHistory({ limit: 100, ...query }, { budgetMs: 60_000 });
      expect(left).to.equal(undefined);
      return entries.map((row) => row.id);
    };
    const all = Array.from({ length: 12 }, (_, i) => 12 - i);
    expect(await ids({ q: 'SAY "3"' })).to.deep.equal([4]);
    expect(await ids({ q: "100%_1" })).to.deep.equal([12, 11, 2]);
    expect(await ids({ q: "ärger", limit: 2 })).to.deep.equal([12, 11]);
    expect(await ids({ q: "100_" })).to.deep.equal([]);
    expect(await ids({ tool_contains: "PETS" })).to.deep.equal([10, 7, 4, 1]);
    expect(await ids({ safety: ["destructive"], before: 7 })).to.deep.equal([6, 4, 2]);
    expect(await ids({ statuses: ["error", "held"] })).to.deep.equal([9, 5, 1]);
    expect(await ids({ from: time, status: "ok", tool: "list_pets" })).to.satisfy((found: number[]) =>
      found.every((id) => id <= 12),
    );
    expect(await ids({ to: new Date(Date.parse(time) + 1).toISOString() })).to.deep.equal(all);
    expect(await ids({ from: new Date(Date.parse(time) + 1).toISOString() })).to.deep.equal([]);
    expect(await ids({ q: "100%", after: 3, limit: 2 })).to.deep.equal([5, 4]);
    expect(
      await ids({ tool_contains: "delete", safety: ["destructive"], statuses: ["ok", "error"], q: "say" }),
    ).to.deep.equal([12, 8, 6, 2]);
  });

  it("answers within its time what it found by then, and where to go on", async () => {
    const store = await open(tempDir());
    for (let i = 0; i < 3; i++) await store.recordCall(intent({ tool: `t${i}` }), OK);
    const found: number[] = [];
    let before: number | undefined;
    for (let asked = 0; asked < 10; asked++) {
      const query = { q: "t", limit: 1, ...(before !== undefined && { before }) };
      const { entries, left } = await store.searchHistory(query, { budgetMs: 0 });
      found.push(...entries.map(({ id }) => id));
      before = left?.before ?? entries.at(-1)?.id;
      if (before === undefined || (!left && entries.length === 0)) break;
    }
    expect(found).to.deep.equal([3, 2, 1]);
    const stop = AbortSignal.abort(new Error("gone"));
    const search = store.searchHistory({ q: "nothing", limit: 1 }, { budgetMs: 1000, signal: stop });
    expect(await search.catch((error: Error) => error.message)).to.equal("gone");
  });

  it("looks at rows for a search in the order of an index", async () => {
    const dir = tempDir();
    await open(dir);
    const plans = peek(dir, (db) =>
      [
        { q: "x" },
        { q: "x", tool: "t" },
        { statuses: ["ok", "error"] },
        { safety: ["mutating"], status: "ok", from: "2026" },
      ].map((query) => {
        const conditions = conditionsOf(query as HistoryQuery);
        const plan = db.prepare(`EXPLAIN QUERY PLAN ${lookSql(conditions, false)}`);
        const values = { ...conditions.values, after: 0, before: 9 };
        return (plan.all(values) as { detail: string }[]).map((step) => step.detail).join("; ");
      }),
    );
    for (const plan of plans) {
      expect(plan).to.match(/^SEARCH history USING (INDEX|INTEGER PRIMARY KEY)/);
      expect(plan).to.not.contain("TEMP B-TREE");
    }
  });

  it("reads every filter through an index", async () => {
    const dir = tempDir();
    await open(dir);
    const plans = peek(dir, (db) =>
      ["session_id = 'x'", "tool = 'x'", "status = 'x'", "id < 5"].map((filter) => {
        const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT * FROM history WHERE ${filter} ORDER BY id DESC LIMIT 20`);
        return (plan.all() as { detail: string }[]).map((step) => step.detail).join("; ");
      }),
    );
    for (const plan of plans) {
      expect(plan).to.match(/^SEARCH history USING (INDEX|INTEGER PRIMARY KEY)/);
      expect(plan).to.not.contain("TEMP B-TREE");
    }
  });
});

describe("history_keep_days", () => {
  afterEach(cleanUp);

  /** Ten final rows, the first five of them written in 2020, and one in flight. */
  async function agedRecord(): Promise<string> {
    const dir = tempDir();
    const clock = globalThis.Date;
    const store = await open(dir);
    for (let i = 0; i < 10; i++) {
      if (i < 5)
        globalThis.Date = class extends clock {
          constructor() {
            super(2020, 0, 1 + i);
          }
        } as DateConstructor;
      try {
        await store.recordCall(intent(), OK);
      } finally {
        globalThis.Date = clock;
      }
    }
    await store.close();
    return dir;
  }

  it("deletes what is older and keeps a chain that verifies, across a restart", async () => {
    const dir = await agedRecord();
    const store = await open(dir);
    const pending = await store.beginCall(intent());
    expect(await prune(dir, 30)).to.equal(5);
    expect(await prune(dir, 30)).to.equal(0);
    expect((await store.history({ limit: 50 })).map((row) => row.id)).to.deep.equal([11, 10, 9, 8, 7, 6]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 5 });
    await store.completeCall(pending, OK);
    expect(await prune(dir, 0)).to.equal(6);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 0 });
    await store.close();
    const again = await open(dir);
    expect(await again.recordCall(intent(), OK)).to.equal(12);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
  });

  it("is applied when a record is opened with it, and keeps everything without it", async () => {
    const dir = await agedRecord();
    const store = await open(dir);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.history({ limit: 50 })).to.have.length(10);
    await store.close();
    const pruned = await open(dir, { historyKeepDays: 30 });
    await until(async () => (await pruned.history({ limit: 50 })).length === 5);
  });

  it("N8 leaves nothing of a deleted row in the file", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.recordCall(intent({ arguments: { note: "canary-7f3a" } }), OK);
    await store.close();
    const pruned = await open(dir, { historyKeepDays: 0 });
    await until(async () => (await pruned.history({ limit: 1 })).length === 0);
    await pruned.close();
    expect(fs.readFileSync(path.join(dir, "history.db")).includes("canary-7f3a")).to.equal(false);
  });
});

describe("Tamper evidence", () => {
  afterEach(cleanUp);

  /** Five final rows, tampered with, verified by a fresh daemon. */
  async function verdictAfter(sql: string) {
    const dir = tempDir();
    const store = await open(dir);
    const first = await store.beginCall(intent());
    for (let i = 0; i < 4; i++) await store.recordCall(intent({ call_id: `call_${i}` }), OK);
    await store.completeCall(first, OK);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 5 });
    await store.close();
    peek(dir, (db) => db.exec(sql));
    await open(dir);
    return await verify(dir);
  }

  for (const [column, value] of [
    ["tool", "'other'"],
    ["arguments", "'{}'"],
    ["result", "NULL"],
    ["status", "'error'"],
    ["ts", "'2020-01-01T00:00:00.000Z'"],
    ["duration_ms", "2"],
    ["client", "''"],
    ["hash", "'00'"],
  ])
    it(`shows that ${column} was changed`, async () => {
      const verdict = await verdictAfter(`UPDATE history SET ${column} = ${value} WHERE id = 3`);
      expect(verdict).to.deep.include({ ok: false, firstBad: 3 });
    });

  it("shows that a row in the middle is missing", async () => {
    const verdict = await verdictAfter("DELETE FROM history WHERE id = 3");
    expect(verdict).to.deep.include({ ok: false, firstBad: 4 });
    expect(verdict.reason).to.contain("missing");
  });

  it("shows that the newest rows are missing", async () => {
    const verdict = await verdictAfter("DELETE FROM history WHERE id >= 4 OR id = 1");
    expect(verdict.ok).to.equal(false);
  });

  it("shows that the row completed last is missing, though a newer one is there", async () => {
    const verdict = await verdictAfter("DELETE FROM history WHERE id = 1");
    expect(verdict).to.deep.include({ ok: false, firstBad: 1 });
    expect(verdict.reason).to.contain("missing");
  });

  it("shows that a held row is missing, also where old rows were pruned", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (let i = 0; i < 3; i++) await store.recordCall(intent(), OK);
    expect(await prune(dir, 0)).to.equal(3);
    await hold(store, "c1");
    await store.recordCall(intent(), OK);
    expect((await verify(dir)).ok).to.equal(true);
    peek(dir, (db) => db.exec("DELETE FROM history WHERE status = 'held'"));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 4 });
  });

  it("shows rows beyond the counter of ids", async () => {
    const verdict = await verdictAfter("DELETE FROM sqlite_sequence WHERE name = 'history'");
    expect(verdict.ok).to.equal(false);
  });

  for (const [decision, status] of [
    ["denied", "approved"],
    ["approved", "denied"],
  ] as const)
    it(`shows that the confirmation of a call that was ${decision} was changed to ${status}`, async () => {
      const dir = tempDir();
      const store = await open(dir);
      const { id, history_id } = await hold(store, "c1");
      await store.claim({ id, decision, reason: "" }, null);
      if (decision === "approved") await store.completeCall(history_id, OK);
      expect((await verify(dir)).ok).to.equal(true);
      peek(dir, (db) => db.exec(`UPDATE confirmations SET status = '${status}'`));
      expect(await verify(dir)).to.deep.include({ ok: false, firstBad: history_id });
    });

  it("shows that two rows were swapped", async () => {
    const verdict = await verdictAfter(
      "UPDATE history SET id = 99 WHERE id = 2; UPDATE history SET id = 2 WHERE id = 3; UPDATE history SET id = 3 WHERE id = 99",
    );
    expect(verdict).to.deep.include({ ok: false, rows: 0 });
  });

  it("shows a final row that agentd did not write", async () => {
    const columns =
      "ts, session_id, turn_id, call_id, tool, arguments, safety, policy, provider, model, client, boot_id";
    const verdict = await verdictAfter(
      `INSERT INTO history (${columns}, status) SELECT ${columns}, 'ok' FROM history WHERE id = 1`,
    );
    expect(verdict).to.deep.include({ ok: false, firstBad: 6 });
  });

  it("shows a call in flight whose row was changed before it was completed", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const id = await store.beginCall(intent());
    peek(dir, (db) => db.exec("UPDATE history SET tool = 'other'"));
    await store.completeCall(id, OK);
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: id });
  });

  it("verifies while calls are recorded and old rows deleted", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (let i = 0; i < 1200; i++) await store.recordCall(intent(), OK);
    const verdicts = [verify(dir), prune(dir, 0), verify(dir), store.recordCall(intent(), OK), verify(dir)];
    for (const verdict of await Promise.all(verdicts))
      if (typeof verdict === "object") expect(verdict.ok).to.equal(true);
  });
});
