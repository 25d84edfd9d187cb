// A real MySQL or MariaDB: catalogue, rows, values, changes and taking them back. Pending where no server is at hand.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import mysql from "mysql2/promise";
import type { DatabaseCatalogue, Table } from "../../../../src/applications/sql/catalogue.js";
import type {
  Change,
  ChangeOptions,
  Condition,
  Database,
  Restoration,
} from "../../../../src/applications/sql/database.js";
import { openMysql } from "../../../../src/applications/sql/mysql/open.js";
import { toMysqlParameter } from "../../../../src/applications/sql/mysql/values.js";
import type { Evidence } from "../../../../src/applications/transport.js";
import { type JsonObject, type JsonValue, parseJson, toJson } from "../../../../src/lib/json.js";
import { failureOf } from "../../../support/database-failure.js";
import { agentd } from "../../../support/spawn.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { until } from "../../../support/until.js";

/** Where the server is; its account may make databases. */
const SERVER = process.env["AGENTD_TEST_MYSQL"] ?? "mysql://root@127.0.0.1:3306";
const NAME = `agentd_test_${process.pid}`;

const VALUES: readonly [type: string, sql: string, json: JsonValue][] = [
  ["tinyint", "-128", -128],
  ["tinyint(1)", "1", true],
  ["int unsigned", "4294967295", 4294967295],
  ["bigint", "-9223372036854775808", -9223372036854775808n],
  ["bigint unsigned", "18446744073709551615", 18446744073709551615n],
  [
    "decimal(65,30)",
    "12345678901234567890123456789012345.123456789012345678901234567890",
    "12345678901234567890123456789012345.123456789012345678901234567890",
  ],
  ["decimal(10,2)", "12.50", 12.5],
  ["float", "0.1", 0.1],
  ["float", "16777217", 16777216],
  ["double", "0.1", 0.1],
  ["double", "1e300", 1e300],
  ["bit(8)", "b'10000001'", 129],
  ["year", "2026", 2026],
  ["char(5)", "'ab'", "ab"],
  ["varchar(20)", "'it''s \\\\ \"q\" 🙂'", 'it\'s \\ "q" 🙂'],
  ["text", "'a\\nb'", "a\nb"],
  ["enum('a','it''s')", "'it''s'", "it's"],
  ["set('x','y')", "'x,y'", "x,y"],
  ["varbinary(5)", "x'00ff10'", "data:application/octet-stream;base64,AP8Q"],
  ["blob", "x''", "data:application/octet-stream;base64,"],
  ["date", "'2026-03-29'", "2026-03-29"],
  ["time(6)", "'-838:59:58.999999'", "-838:59:58.999999"],
  ["datetime(6)", "'2026-03-29 02:30:00.123456'", "2026-03-29T02:30:00.123456"],
  ["timestamp NULL", "'2026-03-29 02:30:00'", "2026-03-29T02:30:00Z"],
  ["json", `'{"n": 12345678901234567890, "a": [1, "x"]}'`, { n: 12345678901234567890n, a: [1, "x"] }],
  ["point", "ST_GeomFromText('POINT(1 2)')", "POINT(1 2)"],
];

