// Databases as applications, through a whole daemon, on real SQLite files. Source: docs/databases.md, "Tools".
import { expect } from "chai";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { type DatabaseDaemon, startDatabaseDaemon } from "../support/database.js";

const WAREHOUSE = `
CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, room TEXT CHECK (room IN ('dry', 'cool')));
CREATE TABLE stock (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0 CHECK (quantity >= 0),
  price DECIMAL(10,2),
  shelf_id INTEGER REFERENCES shelves ON DELETE CASCADE,
  counted_at DATE,
  is_counted BOOLEAN,
  serial BIGINT,
  label BLOB
);
CREATE TABLE notes (at TEXT DEFAULT CURRENT_TIMESTAMP, what TEXT);
CREATE VIEW low AS SELECT id, sku, quantity FROM stock WHERE quantity < 10;
INSERT INTO shelves VALUES (1, 'A1', 'dry'), (2, 'B2', 'cool');
INSERT INTO stock VALUES
  (1, 'TEA-001', 4, 3.5, 1, '2026-01-10', 1, 9007199254740993, x'00ff'),
  (2, 'TEA-002', 25, NULL, 1, '2026-02-10', 0, NULL, NULL),
  (3, 'cof-001', 8, 2.0, 2, NULL, NULL, -9223372036854775808, NULL),
  (4, 'COF_002', 8, NULL, NULL, '2026-03-10', 1, 9223372036854775807, NULL);
`;

const idsOf = (rows: JsonValue): JsonValue[] => (rows as JsonObject[]).map(({ id }) => id ?? null);

