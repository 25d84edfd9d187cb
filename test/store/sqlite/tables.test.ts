// The tables that the queries see against those that the migrations make.
import { expect } from "chai";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as tables from "../../../src/store/sqlite/tables.js";
import { cleanUp, open, peek, tempDir } from "./fixture.js";

describe("The tables of the record", () => {
  afterEach(cleanUp);

  it("have in a new database the columns that tables.ts declares", async () => {
    const dir = tempDir();
    await open(dir);
    const declared = Object.values(tables).flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : []));
    expect(declared).to.have.length(12);
    for (const { name, columns } of declared) {
      const made = peek(dir, (db) => db.prepare("SELECT name, type FROM pragma_table_info(?)").all(name));
      expect(made, name).to.deep.equal(
        columns.map((column) => ({ name: column.name, type: column.getSQLType().toUpperCase() })),
      );
    }
  });
});
