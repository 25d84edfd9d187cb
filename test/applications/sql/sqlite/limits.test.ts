// What keeps a SQLite file from holding up the daemon: statements without an end, other writers, files that are gone or no database.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Database, DatabaseFailure, type RowStream } from "../../../../src/applications/sql/database.js";
import { openSqliteDatabase } from "../../../../src/applications/sql/sqlite/database.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { programOf } from "../../../../src/lib/package.js";
import { SqliteDatabase } from "../../../../src/lib/sqlite.js";
import { createDatabase, type DatabaseFile } from "../../../support/database.js";
import { until } from "../../../support/until.js";

const LIMITS = { timeoutMs: 10_000, lockMs: 200 };
const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

async function all(stream: RowStream): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  for await (const batch of stream) rows.push(...batch);
  return rows;
}

/** Processes of this one that work on a database. */
const helpers = (): string[] =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("sqlite-child"));

describe("Limits of a SQLite file", () => {
  let file: DatabaseFile;
  let db: Database;
  beforeEach(async () => {
    file = await createDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')");
    db = openSqliteDatabase({ location: file.file });
  });
  afterEach(() => db.close());
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (one: unknown) => one,
    );
    if (!(error instanceof DatabaseFailure)) throw new Error(`no failure: ${String(error)}`);
    expect(error.message).to.not.include(file.folder);
    return error.code;
  };
  it("ends a process whose parent was gone before it began @all", async () => {
    const { file: program, execArgv } = programOf("applications/sql/sqlite/sqlite-child");
    // The id of no process: a parent that has ended, whatever took its place.
    const orphan = fork(program, ["4194305"], { execArgv: [...execArgv], stdio: "ignore" });
    const [, signal] = (await once(orphan, "exit")) as [number | null, string | null];
    expect(signal).to.equal("SIGKILL");
  });

  it("takes the values of a free query for placeholders with and without numbers @all", async () => {
    const ask = (sql: string, ...parameters: string[]): Promise<JsonObject[]> => all(db.query(sql, parameters, LIMITS));
    expect(await ask("SELECT ? || ? AS v", "a", "b")).to.deep.equal([{ v: "ab" }]);
    expect(await ask("SELECT ?2 || ?1 AS v", "a", "b")).to.deep.equal([{ v: "ba" }]);
    expect(await ask("SELECT $1 || $1 AS v", "a")).to.deep.equal([{ v: "aa" }]);
    for (const [sql, ...parameters] of [
      ["SELECT ?"],
      ["SELECT ?", "a", "b"],
      ["SELECT ?2", "a"],
      ["SELECT :name", "a"],
    ]) {
      const error = await ask(sql ?? "", ...parameters).catch((one: unknown) => one as DatabaseFailure);
      expect(error).to.include({ code: "invalid_value" });
      expect((error as DatabaseFailure).message).to.contain("one value for each placeholder");
    }
  });

  it("names the foreign key that restricts as what it is @all", async () => {
    await file.exec(
      "CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (p REFERENCES parent ON DELETE RESTRICT); INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1)",
    );
    const error = await db
      .change(
        {
          operation: "delete",
          table: { name: "parent" },
          columns: [{ name: "id", kind: "integer", type: "INTEGER" }],
          keyColumns: ["id"],
          key: { id: 1 },
          values: {},
        },
        { ...LIMITS, commit: true },
      )
      .catch((one: unknown) => one as DatabaseFailure);
    expect(error).to.deep.include({ code: "constraint_violation", details: { constraint: "foreign key" } });
  });

  const update = (options: object = {}) =>
    db.change(
      {
        operation: "update",
        table: { name: "t" },
        columns: [
          { name: "id", kind: "integer", type: "INTEGER" },
          { name: "v", kind: "text", type: "TEXT" },
        ],
        keyColumns: ["id"],
        key: { id: 1 },
        values: { v: "b" },
      },
      { ...LIMITS, commit: true, ...options },
    );

  it("H9 stops a statement without an end, and answers the next", async () => {
    const start = performance.now();
    expect(await failureOf(all(db.query(ENDLESS, [], { ...LIMITS, timeoutMs: 1_000 })))).to.equal("timeout");
    expect(performance.now() - start).to.be.below(4_000);
    expect(await all(db.query("SELECT v FROM t", [], LIMITS))).to.deep.equal([{ v: "a" }]);
    await until(() => helpers().length === 1);
  });

  it("ends a statement without an end, and one that waits for its turn, when the call is stopped, and answers the next @all", async () => {
    const stop = new AbortController();
    const options = { ...LIMITS, signal: stop.signal };
    const endless = Array.from({ length: 4 }, () => failureOf(all(db.query(ENDLESS, [], options))));
    await until(() => helpers().length === 3);
    const start = performance.now();
    stop.abort();
    expect(await Promise.all(endless)).to.deep.equal(Array(4).fill("cancelled"));
    expect(performance.now() - start).to.be.below(2_000);
    await until(() => helpers().length === 0);
    expect(await failureOf(all(db.query("SELECT v FROM t", [], options)))).to.equal("cancelled");
    expect(await all(db.query("SELECT v FROM t", [], LIMITS))).to.deep.equal([{ v: "a" }]);
  });

  it("answers others beside a statement without an end @all", async () => {
    const endless = failureOf(all(db.query(ENDLESS, [], { ...LIMITS, timeoutMs: 4_000 })));
    expect(await all(db.query("SELECT v FROM t", [], LIMITS))).to.deep.equal([{ v: "a" }]);
    expect((await update()).kind).to.equal("done");
    expect(await endless).to.equal("timeout");
  });

  it("stops a statement that takes all memory @all", async () => {
    const stream = db.query("SELECT length(hex(zeroblob(480000000)) || hex(zeroblob(480000000)))", [], {
      ...LIMITS,
      timeoutMs: 30_000,
    });
    expect(await failureOf(all(stream))).to.be.oneOf(["database_error", "refused"]);
    expect(await all(db.query("SELECT 1 AS one", [], LIMITS))).to.deep.equal([{ one: 1 }]);
  });

  it("ends the statement of a reader who leaves @all", async () => {
    for await (const batch of db.query(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
      [],
      LIMITS,
    )) {
      expect(batch[0]).to.deep.equal({ x: 1 });
      break;
    }
    expect(await all(db.query("SELECT 1 AS one", [], LIMITS))).to.deep.equal([{ one: 1 }]);
  });

  it("says that another process is writing @all", async () => {
    const other = new SqliteDatabase(file.file);
    other.exec("BEGIN IMMEDIATE");
    expect(await failureOf(update())).to.equal("locked");
    expect(await all(db.query("SELECT v FROM t", [], LIMITS))).to.deep.equal([{ v: "a" }]);
    other.exec("ROLLBACK");
    other.close();
    expect((await update()).kind).to.equal("done");
  });

  it("reads and writes a file in WAL mode beside another writer @all", async () => {
    const other = new SqliteDatabase(file.file);
    other.pragma("journal_mode = WAL");
    other.exec("INSERT INTO t VALUES (2, 'b'); BEGIN IMMEDIATE; INSERT INTO t VALUES (3, 'c')");
    expect(await all(db.query("SELECT id FROM t", [], LIMITS))).to.deep.equal([{ id: 1 }, { id: 2 }]);
    expect(await failureOf(update())).to.equal("locked");
    other.exec("COMMIT");
    expect(await all(db.query("SELECT id FROM t", [], LIMITS))).to.have.lengthOf(3);
    expect((await update()).kind).to.equal("done");
    expect(other.prepare("SELECT v FROM t WHERE id = 1").get()).to.deep.equal({ v: "b" });
    other.close();
  });

  it("says what is wrong with a file", async () => {
    const ask = (): Promise<string> => failureOf(all(db.query("SELECT v FROM t", [], LIMITS)));
    await all(db.query("SELECT v FROM t", [], LIMITS));
    fs.renameSync(file.file, `${file.file}.gone`);
    expect(await ask()).to.equal("connection_failed");
    fs.writeFileSync(file.file, "not a database, but long enough to be looked at as one".repeat(100));
    expect(await ask()).to.equal("connection_failed");
    fs.rmSync(file.file);
    fs.mkdirSync(file.file);
    expect(await ask()).to.equal("connection_failed");
    fs.rmdirSync(file.file);
    // Another file in its place is noticed.
    const other = new SqliteDatabase(join(file.folder, "other.db"));
    other.exec("CREATE TABLE t (v); INSERT INTO t VALUES ('other')");
    other.close();
    fs.renameSync(join(file.folder, "other.db"), file.file);
    expect(await all(db.query("SELECT v FROM t", [], LIMITS))).to.deep.equal([{ v: "other" }]);
  });

  it("refuses a row that is longer than a result may be @all", async () => {
    expect(await failureOf(all(db.query("SELECT hex(zeroblob(5000000)) AS x", [], LIMITS)))).to.equal("refused");
  });
});
