// The free query against a real PostgreSQL: the server itself keeps it from writing, whatever the text says, and nothing of it stays in
// the session. Each statement of the table is one that got through somewhere else.
import { expect } from "chai";
import type { Database } from "../../../../src/applications/sql/database.js";
import { openPostgres } from "../../../../src/applications/sql/postgres/open.js";
import type { JsonObject, JsonValue } from "../../../../src/lib/json.js";
import { failureOf } from "../../../support/database-failure.js";
import { type PostgresServer, startPostgres } from "../../../support/postgres.js";

const SCHEMA = `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT n, 'v' || n FROM generate_series(1, 1200) n;
  CREATE SEQUENCE s;
  CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN DELETE FROM t; RETURN 1; END $f$;
  CREATE FUNCTION ends() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN COMMIT; RETURN 1; END $f$;
  CREATE FUNCTION copies() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN COPY t TO '/tmp/agentd-copied'; RETURN 1; END $f$;
  CREATE FUNCTION goes_on() RETURNS int LANGUAGE plpgsql AS $f$ BEGIN
    LOOP BEGIN PERFORM pg_sleep(1); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $f$;`;

/** Each is refused by an ordinary role's transaction. */
const ATTACKS: readonly string[] = [
  "DELETE FROM t",
  "INSERT INTO t VALUES (0, 'x')",
  "UPDATE t SET v = 'x' RETURNING *",
  "TRUNCATE t",
  "DROP TABLE t",
  "CREATE TABLE u (id int)",
  "CREATE TEMP TABLE u AS SELECT 1",
  "SELECT 1; DELETE FROM t",
  "SELECT 1; COMMIT; DELETE FROM t",
  "COMMIT; DELETE FROM t",
  "SELECT '--'; DROP TABLE t",
  "SELECT 1 /*; */; DELETE FROM t -- */",
  "SELECT 1 --\n; DELETE FROM t",
  "SELECT $$;$$; DELETE FROM t",
  "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
  "WITH d AS (INSERT INTO t VALUES (0) RETURNING *) SELECT * FROM d",
  "SELECT * INTO u FROM t",
  "SELECT * FROM t FOR UPDATE",
  "SELECT * FROM t FOR KEY SHARE",
  "SELECT writes()",
  "SELECT ends()",
  "SELECT copies()",
  "SELECT nextval('s')",
  "SELECT setval('s', 5)",
  "EXPLAIN ANALYZE DELETE FROM t",
  "EXPLAIN SELECT 1",
  "SHOW all",
  "SET statement_timeout = 0",
  "SET TRANSACTION READ WRITE",
  "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
  "RESET ALL",
  "BEGIN",
  "ROLLBACK",
  "SAVEPOINT a",
  "PREPARE p AS SELECT 1",
  "EXECUTE p",
  "DO $$ BEGIN DELETE FROM t; END $$",
  "CALL writes()",
  "COPY t TO '/tmp/agentd-copied'",
  "COPY (SELECT 1) TO PROGRAM 'id'",
  "COPY t FROM '/etc/passwd'",
  "COPY t TO STDOUT",
  "VACUUM",
  "ANALYZE t",
  "LISTEN x",
  "NOTIFY x",
  "LOCK TABLE t",
  "DISCARD ALL",
  "DECLARE other CURSOR WITH HOLD FOR SELECT 1",
  "FETCH ALL FROM agentd_rows",
  "CLOSE ALL",
  "ALTER ROLE CURRENT_USER SET statement_timeout = 0",
  "ALTER SYSTEM SET work_mem = '1GB'",
  "GRANT ALL ON t TO PUBLIC",
  "REFRESH MATERIALIZED VIEW m",
  "SELECT set_config('transaction_read_only', 'off', true), writes()",
  "WITH a AS MATERIALIZED (SELECT set_config('transaction_read_only', 'off', false)) SELECT writes() FROM a",
  "SELECT query_to_xml('DELETE FROM t RETURNING *', true, true, '')",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT pg_read_binary_file('/etc/passwd')",
  "SELECT pg_ls_dir('/')",
  "SELECT lo_import('/etc/passwd')",
  "SELECT lo_export(1, '/tmp/agentd-copied')",
  "SELECT lo_create(0)",
  "SELECT lo_from_bytea(0, 'x')",
  "SELECT pg_reload_conf()",
  "SELECT pg_rotate_logfile()",
  "SELECT pg_create_restore_point('x')",
  "SELECT pg_switch_wal()",
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user",
  "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = current_user",
  'SELECT U&"pg_\\0063ancel_backend"(1)',
  "SELECT query_to_xml('SELECT pg_' || 'cancel_backend(1)', true, true, '')",
  "SELECT * FROM ts_stat('SELECT to_tsvector((pg_' || 'cancel_backend(1))::text)')",
  "SELECT pg_promote()",
  "SELECT * FROM pg_authid",
  "SELECT rolpassword FROM pg_authid",
  "SELECT dblink_exec('dbname=postgres', 'DROP TABLE t')",
  "SELECT 1 \u0000; DELETE FROM t",
  "",
  ";",
  "-- only a comment",
  ") SELECT 1",
  "SELECT 1) --",
];