const SCHEMA = `
  CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL COMMENT 'Full name', email varchar(80) UNIQUE,
    balance decimal(30,10) NOT NULL DEFAULT 0, mood enum('sad','glad') DEFAULT 'sad', age int CHECK (age >= 0 AND age < 150),
    state varchar(10) CHECK (state IN ('new', 'old')), twice int GENERATED ALWAYS AS (age * 2) STORED) COMMENT 'People';
  CREATE TABLE orders (id bigint AUTO_INCREMENT PRIMARY KEY, customer_id int, note text,
    FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE);
  CREATE TABLE visits (id int PRIMARY KEY, customer_id int, FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL);
  CREATE TABLE parts (id int PRIMARY KEY, whole int, FOREIGN KEY (whole) REFERENCES parts (id) ON DELETE CASCADE);
  CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, what text);
  CREATE TABLE watched (id int PRIMARY KEY, v text);
  CREATE TRIGGER w AFTER UPDATE ON watched FOR EACH ROW INSERT INTO audit (what) VALUES ('w');
  CREATE TABLE loose (id int PRIMARY KEY) ENGINE = MyISAM;
  CREATE TABLE keyless (a int);
  CREATE TABLE narrow (id int PRIMARY KEY, v varchar(9) CHARACTER SET latin1);
  CREATE VIEW rich AS SELECT id FROM customers WHERE balance > 0;
  CREATE TABLE every (id int PRIMARY KEY, ${VALUES.map(([type], at) => `c${at} ${type}`).join(", ")});
  INSERT INTO customers (id, name, email, balance, age) VALUES (1, 'Ada', 'ada@x', 12345678901234567890.0123456789, 36), (2, 'bob', 'bob@x', 0, 7), (10, 'Cy', NULL, 5, NULL);
  INSERT INTO orders (customer_id, note) VALUES (1, 'a'), (1, 'b'), (2, 'c');
  INSERT INTO visits VALUES (1, 1), (2, 2); INSERT INTO parts VALUES (1, NULL), (2, 1), (3, 2); INSERT INTO watched VALUES (1, 'x');
  INSERT INTO every VALUES (1, ${VALUES.map(([, sql]) => sql).join(", ")});`;

const LIMITS = { timeoutMs: 5_000, lockMs: 1_000 };

