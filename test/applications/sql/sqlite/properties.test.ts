// For any rows, any triggers and any change: what is told is what happens, what is shown leaves no trace, and what is said to be
// possible to take back is taken back to the byte.
import { expect } from "chai";
import fc from "fast-check";
import {
  type Change,
  type ColumnType,
  type Database,
  DatabaseFailure,
  type Restoration,
} from "../../../../src/applications/sql/database.js";
import { openSqliteDatabase } from "../../../../src/applications/sql/sqlite/database.js";
import type { Evidence } from "../../../../src/applications/transport.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { createDatabase, type DatabaseFile } from "../../../support/database.js";

const LIMITS = { timeoutMs: 20_000, lockMs: 500 };

const TABLES = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, v, n INTEGER DEFAULT 0, g AS (v || '') STORED);
  CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a ON DELETE CASCADE ON UPDATE CASCADE, v UNIQUE);
  CREATE TABLE c (k TEXT, b_id INTEGER REFERENCES b ON DELETE SET NULL, v, PRIMARY KEY (k)) WITHOUT ROWID;
  CREATE TABLE d (k TEXT PRIMARY KEY, c_k TEXT DEFAULT 'k0' REFERENCES c ON DELETE SET DEFAULT);
  CREATE TABLE log (what, v);`;

const TRIGGERS = [
  "CREATE TRIGGER t0 AFTER UPDATE ON a BEGIN INSERT INTO log VALUES ('a', OLD.v); END",
  "CREATE TRIGGER t1 AFTER INSERT ON a BEGIN UPDATE a SET n = n + 1 WHERE id = NEW.id; END",
  "CREATE TRIGGER t2 BEFORE UPDATE ON a BEGIN UPDATE a SET n = n + 1 WHERE id = NEW.id; END",
  "CREATE TRIGGER t3 AFTER DELETE ON b BEGIN UPDATE a SET n = n - 1 WHERE id = OLD.a_id; END",
  "CREATE TRIGGER t4 AFTER INSERT ON b BEGIN UPDATE a SET n = n + 1 WHERE id = NEW.a_id; END",
  "CREATE TRIGGER t5 AFTER DELETE ON a BEGIN INSERT INTO a (id, v) VALUES (OLD.id, 'back'); END",
  "CREATE TRIGGER t6 BEFORE DELETE ON c WHEN OLD.k = 'k1' BEGIN SELECT RAISE(IGNORE); END",
  "CREATE TRIGGER t7 AFTER UPDATE OF v ON c BEGIN UPDATE c SET v = NEW.v || '.' WHERE k <> NEW.k; END",
  "CREATE TRIGGER t8 AFTER INSERT ON a BEGIN DELETE FROM a WHERE id = NEW.id AND NEW.id = 3; END",
  "CREATE TRIGGER t9 AFTER UPDATE ON b BEGIN UPDATE b SET id = id + 100 WHERE id = NEW.id AND NEW.id < 100; END",
];

const NAMES = ["a", "b", "c", "d", "log"] as const;
const KEYS: Readonly<Record<string, string>> = { a: "id", b: "id", c: "k", d: "k" };
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  a: ["id", "v", "n"],
  b: ["id", "a_id", "v"],
  c: ["k", "b_id", "v"],
  d: ["k", "c_k"],
  log: ["what", "v"],
};

const literal = fc.constantFrom(
  "1",
  "1.0",
  "'1'",
  "x'31'",
  "NULL",
  "'text'",
  "9007199254740993",
  "1e300",
  "''",
  "-0.5",
);
const value: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  1,
  1.5,
  "1",
  null,
  "text",
  9007199254740993n,
  true,
  "",
);
const id = fc.integer({ min: 1, max: 4 });
const name = fc.integer({ min: 0, max: 3 }).map((at) => `k${at}`);

const rows = fc.record({
  a: fc.uniqueArray(fc.record({ id, v: literal }), { selector: (row) => row.id, maxLength: 4 }),
  b: fc.uniqueArray(fc.record({ id, a: id, v: literal }), { selector: (row) => row.id, maxLength: 4 }),
  c: fc.uniqueArray(fc.record({ k: name, b: id, v: literal }), { selector: (row) => row.k, maxLength: 4 }),
  d: fc.uniqueArray(fc.record({ k: name, c: name }), { selector: (row) => row.k, maxLength: 4 }),
});

const change = fc.oneof(
  fc.record({
    table: fc.constantFrom("a", "b"),
    operation: fc.constantFrom<Change["operation"]>("create", "update", "delete"),
    key: id,
    other: id,
    v: value,
  }),
  fc.record({
    table: fc.constantFrom("c", "d"),
    operation: fc.constantFrom<Change["operation"]>("create", "update", "delete"),
    key: name,
    other: id,
    v: value,
  }),
);

type Given = typeof change extends fc.Arbitrary<infer One> ? One : never;

function changeOf({ table, operation, key, other, v }: Given): Change {
  const keyColumn = KEYS[table] ?? "";
  const columns = (COLUMNS[table] ?? []).map((column): ColumnType => ({ name: column, kind: "other", type: "" }));
  const set: JsonObject =
    table === "a"
      ? { v }
      : table === "b"
        ? { a_id: other, v }
        : table === "c"
          ? { b_id: other, v }
          : { c_k: `k${other}` };
  const isNew = operation === "create";
  return {
    operation,
    table: { name: table },
    columns,
    keyColumns: [keyColumn],
    key: isNew ? {} : { [keyColumn]: key },
    values: operation === "delete" ? {} : isNew ? { [keyColumn]: key, ...set } : set,
  };
}

describe("Any change of a SQLite file", () => {
  let file: DatabaseFile;
  let db: Database;
  before(async () => {
    file = await createDatabase("PRAGMA journal_mode = WAL");
    db = openSqliteDatabase({ location: file.file });
  });
  after(() => db.close());

  const fill = (
    given: typeof rows extends fc.Arbitrary<infer One> ? One : never,
    triggers: readonly string[],
  ): void => {
    const inserts = [
      ...given.a.map((row) => `INSERT INTO a (id, v) VALUES (${row.id}, ${row.v})`),
      ...given.b.map(
        (row) =>
          `INSERT OR IGNORE INTO b SELECT ${row.id}, ${row.a}, ${row.v} WHERE EXISTS (SELECT 1 FROM a WHERE id = ${row.a})`,
      ),
      ...given.c.map((row) => `INSERT INTO c SELECT '${row.k}', (SELECT id FROM b WHERE id = ${row.b}), ${row.v}`),
      ...given.d.map(
        (row) => `INSERT INTO d SELECT '${row.k}', '${row.c}' WHERE EXISTS (SELECT 1 FROM c WHERE k = '${row.c}')`,
      ),
    ];
    file.exec(
      `BEGIN; ${[...NAMES]
        .reverse()
        .map((one) => `DROP TABLE IF EXISTS ${one};`)
        .join(" ")} ${TABLES} ${inserts.join(";")}; ${triggers.join(";")}; COMMIT`,
    );
  };
  /** Every row by its identity, storage classes and rowids included. */
  const dump = (): Map<string, string> => {
    const found = new Map<string, string>();
    for (const table of NAMES) {
      const identity = table === "c" ? "k" : "rowid";
      const columns = (COLUMNS[table] ?? [])
        .map((column) => `typeof(${column}) || quote(${column})`)
        .join(` || ',' || `);
      for (const row of file.rows(`SELECT ${identity} AS id, ${columns} AS row FROM ${table}`) as {
        id: unknown;
        row: string;
      }[])
        found.set(`${table} ${String(row.id)}`, row.row);
    }
    return found;
  };
  const countsBetween = (before: Map<string, string>, after: Map<string, string>): string[] => {
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    );
    return changed
      .map((key) => `${key.split(" ")[0]} ${before.has(key) ? (after.has(key) ? "updated" : "deleted") : "inserted"}`)
      .sort();
  };

  it("is told as it is, and taken back to the byte or not at all @all", async () => {
    let [done, undone, alike] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.subarray(TRIGGERS),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (given, triggers, changes) => {
          fill(given, triggers);
          for (const one of changes.map(changeOf)) {
            const before = dump();
            const shown = await db.change(one, { ...LIMITS, commit: false }).catch((error: unknown) => error);
            expect(dump(), "shown only").to.deep.equal(before);
            let evidence: Evidence | undefined;
            const keep = async (kept: Evidence): Promise<void> => void (evidence = kept);
            const outcome = await db.change(one, { ...LIMITS, commit: true, keep }).catch((error: unknown) => error);
            if (outcome instanceof DatabaseFailure) {
              expect(dump(), outcome.message).to.deep.equal(before);
              continue;
            }
            if (outcome instanceof Error || shown instanceof Error) throw outcome;
            done++;
            const after = dump();
            const told = evidence?.effect.changes
              .filter((row) => JSON.stringify(row.before, replacer) !== JSON.stringify(row.after, replacer))
              .map((row) => `${row.resource} ${row.before ? (row.after ? "updated" : "deleted") : "inserted"}`)
              .sort();
            const happened = countsBetween(before, after);
            // A value that only changes its storage class looks the same.
            if (told?.length === happened.length) alike++;
            else expect(happened).to.include.members(told ?? []);
            if (told?.length === happened.length) expect(told).to.deep.equal(happened);
            expect(evidence?.effect.complete).to.equal(true);
            if (!evidence?.images) continue;
            const back = await db
              .change(evidence.images as unknown as Restoration, { ...LIMITS, commit: true })
              .catch((error: unknown) => error);
            if (evidence.undo === "possible") {
              if (back instanceof Error) throw back;
              undone++;
              expect(dump(), "taken back").to.deep.equal(before);
            } else expect(dump(), "not taken back").to.deep.equal(back instanceof Error ? after : before);
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(done).to.be.above(50);
    expect(undone).to.be.above(20);
    expect(alike).to.be.above(done * 0.8);
  }).timeout(180_000);
});

const replacer = (_: string, one: unknown): unknown => (typeof one === "bigint" ? `${one}n` : one);
