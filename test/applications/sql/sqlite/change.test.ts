// Changes of a SQLite file and their way back: what is touched is told in full, and put back exactly or not at all.

import { expect } from "chai";
import type {
  Change,
  ChangeOutcome,
  ColumnType,
  Database,
  Restoration,
} from "../../../../src/applications/sql/database.js";
import { DatabaseFailure } from "../../../../src/applications/sql/database.js";
import { openSqliteDatabase } from "../../../../src/applications/sql/sqlite/database.js";
import type { Evidence, Preview } from "../../../../src/applications/transport.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { allOnly } from "../../../support/all.js";
import { createDatabase, type DatabaseFile } from "../../../support/database.js";

const LIMITS = { timeoutMs: 10_000, lockMs: 500 };

interface Fixture {
  file: DatabaseFile;
  db: Database;
  change(
    table: string,
    operation: Change["operation"],
    values: JsonObject,
  ): Promise<{ outcome: ChangeOutcome; evidence: Evidence }>;
  preview(table: string, operation: Change["operation"], values: JsonObject): Promise<Preview>;
  undo(evidence: Evidence): Promise<ChangeOutcome>;
  dump(): Record<string, unknown[]>;
}

describe("Changes of a SQLite file", () => {
  const open: Database[] = [];
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
  });

  async function fixture(sql: string): Promise<Fixture> {
    const file = await createDatabase(sql);
    const db = openSqliteDatabase({ location: file.file });
    open.push(db);
    const { tables } = await db.introspect();
    const changeOf = (name: string, operation: Change["operation"], given: JsonObject): Change => {
      const table = tables.find((one) => one.name.name === name);
      const columns: ColumnType[] = (table?.columns ?? []).map(({ name: column, kind, type }) => ({
        name: column,
        kind,
        type,
      }));
      const isKey = (column: string): boolean => operation !== "create" && (table?.key.includes(column) ?? false);
      const pick = (of: boolean): JsonObject =>
        Object.fromEntries(Object.entries(given).filter(([column]) => isKey(column) === of));
      return {
        operation,
        table: { name },
        columns,
        keyColumns: table?.key ?? [],
        key: pick(true),
        values: pick(false),
      };
    };
    return {
      file,
      db,
      async change(table, operation, values) {
        let evidence: Evidence | undefined;
        const keep = async (one: Evidence): Promise<void> => void (evidence = one);
        const outcome = await db.change(changeOf(table, operation, values), { ...LIMITS, commit: true, keep });
        if (!evidence) throw new Error("nothing was kept");
        return { outcome, evidence };
      },
      preview: async (table, operation, values) =>
        (await db.change(changeOf(table, operation, values), { ...LIMITS, commit: false })).preview,
      undo: ({ images }) => db.change(images as unknown as Restoration, { ...LIMITS, commit: true }),
      dump: () =>
        Object.fromEntries(
          tables.map(({ name: { name }, columns }) => {
            const exact = columns.map(
              (column) => `typeof("${column.name}") || ':' || quote("${column.name}") AS "${column.name}"`,
            );
            return [name, file.rows(`SELECT ${exact.join(", ")} FROM "${name}" ORDER BY 1, 2`)];
          }),
        ),
    };
  }

  const failureOf = async (work: Promise<unknown>): Promise<DatabaseFailure> => {
    const error: unknown = await work.then(
      () => undefined,
      (one: unknown) => one,
    );
    if (!(error instanceof DatabaseFailure)) throw new Error(`no failure: ${String(error)}`);
    return error;
  };

  const FAMILY = `
    CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a ON DELETE CASCADE, x);
    CREATE TABLE c (k TEXT, n INTEGER, b_id INTEGER REFERENCES b ON DELETE SET NULL, PRIMARY KEY (k, n)) WITHOUT ROWID;
    INSERT INTO a VALUES (1, 'one'), (2, 'two');
    INSERT INTO b VALUES (10, 1, 5.0), (11, 1, x'00ff'), (12, 2, '5'), (13, 1, 5), (14, 1, 9007199254740993), (15, 1, NULL);
    INSERT INTO c VALUES ('p', 1, 10), ('p', 2, 12), ('q', 1, NULL);`;

  it("tells everything a delete takes along, and leaves no trace when it is only shown", async () => {
    const { preview, dump, file } = await fixture(FAMILY);
    const before = dump();
    const { effect, undo, fingerprint } = await preview("a", "delete", { id: 1 });
    expect(effect.tables).to.have.deep.members([
      { name: "a", inserted: 0, updated: 0, deleted: 1 },
      { name: "b", inserted: 0, updated: 0, deleted: 5 },
      { name: "c", inserted: 0, updated: 1, deleted: 0 },
    ]);
    expect(effect.complete).to.equal(true);
    expect(effect.changes).to.deep.include({
      resource: "c",
      key: { k: "p", n: 1 },
      before: { k: "p", n: 1, b_id: 10 },
      after: { k: "p", n: 1, b_id: null },
    });
    expect(undo).to.equal("possible");
    expect(fingerprint).to.equal((await preview("a", "delete", { id: 1 })).fingerprint);
    expect(dump()).to.deep.equal(before);
    expect(file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'agentd%'")).to.deep.equal([]);
  });

  const CHANGES: [string, Change["operation"], JsonObject][] = [
    ["a", "delete", { id: 1 }],
    ["a", "delete", { id: 2 }],
    ["a", "create", { name: "three" }],
    ["a", "update", { id: 1, name: null }],
    ["b", "update", { id: 10, x: "text" }],
    ["b", "update", { id: 11, x: 7 }],
    ["b", "delete", { id: 12 }],
    ["c", "create", { k: "z", n: 9, b_id: 13 }],
    ["c", "update", { k: "q", n: 1, b_id: 14 }],
    ["c", "delete", { k: "p", n: 2 }],
  ];
  for (const [at, [table, operation, values]] of CHANGES.entries())
    it(`takes ${operation} of ${table} ${JSON.stringify(values)} back, storage classes included${allOnly(at > 0)}`, async () => {
      const { change, undo, dump } = await fixture(FAMILY);
      const before = dump();
      const { evidence } = await change(table, operation, values);
      expect(evidence.undo).to.equal("possible");
      expect(dump()).to.not.deep.equal(before);
      const { kind, preview } = await undo(evidence);
      expect([kind, preview.undo]).to.deep.equal(["done", "impossible"]);
      expect(dump()).to.deep.equal(before);
    });

  it("puts nothing back when a row is not as the change left it, and names what differs @all", async () => {
    const { change, undo, dump, file } = await fixture(FAMILY);
    const { evidence } = await change("a", "update", { id: 1, name: "new" });
    file.exec("UPDATE a SET name = 'newer' WHERE id = 1");
    const before = dump();
    const { code, details } = await failureOf(undo(evidence));
    expect(code).to.equal("conflict");
    expect(details).to.deep.equal({
      differences: [{ table: "a", key: { id: 1 }, columns: ["name"], now: { name: "newer" } }],
    });
    expect(dump()).to.deep.equal(before);
  });

  it("never takes children away that came after the change @all", async () => {
    const { change, undo, dump, file } = await fixture(FAMILY);
    const { evidence } = await change("a", "create", { id: 7, name: "seven" });
    file.exec("INSERT INTO b VALUES (70, 7, 'child')");
    const before = dump();
    expect((await failureOf(undo(evidence))).code).to.equal("conflict");
    expect(dump()).to.deep.equal(before);
  });

  it("puts no row back that refers to what is gone @all", async () => {
    const { change, undo, dump, file } = await fixture(FAMILY);
    const { evidence } = await change("b", "delete", { id: 12 });
    file.exec("DELETE FROM a WHERE id = 2");
    const before = dump();
    expect((await failureOf(undo(evidence))).code).to.equal("conflict");
    expect(dump()).to.deep.equal(before);
  });

  it("puts nothing back when the columns have changed @all", async () => {
    const { change, undo, file } = await fixture(FAMILY);
    const { evidence } = await change("a", "delete", { id: 2 });
    file.exec("ALTER TABLE b ADD COLUMN y");
    expect((await failureOf(undo(evidence))).code).to.equal("schema_changed");
  });

  it("does nothing when the rows are not those that were shown", async () => {
    const { db, preview, dump, file } = await fixture(FAMILY);
    const change = {
      operation: "delete",
      table: { name: "a" },
      columns: [{ name: "id", kind: "integer", type: "INTEGER" }],
      keyColumns: ["id"],
      key: { id: 1 },
      values: {},
    } as const;
    const { fingerprint } = await preview("a", "delete", { id: 1 });
    file.exec("UPDATE b SET x = 'other' WHERE id = 10");
    const before = dump();
    let kept = 0;
    const keep = async (): Promise<void> => void kept++;
    const outcome = await db.change(change, { ...LIMITS, commit: true, expected: fingerprint, keep });
    expect([outcome.kind, kept]).to.deep.equal(["changed", 0]);
    expect(dump()).to.deep.equal(before);
    const { preview: now } = outcome;
    expect((await db.change(change, { ...LIMITS, commit: true, expected: now.fingerprint })).kind).to.equal("done");
  });

  it("does nothing when what it did cannot be put on record @all", async () => {
    const { db, dump } = await fixture(FAMILY);
    const change = {
      operation: "create",
      table: { name: "a" },
      columns: [{ name: "id", kind: "integer", type: "INTEGER" }],
      keyColumns: ["id"],
      key: {},
      values: { id: 5 },
    } as const;
    const before = dump();
    const failing = db.change(change, {
      ...LIMITS,
      commit: true,
      keep: () => Promise.reject(new Error("the disk is full")),
    });
    await failing.then(
      () => expect.fail(),
      (error: Error) => expect(error.message).to.equal("the disk is full"),
    );
    expect(dump()).to.deep.equal(before);
    expect((await db.change(change, { ...LIMITS, commit: true })).kind).to.equal("done");
  });

  const TRIGGERED = `
    CREATE TABLE t (id INTEGER PRIMARY KEY, v, updated_at TEXT);
    CREATE TABLE audit (at TEXT, what TEXT);
    INSERT INTO t VALUES (1, 'a', 'never'), (2, 'b', 'never');
    CREATE TRIGGER stamp AFTER UPDATE ON t BEGIN UPDATE t SET updated_at = datetime('now') WHERE id = NEW.id; END;
    CREATE TRIGGER born AFTER INSERT ON t BEGIN UPDATE t SET v = NEW.v || '!' WHERE id = NEW.id; END;
    CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO audit VALUES (datetime('now'), 'gone ' || OLD.id); END;`;

  it("tells what triggers do, in whatever order they come @all", async () => {
    const { preview } = await fixture(TRIGGERED);
    const created = await preview("t", "create", { id: 3, v: "c" });
    expect(created.effect.tables).to.deep.equal([{ name: "t", inserted: 1, updated: 0, deleted: 0 }]);
    expect(created.effect.changes[0]).to.deep.include({ before: null, key: { id: 3 } });
    expect(created.effect.changes[0]?.after).to.include({ v: "c!" });
    const deleted = await preview("t", "delete", { id: 1 });
    expect(deleted.effect.tables).to.have.deep.members([
      { name: "t", inserted: 0, updated: 0, deleted: 1 },
      { name: "audit", inserted: 1, updated: 0, deleted: 0 },
    ]);
    expect(deleted.effect.complete).to.equal(true);
  });

  it("is the same change a second later, though triggers write the time @all", async () => {
    const { preview } = await fixture(TRIGGERED);
    const first = [await preview("t", "update", { id: 1, v: "x" }), await preview("t", "delete", { id: 1 })];
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const second = [await preview("t", "update", { id: 1, v: "x" }), await preview("t", "delete", { id: 1 })];
    expect(second.map(({ fingerprint }) => fingerprint)).to.deep.equal(first.map(({ fingerprint }) => fingerprint));
  });

  it("says before it is done that triggers keep it from being taken back as it was", async () => {
    const { preview, change, undo, dump } = await fixture(TRIGGERED);
    expect((await preview("t", "update", { id: 1, v: "x" })).undo).to.equal("partial");
    // A row that is put back fires what a new row fires, and what that is changed by is changed back.
    const { evidence } = await change("t", "delete", { id: 2 });
    const before = dump();
    if (evidence.undo === "possible") expect((await undo(evidence)).kind).to.equal("done");
    else {
      expect((await failureOf(undo(evidence))).code).to.equal("partial");
      expect(dump()).to.deep.equal(before);
    }
  });

  it("never says that all is known where rows are replaced @all", async () => {
    const { preview } = await fixture(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      CREATE TABLE last (k INTEGER PRIMARY KEY, v);
      CREATE TRIGGER keep AFTER UPDATE ON t BEGIN INSERT OR REPLACE INTO last VALUES (1, NEW.v); END;
      INSERT INTO t VALUES (1, 'a'); INSERT INTO last VALUES (1, 'z');`);
    const { effect, undo } = await preview("t", "update", { id: 1, v: "b" });
    expect([effect.complete, undo]).to.deep.equal([false, "impossible"]);
  });

  it("changes rows whose triggers keep an index of words, and says what it cannot show @all", async () => {
    const { change, preview, undo, file } = await fixture(`
      CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE words USING fts5(body, content='t', content_rowid='id');
      CREATE TRIGGER ins AFTER INSERT ON t BEGIN INSERT INTO words (rowid, body) VALUES (NEW.id, NEW.body); END;
      CREATE TRIGGER del AFTER DELETE ON t BEGIN INSERT INTO words (words, rowid, body) VALUES ('delete', OLD.id, OLD.body); END;
      INSERT INTO t VALUES (1, 'green tea');`);
    const found = (): unknown[] => file.rows("SELECT rowid AS id FROM words WHERE words MATCH 'tea'");
    const { effect, undo: state } = await preview("t", "delete", { id: 1 });
    expect([effect.complete, state]).to.deep.equal([false, "partial"]);
    expect(effect.note).to.match(/words/);
    const { evidence } = await change("t", "delete", { id: 1 });
    expect(found()).to.deep.equal([]);
    await undo(evidence);
    expect(found()).to.deep.equal([{ id: 1n }]);
  });

  it("writes nothing for a key that names several rows @all", async () => {
    const { change, dump } = await fixture(
      `CREATE TABLE t (k TEXT PRIMARY KEY, v); INSERT INTO t VALUES (NULL, 1), (NULL, 2), ('a', 3);`,
    );
    const before = dump();
    expect((await failureOf(change("t", "update", { k: null, v: 9 }))).code).to.equal("refused");
    expect(dump()).to.deep.equal(before);
  });

  it("counts more rows than can be put back, and says so @all", async () => {
    const { preview, change } = await fixture(`
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REFERENCES a ON DELETE CASCADE);
      INSERT INTO a VALUES (1);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000) INSERT INTO b SELECT x, 1 FROM n;`);
    const { effect, undo } = await preview("a", "delete", { id: 1 });
    expect(effect.tables).to.deep.include({ name: "b", inserted: 0, updated: 0, deleted: 3000 });
    expect(undo).to.equal("impossible");
    expect(effect.note).to.match(/3001 rows/);
    expect((await change("a", "delete", { id: 1 })).evidence.images).to.equal(undefined);
  });

  it("takes changes of tables with generated columns, composite keys and references to themselves back @all", async () => {
    const { change, undo, dump } = await fixture(`
      CREATE TABLE t (a INTEGER, b TEXT, c INTEGER AS (a * 2) STORED, parent INTEGER, PRIMARY KEY (a, b));
      CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree ON DELETE CASCADE);
      INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y');
      INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 3);`);
    const before = dump();
    const first = await change("t", "delete", { a: 1, b: "x" });
    const second = await change("tree", "delete", { id: 1 });
    expect(second.evidence.effect.tables).to.deep.equal([{ name: "tree", inserted: 0, updated: 0, deleted: 4 }]);
    for (const { evidence } of [second, first]) expect((await undo(evidence)).kind).to.equal("done");
    expect(dump()).to.deep.equal(before);
  });
});
