// Values of a real PostgreSQL: what comes out goes in again and comes out the same, for a column of every type the server has.
import { expect } from "chai";
import fc from "fast-check";
import type { DatabaseCatalogue, Table } from "../../../../src/applications/sql/catalogue.js";
import type { Condition, Database } from "../../../../src/applications/sql/database.js";
import { openPostgres } from "../../../../src/applications/sql/postgres/open.js";
import {
  canonicalJson,
  hasValue,
  type JsonObject,
  type JsonValue,
  parseJson,
  toJson,
} from "../../../../src/lib/json.js";
import { failureOf } from "../../../support/database-failure.js";
import { type PostgresServer, startPostgres } from "../../../support/postgres.js";

const LIMITS = { timeoutMs: 5_000, lockMs: 500 };

/** A type, a value as SQL, and what it is as JSON. */
const VALUES: readonly [type: string, sql: string, json: JsonValue][] = [
  ["smallint", "-32768", -32768],
  ["integer", "2147483647", 2147483647],
  ["bigint", "9223372036854775807", 9223372036854775807n],
  ["bigint", "5", 5],
  ["oid", "4294967295", 4294967295],
  ["numeric", "12345678901234567890123456789", 12345678901234567890123456789n],
  ["numeric", "0.1", 0.1],
  ["numeric", "0.12345678901234567890123", "0.12345678901234567890123"],
  ["numeric(20,4)", "1234567890123456.7891", "1234567890123456.7891"],
  ["numeric(10,2)", "12.50", 12.5],
  ["numeric", "'NaN'", "NaN"],
  ["numeric", "'Infinity'", "Infinity"],
  ["real", "0.1", 0.1],
  ["double precision", "0.1", 0.1],
  ["double precision", "1e300", 1e300],
  ["double precision", "'-Infinity'", "-Infinity"],
  ["double precision", "'-0'", "-0"],
  ["money", "'12.34'", "$12.34"],
  ["boolean", "true", true],
  ["text", "E'a\\nb \"c\" \\\\ ''d'''", "a\nb \"c\" \\ 'd'"],
  ["text", "''", ""],
  ["varchar(5)", "'ab'", "ab"],
  ["char(5)", "'ab'", "ab   "],
  ['"char"', "'x'", "x"],
  ["name", "'n'", "n"],
  ["uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  ["date", "'2026-03-29'", "2026-03-29"],
  ["date", "'infinity'", "infinity"],
  ["date", "'0044-03-15 BC'", "0044-03-15 BC"],
  ["time", "'23:59:59.999999'", "23:59:59.999999"],
  ["timetz", "'10:00+02'", "10:00:00+02"],
  ["timestamp", "'2026-03-29 02:30:00.123456'", "2026-03-29T02:30:00.123456"],
  ["timestamp(0)", "'2026-03-29 02:30:00'", "2026-03-29T02:30:00"],
  ["timestamptz", "'2026-03-29 02:30:00+02'", "2026-03-29T00:30:00Z"],
  ["timestamptz", "'-infinity'", "-infinity"],
  ["timestamptz", "'10000-01-01 00:00:00+00'", "10000-01-01T00:00:00Z"],
  ["interval", "'1 year 2 mons 3 days 04:05:06.789'", "1 year 2 mons 3 days 04:05:06.789"],
  ["json", `'{"b": [1, 12345678901234567890, "x"], "a": null}'`, { b: [1, 12345678901234567890n, "x"], a: null }],
  ["jsonb", `'{"n": 0.1, "big": 12345678901234567890}'`, { n: 0.1, big: 12345678901234567890n }],
  ["jsonb", `'"text"'`, "text"],
  ["jsonb", "'[1, [2]]'", [1, [2]]],
  ["bytea", "'\\x00ff10'", "data:application/octet-stream;base64,AP8Q"],
  ["bytea", "''", "data:application/octet-stream;base64,"],
  ["xml", "'<a b=\"c\">d</a>'", '<a b="c">d</a>'],
  ["inet", "'192.168.0.1/24'", "192.168.0.1/24"],
  ["cidr", "'10.0.0.0/8'", "10.0.0.0/8"],
  ["macaddr", "'08:00:2b:01:02:03'", "08:00:2b:01:02:03"],
  ["macaddr8", "'08:00:2b:01:02:03:04:05'", "08:00:2b:01:02:03:04:05"],
  ["bit(3)", "'101'", "101"],
  ["bit varying(5)", "'10'", "10"],
  ["point", "'(1,2)'", "(1,2)"],
  ["line", "'{1,2,3}'", "{1,2,3}"],
  ["lseg", "'[(1,2),(3,4)]'", "[(1,2),(3,4)]"],
  ["box", "'(3,4),(1,2)'", "(3,4),(1,2)"],
  ["path", "'((1,2),(3,4))'", "((1,2),(3,4))"],
  ["polygon", "'((1,2),(3,4))'", "((1,2),(3,4))"],
  ["circle", "'<(1,2),3>'", "<(1,2),3>"],
  ["tsvector", "'a:1 b:2'", "'a':1 'b':2"],
  ["tsquery", "'a & b'", "'a' & 'b'"],
  ["int4range", "'[1,5)'", "[1,5)"],
  ["numrange", "'(1.5,)'", "(1.5,)"],
  ["tstzrange", "'[2026-01-01 00:00+00,2026-01-02 00:00+00)'", '["2026-01-01 00:00:00+00","2026-01-02 00:00:00+00")'],
  ["daterange", "'empty'", "empty"],
  ["int4multirange", "'{[1,3),[5,7)}'", "{[1,3),[5,7)}"],
  ["pg_lsn", "'16/B374D848'", "16/B374D848"],
  ["jsonpath", "'$.a[*]'", '$."a"[*]'],
  ["xid8", "'42'", "42"],
  ["int[]", "'{1,NULL,3}'", [1, null, 3]],
  [
    "bigint[]",
    "'{{9223372036854775807,1},{2,3}}'",
    [
      [9223372036854775807n, 1],
      [2, 3],
    ],
  ],
  [
    "text[]",
    `ARRAY['a,b', '"q"', '', 'NULL', NULL, 'back\\slash', '{x}']`,
    ["a,b", '"q"', "", "NULL", null, "back\\slash", "{x}"],
  ],
  ["text[]", "'{}'", []],
  ["numeric(5,2)[]", "'{1.50,2}'", [1.5, 2]],
  ["boolean[]", "'{t,f}'", [true, false]],
  ["date[]", "'{2026-01-01}'", ["2026-01-01"]],
  ["timestamptz[]", "'{\"2026-01-01 00:00:00+00\"}'", ["2026-01-01T00:00:00Z"]],
  ["jsonb[]", `ARRAY['{"a": 1}'::jsonb, '[1]']`, [{ a: 1 }, [1]]],
  ["bytea[]", "ARRAY['\\x00'::bytea]", ["data:application/octet-stream;base64,AA=="]],
  ["box[]", "'{(3,4),(1,2);(1,1),(0,0)}'", ["(3,4),(1,2)", "(1,1),(0,0)"]],
  ["int[]", "'[0:1]={1,2}'", "[0:1]={1,2}"],
  ['"Mood"', "'so so'", "so so"],
  ['"Mood"[]', "'{sad,\"so so\"}'", ["sad", "so so"]],
  ["positive", "7", 7],
  ["short", "'abc'", "abc"],
  ["tags", "'{a,b}'", ["a", "b"]],
  ["pair", "'(1,x)'", "(1,x)"],
];

const SCHEMA = `CREATE TYPE "Mood" AS ENUM ('sad', 'so so'); CREATE DOMAIN positive AS int CHECK (VALUE > 0);
  CREATE DOMAIN short AS varchar(3); CREATE DOMAIN tags AS text[]; CREATE TYPE pair AS (a int, b text);
  CREATE TABLE every (id int PRIMARY KEY, ${VALUES.map(([type], at) => `c${at} ${type}`).join(", ")});
  CREATE TABLE texts (id int PRIMARY KEY, t text, a text[], j jsonb, n numeric, b bytea, d double precision, v varchar(3), c char(3), s short);`;

describe("Values of a PostgreSQL database @all", () => {
  let server: PostgresServer;
  let database: Database;
  let catalogue: DatabaseCatalogue;
  let name: string;

  before(async () => {
    server = await startPostgres();
    const made = await server.createDatabase(SCHEMA);
    name = made.name;
    // What a role sets must not change what is read.
    await server.run(
      `ALTER ROLE ${made.role} SET timezone = 'Asia/Tokyo'; ALTER ROLE ${made.role} SET datestyle = 'German';
       ALTER ROLE ${made.role} SET bytea_output = 'escape'; ALTER ROLE ${made.role} SET extra_float_digits = -5;
       ALTER ROLE ${made.role} SET intervalstyle = 'iso_8601'`,
    );
    await server.run(
      `INSERT INTO every VALUES (1, ${VALUES.map(([type, sql]) => `(${sql})::${type}`).join(", ")})`,
      name,
    );
    database = openPostgres(made.url);
    catalogue = await database.introspect();
  });
  after(async () => {
    await database?.close();
    await server?.stop();
  });

  const tableOf = (table: string): Table => catalogue.tables.find((one) => one.name.name === table) as Table;

  async function rowsOf(table: string, where: Condition[] = []): Promise<JsonObject[]> {
    const { name: of, columns } = tableOf(table);
    const rows: JsonObject[] = [];
    const selection = { table: of, columns, where, order: [] };
    for await (const batch of database.select(selection, LIMITS)) rows.push(...batch);
    return rows;
  }

  const create = (table: string, values: JsonObject) => {
    const { name: of, columns, key } = tableOf(table);
    return database.change(
      { operation: "create", table: of, columns, keyColumns: key, key: {}, values },
      { ...LIMITS, commit: true },
    );
  };

  it("come out as JSON with all their digits, whatever the role has set", async () => {
    const [row] = await rowsOf("every");
    for (const [at, [type, , json]] of VALUES.entries()) expect(row?.[`c${at}`], type).to.deep.equal(json);
  });

  it("go in as they came out and come out the same", async () => {
    const [row] = await rowsOf("every");
    // As a model sends them: through JSON.
    const again = parseJson(toJson({ ...row, id: 2 })) as JsonObject;
    const outcome = await create("every", again);
    expect(outcome.kind === "done" && outcome.row).to.deep.equal({ ...row, id: 2 });
    const same = VALUES.map(([type], at) =>
      type === "json" ? `a.c${at}::text = b.c${at}::text` : `a.c${at}::text IS NOT DISTINCT FROM b.c${at}::text`,
    );
    const checks = same.map((one, at) => `${one} AS c${at}`).join(", ");
    const { rows } = await server.run(`SELECT ${checks} FROM every a, every b WHERE a.id = 1 AND b.id = 2`, name);
    const differing = VALUES.filter((_, at) => rows[0][`c${at}`] !== true).map(([type]) => type);
    // JSON as text keeps spaces that JSON values do not have.
    expect(differing).to.deep.equal(["json"]);
  });

  it("are filters as well", async () => {
    const [row] = await rowsOf("every");
    const { columns } = tableOf("every");
    // These have no equality.
    const without = new Set(["json", "xml", "point", "polygon", "jsonpath", "box[]", "path", "line"]);
    for (const [at, [type, , json]] of VALUES.entries()) {
      const column = columns.find((one) => one.name === `c${at}`);
      if (!column || without.has(type)) continue;
      const [found] = await rowsOf("every", [{ column, operator: "eq", value: json }]);
      expect(found?.[column.name], type).to.deep.equal(row?.[column.name]);
    }
  });

  it("are refused, not cut, where a column is too short", async () => {
    for (const column of ["v", "c", "s"])
      expect((await failureOf(create("texts", { id: 99, [column]: "abcd" }))).code, column).to.equal("invalid_value");
    const column = tableOf("texts").columns.find((one) => one.name === "v");
    if (!column) throw new Error("no column");
    await create("texts", { id: 98, v: "abc" });
    expect(await rowsOf("texts", [{ column, operator: "eq", value: "abcd" }])).to.deep.equal([]);
  });

  it("that are no bytes are refused with the way to say them", async () => {
    const failure = await failureOf(create("texts", { id: 97, b: "hello" }));
    expect(failure.code).to.equal("invalid_value");
    expect(failure.message).to.contain("data:");
  });

  it("of any text, number, list and JSON come back as they went in", async () => {
    let id = 100;
    const text = fc.string({ unit: "binary" }).map((one) => one.replaceAll("\u0000", "").toWellFormed());
    const cases = fc.record({
      t: text,
      a: fc.array(fc.option(text), { maxLength: 5 }),
      j: fc.jsonValue({ stringUnit: "grapheme" }).filter((one) => isStorable(one as JsonValue)),
      n: fc
        .bigInt()
        .map((one) => (one >= Number.MIN_SAFE_INTEGER && one <= Number.MAX_SAFE_INTEGER ? Number(one) : one)),
      b: fc.uint8Array().map((one) => `data:application/octet-stream;base64,${Buffer.from(one).toString("base64")}`),
      d: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (values) => {
        const outcome = await create("texts", { id: ++id, ...(values as unknown as JsonObject) });
        const row = outcome.kind === "done" && outcome.row ? outcome.row : {};
        // An integer is written one way there, whether it came as a double or not.
        expect(canonicalJson(row["j"])).to.equal(canonicalJson(values.j as JsonValue));
        expect(row).to.deep.include({ ...values, j: row["j"] });
      }),
      { numRuns: 60 },
    );
  });
});

/** Whether jsonb can hold it and it is as `parseJson` gives it: no NUL in a text, no zero with a sign, long integers as bigints. */
function isStorable(value: JsonValue): boolean {
  const text = JSON.stringify(value);
  return value !== null && !text.includes("\\u0000") && !hasValue(value, isOtherNumber);
}

const isOtherNumber = (one: JsonValue): boolean =>
  Object.is(one, -0) || (Number.isInteger(one) && !Number.isSafeInteger(one));
