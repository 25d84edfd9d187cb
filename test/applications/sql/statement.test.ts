import { expect } from "chai";
import type { ColumnType, Condition, Operator, Selection } from "../../../src/applications/sql/database.js";
import { sqliteSyntax } from "../../../src/applications/sql/sqlite/syntax.js";
import {
  changeStatement,
  rowStatement,
  type Syntax,
  selectStatement,
} from "../../../src/applications/sql/statement.js";
import type { JsonValue } from "../../../src/lib/json.js";

const id: ColumnType = { name: "id", kind: "integer", type: "INTEGER" };
const title: ColumnType = { name: 'ti"tle', kind: "text", type: "TEXT" };
const table = { name: "books" };

const numbered: Syntax = {
  ...sqliteSyntax,
  parameter: (position, { type }) => `$${position}::${type}`,
  isNullFirst: false,
};

function select(over: Partial<Selection>, syntax: Syntax = sqliteSyntax) {
  const { sql, parameters } = selectStatement({ table, columns: [id], where: [], order: [], ...over }, syntax);
  return { sql: sql.replace('SELECT "id" FROM "books"', "").trim(), values: parameters.map(({ value }) => value) };
}

const where = (operator: Operator, value: JsonValue, column = title) => {
  const condition: Condition = { column, operator, value };
  return select({ where: [condition] });
};

describe("SQL statements", () => {
  it("quotes every name and binds every value", () => {
    const { sql, values } = where("eq", `x" OR 1=1 --`);
    expect(sql).to.equal(`WHERE "ti""tle" = ?`);
    expect(values).to.deep.equal([`x" OR 1=1 --`]);
    expect(
      selectStatement({ table: { schema: 'a"b', name: "c" }, columns: [title], where: [], order: [] }, sqliteSyntax)
        .sql,
    ).to.equal(`SELECT "ti""tle" FROM "a""b"."c"`);
  });

  it("means by NULL what a person means", () => {
    expect(where("eq", null).sql).to.equal(`WHERE "ti""tle" IS NULL`);
    expect(where("ne", null).sql).to.equal(`WHERE "ti""tle" IS NOT NULL`);
    expect(where("ne", "a").sql).to.equal(`WHERE ("ti""tle" <> ? OR "ti""tle" IS NULL)`);
    expect(where("is_null", false).sql).to.equal(`WHERE "ti""tle" IS NOT NULL`);
    expect(where("in", [1, null], id).sql).to.equal(`WHERE ("id" IN (?) OR "id" IS NULL)`);
    expect(where("in", [], id).sql).to.equal("WHERE 1 = 0");
  });

  it("takes the characters of a pattern for themselves in text operators", () => {
    expect(where("contains", "50%_\\")).to.deep.equal({
      sql: `WHERE "ti""tle" LIKE ? ESCAPE '\\'`,
      values: ["%50\\%\\_\\\\%"],
    });
    expect(where("starts_with", "a").values).to.deep.equal(["a%"]);
    expect(where("ends_with", "a").values).to.deep.equal(["%a"]);
  });

  it("goes on behind the last row, over ties and NULLs, in the order of the dialect", () => {
    const order = [
      { column: title, isDescending: false },
      { column: id, isDescending: true },
    ];
    expect(select({ order, after: { 'ti"tle': "a", id: 3 }, limit: 2 })).to.deep.equal({
      sql: `WHERE (("ti""tle" > ?) OR ("ti""tle" = ? AND ("id" < ? OR "id" IS NULL))) ORDER BY "ti""tle", "id" DESC LIMIT 2`,
      values: ["a", "a", 3],
    });
    expect(select({ order: order.slice(0, 1), after: { 'ti"tle': null } }).sql).to.contain(
      `WHERE (("ti""tle" IS NOT NULL))`,
    );
    expect(select({ order: order.slice(0, 1), after: { 'ti"tle': null } }, numbered).sql).to.contain("WHERE ((1 = 0))");
    expect(select({ order: order.slice(0, 1), after: { 'ti"tle': "a" } }, numbered).sql).to.contain(
      `WHERE ((("ti""tle" > $1::TEXT OR "ti""tle" IS NULL)))`,
    );
  });

  it("numbers the places of values in the order of their parameters", () => {
    const change = { table, columns: [id, title], keyColumns: ["id"], key: { id: 7 }, values: { 'ti"tle': "b" } };
    const update = changeStatement({ ...change, operation: "update" }, numbered, { returning: [id] });
    expect(update.sql).to.equal(`UPDATE "books" SET "ti""tle" = $1::TEXT WHERE "id" = $2::INTEGER RETURNING "id"`);
    expect(update.parameters.map(({ value }) => value)).to.deep.equal(["b", 7]);
    expect(changeStatement({ ...change, operation: "delete" }, numbered).sql).to.equal(
      `DELETE FROM "books" WHERE "id" = $1::INTEGER`,
    );
    expect(rowStatement(change, numbered).sql).to.equal(`SELECT "id", "ti""tle" FROM "books" WHERE "id" = $1::INTEGER`);
  });

  it("creates a row of defaults only, and none of the columns that are not named", () => {
    const change = { operation: "create", table, columns: [id, title], keyColumns: ["id"], key: {} } as const;
    expect(changeStatement({ ...change, values: {} }, sqliteSyntax).sql).to.equal(`INSERT INTO "books" DEFAULT VALUES`);
    expect(changeStatement({ ...change, values: { id: null, other: 1 } }, sqliteSyntax)).to.deep.equal({
      sql: `INSERT INTO "books" ("id") VALUES (?)`,
      parameters: [{ column: id, value: null }],
    });
  });
});