describe("A MySQL or MariaDB database (a server at 127.0.0.1:3306, or AGENTD_TEST_MYSQL) @all", function () {
  this.timeout(30_000);
  let admin: mysql.Connection | undefined;
  let database: Database;
  let catalogue: DatabaseCatalogue;
  let kept: Evidence[];

  const reset = async (): Promise<void> => {
    await admin?.query(
      `DROP DATABASE IF EXISTS ${NAME}; CREATE DATABASE ${NAME} CHARACTER SET utf8mb4; USE ${NAME}; SET time_zone = '+00:00'; ${SCHEMA}`,
    );
  };

  before(async function () {
    admin = await mysql
      .createConnection({ uri: SERVER, multipleStatements: true, charset: "utf8mb4" })
      .catch(() => undefined);
    if (!admin) this.skip();
    await reset();
    database = openMysql(`${SERVER}/${NAME}`);
    catalogue = await database.introspect();
  });
  beforeEach(async () => {
    await reset();
    kept = [];
  });
  after(async () => {
    await database?.close();
    await admin?.query(`DROP DATABASE IF EXISTS ${NAME}`);
    await admin?.end();
  });

  const commit: ChangeOptions = { ...LIMITS, commit: true, keep: async (evidence) => void kept.push(evidence) };
  const dryRun: ChangeOptions = { ...LIMITS, commit: false };
  const tableOf = (name: string): Table => catalogue.tables.find((one) => one.name.name === name) as Table;
  const lastImages = (): Restoration => JSON.parse(JSON.stringify(kept.at(-1)?.images)) as Restoration;

  function changeOf(
    operation: Change["operation"],
    table: string,
    { key = {}, values = {} }: { key?: JsonObject; values?: JsonObject },
  ): Change {
    const { name, columns, key: keyColumns } = tableOf(table);
    return { operation, table: name, columns, keyColumns, key, values };
  }

  async function rowsOf(table: string, where: Condition[] = [], order: string[] = []): Promise<JsonObject[]> {
    const { name, columns } = tableOf(table);
    const rows: JsonObject[] = [];
    const sorted = order.map((one) => ({
      column: columns.find((column) => column.name === one) as Table["columns"][number],
      isDescending: false,
    }));
    for await (const batch of database.select({ table: name, columns, where, order: sorted }, LIMITS))
      rows.push(...batch);
    return rows;
  }

  async function dump(): Promise<string> {
    const all = [];
    for (const { name, kind } of catalogue.tables)
      if (kind === "table" && name.name !== "every") all.push((await admin?.query(`SELECT * FROM ${name.name}`))?.[0]);
    return JSON.stringify(all);
  }

  it("says what its tables are, and what is left out", () => {
    expect(
      catalogue.tables.map(({ name, kind, can, key }) => [
        name.name,
        kind,
        Object.values(can).filter(Boolean).length,
        key,
      ]),
    ).to.deep.equal([
      ["audit", "table", 4, ["id"]],
      ["customers", "table", 4, ["id"]],
      ["every", "table", 4, ["id"]],
      ["keyless", "table", 4, []],
      ["loose", "table", 1, ["id"]],
      ["narrow", "table", 4, ["id"]],
      ["orders", "table", 4, ["id"]],
      ["parts", "table", 4, ["id"]],
      ["rich", "view", 1, []],
      ["visits", "table", 4, ["id"]],
      ["watched", "table", 4, ["id"]],
    ]);
    const { columns, comment } = tableOf("customers");
    expect(comment).to.equal("People");
    expect(columns.map(({ type: _, ...column }) => column)).to.deep.equal([
      { name: "id", kind: "integer", isNullable: false, hasDefault: false, isGenerated: false },
      {
        name: "name",
        kind: "text",
        isNullable: false,
        hasDefault: false,
        isGenerated: false,
        maxLength: 40,
        comment: "Full name",
      },
      { name: "email", kind: "text", isNullable: true, hasDefault: false, isGenerated: false, maxLength: 80 },
      { name: "balance", kind: "decimal", isNullable: false, hasDefault: true, isGenerated: false },
      { name: "mood", kind: "text", isNullable: true, hasDefault: true, isGenerated: false, values: ["sad", "glad"] },
      {
        name: "age",
        kind: "integer",
        isNullable: true,
        hasDefault: false,
        isGenerated: false,
        minimum: 0,
        exclusiveMaximum: 150,
      },
      {
        name: "state",
        kind: "text",
        isNullable: true,
        hasDefault: false,
        isGenerated: false,
        maxLength: 10,
        values: ["new", "old"],
      },
      { name: "twice", kind: "integer", isNullable: true, hasDefault: false, isGenerated: true },
    ]);
    expect(catalogue.skipped.map(({ name }) => name)).to.deep.equal(["loose"]);
    expect(catalogue).not.to.have.property("noQuery");
  });

  it("gives values with all their digits, and takes them back the same", async () => {
    const [row] = await rowsOf("every");
    for (const [at, [type, , json]] of VALUES.entries()) expect(row?.[`c${at}`], type).to.deep.equal(json);
    const again = parseJson(toJson({ ...row, id: 2 })) as JsonObject;
    const outcome = await database.change(changeOf("create", "every", { values: again }), commit);
    expect(outcome.kind === "done" && outcome.row).to.deep.equal({ ...row, id: 2 });
    for (const [at, [type, , json]] of VALUES.entries()) {
      const column = tableOf("every").columns.find((one) => one.name === `c${at}`);
      if (!column || ["json", "point", "float"].includes(type)) continue;
      expect(await rowsOf("every", [{ column, operator: "eq", value: json }]), type).to.have.length(2);
    }
  });

  it("filters and orders by values, not by their texts", async () => {
    const id = { name: "id", kind: "integer", type: "int(11)" } as const;
    expect((await rowsOf("customers", [], ["id"])).map((row) => row["id"])).to.deep.equal([1, 2, 10]);
    expect(
      (await rowsOf("customers", [{ column: id, operator: "gt", value: 9 }])).map((row) => row["id"]),
    ).to.deep.equal([10]);
    const name = { name: "name", kind: "text", type: "varchar(40)" } as const;
    expect(await rowsOf("customers", [{ column: name, operator: "starts_with", value: "BO" }])).to.have.length(1);
  });

  it("creates, updates and deletes, with the row as the result", async () => {
    const created = await database.change(
      changeOf("create", "orders", { values: { customer_id: 2, note: "n" } }),
      commit,
    );
    expect(created).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "n" } });
    const updated = await database.change(
      changeOf("update", "orders", { key: { id: 4 }, values: { note: "m" } }),
      commit,
    );
    expect(updated).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "m" } });
    const deleted = await database.change(changeOf("delete", "orders", { key: { id: 4 } }), commit);
    expect(deleted).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "m" } });
    expect((await failureOf(database.change(changeOf("delete", "orders", { key: { id: 4 } }), commit))).code).to.equal(
      "not_found",
    );
  });

  it("shows what a delete takes along, does nothing of it in advance, and puts it back to the byte", async () => {
    const before = await dump();
    const change = changeOf("delete", "customers", { key: { id: 1 } });
    const { preview } = await database.change(change, dryRun);
    expect(preview.effect).to.deep.include({
      complete: true,
      tables: [
        { name: "customers", inserted: 0, updated: 0, deleted: 1 },
        { name: "orders", inserted: 0, updated: 0, deleted: 2 },
        { name: "visits", inserted: 0, updated: 1, deleted: 0 },
      ],
    });
    expect(await dump()).to.equal(before);
    expect((await database.change(change, { ...commit, expected: preview.fingerprint })).kind).to.equal("done");
    const gone = await dump();
    expect(gone).not.to.equal(before);
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(before);
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(gone);
  });

  it("puts rows back that refer to rows of their own table", async () => {
    const before = await dump();
    await database.change(changeOf("delete", "parts", { key: { id: 1 } }), commit);
    const images = lastImages();
    await database.change({ ...images, images: images.images.toReversed() }, commit);
    expect(await dump()).to.equal(before);
  });

  it("does nothing when the rows are others by then, and puts nothing back that was changed since", async () => {
    const change = changeOf("update", "customers", { key: { id: 1 }, values: { name: "A" } });
    const { preview } = await database.change(change, dryRun);
    await admin?.query("UPDATE customers SET balance = 1 WHERE id = 1");
    expect((await database.change(change, { ...commit, expected: preview.fingerprint })).kind).to.equal("changed");
    await database.change(change, commit);
    await admin?.query("UPDATE customers SET balance = 2 WHERE id = 1");
    const failure = await failureOf(database.change(lastImages(), commit));
    expect(failure.code).to.equal("conflict");
    expect(failure.message).to.contain("balance");
  });

  it("does not delete a created row that others refer to by now", async () => {
    await database.change(changeOf("create", "customers", { values: { id: 9, name: "E" } }), commit);
    await admin?.query("INSERT INTO visits VALUES (9, 9)");
    expect((await failureOf(database.change(lastImages(), commit))).code).to.equal("conflict");
  });

  it("says before the yes that triggers change more, and then takes nothing back", async () => {
    const { preview } = await database.change(
      changeOf("update", "watched", { key: { id: 1 }, values: { v: "y" } }),
      dryRun,
    );
    expect(preview).to.deep.include({ undo: "partial" });
    expect(preview.effect).to.deep.include({ complete: false });
    await database.change(changeOf("update", "watched", { key: { id: 1 }, values: { v: "y" } }), commit);
    expect((await failureOf(database.change(lastImages(), commit))).code).to.equal("partial");
  });

  it("says constraint and column, and no value of a row; cuts nothing", async () => {
    const taken = await failureOf(
      database.change(changeOf("create", "customers", { values: { id: 5, name: "N", email: "ada@x" } }), commit),
    );
    expect(taken).to.deep.include({ code: "constraint_violation" });
    expect(`${taken.message} ${JSON.stringify(taken.details)}`)
      .to.contain("email")
      .and.not.to.contain("ada@x");
    const missing = await failureOf(database.change(changeOf("create", "customers", { values: { id: 5 } }), commit));
    expect(missing.details).to.deep.include({ column: "name" });
    const used = await failureOf(
      database.change(changeOf("create", "orders", { values: { customer_id: 99 } }), commit),
    );
    expect(used.code).to.equal("constraint_violation");
    const misfits: JsonObject[] = [{ name: "x".repeat(41) }, { age: "abc" }, { age: -1 }];
    for (const values of misfits)
      expect(
        (await failureOf(database.change(changeOf("update", "customers", { key: { id: 1 }, values }), commit))).code,
      ).to.be.oneOf(["invalid_value", "constraint_violation"]);
    const strange = changeOf("create", "narrow", { values: { id: 1, v: "🙂" } });
    const { code, details } = await failureOf(database.change(strange, commit));
    expect([code, details["column"]]).to.deep.equal(["invalid_value", "v"]);
    expect(
      (await failureOf(database.change(changeOf("create", "loose", { values: { id: 1 } }), commit))).code,
    ).to.equal("refused");
  });

  it("waits for a lock no longer than it may, ends in time, and says a closed port without the password", async () => {
    await admin?.query("START TRANSACTION; UPDATE customers SET age = 1 WHERE id = 1");
    try {
      expect(
        (await failureOf(database.change(changeOf("delete", "customers", { key: { id: 1 } }), dryRun))).code,
      ).to.equal("locked");
    } finally {
      await admin?.query("ROLLBACK");
    }
    const closed = openMysql("mysql://u:very-secret@127.0.0.1:1/x");
    const failure = await failureOf(closed.introspect());
    await closed.close();
    expect(failure.code).to.equal("connection_failed");
    expect(failure.message).not.to.contain("very-secret");
  });

  it("ends a statement when the call is stopped, and answers the next", async () => {
    await admin?.query("CREATE VIEW slow AS SELECT SLEEP(20) AS s");
    const stop = new AbortController();
    const column = { name: "s", kind: "integer", type: "int" } as const;
    const ask = async (table: string): Promise<void> => {
      const selection = { table: { name: table }, columns: [column], where: [], order: [] };
      const options = { timeoutMs: 25_000, lockMs: 500, signal: stop.signal };
      for await (const _ of database.select(selection, options));
    };
    const asleep = failureOf(ask("slow"));
    await sleep(500);
    const start = performance.now();
    stop.abort();
    expect((await asleep).code).to.equal("cancelled");
    expect(performance.now() - start).to.be.below(2_000);
    expect((await failureOf(ask("slow"))).code).to.equal("cancelled");
    expect(await rowsOf("watched")).to.deep.equal([{ id: 1, v: "x" }]);
  });

  const query = async (sql: string, parameters: JsonValue[] = [], limits = LIMITS): Promise<JsonObject[]> => {
    const rows: JsonObject[] = [];
    for await (const batch of database.query(sql, parameters, limits)) rows.push(...batch);
    return rows;
  };

  it("runs one free SELECT with parameters, whose values are those of the lists", async () => {
    expect(
      await query("SELECT id, id, name FROM customers WHERE balance > ? AND email LIKE ? LIMIT ?", [1, "a%", 5]),
    ).to.deep.equal([{ id: 1, id_2: 1, name: "Ada" }]);
    expect(await query(" (select null as n) union all (select ?);", ["x"])).to.deep.equal([{ n: null }, { n: "x" }]);
    expect(await query("WITH a AS (SELECT 1 AS n) SELECT * FROM a WHERE n = 2")).to.deep.equal([]);
    const { columns } = tableOf("every");
    // Of JSON MariaDB only says that it is a text, and a shape comes by its points.
    const same = columns.filter(({ kind, type }) => kind !== "json" && !/^(point|geometry)/.test(type));
    const [listed] = await rowsOf("every");
    const [queried] = await query(`SELECT ${same.map(({ name }) => `\`${name}\``).join(", ")} FROM every`);
    expect(same.length).to.be.above(20);
    expect(queried).to.deep.equal(Object.fromEntries(same.map(({ name }) => [name, listed?.[name]])));
  });

  it("H7 changes nothing by a free SELECT, reaches no file, and keeps nothing of it", async () => {
    await admin?.query(`CREATE FUNCTION writes() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO loose VALUES (9); RETURN 1; END;
      CREATE PROCEDURE ends() BEGIN COMMIT; DELETE FROM customers; END`);
    const before = await dump();
    const file = `/tmp/${NAME}`;
    for (const sql of [
      "DELETE FROM orders",
      "SELECT 1; DELETE FROM orders",
      "BEGIN NOT ATOMIC COMMIT; DELETE FROM orders; END",
      "/*!50000 BEGIN NOT ATOMIC COMMIT; DELETE FROM orders; END */",
      "/* */ DROP TABLE orders",
      "CALL ends()",
      "COMMIT",
      "SELECT writes()",
      "SELECT * FROM customers FOR UPDATE",
      `SELECT 1 INTO OUTFILE '${file}'`,
      `SELECT 1 /*!INTO*/ /**/ DUMPFILE '${file}'`,
      "SELECT `load_file`('/etc/hostname')",
      "SELECT 1 INTO @kept",
      "SELECT",
      "",
    ])
      expect((await failureOf(query(sql))).code, sql).to.be.oneOf(["refused", "database_error", "permission_denied"]);
    expect(await dump()).to.equal(before);
    expect(existsSync(file)).to.equal(false);
    expect(await query("SELECT GET_LOCK(?, 0) AS l, @kept := 5 AS k", [NAME])).to.deep.equal([{ l: 1, k: 5 }]);
    expect(await query("SELECT GET_LOCK(?, 0) AS l, @kept AS k", [NAME])).to.deep.equal([{ l: 1, k: null }]);
    expect((await failureOf(query("SELECT nothing FROM customers"))).code).to.equal("database_error");
  });

  it("H9 ends a free SELECT at its time, at the server too", async () => {
    const limits = { timeoutMs: 300, lockMs: 300 };
    expect(
      (await failureOf(query(`SELECT '${NAME}', BENCHMARK(100000000000, SHA2('a', 512))`, [], limits))).code,
    ).to.equal("timeout");
    const isRunning = async (): Promise<boolean> => {
      const [found] = (await admin?.query("SHOW FULL PROCESSLIST")) ?? [];
      return JSON.stringify(found).includes(`'${NAME}', BENCHMARK`);
    };
    await until(async () => !(await isRunning()));
  });

  it("refuses bytes that are no base64, and half a surrogate pair", () => {
    const codeOf = (value: JsonValue, kind: "bytes" | "text"): unknown => {
      try {
        return toMysqlParameter(value, { name: "c", kind, type: "" });
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    };
    expect(codeOf("data:;base64,AP8Q", "bytes")).to.deep.equal(Buffer.from([0, 255, 16]));
    expect(codeOf("data:;base64,AP*Q", "bytes")).to.equal("invalid_value");
    expect(codeOf("data:,%zz", "bytes")).to.equal("invalid_value");
    expect(codeOf("a\ud83d", "text")).to.equal("invalid_value");
    expect(codeOf("🙂", "text")).to.equal("🙂");
  });

  it("is connected and listed by the program that is installed", async () => {
    const dir = temporaryFolder("mysql");
    const env = { WAREHOUSE: `${SERVER}/${NAME}` };
    const made = await agentd(["sync", "sql", "env:WAREHOUSE", "--name", "wh", "--data-dir", dir], { env });
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.contain("list_customers");
    const counted = await agentd(["tools", "wh_query", "--data-dir", dir], { env });
    expect(counted.stdout).to.contain("wh_query");
    const listed = await agentd(["run", "--provider", "offline", "--data-dir", dir, "list the customers"], { env });
    expect(listed.stdout, listed.stderr).to.contain("12345678901234567890.0123456789");
  });
});