/** What one SELECT may be. */
const READS: readonly [sql: string, parameters: JsonValue[], rows: JsonObject[]][] = [
  ["SELECT 1 AS one", [], [{ one: 1 }]],
  ["SELECT 1 AS one;", [], [{ one: 1 }]],
  ["SELECT 1 AS one -- with a comment", [], [{ one: 1 }]],
  ["SELECT 1 AS one; -- with a comment", [], [{ one: 1 }]],
  ["/* before */ SELECT 1 AS a, 2 AS a", [], [{ a: 1, a_2: 2 }]],
  ["VALUES (1), (2)", [], [{ column1: 1 }, { column1: 2 }]],
  ["TABLE t ORDER BY id LIMIT 1", [], [{ id: 1, v: "v1" }]],
  ["WITH a AS (SELECT 1 AS x) SELECT x + 1 AS y FROM a", [], [{ y: 2 }]],
  ["SELECT v FROM t WHERE id = $1", [7], [{ v: "v7" }]],
  ["SELECT count(*) AS n FROM t WHERE id = ANY ($1) AND v <> $2", [[1, 2, 3], "v2"], [{ n: 2 }]],
  ["SELECT $1::jsonb AS j, $2::text AS n", [{ a: [1] }, null], [{ j: { a: [1] }, n: null }]],
  ["SELECT ';' AS a, 'DELETE FROM t' AS b", [], [{ a: ";", b: "DELETE FROM t" }]],
  ["(SELECT 1 AS a) UNION ALL (SELECT 2) ORDER BY a", [], [{ a: 1 }, { a: 2 }]],
  ["SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) AS m FROM t WHERE id < 4", [], [{ m: 2 }]],
  ["SELECT id, lag(id) OVER (ORDER BY id) AS b FROM t ORDER BY id LIMIT 1", [], [{ id: 1, b: null }]],
];

const LIMITS = { timeoutMs: 5_000, lockMs: 500 };

