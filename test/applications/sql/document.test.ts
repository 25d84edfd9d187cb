// What becomes of a SQLite file: the catalogue, the tools, their arguments and what is said of them.
import { expect } from "chai";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import type { ImportReport } from "../../../src/applications/source.js";
import type { DatabaseCatalogue, Table } from "../../../src/applications/sql/catalogue.js";
import { toDocument } from "../../../src/applications/sql/document.js";
import { sqlSource } from "../../../src/applications/sql/source.js";
import { openSqliteDatabase } from "../../../src/applications/sql/sqlite/database.js";
import { selfContained } from "../../../src/domain/definitions.js";
import { type Action, readSchema, type SchemaDocument } from "../../../src/domain/schema-document.js";
import { type JsonObject, objectOf, toJson } from "../../../src/lib/json.js";
import { createDatabase } from "../../support/database.js";

async function catalogueOf(sql: string): Promise<DatabaseCatalogue> {
  const file = await createDatabase(sql);
  const db = openSqliteDatabase({ location: file.file });
  try {
    return await db.introspect();
  } finally {
    await db.close();
  }
}

async function tableOf(sql: string): Promise<Table> {
  const [table] = (await catalogueOf(sql)).tables;
  if (!table) throw new Error("no table");
  return table;
}

interface Synced {
  document: SchemaDocument;
  raw: JsonObject;
  report: ImportReport;
  action(name: string): Action;
  argument(name: string, argument: string): JsonObject;
}

async function synced(sql: string): Promise<Synced> {
  const file = await createDatabase(sql);
  const { document: raw, report } = await sqlSource.read({ location: file.file });
  const document = readSchema(raw, impliedByTransport);
  const action = (name: string): Action => {
    const found = document.actions.find((one) => one.name === name);
    if (!found) throw new Error(`no ${name} among ${document.actions.map((one) => one.name).join(", ")}`);
    return found;
  };
  return {
    document,
    raw,
    report,
    action,
    argument: (name, argument) => objectOf(objectOf(action(name).parameters["properties"])[argument]),
  };
}

const namesIn = ({ document }: Synced): string[] => document.actions.map(({ name }) => name);

