// What `history verify` sees of confirmations, and of rows that were completed and are not any more.
import fs from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { packageRoot } from "../../../src/lib/package.js";
import { SqliteDatabase } from "../../../src/lib/sqlite.js";
import type { CallCompletion } from "../../../src/store/store.js";
import { allOnly } from "../../support/all.js";
import { until } from "../../support/until.js";
import { cleanUp, HELD, hold, intent, OK, open, peek, prune, rejection, tempDir, turn, verify } from "./fixture.js";

const claimOf = (id: string, decision: "approved" | "denied") => ({ id, decision, reason: "because" });

/** Rows 1 to 3: a call, one that was approved and made, one that was denied; row 4 is held. */
async function decidedRecord(): Promise<string> {
  const dir = tempDir();
  const store = await open(dir);
  await store.recordCall(intent(), OK);
  await hold(store, "approved");
  await hold(store, "denied");
  const row = (await store.claim(claimOf("approved", "approved"), null))?.history_id ?? 0;
  await store.completeCall(row, OK);
  await store.claim(claimOf("denied", "denied"), { error: "denied" });
  await hold(store, "held");
  await store.close();
  expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
  return dir;
}

async function verdictAfter(sql: string) {
  const dir = await decidedRecord();
  peek(dir, (db) => db.exec(sql));
  const before = await verify(dir);
  // A later daemon must not make it good.
  const store = await open(dir);
  await store.recordCall(intent(), OK);
  expect((await verify(dir)).ok, "after another start").to.equal(false);
  return before;
}

const COLUMNS = `history_id, session_id, turn_id, call_id, tool, safety, arguments, request, policy, provider, model, client,
  status, created_at, expires_at, decided_at, reason, told`;

describe("Tamper evidence: confirmations", () => {
  afterEach(cleanUp);

  for (const [column, value] of [
    ["reason", "'another'"],
    ["arguments", "'{}'"],
    ["request", "'{}'"],
    ["created_at", "'2020-01-01T00:00:00.000Z'"],
    ["decided_at", "'2020-01-01T00:00:00.000Z'"],
    ["expires_at", "'2020-01-01T00:00:00.000Z'"],
    ["client", "'another'"],
    ["asked_by", "'another'"],
    ["decided_by", "'another'"],
    ["status", "'expired'"],
  ])
    it(`J16 verify names a decided confirmation whose ${column} was changed${allOnly(column !== "reason")}`, async () => {
      const verdict = await verdictAfter(`UPDATE confirmations SET ${column} = ${value} WHERE id = 'denied'`);
      expect(verdict).to.deep.include({ ok: false, firstBad: 3 });
      expect(verdict.reason).to.contain("changed");
    });

  for (const column of ["tool", "session_id", "turn_id", "call_id", "application", "asked_by", "client", "model"])
    it(`J16 verify names a held call whose row was given another ${column}, also once it is completed${allOnly(column !== "tool")}`, async () => {
      const dir = await decidedRecord();
      peek(dir, (db) => db.exec(`UPDATE history SET ${column} = 'another' WHERE id = 4`));
      expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 4 });
      const store = await open(dir);
      await store.claim(claimOf("held", "denied"), { error: "denied" });
      expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 4 });
    });

  it("J16 verify names a held call whose arguments were changed, and it cannot be approved any more", async () => {
    const dir = await decidedRecord();
    peek(dir, (db) => db.exec("UPDATE confirmations SET arguments = '{\"all\":true}' WHERE id = 'held'"));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 4 });
    const store = await open(dir);
    const error = await rejection(store.claim(claimOf("held", "approved"), null));
    expect(error.message).to.contain("changed by another program");
    expect((await store.claim(claimOf("held", "denied"), { error: "denied" }))?.status).to.equal("denied");
  });

  for (const id of ["approved", "denied", "held"])
    it(`J16 verify names the row whose confirmation (${id}) was deleted${allOnly(id !== "denied")}`, async () => {
      const verdict = await verdictAfter(`DELETE FROM confirmations WHERE id = '${id}'`);
      expect(verdict).to.deep.include({ ok: false, firstBad: ["", "", "approved", "denied", "held"].indexOf(id) });
      expect(verdict.reason).to.contain("confirmation").and.to.contain("deleted");
    });

  for (const row of [1, 3])
    it(`J16 verify names the row (${row}) that was given another confirmation${allOnly(row > 1)}`, async () => {
      const verdict = await verdictAfter(
        `INSERT INTO confirmations (id, ${COLUMNS}) SELECT 'added', ${COLUMNS} FROM confirmations WHERE id = 'denied';
         UPDATE confirmations SET history_id = ${row} WHERE id = 'added'`,
      );
      expect(verdict).to.deep.include({ ok: false, firstBad: row });
    });

  it("J16 verify names the row whose hash of a confirmation was removed with it", async () => {
    const verdict = await verdictAfter(
      "DELETE FROM confirmations WHERE id = 'denied'; UPDATE history SET confirmation = NULL WHERE id = 3",
    );
    expect(verdict).to.deep.include({ ok: false, firstBad: 3 });
  });

  it("confirmations leave with their rows, and what is left verifies", async () => {
    const dir = await decidedRecord();
    expect(await prune(dir, 0)).to.equal(3);
    expect(peek(dir, (db) => db.prepare("SELECT id FROM confirmations").pluck().all())).to.deep.equal(["held"]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 0 });
  });
});