describe("Databases", () => {
  let daemon: DatabaseDaemon;
  before(async () => (daemon = await startDatabaseDaemon(WAREHOUSE)));
  after(() => daemon.close());

  describe("list", () => {
    it("gives the rows with the columns in the order of the database, digits kept", async () => {
      const rows = (await daemon.result("list_stock")) as JsonObject[];
      expect(rows).to.deep.equal([
        {
          id: 1,
          sku: "TEA-001",
          quantity: 4,
          price: 3.5,
          shelf_id: 1,
          counted_at: "2026-01-10",
          is_counted: true,
          serial: 9007199254740993n,
          label: "data:application/octet-stream;base64,AP8=",
        },
        {
          id: 2,
          sku: "TEA-002",
          quantity: 25,
          price: null,
          shelf_id: 1,
          counted_at: "2026-02-10",
          is_counted: false,
          serial: null,
          label: null,
        },
        {
          id: 3,
          sku: "cof-001",
          quantity: 8,
          price: 2,
          shelf_id: 2,
          counted_at: null,
          is_counted: null,
          serial: -(2n ** 63n),
          label: null,
        },
        {
          id: 4,
          sku: "COF_002",
          quantity: 8,
          price: null,
          shelf_id: null,
          counted_at: "2026-03-10",
          is_counted: true,
          serial: 2n ** 63n - 1n,
          label: null,
        },
      ]);
      expect(Object.keys(rows[0] ?? {})).to.deep.equal([
        "id",
        "sku",
        "quantity",
        "price",
        "shelf_id",
        "counted_at",
        "is_counted",
        "serial",
        "label",
      ]);
    });

    const filters: [JsonObject, number[]][] = [
      [{ quantity: 8 }, [3, 4]],
      [{ quantity: { eq: 8 } }, [3, 4]],
      [{ quantity: { ne: 8 } }, [1, 2]],
      [{ shelf_id: { ne: 1 } }, [3, 4]],
      [{ quantity: { lt: 8 } }, [1]],
      [{ quantity: { lte: 8 } }, [1, 3, 4]],
      [{ quantity: { gt: 8 } }, [2]],
      [{ quantity: { gte: 8, lt: 25 } }, [3, 4]],
      [{ quantity: { in: [4, 25] } }, [1, 2]],
      [{ id: { in: [] } }, []],
      [{ sku: { contains: "ea-" } }, [1, 2]],
      [{ sku: { contains: "_" } }, [4]],
      [{ sku: { starts_with: "COF" } }, [3, 4]],
      [{ sku: { ends_with: "001" } }, [1, 3]],
      [{ sku: "COF-001" }, []],
      [{ price: { is_null: true } }, [2, 4]],
      [{ price: { is_null: false } }, [1, 3]],
      [{ price: null }, [2, 4]],
      [{ counted_at: { gte: "2026-02-01" } }, [2, 4]],
      [{ is_counted: true }, [1, 4]],
      [{ serial: 9007199254740993n }, [1]],
      [{ quantity: 8, sku: { contains: "cof" }, shelf_id: 2 }, [3]],
    ];
    for (const [where, expected] of filters)
      it(`keeps the rows that meet ${JSON.stringify(where, (_, one) => (typeof one === "bigint" ? String(one) : (one as unknown)))}`, async () => {
        expect(idsOf(await daemon.result("list_stock", { where }))).to.deep.equal(expected);
      });

    it("orders, limits and picks columns", async () => {
      expect(
        await daemon.result("list_stock", { order_by: ["-quantity", "sku"], columns: ["sku", "id"], limit: 3 }),
      ).to.deep.equal([
        { id: 2, sku: "TEA-002" },
        { id: 4, sku: "COF_002" },
        { id: 3, sku: "cof-001" },
      ]);
    });

    it("goes on behind the last row of a page, over ties and NULLs, in both directions", async () => {
      for (const order of ["price", "-price", "quantity", "-quantity"]) {
        const seen: JsonValue[] = [];
        let after: JsonObject | undefined;
        for (let page = 0; page < 10; page++) {
          const args: JsonObject = { order_by: [order], limit: 1 };
          if (after) args["after"] = after;
          const rows = (await daemon.result("list_stock", args)) as JsonObject[];
          if (!rows[0]) break;
          seen.push(rows[0]["id"] ?? null);
          after = rows[0];
        }
        expect(seen, order).to.deep.equal(idsOf(await daemon.result("list_stock", { order_by: [order] })));
        expect(seen, order).to.have.lengthOf(4);
      }
    });

    it("goes on behind a page of a view, which has no key, over ties", async () => {
      const first = (await daemon.result("list_low", { order_by: ["-quantity"], limit: 1 })) as JsonObject[];
      const second = (await daemon.result("list_low", {
        order_by: ["-quantity"],
        limit: 1,
        after: first[0] ?? {},
      })) as JsonObject[];
      expect(idsOf([...first, ...second])).to.deep.equal([3, 4]);
    });

    it("lists a view, and does nothing else with it", async () => {
      expect(idsOf(await daemon.result("list_low"))).to.deep.equal([1, 3, 4]);
      expect(await daemon.failure("delete_low", { id: 1 })).to.include({ error: "unknown_tool" });
    });
  });

  describe("changes", () => {
    it("creates a row and gives it as it is then", async () => {
      expect(await daemon.result("create_notes", { what: "counted" })).to.include({ what: "counted" });
      const row = (await daemon.result("create_stock", {
        sku: "NEW",
        serial: 2n ** 62n + 1n,
        label: "data:;base64,AAE=",
      })) as JsonObject;
      expect(row).to.include({
        sku: "NEW",
        quantity: 0,
        serial: 2n ** 62n + 1n,
        label: "data:application/octet-stream;base64,AAE=",
      });
      expect(daemon.database.rows(`SELECT typeof(label) AS t FROM stock WHERE sku = 'NEW'`)).to.deep.equal([
        { t: "blob" },
      ]);
      const id = row["id"] ?? null;
      expect(await daemon.result("delete_stock", { id })).to.deep.equal(row);
    });

    it("updates the columns that are given, and no other", async () => {
      const [before] = (await daemon.result("list_stock", { where: { id: 2 } })) as JsonObject[];
      expect(await daemon.result("update_stock", { id: 2, quantity: 26, price: null })).to.deep.equal({
        ...before,
        quantity: 26,
      });
      expect(await daemon.result("update_stock", { id: 2, quantity: 25 })).to.deep.equal(before);
    });

    const failures: [string, string, JsonObject, JsonObject][] = [
      ["a key that no row has", "update_stock", { id: 99, quantity: 1 }, { error: "not_found" }],
      ["a key that no row has", "delete_stock", { id: 99 }, { error: "not_found" }],
      [
        "a value that is there already",
        "create_shelves",
        { name: "A1" },
        { error: "constraint_violation", constraint: "unique", table: "shelves", column: "name" },
      ],
      [
        "a row that is referred to and not there",
        "create_stock",
        { sku: "x", shelf_id: 77 },
        { error: "constraint_violation", constraint: "foreign key" },
      ],
      [
        "bytes that are none",
        "create_stock",
        { sku: "x", label: "hello" },
        { error: "invalid_value", column: "label" },
      ],
      [
        "an integer beyond 64 bits",
        "update_stock",
        { id: 1, serial: 2n ** 64n },
        { error: "invalid_value", column: "serial" },
      ],
    ];
    for (const [what, tool, args, expected] of failures)
      it(`${tool} refuses ${what}`, async () => {
        expect(await daemon.failure(tool, args)).to.include(expected);
      });
  });

  describe("query", () => {
    it("takes one SELECT with parameters", async () => {
      const sql =
        "SELECT s.name, count(*) AS n, sum(quantity) FROM stock JOIN shelves s ON s.id = shelf_id WHERE quantity > ? GROUP BY s.name";
      expect(await daemon.result("query", { sql, parameters: [5] })).to.deep.equal([
        { name: "A1", n: 1, "sum(quantity)": 25 },
        { name: "B2", n: 1, "sum(quantity)": 8 },
      ]);
    });

    const attacks = [
      "DELETE FROM stock",
      "SELECT 1; DELETE FROM stock",
      "WITH x AS (SELECT 1) DELETE FROM stock",
      "INSERT INTO stock (sku) VALUES ('x') RETURNING id",
      "UPDATE stock SET quantity = 0 RETURNING id",
      "ATTACH DATABASE '/tmp/other.db' AS other",
      "VACUUM INTO '/tmp/agentd-stolen.db'",
      "VACUUM",
      "PRAGMA journal_mode = DELETE",
      "PRAGMA query_only = OFF",
      "PRAGMA writable_schema = ON",
      "/* SELECT */ PRAGMA user_version = 5",
      "CREATE TABLE x (a)",
      "CREATE TEMP TABLE x (a)",
      "DROP TABLE stock",
      "BEGIN",
      "COMMIT",
      "SELECT load_extension('/tmp/x.so')",
      "SELECT writefile('/tmp/x', 'x')",
      "SELECT readfile('/etc/passwd')",
      "SELECT fts3_tokenizer('simple')",
      "SELECT * FROM pragma_database_list",
      "REINDEX",
      "ANALYZE",
      "",
      ";",
      "-- nothing",
    ];
    for (const sql of attacks)
      it(`refuses ${JSON.stringify(sql)}`, async () => {
        const before = daemon.database.rows("SELECT * FROM stock ORDER BY id");
        await daemon.failure("query", { sql });
        expect(daemon.database.rows("SELECT * FROM stock ORDER BY id")).to.deep.equal(before);
      });
  });

  describe("a database that is not what it was", () => {
    let changed: DatabaseDaemon;
    beforeEach(async () => (changed = await startDatabaseDaemon(WAREHOUSE)));
    afterEach(() => changed.close());

    it("says that a column is gone, and what to do", async () => {
      changed.database.exec("ALTER TABLE stock DROP COLUMN label");
      for (const [tool, args] of [
        ["list_stock", {}],
        ["update_stock", { id: 1, quantity: 1 }],
        ["create_stock", { sku: "x" }],
      ] as const)
        expect(await changed.failure(tool, args), tool).to.include({ error: "schema_changed" });
      expect(changed.database.rows("SELECT count(*) AS n FROM stock")).to.deep.equal([{ n: 4n }]);
    });

    it("is not changed by a yes to what would fail by then, and asks anew", async () => {
      const gone = "stock has no row with this key";
      for (const [tool, args, sql, error, message] of [
        ["update_stock", { id: 2, quantity: 1 }, "DELETE FROM stock WHERE id = 2", "not_found", gone],
        ["delete_stock", { id: 3 }, "DELETE FROM stock WHERE id = 3", "not_found", gone],
        [
          "create_shelves",
          { name: "C3" },
          "INSERT INTO shelves VALUES (9, 'C3', 'dry')",
          "constraint_violation",
          "UNIQUE",
        ],
      ] as const) {
        await changed.callTool(tool, args, { confirm: true });
        const pending = () => changed.agent.confirmations({ status: "pending", limit: 10 });
        const [held] = await pending();
        changed.database.exec(sql);
        const approve = (id = "") => changed.agent.decide(id, { decision: "approve" }, LOCAL_CALLER);
        const refused: unknown = await approve(held?.id).catch((error: unknown) => error);
        const [again, ...others] = await pending();
        expect(others).to.deep.equal([]);
        expect(refused).to.deep.include({ code: "changed", status: 409, details: [again?.id] });
        expect(again?.effect).to.deep.include({ changes: [], complete: true });
        expect(again?.effect?.note).to.contain(`it would fail now: `).and.to.contain(message);
        expect((await approve(again?.id)).outcome?.result).to.include({ error });
        expect(await pending()).to.deep.equal([]);
      }
    });

    it("says that a table is gone @all", async () => {
      changed.database.exec("DROP TABLE notes");
      expect(await changed.failure("list_notes")).to.include({ error: "schema_changed" });
      expect(await changed.failure("create_notes", { what: "x" })).to.include({ error: "schema_changed" });
    });
  });

  it("says of a change that is too slow to be run in advance that its rows cannot be shown, and asks all the same @all", async () => {
    const slow = await startDatabaseDaemon(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);
       INSERT INTO t VALUES (1, 0);
       CREATE TRIGGER long AFTER UPDATE ON t BEGIN
         UPDATE t SET v = (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n) WHERE id = 1;
       END;`,
      { config: { safety: { confirm: true } } },
    );
    try {
      expect(await slow.failure("update_t", { id: 1, v: 1 })).to.have.property("error", "confirmation_required");
      const [held] = (await (await fetch(`${slow.url}/-/confirmations`)).json()) as {
        effect?: JsonObject;
        undo?: string;
      }[];
      expect(held?.effect).to.include({ complete: false });
      expect(held?.effect?.["note"]).to.match(/^running it in advance took longer than 5 s/);
      expect(held?.undo).to.equal("impossible");
      expect(slow.database.rows("SELECT v FROM t")).to.deep.equal([{ v: 0n }]);
    } finally {
      await slow.close();
    }
  });

  it("pages through a hundred thousand rows of a file @all", async () => {
    const many = await startDatabaseDaemon(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) INSERT INTO t SELECT x, hex(randomblob(20)) FROM n;`);
    try {
      const result = (await many.result("list_t")) as JsonObject;
      expect(result).to.include({ truncated: true, total_items: 100_000 });
      expect((result["items"] as JsonObject[])[0]).to.include({ id: 1 });
    } finally {
      await many.close();
    }
  });
});