describe("The free query of a PostgreSQL database", () => {
  let server: PostgresServer;
  let database: Database;
  let name: string;
  let role: string;
  let url: string;

  before(async () => {
    server = await startPostgres();
    ({ name, role, url } = await server.createDatabase(SCHEMA));
    database = openPostgres(url);
  });
  after(async () => {
    await database?.close();
    await server?.stop();
  });

  async function query(
    sql: string,
    parameters: JsonValue[] = [],
    { on = database, timeoutMs = 5_000 } = {},
  ): Promise<JsonObject[]> {
    const rows: JsonObject[] = [];
    for await (const batch of on.query(sql, parameters, { ...LIMITS, timeoutMs })) rows.push(...batch);
    return rows;
  }

  async function dump(): Promise<unknown> {
    const { rows } = await server.run(
      "SELECT (SELECT count(*) FROM t) AS t, (SELECT last_value FROM s) AS s, (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS c, (SELECT count(*) FROM pg_largeobject_metadata) AS l",
      name,
    );
    return rows[0];
  }

  it("is one SELECT of any form, with parameters", async () => {
    for (const [sql, parameters, rows] of READS) expect(await query(sql, parameters), sql).to.deep.equal(rows);
  });

  it("changes nothing, whatever it says", async () => {
    const before = await dump();
    for (const sql of ATTACKS) {
      const failure = await failureOf(query(sql).then((rows) => `${sql}: ${JSON.stringify(rows)}`));
      expect(failure.code, sql).to.be.oneOf(["refused", "database_error", "permission_denied", "invalid_value"]);
    }
    expect(await dump()).to.deep.equal(before);
    expect(await query("SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("leaves nothing behind in the session", async () => {
    await query("SELECT pg_advisory_lock(77), set_config('work_mem', '123MB', false), set_config('role', $1, false)", [
      role,
    ]);
    const { rows } = await server.run("SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'", name);
    expect(rows).to.deep.equal([{ n: 0 }]);
    // The pool has one connection at this moment, which the next query takes.
    expect(await query("SELECT current_setting('work_mem') <> '123MB' AS is_reset")).to.deep.equal([
      { is_reset: true },
    ]);
  });

  it("ends in time, whatever it does with its own timeouts", async () => {
    for (const sql of [
      "SELECT pg_sleep(60)",
      "SELECT set_config('statement_timeout', '0', true), pg_sleep(60)",
      "SELECT count(*) FROM generate_series(1, 100000000000)",
    ]) {
      const started = Date.now();
      expect((await failureOf(query(sql, [], { timeoutMs: 250 }))).code, sql).to.equal("timeout");
      expect(Date.now() - started, sql).to.be.below(3_000);
    }
    expect(await query("SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("ends in time when a function catches the cancel @all", async () => {
    const started = Date.now();
    expect((await failureOf(query("SELECT goes_on()", [], { timeoutMs: 250 }))).code).to.equal("timeout");
    expect(Date.now() - started).to.be.below(6_000);
    await server.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%agentd_rows%' AND pid <> pg_backend_pid()",
      name,
    );
  });

  it("gives rows as they come, and ends when the reader leaves", async () => {
    const sizes: number[] = [];
    for await (const batch of database.query("SELECT * FROM t ORDER BY id", [], LIMITS)) sizes.push(batch.length);
    expect(sizes).to.deep.equal([4, 500, 500, 196]);
    for await (const batch of database.query("SELECT a.id FROM t a, t b, t c", [], LIMITS)) {
      expect(batch).to.have.length(4);
      break;
    }
    const { rows } = await server.run(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'agentd' AND state <> 'idle'",
      name,
    );
    expect(rows).to.deep.equal([{ n: 0 }]);
  });

  it("has no answer in memory that is larger than a result may be @all", async () => {
    const start = process.memoryUsage().rss;
    for (const sql of ["SELECT repeat('x', 200000000) AS x", "SELECT repeat('x', 30000000) AS x FROM t"])
      expect((await failureOf(query(sql, [], { timeoutMs: 60_000 }))).code, sql).to.equal("refused");
    expect(process.memoryUsage().rss - start).to.be.below(500_000_000);
    expect((await query("SELECT repeat('x', 5000000) AS x FROM t LIMIT 6")).length).to.equal(6);
  });

  it("is refused to a superuser and to roles that reach files, with a recipe; the operator may insist", async () => {
    const superuser = openPostgres(server.url(name));
    const insisting = openPostgres(server.url(name), { allowSuperuserQuery: true });
    try {
      const failure = await failureOf(query("SELECT 1", [], { on: superuser }));
      expect(failure.code).to.equal("refused");
      expect(failure.message).to.match(/superuser.*CREATE ROLE/);
      expect((await superuser.introspect()).noQuery).to.match(/superuser.*CREATE ROLE/);
      expect(await query("SELECT 1 AS one", [], { on: insisting })).to.deep.equal([{ one: 1 }]);
      expect((await insisting.introspect()).noQuery).to.equal(undefined);
    } finally {
      await superuser.close();
      await insisting.close();
    }
    await server.run(`GRANT pg_read_server_files TO ${role}`);
    const reader = openPostgres(url);
    try {
      expect((await failureOf(query("SELECT 1", [], { on: reader }))).message).to.contain("pg_read_server_files");
    } finally {
      await reader.close();
      await server.run(`REVOKE pg_read_server_files FROM ${role}`);
    }
    expect((await database.introspect()).noQuery).to.equal(undefined);
  });

  it("says that only one SELECT can be asked", async () => {
    for (const sql of ["DELETE FROM t", "SELECT 1; SELECT 2", "COMMIT", "EXPLAIN SELECT 1"]) {
      const failure = await failureOf(query(sql));
      expect(failure.code, sql).to.equal("refused");
      expect(failure.message, sql).to.contain("only one SELECT can be asked");
    }
    expect((await failureOf(query("SELECT FROM WHERE"))).code).to.equal("database_error");
  });

  it("fails in words that help with the statement", async () => {
    const failure = await failureOf(query("SELECT idd FROM t"));
    expect(failure.code).to.equal("database_error");
    expect(failure.message).to.contain('column "idd" does not exist').and.to.contain("t.id");
  });
});