describe("Tamper evidence: the end of the chain", () => {
  afterEach(cleanUp);
  const setBack = (row: number): string =>
    `UPDATE history SET status = 'pending', result = NULL, duration_ms = NULL, seq = NULL, hash = NULL WHERE id = ${row}`;

  it("J16 verify names the row completed last when it was made incomplete again", async () => {
    const dir = tempDir();
    const store = await open(dir);
    for (let i = 0; i < 3; i++) await store.recordCall(intent(), OK);
    await store.close();
    peek(dir, (db) => db.exec(setBack(3)));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 3 });
    // The next start takes it for a lost call and completes it; the gap in the chain stays.
    const again = await open(dir);
    expect((await again.history({ limit: 1 }))[0]?.status).to.equal("interrupted");
    const verdict = await verify(dir);
    expect(verdict).to.deep.include({ ok: false, firstBad: 3 });
    expect(verdict.reason).to.contain("missing");
  });

  it("J16 verify shows that the saved end was removed, or set back to an older row", async () => {
    for (const sql of [
      "DELETE FROM chain_head",
      "UPDATE chain_head SET seq = 2, hash = (SELECT hash FROM history WHERE id = 2)",
    ]) {
      const dir = tempDir();
      const store = await open(dir);
      for (let i = 0; i < 3; i++) await store.recordCall(intent(), OK);
      await store.close();
      peek(dir, (db) => db.exec(sql));
      expect((await verify(dir)).ok, sql).to.equal(false);
    }
  });
});

/** A record of an old version, as the migrations of then made it. */
function oldRecord(dir: string, version: number): void {
  fs.mkdirSync(dir, { recursive: true });
  const db = new SqliteDatabase(path.join(dir, "history.db"));
  const names = fs.readdirSync(path.join(packageRoot, "migrations")).filter((name) => name.endsWith(".sql"));
  for (const name of names.sort().slice(0, version))
    for (const statement of fs
      .readFileSync(path.join(packageRoot, "migrations", name), "utf8")
      .split("--> statement-breakpoint"))
      db.exec(statement.replace(/^(\s*CREATE TABLE [\s\S]*\));\s*$/, "$1 STRICT"));
  db.pragma(`application_id = ${0x61677464}`);
  db.pragma(`user_version = ${version}`);
  db.close();
}

/** The rows of a newer record, without what the old version did not have. */
function copyRows(from: string, to: string): void {
  const db = new SqliteDatabase(path.join(to, "history.db"));
  db.exec(`ATTACH '${path.join(from, "history.db")}' AS other`);
  const tables = db.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  for (const table of tables.pluck().all() as string[]) {
    const columns = (db.pragma(`main.table_info(${table})`) as { name: string }[]).map(({ name }) => name).join();
    db.exec(`INSERT OR REPLACE INTO main.${table} (${columns}) SELECT ${columns} FROM other.${table}`);
  }
  db.close();
}

