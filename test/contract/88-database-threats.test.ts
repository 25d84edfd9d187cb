// What people, models and databases can do to a daemon by way of a database. Source: docs/threats.md, "H: Databases as applications".
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { findLocation, keptDatabase, refuseSecret, shownLocation } from "../../src/applications/sql/location.js";
import { sqlSource } from "../../src/applications/sql/source.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type DatabaseDaemon, startDatabaseDaemon } from "../support/database.js";

const SHOP = `
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price NUMERIC, made DATE, seen BOOLEAN, serial BIGINT, data BLOB);
CREATE TABLE "a;b""c" (id INTEGER PRIMARY KEY, "-id" TEXT, "__proto__" TEXT, constructor TEXT, "toString" TEXT, "where" TEXT,
  "limit" INTEGER, "x""y;--" TEXT, "line
  end" TEXT, "x y" TEXT, x_y TEXT, "\u200b" TEXT, "$1" TEXT, "?" TEXT, "select" TEXT);
CREATE TABLE "query" (id INTEGER PRIMARY KEY); CREATE TABLE named ("__proto__" INTEGER PRIMARY KEY, v TEXT);
CREATE TABLE "A B" (id INTEGER PRIMARY KEY); CREATE TABLE "A-B" (id INTEGER PRIMARY KEY); CREATE TABLE A_B (id INTEGER PRIMARY KEY);
CREATE TABLE wide (id INTEGER PRIMARY KEY, ${Array.from({ length: 300 }, (_, at) => `c${at} TEXT`).join(", ")});
CREATE TABLE heavy (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
CREATE TABLE users (id INTEGER PRIMARY KEY, password_hash TEXT UNIQUE);
INSERT INTO items (id, name) VALUES (1, 'tea'), (2, 'cup');
INSERT INTO "a;b""c" (id, "-id", "x y", x_y) VALUES (1, 'b', 'p', 'q'), (2, 'a', 'p', 'p');
INSERT INTO named VALUES (1, 'a'); INSERT INTO wide (id) VALUES (1);
INSERT INTO heavy VALUES (1, 'a', zeroblob(20000000));
INSERT INTO users VALUES (1, 'hash-of-ada');`;