describe("A SQLite file as a catalogue", () => {
  it("knows kinds, defaults, keys and what the database alone gives", async () => {
    const { columns, key } = await tableOf(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(20) NOT NULL, b DECIMAL(10,2) DEFAULT 1.5, c DATE, d DATETIME, e BOOLEAN, f BLOB, g REAL, h, i JSON, j INTEGER AS (id + 1))`,
    );
    expect(columns.map(({ name, kind }) => `${name} ${kind}`)).to.deep.equal([
      "id integer",
      "a text",
      "b decimal",
      "c date",
      "d timestamp",
      "e boolean",
      "f bytes",
      "g float",
      "h other",
      "i json",
      "j integer",
    ]);
    expect(key).to.deep.equal(["id"]);
    const facts = columns.map(({ name, isNullable, hasDefault, isGenerated }) => [
      name,
      isNullable,
      hasDefault,
      isGenerated,
    ]);
    expect(facts).to.deep.include.members([
      ["id", false, true, false],
      ["a", false, false, false],
      ["b", true, true, false],
      ["j", true, false, true],
    ]);
  });

  it("demands the value of a key that the database does not give @all", async () => {
    const { columns, key } = await tableOf("CREATE TABLE t (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID");
    expect(key).to.deep.equal(["b", "a"]);
    expect(columns.map(({ isNullable, hasDefault }) => [isNullable, hasDefault])).to.deep.equal([
      [false, false],
      [false, false],
    ]);
  });

  it("reads what CHECKs say of a column, and keeps the others as they are written", async () => {
    const { columns, checks } = await tableOf(`CREATE TABLE t (
      a TEXT CHECK (a IN ('x', 'it''s')), -- CHECK (a > 1)
      b INT CHECK (b >= -1 AND b < 10), "c d" REAL CONSTRAINT some_name CHECK ("c d" BETWEEN 0 AND 1.5),
      e TEXT CHECK (length(e) <= 5), f TEXT DEFAULT 'CHECK (f > 1)', g INT,
      CHECK (b < g OR g IS NULL), CHECK ((g > 3)))`);
    const of = (name: string) => columns.find((column) => column.name === name);
    expect(of("a")?.values).to.deep.equal(["x", "it's"]);
    expect(of("b")).to.include({ minimum: -1, exclusiveMaximum: 10 });
    expect(of("c d")).to.include({ minimum: 0, maximum: 1.5 });
    expect(of("e")).to.include({ maxLength: 5 });
    expect(of("g")).to.include({ exclusiveMinimum: 3 });
    expect(of("f")).to.not.have.any.keys("minimum", "exclusiveMinimum");
    expect(checks).to.deep.equal(["b < g OR g IS NULL"]);
  });

  it("takes no alternative of a CHECK for a rule @all", async () => {
    const { columns, checks } = await tableOf(
      "CREATE TABLE t (a INT CHECK (a > 1 OR a = -1), b TEXT CHECK (b NOT IN ('x')), c TEXT CHECK (c COLLATE NOCASE IN ('a')))",
    );
    for (const column of columns) expect(column).to.not.have.any.keys("minimum", "exclusiveMinimum", "values");
    expect(checks).to.have.lengthOf(3);
  });

  it("leaves out virtual tables and what belongs to them, with a reason @all", async () => {
    const { tables, skipped } = await catalogueOf(
      "CREATE TABLE t (a); CREATE VIRTUAL TABLE s USING fts5(body); CREATE VIEW v AS SELECT a FROM t; CREATE VIEW broken AS SELECT x FROM gone",
    );
    expect(tables.map(({ name, kind }) => `${name.name} ${kind}`)).to.deep.equal(["t table", "v view"]);
    expect(skipped.map(({ name }) => name)).to.include.members(["s", "s_content", "broken"]);
  });
});

describe("A SQLite file as tools", () => {
  it("has four tools for a table, one for a view, two for a table without a key, and one for questions", async () => {
    const found = await synced(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE log (a); CREATE VIEW v AS SELECT 1 AS a",
    );
    expect(namesIn(found)).to.deep.equal([
      "list_log",
      "create_log",
      "list_t",
      "create_t",
      "update_t",
      "delete_t",
      "list_v",
      "query",
    ]);
    expect(found.document.actions.map(({ safety }) => safety)).to.deep.equal([
      "read_only",
      "mutating",
      "read_only",
      "mutating",
      "mutating",
      "destructive",
      "read_only",
      "read_only",
    ]);
    expect(found.report.skipped).to.deep.equal([
      { operation: "log", reason: "update and delete: no primary key names one row" },
    ]);
    expect(found.raw["base_url"]).to.equal("sqlite:warehouse.db");
  });

  it("demands what the database demands, and takes nothing that it gives itself", async () => {
    const { action } = await synced(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b INT NOT NULL DEFAULT 1, c INT AS (b + 1), d TEXT)",
    );
    const { properties, required, additionalProperties } = action("create_t").parameters;
    expect([Object.keys(objectOf(properties)), required, additionalProperties]).to.deep.equal([
      ["id", "a", "b", "d"],
      ["a"],
      false,
    ]);
    const update = action("update_t").parameters;
    expect([Object.keys(objectOf(update["properties"])), update["required"]]).to.deep.equal([
      ["id", "a", "b", "d"],
      ["id"],
    ]);
    const gone = action("delete_t").parameters;
    expect([Object.keys(objectOf(gone["properties"])), gone["required"]]).to.deep.equal([["id"], ["id"]]);
  });

  it("says where the values of a foreign key come from", async () => {
    const { argument } = await synced(
      "CREATE TABLE shelves (id INTEGER PRIMARY KEY); CREATE TABLE stock (id INTEGER PRIMARY KEY, shelf INT NOT NULL REFERENCES shelves)",
    );
    expect(argument("create_stock", "shelf")).to.deep.equal({
      type: "integer",
      description: "id of a shelf (list_shelves)",
    });
  });

  it("names no list of a table that may not be read", async () => {
    const catalogue = await catalogueOf(
      "CREATE TABLE keepers (id INTEGER PRIMARY KEY); CREATE TABLE hives (id INTEGER PRIMARY KEY, keeper INT NOT NULL REFERENCES keepers)",
    );
    const tables = catalogue.tables.map((table) =>
      table.name.name === "keepers" ? { ...table, can: { ...table.can, select: false } } : table,
    );
    const { document } = toDocument({ ...catalogue, tables }, "sqlite:bees.db");
    expect(toJson(document)).to.include("create_hives").and.to.not.include("list_keepers");
  });

  it("describes a column by its type, its values and its bounds", async () => {
    const { argument } = await synced(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a IN ('x', 'y')), b INT NOT NULL CHECK (b >= 0), c DATE NOT NULL)",
    );
    expect(argument("create_t", "a")).to.deep.equal({ type: ["string", "null"], enum: ["x", "y", null] });
    expect(argument("create_t", "b")).to.deep.equal({ type: "integer", minimum: 0 });
    expect(argument("create_t", "c")).to.deep.equal({ type: "string", format: "date" });
  });

  it("finds legal names for any table and column, and keeps apart what looks alike @all", async () => {
    const long = "x".repeat(90);
    const found = await synced(
      `CREATE TABLE "order items" ("net price" INT, "net-price" INT, "größe" INT); CREATE TABLE "order_items" (a); CREATE TABLE "商品" (a); CREATE TABLE "${long}1" (a); CREATE TABLE "${long}2" (a); CREATE TABLE "select" ("where" INT, "from" INT)`,
    );
    const names = namesIn(found);
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names) expect(name).to.match(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(names).to.include.members(["list_order_items", "list_select"]);
    const spaced = found.document.actions.find(({ resource, verb }) => resource === "order items" && verb === "create");
    expect(Object.keys(objectOf(spaced?.parameters["properties"]))).to.deep.equal(["net_price", "net-price", "gro_e"]);
    expect(spaced?.wireNames).to.include({ net_price: "net price" });
  });

  it("gives every tool arguments that hold all they refer to @all", async () => {
    const { document } = await synced(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BOOLEAN, d DECIMAL(3,1), e DATE, f)",
    );
    for (const action of document.actions) {
      const whole = selfContained(action);
      for (const [, name = ""] of toJson(whole).matchAll(/#\/\$defs\/(\w+)/g))
        expect(objectOf(whole["$defs"])).to.have.property(name);
    }
  });

  it("reads a thousand tables in less than five seconds, into a document that grows with them @all", async () => {
    const table = (at: number): string =>
      `CREATE TABLE table_${at} (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) <= 40), amount DECIMAL(10,2), made_at DATETIME, other_id INT REFERENCES table_${Math.floor(at / 2)} ON DELETE CASCADE);`;
    const some = toJson((await synced(Array.from({ length: 100 }, (_, at) => table(at)).join("\n"))).raw).length;
    const file = await createDatabase(
      `BEGIN; ${Array.from({ length: 1_000 }, (_, at) => table(at)).join("\n")} COMMIT;`,
    );
    const start = performance.now();
    const { document, report } = await sqlSource.read({ location: file.file });
    expect(performance.now() - start).to.be.below(5_000);
    expect(report.imported).to.equal(1_000);
    expect(toJson(document).length).to.be.below(some * 11);
  });
});