describe("A record of before confirmations had hashes", () => {
  afterEach(cleanUp);

  it("verifies as before, and from then on its new confirmations are proven, too", async () => {
    // Calls that were not held have the same hashes in both versions.
    const newer = tempDir();
    const first = await open(newer);
    for (let i = 0; i < 3; i++) await first.recordCall(intent(), OK);
    await first.close();
    const dir = path.join(tempDir(), "old");
    oldRecord(dir, 2);
    copyRows(newer, dir);
    peek(dir, (db) =>
      db.exec(`INSERT INTO confirmations (id, ${COLUMNS})
        VALUES ('old', 3, '', '', '', '', '', '{}', '{}', '{}', '', '', '', 'approved', '', '', '', '', 1)`),
    );
    const store = await open(dir);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
    await hold(store, "new");
    await store.claim(claimOf("new", "denied"), { error: "denied" });
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 4 });
    peek(dir, (db) => db.exec("UPDATE confirmations SET reason = 'another' WHERE id = 'new'"));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 4 });
  });
});

describe("Tamper evidence: applications", () => {
  afterEach(cleanUp);

  it("J16 verify names a row, or a confirmation, that was given to another application", async () => {
    const changes: [sql: string, row: number][] = [
      ["UPDATE history SET application = 'books' WHERE id = 1", 1],
      ["UPDATE history SET application = '' WHERE id = 1", 1],
      ["UPDATE history SET application = 'shop' WHERE id = 2", 2],
      ["UPDATE history SET application = '', confirmation = 'shop' WHERE id = 1", 1],
      ["UPDATE confirmations SET application = 'books'", 3],
      ["UPDATE confirmations SET application = ''", 3],
    ];
    for (const [sql, row] of changes) {
      const dir = tempDir();
      const store = await open(dir);
      await store.recordCall(intent({ application: "shop" }), OK);
      await store.recordCall(intent(), OK);
      await hold(store, "held", 60_000, { application: "shop" });
      await store.close();
      expect(await verify(dir)).to.deep.equal({ ok: true, rows: 2 });
      peek(dir, (db) => db.exec(sql));
      expect(await verify(dir), sql).to.deep.include({ ok: false, firstBad: row });
    }
  });

  it("a record of before there were applications opens as it is, its calls and confirmations proven as before", async () => {
    const newer = await decidedRecord();
    const dir = path.join(tempDir(), "old");
    oldRecord(dir, 3);
    copyRows(newer, dir);
    const store = await open(dir);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
    expect((await store.history({ limit: 9 })).map(({ application }) => application)).to.deep.equal(["", "", "", ""]);
    expect((await store.confirmations({ limit: 9 })).map(({ application }) => application)).to.deep.equal(["", "", ""]);
    // What was held then can be approved now.
    expect((await store.claim(claimOf("held", "approved"), null))?.status).to.equal("approved");
    expect(await store.completeCall(4, OK)).to.equal(true);
    await store.recordCall(intent({ application: "shop" }), OK);
    expect((await store.history({ limit: 9, application: "shop" })).map(({ id }) => id)).to.deep.equal([5]);
    expect((await store.history({ limit: 9, application: "" })).map(({ id }) => id)).to.deep.equal([4, 3, 2, 1]);
    expect(await store.history({ limit: 9, application: "books" })).to.deep.equal([]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 5 });
  });
});

