// Changes of a real PostgreSQL: what is shown before, what is kept, what is put back. Everything a change touched is counted by the
// server itself; nothing but exactly what was there before counts as taken back.
import { expect } from "chai";
import type { DatabaseCatalogue } from "../../../../src/applications/sql/catalogue.js";
import type { Change, ChangeOptions, Database, Restoration } from "../../../../src/applications/sql/database.js";
import { openPostgres } from "../../../../src/applications/sql/postgres/open.js";
import type { Evidence } from "../../../../src/applications/transport.js";
import type { JsonObject } from "../../../../src/lib/json.js";
import { failureOf } from "../../../support/database-failure.js";
import { type PostgresServer, startPostgres } from "../../../support/postgres.js";

const SCHEMA = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text UNIQUE, balance numeric NOT NULL DEFAULT 0);
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int REFERENCES customers ON DELETE CASCADE,
    note text, doubled text GENERATED ALWAYS AS (note || note) STORED);
  CREATE TABLE lines (order_id bigint REFERENCES orders ON DELETE CASCADE, n int, amount numeric(10,2), PRIMARY KEY (order_id, n));
  CREATE TABLE visits (id int PRIMARY KEY, customer_id int REFERENCES customers ON DELETE SET NULL, at timestamptz);
  CREATE TABLE parts (id int PRIMARY KEY, whole int REFERENCES parts ON DELETE CASCADE);
  CREATE TABLE invoices (id int PRIMARY KEY, customer_id int REFERENCES customers);
  CREATE TABLE notes (body text);
  CREATE TABLE audit (id serial PRIMARY KEY, what text);
  CREATE TABLE watched (id int PRIMARY KEY, v text);
  CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN INSERT INTO audit (what) VALUES (TG_OP); RETURN NULL; END $f$;
  CREATE TRIGGER w AFTER INSERT OR UPDATE OR DELETE ON watched FOR EACH ROW EXECUTE FUNCTION log_it();
  CREATE TABLE stamped (id int PRIMARY KEY, v text, changed_at timestamptz);
  CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN NEW.changed_at := clock_timestamp(); RETURN NEW; END $f$;
  CREATE TRIGGER s BEFORE UPDATE ON stamped FOR EACH ROW EXECUTE FUNCTION stamp();
  CREATE TABLE grown (id int PRIMARY KEY, v text);
  CREATE TRIGGER g AFTER INSERT ON grown FOR EACH ROW EXECUTE FUNCTION log_it();
  CREATE TABLE teams (id int PRIMARY KEY);
  CREATE TABLE members (id int PRIMARY KEY, team int REFERENCES teams ON DELETE CASCADE);
  CREATE TABLE pairs (id int PRIMARY KEY, team int REFERENCES teams ON DELETE CASCADE, a int REFERENCES members ON DELETE CASCADE, b int REFERENCES members ON DELETE CASCADE);
  CREATE TABLE kept (id int PRIMARY KEY, v text);
  CREATE FUNCTION keep_it() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RETURN NULL; END $f$;
  CREATE TRIGGER k BEFORE DELETE ON kept FOR EACH ROW EXECUTE FUNCTION keep_it();
  CREATE TABLE parted (id int, d date, v text, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);
  CREATE TABLE parted_a PARTITION OF parted FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
  CREATE TABLE parted_b PARTITION OF parted FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
  INSERT INTO customers VALUES (1, 'Ada', 'ada@x', 12345678901234567890.12), (2, 'Bob', 'bob@x', 0);
  INSERT INTO orders (customer_id, note) VALUES (1, 'a'), (1, 'b'), (2, 'c');
  INSERT INTO lines SELECT o, n, n FROM generate_series(1, 3) o, generate_series(1, 2) n;
  INSERT INTO visits VALUES (1, 1, '2026-01-01 10:00+02'), (2, 2, NULL);
  INSERT INTO parts VALUES (1, NULL), (2, 1), (3, 2);
  INSERT INTO watched VALUES (1, 'x'); INSERT INTO stamped VALUES (1, 'x', NULL); INSERT INTO kept VALUES (1, 'x');
  INSERT INTO grown VALUES (1, 'x'); INSERT INTO teams VALUES (1); INSERT INTO members VALUES (1, 1), (2, 1); INSERT INTO pairs VALUES (1, 1, 1, 2);
  INSERT INTO parted VALUES (1, '2020-05-05', 'x');