describe("Threats to databases", () => {
  let daemon: DatabaseDaemon;
  before(async () => (daemon = await startDatabaseDaemon(SHOP)));
  after(() => daemon.close());

  const items = (): unknown[] => daemon.database.rows("SELECT * FROM items ORDER BY id");
  async function refused(tool: string, args: JsonObject, code: string): Promise<JsonObject> {
    const before = items();
    const failure = await daemon.failure(tool, args);
    expect(failure, JSON.stringify(failure)).to.include({ error: code });
    expect(items()).to.deep.equal(before);
    return failure;
  }

  it("H1 stores SQL in a value as text", async () => {
    const name = "x'); DROP TABLE items;--";
    const { id } = (await daemon.result("create_items", { name })) as JsonObject;
    expect(await daemon.result("list_items", { where: { name }, columns: ["name"] })).to.deep.equal([{ name }]);
    await daemon.result("delete_items", { id: id ?? null });
  });

  it("H2 refuses SQL in the name of a filter, a column and an order", async () => {
    const attacks: JsonObject[] = [
      { where: { 'id" = 1 OR "1"="1': 1 } },
      { where: { "id` OR 1=1": 1 } },
      { columns: ["id, (SELECT 1)"] },
      { order_by: ["id; DROP TABLE items"] },
    ];
    for (const args of attacks) await refused("list_items", args, "invalid_arguments");
  });

  it("H3 refuses a filter on a column that is not there, also where SQLite would take it for a text", async () => {
    await refused("list_items", { where: { uic: "uic" } }, "invalid_arguments");
    await refused("query", { sql: 'SELECT * FROM items WHERE "uic" = "uic"' }, "database_error");
  });

  it("H4 refuses an object or a list in place of a value", async () => {
    const attacks: JsonObject[] = [
      { id: { id: 1 } },
      { id: [1] },
      { id: { eq: { id: 1 } } },
      { name: { eq: null, "": 1 } },
    ];
    for (const where of attacks) await refused("list_items", { where }, "invalid_arguments");
    await refused("update_items", { id: 1, name: { a: 1 } }, "invalid_arguments");
  });

  it("H5 refuses values of another type", async () => {
    const attacks: JsonObject[] = [
      { id: true, name: "x" },
      { id: "", name: "x" },
      { id: 1, name: true },
      { id: 1, price: "NaN" },
    ];
    for (const args of attacks) await refused("update_items", args, "invalid_arguments");
  });

  it("H6 refuses a change without the key", async () => {
    for (const [tool, args] of [
      ["update_items", { name: "x" }],
      ["update_items", { id: null, name: "x" }],
      ["delete_items", {}],
      ["delete_items", { id: null }],
    ] as const)
      await refused(tool, args, "invalid_arguments");
  });

  it("H7 runs one statement, and none that is hidden behind a NUL", async () => {
    await refused("query", { sql: "SELECT 1; DELETE FROM items" }, "refused");
    await refused("query", { sql: "SELECT 1\u0000; DELETE FROM items" }, "refused");
  });

  it("H8 limits what has no end", async () => {
    for (const limit of [1e12, 1e30, 10n ** 25n])
      expect(await daemon.result("list_items", { limit, columns: ["id"] })).to.deep.equal([{ id: 1 }, { id: 2 }]);
    for (const limit of [-1, 0, 1.5]) await refused("list_items", { limit }, "invalid_arguments");
  });

  it("H11 H13 stores numbers, NUL and bytes exactly or refuses them, and never something near them", async () => {
    const kept: JsonObject[] = [
      { serial: 9007199254740993n },
      { name: "a\u0000b" },
      { data: "data:application/octet-stream;base64,AAE=" },
    ];
    for (const values of kept) {
      const row = (await daemon.result("create_items", values)) as JsonObject;
      expect(row).to.include(values);
      await daemon.result("delete_items", { id: row["id"] ?? null });
    }
    const others: JsonObject[] = [
      { name: "\ud800" },
      { data: "data:;base64,###" },
      { data: "data:;base64,A" },
      { serial: 2n ** 63n },
    ];
    for (const values of others) await refused("create_items", values, "invalid_value");
    await refused("query", { sql: "SELECT ?", parameters: ["\udc00"] }, "invalid_value");
  });

  it("H14 reads and writes columns and tables of any name", async () => {
    const values = { constructor: "c", toString: "t", where: "w", limit: 3, select: "s", column___proto__: "p" };
    const row = (await daemon.result("update_a_b_c", { id: 1, ...values })) as JsonObject;
    const { column___proto__: proto, ...others } = values;
    expect({ ...row }).to.include(others);
    expect(Object.entries(row)).to.deep.include(["__proto__", proto]);
    expect(await daemon.result("list_a_b_c", { order_by: ["--id"], columns: ["id"] })).to.deep.equal([
      { id: 1 },
      { id: 2 },
    ]);
    // "x y" is x_y as an argument; the last row of a page has the names of the database.
    const [first] = (await daemon.result("list_a_b_c", { order_by: ["-x_y"], limit: 1 })) as JsonObject[];
    const next = { order_by: ["-x_y"], after: first ?? {}, columns: ["id"] };
    expect(await daemon.result("list_a_b_c", next)).to.deep.equal([{ id: 2 }]);
    const named = (await daemon.result("update_named", { column___proto__: 1, v: "b" })) as JsonObject;
    expect(Object.entries(named)).to.deep.equal([
      ["__proto__", 1],
      ["v", "b"],
    ]);
    expect(await daemon.result("list_wide", { columns: ["c299"] })).to.deep.equal([{ c299: null }]);
  });

  it("H15 changes a row with a value that is too long to be shown", async () => {
    const row = (await daemon.result("update_heavy", { id: 1, name: "b" })) as JsonObject;
    expect(row).to.include({ id: 1, name: "b" });
    expect(String(row["data"])).to.match(/^\(20000000 bytes, too long to be shown; SHA-256 [0-9a-f]{64}\)$/);
    expect(daemon.database.rows("SELECT name, length(data) AS n FROM heavy")).to.deep.equal([
      { name: "b", n: 20000000n },
    ]);
  });

  it("H17 changes nothing that could not be put on record, and names no file of this machine", async () => {
    const folder = join(daemon.database.folder, "data", "undo");
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, "");
    const failure = await refused("update_items", { id: 1, name: "other" }, "transport_failed");
    expect(failure["message"]).to.contain("nothing was changed");
    expect(JSON.stringify(failure)).to.not.contain(daemon.database.folder);
    await rm(folder);
    await daemon.result("update_items", { id: 1, name: "tea" });
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777, name).to.equal(0o600);
  });

  it("H12 takes the record of a daemon for no application", async () => {
    const record = join(daemon.database.folder, "data", "history.db");
    const error: unknown = await sqlSource.read({ location: record }).catch((one: unknown) => one);
    expect(String(error)).to.contain("the record of a daemon");
  });

  it("H10 shows no password of an address in any form", () => {
    for (const location of [
      "host=db user=agentd password=hunter2-secret dbname=shop",
      "postgres:agentd:hunter2-secret@db/shop",
      "postgres://agentd:hunter2-secret@db/shop",
      "postgres://db/shop?password=hunter2-secret",
      "jdbc:postgresql://db/shop?user=agentd&password=hunter2-secret",
    ]) {
      const told: string[] = [];
      const keep = (work: () => unknown): void => {
        try {
          told.push(String(work()));
        } catch (error) {
          told.push(String(error));
        }
      };
      expect(() => refuseSecret(location, "the location"), location).to.throw();
      keep(() => refuseSecret(location, "the location"));
      keep(() => shownLocation(location));
      process.env["AGENTD_TEST_LOCATION"] = location;
      keep(
        () => findLocation({ configured: "env:AGENTD_TEST_LOCATION", kept: () => undefined }, () => {}).locationFault,
      );
      delete process.env["AGENTD_TEST_LOCATION"];
      expect(told.join("\n"), location).to.not.contain("hunter2-secret");
    }
    expect(keptDatabase("env:X")).to.equal("env:X");
  });

  it("H16 shows columns that hold secrets in no result and no error", async () => {
    expect(await daemon.result("list_users")).to.deep.equal([{ id: 1, password_hash: "[redacted]" }]);
    const failure = await daemon.failure("create_users", { password_hash: "hash-of-ada" });
    expect(JSON.stringify(failure)).to.not.contain("hash-of-ada");
  });
});