describe("Tamper evidence: effects", () => {
  afterEach(cleanUp);
  const effect = { changes: [], complete: true };

  it("a record of before there were effects opens as it is, and what is kept from then on is proven", async () => {
    const newer = await decidedRecord();
    const dir = path.join(tempDir(), "old");
    oldRecord(dir, 9);
    copyRows(newer, dir);
    const store = await open(dir);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
    expect((await store.history({ limit: 9 })).map(({ undo }) => undo)).to.deep.equal([
      undefined,
      undefined,
      "impossible",
      "impossible",
    ]);
    expect((await store.claim(claimOf("held", "approved"), null))?.effect).to.equal(undefined);
    expect(await store.fingerprint("held")).to.equal("");
    await store.keepEffect(4, { effect, undo: "possible", images: { rows: [] }, transaction: "tx" });
    expect(await store.completeCall(4, OK)).to.equal(true);
    expect((await store.history({ limit: 1 }))[0]).to.deep.include({ effect, undo: "possible" });
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 4 });
  });

  it("J16 verify names a row, or a confirmation, whose effect was changed", async () => {
    const foreseen = { effect, undo: "possible" as const, fingerprint: "f" };
    for (const [sql, row] of [
      ["UPDATE history SET effect = NULL WHERE id = 1", 1],
      ["UPDATE history SET effect = '{}' WHERE id = 1", 1],
      ["UPDATE confirmations SET effect = '{}'", 2],
      ["UPDATE confirmations SET undo = 'impossible'", 2],
      ["UPDATE confirmations SET fingerprint = 'g'", 2],
    ] as const) {
      const dir = tempDir();
      const store = await open(dir);
      await store.recordCall(intent({ effect }), { ...OK, status: "dry_run" });
      await store.hold(intent({ effect }), { ...HELD, id: "held", foreseen });
      await store.close();
      expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
      peek(dir, (db) => db.exec(sql));
      expect(await verify(dir), sql).to.deep.include({ ok: false, firstBad: row });
    }
  });

  it("images of rows that were deleted, undone or never final are deleted with them", async () => {
    const dir = tempDir();
    const store = await open(dir);
    const files = (): string[] => fs.readdirSync(path.join(dir, "undo")).sort();
    const make = async (over: Partial<CallCompletion> = {}): Promise<number> => {
      const id = await store.beginCall(intent());
      await store.keepEffect(id, { effect, undo: "possible", images: { rows: [id] } });
      await store.completeCall(id, { ...OK, ...over });
      return id;
    };
    const [first, second] = [await make(), await make()];
    expect(await store.newestUndoable("session")).to.equal(second);
    await make({ undoes: second });
    expect(await store.images(second)).to.equal(undefined);
    await make({ status: "error" });
    expect(await store.newestUndoable("session")).to.equal(3);
    expect((await store.history({ limit: 9 })).map(({ undo }) => undo)).to.deep.equal([
      undefined,
      "possible",
      "done",
      "possible",
    ]);
    fs.writeFileSync(path.join(dir, "undo", "99.json"), "{}");
    await store.close();
    const again = await open(dir);
    await until(() => files().length === 2);
    expect(files()).to.deep.equal(["1.json", "3.json"]);
    expect(await again.images(first)).to.deep.equal({ rows: [1] });
    // Of a record that stood here before: its rows had the same numbers.
    fs.copyFileSync(path.join(dir, "undo", "1.json"), path.join(dir, "undo", "3.json"));
    expect(await again.images(3)).to.equal(undefined);
  });
});

describe("Tamper evidence: questions of applications", () => {
  afterEach(cleanUp);
  const input = { message: "How many?", fields: { type: "object", properties: { n: { type: "integer" } } } };
  const question = { ...HELD, id: "question", request: { asks: "How many?" }, input };

  it("a record of before there were questions opens as it is, and an answer is proven from then on", async () => {
    const newer = await decidedRecord();
    const dir = path.join(tempDir(), "old");
    oldRecord(dir, 10);
    copyRows(newer, dir);
    const store = await open(dir);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 3 });
    expect(await store.hold(intent(), question)).to.deep.include({ input, arguments: {} });
    const answer = { n: 3 };
    const claimed = await store.claim({ ...claimOf("question", "approved"), arguments: answer }, answer);
    expect(claimed).to.deep.include({ status: "approved", arguments: answer });
    expect((await store.history({ limit: 1 }))[0]).to.deep.include({ status: "ok", result: answer });
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 4 });
    await store.close();
    peek(dir, (db) => db.exec("UPDATE confirmations SET input = NULL WHERE id = 'question'"));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 5 });
  });

  it("one that waited when its daemon died is denied at the next start, without a notice to its session", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [] });
    await store.hold(intent(), question);
    await hold(store, "call");
    await store.close();
    const again = await open(dir);
    expect(await again.confirmation("question")).to.deep.include({
      status: "denied",
      reason: "the call that asked has ended",
      input,
    });
    expect((await again.confirmation("call"))?.status).to.equal("pending");
    expect((await again.messages("session", 9)).map(({ role }) => role)).to.deep.equal(["user"]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 1 });
  });
});