`;

const LIMITS = { timeoutMs: 5_000, lockMs: 300 };

describe("Changes of a PostgreSQL database", () => {
  let server: PostgresServer;
  let database: Database;
  let catalogue: DatabaseCatalogue;
  let name: string;
  let role: string;
  let url: string;
  let kept: Evidence[];

  before(async () => {
    server = await startPostgres();
    const made = await server.createDatabase(SCHEMA);
    ({ name, role, url } = made);
    database = openPostgres(made.url);
    catalogue = await database.introspect();
  });
  after(async () => {
    await database?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    await server.run(`SET ROLE ${role}; DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${SCHEMA}`, name);
    kept = [];
  });

  const commit: ChangeOptions = {
    ...LIMITS,
    commit: true,
    keep: async (evidence) => {
      kept.push(evidence);
    },
  };
  const dryRun: ChangeOptions = { ...LIMITS, commit: false };

  function changeOf(
    operation: Change["operation"],
    table: string,
    parts: { key?: JsonObject; values?: JsonObject },
  ): Change {
    const found = catalogue.tables.find((one) => one.name.name === table);
    if (!found) throw new Error(`no table ${table}`);
    const { columns, key: keyColumns } = found;
    return { operation, table: found.name, columns, keyColumns, key: parts.key ?? {}, values: parts.values ?? {} };
  }

  const lastImages = (): Restoration => JSON.parse(JSON.stringify(kept.at(-1)?.images)) as Restoration;

  async function dump(): Promise<string> {
    const tables = ["customers", "orders", "lines", "visits", "parts", "watched", "stamped", "kept", "parted", "audit"];
    const all = tables.map((one) => `SELECT '${one}' t, x::text r FROM ${one} x`).join(" UNION ALL ");
    return JSON.stringify((await server.run(`SELECT * FROM (${all}) a ORDER BY t, r`, name)).rows);
  }

  it("creates, updates and deletes a row by its key, with the row as the result", async () => {
    const created = await database.change(
      changeOf("create", "orders", { values: { customer_id: 2, note: "new" } }),
      commit,
    );
    expect(created).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "new", doubled: "newnew" } });
    const updated = await database.change(
      changeOf("update", "orders", { key: { id: 4 }, values: { note: "n" } }),
      commit,
    );
    expect(updated).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "n", doubled: "nn" } });
    const deleted = await database.change(changeOf("delete", "orders", { key: { id: 4 } }), commit);
    expect(deleted).to.deep.include({ kind: "done", row: { id: 4, customer_id: 2, note: "n", doubled: "nn" } });
    expect(kept.map(({ undo }) => undo)).to.deep.equal(["possible", "possible", "possible"]);
  });

  it("shows what a delete takes along, counts it, and does nothing of it in advance", async () => {
    const before = await dump();
    const shown = await database.change(changeOf("delete", "customers", { key: { id: 1 } }), dryRun);
    expect(shown.preview.effect.tables).to.deep.equal([
      { name: "customers", inserted: 0, updated: 0, deleted: 1 },
      { name: "lines", inserted: 0, updated: 0, deleted: 4 },
      { name: "orders", inserted: 0, updated: 0, deleted: 2 },
      { name: "visits", inserted: 0, updated: 1, deleted: 0 },
    ]);
    expect(shown.preview.effect.complete).to.equal(true);
    expect(shown.preview.undo).to.equal("possible");
    expect(shown.preview.effect.changes).to.have.length(8);
    expect(shown.preview.effect.changes[0]).to.deep.equal({
      resource: "customers",
      key: { id: 1 },
      before: { id: 1, name: "Ada", email: "ada@x", balance: "12345678901234567890.12" },
      after: null,
    });
    expect(shown.preview.effect.changes.find(({ resource }) => resource === "visits")).to.deep.equal({
      resource: "visits",
      key: { id: 1 },
      before: { id: 1, customer_id: 1, at: "2026-01-01T08:00:00Z" },
      after: { id: 1, customer_id: null, at: "2026-01-01T08:00:00Z" },
    });
    expect(await dump()).to.equal(before);
  });

  it("puts a deleted row back with everything that went with it, to the byte", async () => {
    const before = await dump();
    await database.change(changeOf("delete", "customers", { key: { id: 1 } }), commit);
    const gone = await dump();
    expect(gone).not.to.equal(before);
    const undone = await database.change(lastImages(), commit);
    expect(undone.preview.effect.complete).to.equal(true);
    expect(await dump()).to.equal(before);
    // Its own evidence takes it back once more.
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(gone);
  });

  it("puts rows back that refer to rows of their own table", async () => {
    const before = await dump();
    await database.change(changeOf("delete", "parts", { key: { id: 1 } }), commit);
    const images = lastImages();
    images.images = images.images.toReversed();
    await database.change(images, commit);
    expect(await dump()).to.equal(before);
  });

  it("takes back a create and an update", async () => {
    const before = await dump();
    await database.change(changeOf("create", "customers", { values: { id: 9, name: "Eve" } }), commit);
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(before);
    await database.change(
      changeOf("update", "customers", { key: { id: 1 }, values: { balance: 1.5, name: "A" } }),
      commit,
    );
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(before);
  });

  it("takes nothing back when a row is not what the call left, and names the columns", async () => {
    await database.change(changeOf("update", "customers", { key: { id: 1 }, values: { name: "A" } }), commit);
    await server.run("UPDATE customers SET name = 'secret', balance = 3 WHERE id = 1", name);
    const now = await dump();
    const failure = await failureOf(database.change(lastImages(), commit));
    expect(failure.code).to.equal("conflict");
    expect(failure.details["differing"]).to.deep.equal([
      { table: "customers", key: { id: "1" }, now: "different", columns: ["name", "balance"] },
    ]);
    expect(failure.message).not.to.contain("secret");
    expect(await dump()).to.equal(now);
  });

  it("does not delete a created row that others refer to by now", async () => {
    await database.change(changeOf("create", "customers", { values: { id: 9, name: "Eve" } }), commit);
    await server.run("INSERT INTO orders (customer_id) VALUES (9)", name);
    const now = await dump();
    expect((await failureOf(database.change(lastImages(), commit))).code).to.equal("conflict");
    expect(await dump()).to.equal(now);
  });

  it("does not put back what another row has taken the place of", async () => {
    await database.change(changeOf("delete", "customers", { key: { id: 2 } }), commit);
    await server.run("INSERT INTO customers VALUES (3, 'Mallory', 'bob@x')", name);
    const now = await dump();
    const failure = await failureOf(database.change(lastImages(), commit));
    expect(failure.code).to.equal("conflict");
    expect(failure.message).not.to.contain("bob@x");
    expect(await dump()).to.equal(now);
  });

  it("puts nothing back into a table that has other columns now", async () => {
    await database.change(changeOf("delete", "customers", { key: { id: 2 } }), commit);
    await server.run("ALTER TABLE customers ADD COLUMN more text", name);
    expect((await failureOf(database.change(lastImages(), commit))).code).to.equal("schema_changed");
  });

  it("says before the yes what triggers change elsewhere", async () => {
    const shown = await database.change(changeOf("update", "watched", { key: { id: 1 }, values: { v: "y" } }), dryRun);
    expect(shown.preview.effect.tables).to.deep.equal([
      { name: "audit", inserted: 1, updated: 0, deleted: 0 },
      { name: "watched", inserted: 0, updated: 1, deleted: 0 },
    ]);
    expect(shown.preview.effect.complete).to.equal(false);
    expect(shown.preview.effect.note).to.contain("audit");
    expect(shown.preview.undo).to.equal("partial");
  });

  it("takes nothing back of a change whose triggers wrote elsewhere, as that would stay", async () => {
    await database.change(changeOf("update", "watched", { key: { id: 1 }, values: { v: "y" } }), commit);
    expect(kept.at(-1)?.undo).to.equal("partial");
    const now = await dump();
    const failure = await failureOf(database.change(lastImages(), commit));
    expect(failure.code).to.equal("partial");
    expect(failure.message).to.contain("audit");
    expect(await dump()).to.equal(now);
  });

  it("says before the yes that taking back would set off triggers of its own", async () => {
    for (const [table, values] of [
      ["stamped", { v: "y" }],
      ["grown", {}],
    ] as const) {
      const operation = table === "grown" ? "delete" : "update";
      const change = changeOf(operation, table, { key: { id: 1 }, values });
      const { preview } = await database.change(change, dryRun);
      expect(preview.undo, table).to.equal("partial");
      expect(preview.effect.note, table).to.contain("taking it back");
      const outcome = await database.change(change, { ...commit, expected: preview.fingerprint });
      expect(outcome.kind, table).to.equal("done");
      expect(kept.at(-1)?.undo, table).to.equal("partial");
      expect((await failureOf(database.change(lastImages(), commit))).code, table).to.equal("partial");
    }
  });

  it("counts in an undo only what it did, however often it had to try the order", async () => {
    await database.change(changeOf("delete", "teams", { key: { id: 1 } }), commit);
    expect(kept.at(-1)?.undo).to.equal("possible");
    const { preview } = await database.change(lastImages(), dryRun);
    expect(preview.effect).to.deep.include({
      tables: [
        { name: "members", inserted: 2, updated: 0, deleted: 0 },
        { name: "pairs", inserted: 1, updated: 0, deleted: 0 },
        { name: "teams", inserted: 1, updated: 0, deleted: 0 },
      ],
      complete: true,
    });
  });

  it("says before the yes that a trigger empties a table, whose rows nothing counts", async () => {
    await server.run(
      `CREATE FUNCTION empty_it() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN TRUNCATE audit; RETURN NULL; END $f$;
       CREATE TRIGGER e AFTER UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION empty_it(); ALTER TABLE audit OWNER TO ${role};
       INSERT INTO audit (what) VALUES ('kept for long')`,
      name,
    );
    const { preview } = await database.change(
      changeOf("update", "customers", { key: { id: 1 }, values: { name: "Ada L" } }),
      dryRun,
    );
    expect(preview).to.deep.include({ undo: "partial" }).and.to.have.nested.property("effect.complete", false);
    expect(preview.effect.note).to.contain("emptied");
  });

  it("rolls a restoration back that triggers would spoil", async () => {
    const { preview } = await database.change(
      changeOf("update", "stamped", { key: { id: 1 }, values: { v: "y" } }),
      commit,
    );
    expect(preview.undo).to.equal("partial");
    expect(preview.effect.note).to.contain("changed_at");
    const now = await dump();
    const failure = await failureOf(database.change(lastImages(), commit));
    expect(failure.code).to.equal("partial");
    expect(failure.message).to.contain("changed_at");
    expect(await dump()).to.equal(now);
  });

  it("does what was seen, and nothing when the rows are others by then", async () => {
    const change = changeOf("delete", "customers", { key: { id: 1 } });
    const { preview } = await database.change(change, dryRun);
    await server.run("INSERT INTO orders (customer_id) VALUES (1)", name);
    const now = await dump();
    const second = await database.change(change, { ...commit, expected: preview.fingerprint });
    expect(second.kind).to.equal("changed");
    expect(second.preview.effect.changes).to.have.length(9);
    expect(kept).to.deep.equal([]);
    expect(await dump()).to.equal(now);
    const third = await database.change(change, { ...commit, expected: second.preview.fingerprint });
    expect(third.kind).to.equal("done");
  });

  it("expects of a create and of an update by a trigger what clocks and sequences cannot change", async () => {
    for (const change of [
      changeOf("create", "orders", { values: { note: "n" } }),
      changeOf("update", "stamped", { key: { id: 1 }, values: { v: "z" } }),
    ]) {
      const { preview } = await database.change(change, dryRun);
      expect((await database.change(change, { ...commit, expected: preview.fingerprint })).kind).to.equal("done");
    }
  });

  it("does nothing when the evidence cannot be kept", async () => {
    const before = await dump();
    const failing = { ...commit, keep: () => Promise.reject(new Error("disk full")) };
    const error = await database
      .change(changeOf("delete", "parts", { key: { id: 1 } }), failing)
      .catch((one) => one as Error);
    expect((error as Error).message).to.equal("disk full");
    expect(await dump()).to.equal(before);
  });

  it("keeps the evidence before the change is final", async () => {
    let inside = "";
    const before = await dump();
    await database.change(changeOf("delete", "parts", { key: { id: 1 } }), {
      ...commit,
      keep: async (evidence) => {
        inside = await dump();
        kept.push(evidence);
      },
    });
    expect(inside).to.equal(before);
    expect(await database.transactionStatus?.(kept[0]?.transaction ?? "")).to.equal("committed");
  });

  it("tells what became of a transaction, as long as the server knows", async () => {
    let id = "";
    const keep = (evidence: Evidence): Promise<void> => {
      id = evidence.transaction ?? "";
      return Promise.reject(new Error("no"));
    };
    await database.change(changeOf("delete", "parts", { key: { id: 1 } }), { ...commit, keep }).catch(() => {});
    expect(await database.transactionStatus?.(id)).to.equal("aborted");
    expect(await database.transactionStatus?.("no id")).to.equal(undefined);
  });

  it("counts the rows of partitions for their table", async () => {
    const before = await dump();
    const moved = changeOf("update", "parted", { key: { id: 1, d: "2020-05-05" }, values: { v: "y" } });
    const outcome = await database.change(moved, commit);
    expect(outcome.preview.effect).to.deep.include({
      tables: [{ name: "parted", inserted: 0, updated: 1, deleted: 0 }],
      complete: true,
    });
    await database.change(lastImages(), commit);
    expect(await dump()).to.equal(before);
  });

  it("says not_found, constraint and column, and no value of a row", async () => {
    expect((await failureOf(database.change(changeOf("delete", "parts", { key: { id: 99 } }), commit))).code).to.equal(
      "not_found",
    );
    const taken = await failureOf(
      database.change(changeOf("create", "customers", { values: { id: 5, name: "N", email: "ada@x" } }), commit),
    );
    expect(taken.code).to.equal("constraint_violation");
    expect(taken.details).to.deep.include({ constraint: "customers_email_key", column: "email", table: "customers" });
    expect(`${taken.message} ${JSON.stringify(taken.details)}`).not.to.contain("ada@x");
    const missing = await failureOf(database.change(changeOf("create", "customers", { values: { id: 5 } }), commit));
    expect(missing.details).to.deep.include({ column: "name", table: "customers" });
    expect(missing.message).not.to.contain("(5,");
    await server.run("INSERT INTO invoices VALUES (1, 2)", name);
    const used = await failureOf(database.change(changeOf("delete", "customers", { key: { id: 2 } }), commit));
    expect(used.details).to.deep.include({ constraint: "invoices_customer_id_fkey" });
    const wrong = await failureOf(
      database.change(changeOf("update", "lines", { key: { order_id: 1, n: 1 }, values: { amount: "x" } }), commit),
    );
    expect(wrong.code).to.equal("invalid_value");
  });

  it("says so when a trigger keeps the row as it is", async () => {
    expect((await failureOf(database.change(changeOf("delete", "kept", { key: { id: 1 } }), commit))).code).to.equal(
      "refused",
    );
  });

  it("cannot take back what has no key", async () => {
    const outcome = await database.change(changeOf("create", "notes", { values: { body: "x" } }), commit);
    expect(outcome).to.deep.include({ kind: "done", row: { body: "x" } });
    expect(outcome.preview.undo).to.equal("impossible");
    expect(outcome.preview.effect.note).to.equal("notes has no key by which its rows could be told apart");
  });

  it("says so when the table has changed since it was described", async () => {
    const change = changeOf("update", "customers", { key: { id: 1 }, values: { email: "e" } });
    await server.run("ALTER TABLE customers RENAME COLUMN email TO mail", name);
    expect((await failureOf(database.change(change, commit))).code).to.equal("schema_changed");
  });

  it("does not run in advance what a trigger does outside the database, and says so", async () => {
    await server.run(
      `CREATE TABLE calls (id int PRIMARY KEY, v text); INSERT INTO calls VALUES (1, 'x'); GRANT ALL ON calls TO ${role};
       CREATE FUNCTION dials() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
         PERFORM 'dblink_exec would run here'; RAISE EXCEPTION 'it was run'; END $f$;
       CREATE TRIGGER d AFTER UPDATE ON calls FOR EACH ROW EXECUTE FUNCTION dials()`,
      name,
    );
    const columns = [
      { name: "id", kind: "integer", type: "integer" },
      { name: "v", kind: "text", type: "text" },
    ] as const;
    const change: Change = {
      operation: "update",
      table: { name: "calls" },
      columns,
      keyColumns: ["id"],
      key: { id: 1 },
      values: { v: "y" },
    };
    const { preview } = await database.change(change, dryRun);
    expect(preview.effect.note).to.contain("not run in advance").and.to.contain("calls (dblink)");
    expect(preview.effect).to.deep.include({
      complete: false,
      tables: [{ name: "calls", inserted: 0, updated: 1, deleted: 0 }],
    });
    expect((await failureOf(database.change(change, { ...commit, expected: preview.fingerprint }))).message).to.contain(
      "it was run",
    );
    await server.run(
      "ALTER TABLE calls DISABLE TRIGGER d; UPDATE calls SET v = 'z'; ALTER TABLE calls ENABLE TRIGGER d",
      name,
    );
    expect((await database.change(change, { ...commit, expected: preview.fingerprint })).kind).to.equal("changed");
  });

  it("goes to the table that was described, wherever the search_path of the role leads", async () => {
    await server.run(
      `CREATE SCHEMA IF NOT EXISTS decoy; CREATE TABLE IF NOT EXISTS decoy.parts (id int PRIMARY KEY, whole int); DELETE FROM decoy.parts;
       INSERT INTO decoy.parts VALUES (3, NULL); GRANT ALL ON SCHEMA decoy TO ${role}; GRANT ALL ON decoy.parts TO ${role};
       ALTER ROLE ${role} SET search_path = decoy, public`,
      name,
    );
    const misled = openPostgres(url);
    try {
      const change = changeOf("delete", "parts", { key: { id: 3 } });
      expect((await misled.change(change, commit)).preview.effect.changes[0]?.before).to.deep.equal({
        id: 3,
        whole: 2,
      });
      const rows: JsonObject[] = [];
      const selection = { table: { name: "parts" }, columns: change.columns, where: [], order: [] };
      for await (const batch of misled.select(selection, LIMITS)) rows.push(...batch);
      expect(rows).to.have.length(2);
      const { rows: left } = await server.run("SELECT count(*)::int AS n FROM decoy.parts", name);
      expect(left).to.deep.equal([{ n: 1 }]);
    } finally {
      await misled.close();
      await server.run(`ALTER ROLE ${role} RESET search_path`);
    }
  });

  it("waits for a lock no longer than it may", async () => {
    let release: () => void = () => {};
    let isHeld: () => void = () => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const first = database.change(changeOf("update", "customers", { key: { id: 1 }, values: { name: "A" } }), {
      ...commit,
      keep: () => {
        isHeld();
        return new Promise<void>((resolve) => (release = resolve));
      },
    });
    await held;
    const second = await failureOf(database.change(changeOf("delete", "customers", { key: { id: 1 } }), dryRun));
    expect(second.code).to.equal("locked");
    release();
    expect((await first).kind).to.equal("done");
  });
});
